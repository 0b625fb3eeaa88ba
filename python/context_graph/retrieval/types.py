"""What a search is asked, and what passes from one of its stages to the next."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.extraction import Fact
from context_graph.reading import intent
from context_graph.retrieval import fusion
from context_graph.retrieval.entity_linking import Named

__all__ = ["Found", "Query"]


@dataclass(frozen=True, slots=True)
class Query:
    """Everything a search is asked."""

    vectors: QueryVectors
    mask: np.ndarray
    """bool (n,): rows that may be answered."""

    top_k: int
    tier: str
    method: Literal["zscore", "rrf"] = "zscore"
    dopamine: float = 3.0
    """1-5: how sharply the completion of the question chooses."""

    serotonin: float = 0.5
    """0-1: how many spaces the gate consults for the question."""

    named: Named | None = None
    """What the question names; None leaves out titles and the links between named things."""

    alignment: Callable[[np.ndarray], np.ndarray] | None = None
    """Rows -> purpose alignment in [0, 1]; None without goals."""

    entities: Callable[[np.ndarray], np.ndarray] | None = None
    """Rows -> how near their names lie to those of the question in E11, NaN where either has none."""

    facts: Callable[[np.ndarray], Sequence[tuple[int, Fact]]] | None = None
    """Rows -> the facts that they state, each with its row."""

    propagated: Callable[[np.ndarray], np.ndarray] | None = None
    """Rows -> their vectors in E8, float32 (m, 1536)."""

    neighbours: Callable[[np.ndarray, np.ndarray], dict[int, float]] | None = None
    """Rows and how far each is trusted -> rows that edges of the graph lead to, and how strongly."""

    entries: Callable[[np.ndarray], list[tuple[str, str | None]]] | None = None
    """Rows -> text and key of the title of each; None leaves out the links between named things."""

    @property
    def topical(self) -> bool:
        """The question names nothing that the store has a name for."""
        return self.named is not None and not self.named.something

    @property
    def several(self) -> bool:
        """More than one answer is expected."""
        return intent.parse(self.vectors.text).several


@dataclass(slots=True)
class Found:
    """Candidates between two stages."""

    rows: np.ndarray
    total: np.ndarray
    """Fused score of each row."""

    parts: dict[str, np.ndarray] = field(default_factory=dict)
    """Contribution of each score to the total."""

    raw: dict[str, np.ndarray] = field(default_factory=dict)
    scales: dict[str, fusion.Scale | None] = field(default_factory=dict)
    say: dict[str, float] = field(default_factory=dict)
    """By space: what the gate makes of its weights for this question; empty where the gate has no strength."""

    trace: list[dict[str, Any]] = field(default_factory=list)

    def keep(self, chosen: np.ndarray) -> None:
        self.rows, self.total = self.rows[chosen], self.total[chosen]
        self.parts = {name: part[chosen] for name, part in self.parts.items()}
        self.raw = {name: part[chosen] for name, part in self.raw.items()}

    def best(self, k: int) -> np.ndarray:
        """Positions of the k highest totals; ties to the oldest memory."""
        pool = np.arange(len(self.total))
        if 4 * k < len(pool):  # sorting few is cheaper than sorting all
            pool = np.flatnonzero(self.total >= np.partition(self.total, -k)[-k])
        return pool[np.lexsort((self.rows[pool], -self.total[pool]))[:k]]
