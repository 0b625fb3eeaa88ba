"""Vectors that clients made themselves, with what they stand for: kept as records, searched by cosine."""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from context_graph.derived.view import MaterializedView, view
from context_graph.errors import InvalidInput
from context_graph.kernels import dense
from context_graph.knowledge.search import KeywordIndex, WordCounts, stems
from context_graph.models import NodeState, Record
from context_graph.runtime.records import Records, record_type
from context_graph.runtime.runtime import Runtime
from context_graph.store import Change, Reader
from context_graph.texts import storable

__all__ = ["CLIENT_DIMENSIONS", "StoredVector", "VectorMatch", "Vectors", "search_vectors", "upsert"]

CLIENT_DIMENSIONS = 1_536
FUSED_RANKS = 60
"""Of reciprocal rank fusion: how much the first ranks are told apart."""

MAX_VECTOR_NAME_CHARS = 512
"""Of an id or a namespace, which every answer repeats."""

FEEDBACK = 3
"""Keyword matches whose mean vector stands for a question that has none."""


@record_type("vector")
@dataclass(frozen=True, slots=True)
class StoredVector:
    """One vector of a client.

    Attributes
    ----------
    vector : str
        float32 in base64.
    """

    id: str
    namespace: str
    vector: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VectorMatch:
    """A vector that was found, its cosine, and how the two rankings found it."""

    vector: StoredVector
    cosine: float
    keyword: float = 0.0
    combined: float = 0.0
    source: str = "vector"


