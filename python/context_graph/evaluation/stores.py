"""Stores of a question set, made once and kept where the caller likes."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from context_graph.embed import QueryVectors
from context_graph.evaluation.sets import Question, QuestionSet
from context_graph.memory import Memory
from context_graph.recall import normalization as reading
from context_graph.recall.query import question_vectors
from context_graph.settings import Settings

__all__ = ["Asked", "stored"]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question of a stored set.

    Attributes
    ----------
    gold : frozenset of int
        Rows of the corpus.
    """

    memory: Memory
    question: Question
    vectors: QueryVectors
    gold: frozenset[int]


@contextmanager
def stored(sets: list[QuestionSet], tier: str, *, keep: Path | None = None, **settings: Any) -> Iterator[list[Asked]]:
    """All memories of some sets in a store each, and their questions.

    Parameters
    ----------
    settings
        Others of `Settings`, such as `model_folder`.
    keep : Path, optional
        Folder where stores stay, for the next run; a temporary one by default.
    """
    root = Path(tempfile.mkdtemp(prefix="evaluate-")) if keep is None else keep
    opened: list[Memory] = []
    try:
        queries = []
        for part in sets:
            home = root / f"{part.name}-{tier}"
            memory = Memory(Settings(home=home, tier=tier, redact_pii=False, **settings))
            opened.append(memory)
            ids = _fill(memory, part, home / "places.json")
            rows = memory.corpus.row_of
            queries += [
                Asked(
                    memory,
                    q,
                    question_vectors(memory, memory.corpus, reading.normalize(q.text)),
                    frozenset(rows[ids[i]] for i in q.gold),
                )
                for q in part.questions
            ]
        yield queries
    finally:
        for memory in opened:
            memory.close()
        if keep is None:
            shutil.rmtree(root)


def _fill(memory: Memory, part: QuestionSet, places: Path) -> list[str]:
    """Store a set, or go on where an earlier run was cut off; returns the node of each memory."""
    ids: list[str] = json.loads(places.read_text("utf-8")) if places.is_file() else []
    for i in range(len(ids), len(part.memories)):
        ids.append(memory.remember(part.memories[i]).node.id)
        if i % 100 == 99 or i == len(part.memories) - 1:
            places.write_text(json.dumps(ids), encoding="utf-8")
    memory.background.wait()
    return ids
