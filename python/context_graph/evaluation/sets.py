"""Public question sets as memories and questions: what is stored, what is asked, which memories answer it."""

import gzip
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from context_graph.errors import InvalidInput
from context_graph.ingest.draft import Draft
from context_graph.regex import regex

__all__ = ["CATEGORIES", "Question", "QuestionSet", "read"]

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""Of LoCoMo's questions."""

_TURN = regex(r"D:?(\d+):0*(\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes
    ----------
    gold : frozenset of int
        Places, in the set's memories, of those that hold the answer; never empty.
    held : bool
        Part of the half that no weight was chosen on.
    """

    id: str
    text: str
    gold: frozenset[int]
    held: bool
    category: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One store: its memories in the order they are stored, and the questions that are asked of it."""

    name: str
    memories: tuple[Draft, ...]
    questions: tuple[Question, ...]


def read(folder: Path) -> list[QuestionSet]:
    """Read a set from its folder; a folder of conversations gives one store for each.

    Raises
    ------
    InvalidInput
        If the folder holds none of the known layouts.
    """
    if conversations := sorted(folder.glob("conv-*.json")):
        return [_conversation(file) for file in conversations]
    for name, reader in (("questions.jsonl", _paragraphs), ("queries.jsonl", _documents)):
        if (folder / name).is_file():
            return [reader(folder)]
    raise InvalidInput(
        f"{folder} must hold conv-*.json, questions.jsonl with corpus.jsonl.gz, or queries.jsonl with corpus.jsonl.gz "
        "or codes.jsonl.gz; found none of them"
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    opened: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _conversation(file: Path) -> QuestionSet:
    """LoCoMo: one memory a turn, with its speaker, date and session; conversations 47 and 49 are held back."""
    data = json.loads(file.read_text("utf-8"))
    memories: list[Draft] = []
    place: dict[str, int] = {}
    for number in range(1, 1 + sum(key.endswith("date_time") for key in data["conversation"])):
        date = datetime.strptime(data["conversation"][f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        for turn in data["conversation"].get(f"session_{number}", ()):
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            place[turn["dia_id"]] = len(memories)
            memories.append(
                Draft(
                    turn["text"] + caption, "said in a conversation between friends",
                    session_id=f"{file.stem}/{number}", speaker=turn["speaker"],
                    occurred_at=round(date.replace(tzinfo=UTC).timestamp() * 1e6),
                )
            )  # fmt: skip
    held_out = file.stem in ("conv-47", "conv-49")
    questions = []
    for i, entry in enumerate(data["qa"]):
        cited = [f"D{a}:{int(b)}" for text in entry.get("evidence", ()) for a, b in _TURN.findall(str(text))]
        if gold := frozenset(place[id] for id in cited if id in place):
            category = CATEGORIES[entry["category"]]
            questions.append(Question(f"{file.stem}/{i}", entry["question"], gold, held_out, category))
    return QuestionSet(file.stem, tuple(memories), tuple(questions))


def _paragraphs(folder: Path) -> QuestionSet:
    """MuSiQue, HotpotQA, 2WikiMultihopQA: one memory a paragraph, named by its title; every second question held."""
    entries = list(_lines(folder / "corpus.jsonl.gz"))
    place = {str(entry["id"]): i for i, entry in enumerate(entries)}
    memories = [Draft(e["text"], "a paragraph of an encyclopedia", name=e["title"]) for e in entries]
    return QuestionSet(
        folder.name, tuple(memories), _asked(_lines(folder / "questions.jsonl"), "question", "gold", place)
    )


def _documents(folder: Path) -> QuestionSet:
    """Cranfield and CISI: an abstract a memory; CoSQA: a function a memory; every second question held."""
    if (folder / "codes.jsonl.gz").is_file():
        entries = list(_lines(folder / "codes.jsonl.gz"))
        memories = [Draft(entry["code"], "a function of a library", domain="code") for entry in entries]
        text, gold = "query", "gold"
    else:
        entries = list(_lines(folder / "corpus.jsonl.gz"))
        texts = [entry["text"].strip() or entry["title"] or "(empty)" for entry in entries]
        memories = [Draft(t, "an abstract", name=e["title"] or None) for t, e in zip(texts, entries, strict=True)]
        text, gold = "question", "rel"
    place = {str(entry["id"]): i for i, entry in enumerate(entries)}
    return QuestionSet(folder.name, tuple(memories), _asked(_lines(folder / "queries.jsonl"), text, gold, place))


def _asked(entries: Iterator[dict[str, Any]], text: str, gold: str, place: dict[str, int]) -> tuple[Question, ...]:
    found = []
    for i, entry in enumerate(entries):
        ids: Collection[Any] = entry[gold] if isinstance(entry[gold], list | dict) else [entry[gold]]
        if rows := frozenset(place[str(id)] for id in ids if str(id) in place):
            found.append(Question(str(entry["id"]), entry[text], rows, i % 2 == 1, entry.get("type", "")))
    return tuple(found)