@view("client_vectors", "store")
class Vectors(MaterializedView):
    """All vectors as rows of one matrix; made when they are asked for after a change."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self._records: list[Record] | None = None
        self._stored: list[StoredVector] = []
        self._rows = np.zeros((0, CLIENT_DIMENSIONS), np.float32)
        self._known: set[str] = set()

    def apply(self, change: Change) -> None:
        if change.table == "records" and (change.id in self._known or (change.after or {}).get("kind") == "vector"):
            self.rebuild()

    def all(self) -> tuple[list[Record], list[StoredVector], np.ndarray]:
        """The records, what they hold, and the unit vectors: float32 (n, 1536)."""
        with self._lock:
            if self._records is None:
                records = self._store.records("vector")
                self._known = {one.id for one in records}
                self._records = [one for one in records if one.state == NodeState.LIVE]
                self._stored = [StoredVector(**dict(one.data)) for one in self._records]
                rows = [np.frombuffer(base64.b64decode(one.vector), "<f4") for one in self._stored]
                matrix = np.array(rows, np.float32).reshape(-1, CLIENT_DIMENSIONS)
                self._rows = _unit(matrix)
            return self._records, self._stored, self._rows


def upsert(
    memory: Runtime, id: str, vector: Sequence[float], metadata: Mapping[str, Any], namespace: str
) -> tuple[bool, int]:
    """Keep a vector under an id of a namespace; whether it was there before, and how many there are now."""
    for label, text in (("ID", id), ("Namespace", namespace)):
        if len(text) > MAX_VECTOR_NAME_CHARS:
            raise InvalidInput(
                f"{label} must have at most {MAX_VECTOR_NAME_CHARS} characters, got {len(text)}",
                field=label.lower(),
                hint="what is longer goes into metadata.content",
            )
    data = base64.b64encode(_row(vector).astype("<f4").tobytes()).decode()
    id, namespace = storable(id), storable(namespace)
    shelf, name = Records(memory, StoredVector), sha256(f"{namespace}\0{id}".encode()).hexdigest()
    with memory.writing:
        memory.catch_up()
        records, _, _ = memory.view(Vectors).all()
        value = StoredVector(id, namespace, data, dict(metadata))
        old = next((one for one in records if one.name == name), None)
        if old is None:
            shelf.add(name, value)
        else:
            shelf.write_all(changed=[(old, value)])
    return old is not None, len(records) + (old is None)


def _row(vector: Sequence[float]) -> np.ndarray:
    """A vector of a client as float32, where it is finite and has a direction."""
    with np.errstate(over="ignore"):  # what float32 cannot hold is infinite, and refused
        row = np.array(vector, np.float32)
    if not np.isfinite(row).all():
        raise InvalidInput("Invalid vector element", field="vector", hint="each number must be finite as float32")
    if not row.any():
        raise InvalidInput(
            "Vector has no direction", field="vector", hint="all its numbers are 0 as float32, so no cosine finds it"
        )
    return row


def search_vectors(
    memory: Runtime,
    query: str,
    *,
    vector: Sequence[float] | None = None,
    type: str | None = None,
    namespace: str | None = None,
    hybrid: bool = False,
    least: float = 0.0,
    limit: int = 10,
) -> tuple[list[VectorMatch], int, str]:
    """The vectors nearest to a question, how many there are, and whose vector stood for the question.

    The server does not know the model that made them, so a question brings its own vector, or names the id of one of
    any type, or is stood for by the mean of those whose metadata have its words best. An id of another namespace is
    taken where nothing has its words.

    Parameters
    ----------
    least : float
        Lowest cosine. At 0 matches by words stay in a hybrid search whatever their cosine is.
    """
    memory.catch_up()
    _, stored, rows = memory.view(Vectors).all()
    places = [
        place
        for place, one in enumerate(stored)
        if namespace in (None, one.namespace) and type in (None, one.metadata.get("type"))
    ]
    by_words = KeywordIndex([_words(stored[place]) for place in places]).matches(query)
    target, whose = _target(query, vector, stored, rows, [places[match.place] for match in by_words], namespace)
    if not places:
        return [], len(stored), whose
    cosines = np.zeros(len(places), np.float32)
    order: list[int] = []
    if target is not None:
        cosines = dense.scores(target[None], np.ascontiguousarray(rows[places]))[0]
        order = [int(one) for one in np.lexsort((np.arange(len(places)), -cosines)) if cosines[one] >= least]
    if not hybrid:
        return [VectorMatch(stored[places[one]], float(cosines[one])) for one in order[:limit]], len(stored), whose
    keyword = {match.place: match.score for match in by_words if least <= 0 or cosines[match.place] >= least}
    combined: dict[int, float] = {}
    for ranking in (order, list(keyword)):
        for rank, one in enumerate(ranking, 1):
            combined[one] = combined.get(one, 0.0) + 1 / (FUSED_RANKS + rank)
    best = sorted(combined, key=lambda one: (-combined[one], one))[:limit]
    in_order = set(order)
    fused = [
        VectorMatch(
            stored[places[one]], float(cosines[one]), keyword.get(one, 0.0), combined[one],
            "merged" if one in keyword and one in in_order else "keyword" if one in keyword else "vector",
        )
        for one in best
    ]  # fmt: skip
    return fused, len(stored), whose


def _target(
    query: str,
    vector: Sequence[float] | None,
    stored: list[StoredVector],
    rows: np.ndarray,
    by_words: Sequence[int],
    namespace: str | None,
) -> tuple[np.ndarray | None, str]:
    """The vector that a question is searched by, and whose it is.

    Parameters
    ----------
    by_words : sequence of int
        Places of those that may be answers and have its words, the best first.
    """
    if vector is not None:
        return _unit(_row(vector)[None])[0], "given"
    of_id = [place for place, one in enumerate(stored) if one.id == query]
    own = next((place for place in of_id if namespace in (None, stored[place].namespace)), None)
    if own is not None:
        return rows[own], f"of {query}"
    if by_words:
        best = by_words[:FEEDBACK]
        return _unit(rows[best].mean(axis=0, keepdims=True))[0], f"mean of the {len(best)} best by words"
    if of_id:
        return rows[of_id[0]], f"of {query} in the namespace {stored[of_id[0]].namespace}"
    return None, "none"


def _unit(rows: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    unit: np.ndarray = (rows / np.where(length > 0, length, 1)).astype(np.float32)
    return unit


def _words(one: StoredVector) -> WordCounts:
    told = [one.metadata.get(name) for name in ("title", "content", "path")]
    tags = one.metadata.get("tags")
    text = " ".join(str(part) for part in (*told, *(tags if isinstance(tags, list) else ()), one.id) if part)
    counts = Counter(stems(text))
    return WordCounts(counts, counts.total())
