"""What the user works towards, and how far a memory serves it."""

from typing import TYPE_CHECKING

import numpy as np

from context_graph.errors import InvalidInput, NotFound
from context_graph.models import Goal
from context_graph.retrieval import Corpus
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from context_graph.memory.memory import Memory

__all__ = ["Goals"]


class Goals:
    """The goals of a memory; without any, alignment is 0.5 and changes no ranking."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._vectors: tuple[tuple[str, ...], np.ndarray] | None = None

    def all(self) -> list[Goal]:
        return self._memory.store.goals()

    def add(self, text: str) -> Goal:
        """Set a goal in words."""
        text = scrub(text.strip(), kinds=self._memory.settings.redacted).text
        if not 3 <= len(text) <= 500:
            raise InvalidInput(f"a goal must have 3 to 500 characters, got {len(text)}", field="text")
        goal = Goal(id=self._memory.new_id(), text=text, created_at=self._memory.clock())
        with self._memory.store.write("goal", self._memory.author()) as tx:
            tx.put(goal)
            tx.note.update(operation="goal_added", goals=[goal.id])
        return goal

    def remove(self, prefix: str) -> Goal:
        """Drop the goal whose id or text begins so."""
        found = [goal for goal in self.all() if goal.id.startswith(prefix) or goal.text.startswith(prefix)]
        if len(found) != 1:
            problem = "no goal begins" if not found else f"{len(found)} goals begin"
            raise NotFound(f"{problem} with {prefix[:60]!r}; context-graph goal list shows them")
        with self._memory.store.write("goal", self._memory.author()) as tx:
            tx.remove(found[0])
            tx.note.update(operation="goal_removed", goals=[found[0].id])
        return found[0]

    def vectors(self) -> np.ndarray:
        """E1 of every goal: float32 (g, 1024)."""
        goals = self.all()
        embedder = self._memory.embedder
        ids = (embedder.model, *(goal.id for goal in goals))
        if self._vectors is None or self._vectors[0] != ids:
            rows = [embedder.query(goal.text).semantic for goal in goals]
            self._vectors = (ids, np.stack(rows) if rows else np.zeros((0, 1024), np.float32))
        return self._vectors[1]

    def alignment(self, corpus: Corpus, rows: np.ndarray) -> np.ndarray:
        """(1 + cos) / 2 with the nearest goal, in [0, 1]: float32 (n,)."""
        cosines = corpus.semantic.scores(self.vectors(), ids=rows)
        return (1.0 + np.clip(cosines.max(axis=0), -1, 1)) / 2.0

    def theta(self, corpus: Corpus, rows: np.ndarray) -> np.ndarray:
        """1 - angle / pi to the nearest goal, in [0, 1]; 0.5 without goals: float32 (n,)."""
        goals = self.vectors()
        if len(goals) == 0 or len(rows) == 0:
            return np.full(len(rows), 0.5, np.float32)
        cosines = np.clip(corpus.semantic.scores(goals, ids=rows).max(axis=0), -1, 1)
        return (1.0 - np.arccos(cosines) / np.pi).astype(np.float32)
