"""Question sets over pooled paragraphs: MuSiQue, HotpotQA, 2WikiMultihopQA."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Paragraphs", "read"]


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """A corpus and its questions.

    Attributes
    ----------
    texts : dict
        Id -> (title, text).
    questions : tuple of (question, ids of the evidence)
    """

    name: str
    texts: dict[str, tuple[str, str]]
    questions: tuple[tuple[str, frozenset[str]], ...]


def read(folder: Path) -> Paragraphs:
    """Read one set from its folder."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    texts = {str(entry["id"]): (entry["title"], entry["text"]) for entry in entries}
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    questions = tuple(
        (entry["question"], frozenset(str(id) for id in _gold(entry)) & texts.keys())
        for entry in map(json.loads, lines)
    )
    return Paragraphs(folder.name, texts, tuple(q for q in questions if q[1]))


def _gold(entry: dict) -> list:
    return next(entry[key] for key in ("gold", "evidence", "supporting", "gold_ids") if key in entry)
