"""L2: what was answered a moment ago is answered again, as long as nothing it depends on has changed."""

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, TypeVar

import numpy as np

from context_graph.derived.view import MaterializedView, view
from context_graph.store import Change

__all__ = ["KEPT", "MIN_QUERY_COSINE", "AnswerCache", "CachedAnswer"]

Hit = TypeVar("Hit")
"""What an answer consists of."""

KEPT = 1_024
"""Answers in the cache; the one not asked for longest leaves first."""

VERSIONS = count()
"""No two caches have one version: what was searched for beside the cache before is not kept in this one."""

MIN_QUERY_COSINE: dict[str, float | None] = {"base": 0.9999, "minilm": None}
"""Least cosine of two questions with one `signature` that have one answer, by tier; None where no cosine is enough:
MiniLM reads the same words in another order as something slightly different. See benchmarks/quality/reflex.py."""


@dataclass(frozen=True, slots=True)
class CachedAnswer(Generic[Hit]):
    """An answer, and until when it holds."""

    hits: tuple[Hit, ...]
    entropy: float
    answered: float
    agreement: float | None
    semantic: np.ndarray
    """E1 of the question; empty where it was answered by its words alone."""

    since: int
    until: int
    """Microseconds: no memory begins or ends to be valid in between."""

    def holds(self, now: int) -> bool:
        return self.since <= now < self.until


@view("answer_cache")
class AnswerCache(MaterializedView):
    """The answers of one process. Safe to share between threads.

    Any event that may change an answer, by any process, empties it; an answer that was being looked for meanwhile is
    not kept. Accesses and session states change none.
    """

    def rebuild(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._version = next(VERSIONS)
            self._answers: OrderedDict[Hashable, tuple[CachedAnswer[Any], Hashable]] = OrderedDict()
            self._alike: dict[Hashable, list[Hashable]] = {}

    def apply(self, change: Change) -> None:
        self.rebuild()

    def feed(self, changes: Iterable[Change]) -> None:
        """Forget every answer, also where an event changed no row: one that deletes for good does not."""
        self.rebuild()

    def __len__(self) -> int:
        return len(self._answers)

    @property
    def version(self) -> int:
        """Another after every change; to be read before a search whose answer is to be kept."""
        return self._version

    def exact(self, key: Hashable, now: int) -> CachedAnswer[Any] | None:
        """The answer to the same question."""
        with self._lock:
            found = self._answers.get(key)
            if found is None or not found[0].holds(now):
                return None
            self._answers.move_to_end(key)
            return found[0]

    def near(self, alike: Hashable, semantic: np.ndarray, least: float, now: int) -> CachedAnswer[Any] | None:
        """The answer to the nearest question of one signature, if its cosine is at least `least`."""
        with self._lock:
            best: tuple[float, Hashable] | None = None
            for key in self._alike.get(alike, ()):
                kept = self._answers[key][0]
                cosine = float(kept.semantic @ semantic)
                if cosine >= least and kept.holds(now) and (best is None or cosine > best[0]):
                    best = (cosine, key)
            if best is None:
                return None
            self._answers.move_to_end(best[1])
            return self._answers[best[1]][0]

    def keep(self, key: Hashable, alike: Hashable, answer: CachedAnswer[Any], version: int) -> None:
        """Keep an answer that was searched for since `version`."""
        with self._lock:
            if version != self._version:
                return
            self._drop(key)
            self._answers[key] = (answer, alike)
            self._alike.setdefault(alike, []).append(key)
            while len(self._answers) > KEPT:
                self._drop(next(iter(self._answers)))

    def _drop(self, key: Hashable) -> None:
        found = self._answers.pop(key, None)
        if found is not None:
            keys = self._alike[found[1]]
            keys.remove(key)
            if not keys:
                del self._alike[found[1]]
