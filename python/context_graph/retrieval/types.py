"""What a search is asked, and what passes from one of its stages to the next."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.extraction import Fact
from context_graph.index.corpus import Corpus
from context_graph.reading import intent
from context_graph.retrieval.config import RankingConfig
from context_graph.retrieval.entity_linking import Named
from context_graph.retrieval.fusion import Scales
from context_graph.retrieval.time_fit import TimeFit
from context_graph.retrieval.view import View

__all__ = ["CandidatePool", "Query", "Search", "Sources"]


class Sources(Protocol):
    """What one search may ask of the views beside the index, for rows of the corpus."""

    def entries(self, rows: np.ndarray) -> list[tuple[str, str | None]]:
        """Text and key of the title of each row."""

    def texts(self, rows: np.ndarray) -> list[str]:
        """Text of each row."""

    def neighbours(self, rows: np.ndarray, trust: np.ndarray) -> dict[int, float]:
        """Rows that edges of the graph lead to from these, trusted so far, and how strongly."""

    def facts(self, rows: np.ndarray) -> Sequence[tuple[int, Fact]]:
        """The facts that rows state, each with its row."""

    def entity_scores(self, rows: np.ndarray) -> np.ndarray:
        """How near the names of rows lie to those of the question in E11, NaN where either has none."""

    def graph_vectors(self, rows: np.ndarray) -> np.ndarray:
        """Vectors in E8: float32 (m, 1536)."""


@dataclass(frozen=True, slots=True)
class Query:
    """Everything a search is asked."""

    vectors: QueryVectors
    mask: np.ndarray
    """bool (n,): rows that may be answered."""

    top_k: int
    tier: str
    config: RankingConfig
    """What each score weighs."""

    method: Literal["zscore", "rrf"] = "zscore"
    dopamine: float = 3.0
    """1-5: how sharply the completion of the question chooses."""

    serotonin: float = 0.5
    """0-1: how many spaces the gate consults for the question."""

    named: Named | None = None
    """What the question names; None leaves out titles and the links between named things."""

    goals: np.ndarray | None = None
    """E1 of the user's goals, float32 (g, 1024); None without any."""

    times: TimeFit | None = None
    """How well each row fits the time that is asked about; None where no time is asked about."""

    programs: np.ndarray | None = None
    """bool (n,): rows of a project that has code in it; None where none has."""

    @property
    def topical(self) -> bool:
        """The question names nothing that the store has a name for."""
        return self.named is not None and not self.named.something

    @property
    def several(self) -> bool:
        """More than one answer is expected."""
        return intent.parse(self.vectors.text).several


@dataclass(slots=True)
class CandidatePool:
    """Candidates between two stages."""

    rows: np.ndarray
    total: np.ndarray
    """Fused score of each row."""

    parts: dict[str, np.ndarray] = field(default_factory=dict)
    """Contribution of each score to the total."""

    raw: dict[str, np.ndarray] = field(default_factory=dict)
    scales: Scales = field(default_factory=dict)
    gate_weights: dict[str, float] = field(default_factory=dict)
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


class Search(NamedTuple):
    """What a score is computed from."""

    corpus: Corpus
    query: Query
    view: View
    sources: Sources | None
