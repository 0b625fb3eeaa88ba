"""What a question is answered with: hits, how they stand to each other, and how they came about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, overload

from context_graph.citations import tag_of
from context_graph.display import Plain, Row, Table, line
from context_graph.instants import to_datetime
from context_graph.models import Node
from context_graph.reading.contradiction import Kind

__all__ = ["Answer", "Dispute", "Hit"]

MAX_SHOWN_HITS = 3  # in the repr of an answer


class Dispute(NamedTuple):
    """That two results disagree, told of one of them.

    Attributes
    ----------
    other : str
        The id of the other.
    kind, confidence, topic
        See `conflicts.Conflict`.
    """

    other: str
    kind: Kind
    confidence: float
    topic: str


@dataclass(frozen=True, slots=True)
class Hit(Row):
    """One result; `content`, `id` and `tag` are those of its node.

    Attributes
    ----------
    relevance : float
        Calibrated probability in [0, 1]; it never rises from one rank to the next.
    alone : float
        The same judged without its rank, by the memory alone.
    score : float
        The fused sum that decides the rank.
    alignment, theta : float
        With the user's goals; 0.5 without goals.
    dominant : int
        The space that contributed most, 0-12.
    parts : dict
        Contribution of each score to the fused sum.
    replaced_by : str, optional
        The id of a later result that seems to take its place.
    until : int, optional
        When that was said, in microseconds: until then this held. None where only the question makes it likely.
    partly : bool
        It says more than the later one changes.
    replaced_likely : float
        How likely it takes its place, in [0, 1]; 0 where nothing does.
    disputes : tuple of Dispute
        The results that disagree with this one, where it is not known which of them holds.
    """

    node: Node
    relevance: float
    alone: float
    score: float
    alignment: float
    theta: float
    dominant: int
    parts: dict[str, float]
    replaced_by: str | None = None
    until: int | None = None
    partly: bool = False
    replaced_likely: float = 0.0
    disputes: tuple[Dispute, ...] = ()

    INSTANTS = ("until",)

    @property
    def content(self) -> str:
        return self.node.content

    @property
    def id(self) -> str:
        return self.node.id

    @property
    def tag(self) -> str:
        """The citation tag of the memory, such as [node_0193a4b2c1]."""
        return tag_of(self.node.id)

    @property
    def until_time(self) -> datetime | None:
        """`until` as a datetime in UTC."""
        return None if self.until is None else to_datetime(self.until)

    def row(self) -> dict[str, Any]:
        return {"relevance": self.relevance, **self.node.row(), "replaced_by": self.replaced_by}

    def __repr__(self) -> str:
        return f"Hit({self.relevance:.2f}, {line(self.content)!r}, tag={self.tag!r})"


@dataclass(frozen=True, slots=True)
class Answer(Plain, Table):
    """Ranked results and how they were found; a sequence of its hits."""

    hits: tuple[Hit, ...]
    entropy: float
    answered: float
    """Probability that anything in this memory is about the question."""

    stages: tuple[dict[str, Any], ...]
    layers_ms: dict[str, float] = field(default_factory=dict)
    reflex: Literal["exact", "near"] | None = None
    """Whether it was answered from the reflex cache, and how."""

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[place]

    def rows(self) -> Sequence[Hit]:
        return self.hits

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self.hits[:MAX_SHOWN_HITS]))
        more = f", and {len(self) - MAX_SHOWN_HITS} more" if len(self) > MAX_SHOWN_HITS else ""
        return f"Answer({self.answered:.2f}, [{first}{more}])"
