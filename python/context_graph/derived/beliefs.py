"""What metadata say of a memory: its kind, where it holds, what it is called, whether it is past."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from context_graph.derived.view import IndexedView, view
from context_graph.errors import InvalidInput
from context_graph.graph.naming import Names
from context_graph.index.corpus import Corpus
from context_graph.models import Domain, from_iso
from context_graph.reading.metadata import texts
from context_graph.store import Change, Reader

__all__ = ["Belief", "Beliefs", "is_past", "labels_of"]

PAST = frozenset({"superseded", "resolved", "retracted", "rejected", "obsolete", "archived", "closed"})
"""Values of metadata.status that say: no longer so."""

KEYS = ("aliases", "name", "title", "type", "pinned", "scope", "scopes", "user", "participants")
EVERYWHERE = ("user", "universal", "global")
FIELDS = ("id", "metadata", "name", "domain", "superseded_by", "created_at", "importance")
MAX_SUPERSESSION_HOPS = 64
"""Of a chain of supersessions."""


@dataclass(frozen=True, slots=True)
class Belief:
    """A memory as its metadata describe it.

    Attributes
    ----------
    kind : str
        metadata.type in lower case: preference, decision, fact, entity, relation, open_question, ...
    labels : frozenset of str
        Where it holds ("domain:code", "project:atlas"); none: everywhere.
    past : bool
        Superseded, resolved or withdrawn.
    participants : tuple of str
        Of a relation: ids or names of the memories that it joins.
    confirmed_at : int
        When it was last said to hold, in microseconds.
    """

    id: str
    kind: str
    names: tuple[str, ...]
    labels: frozenset[str]
    pinned: bool
    user: str | None
    past: bool
    superseded_by: str | None
    participants: tuple[str, ...]
    confirmed_at: int
    importance: float

    @classmethod
    def of(cls, row: tuple[Any, ...], metadata: Mapping[str, Any]) -> "Belief":
        """The belief in `FIELDS` of a memory."""
        id, _, _, domain, superseded_by, created_at, importance = row
        name = next((metadata[key] for key in ("_name", "name", "title") if isinstance(metadata.get(key), str)), None)
        later = metadata.get("superseded_by")
        return cls(
            id=id,
            kind=_kind(metadata),
            names=tuple(filter(None, (name, *texts(metadata, "aliases")))),
            labels=labels_of(metadata, domain),
            pinned=metadata.get("pinned") is True,
            user=next(iter(texts(metadata, "user")), None),
            past=is_past(metadata),
            superseded_by=superseded_by or (later if isinstance(later, str) else None),
            participants=texts(metadata, "participants"),
            confirmed_at=_moment(metadata) or created_at,
            importance=importance,
        )

    @property
    def everywhere(self) -> bool:
        """Whether it holds in every scope."""
        return not self.labels

    def holds_in(self, scopes: frozenset[str] | None) -> bool:
        return scopes is None or self.everywhere or bool(self.labels & scopes)


@view("beliefs", "store")
class Beliefs(IndexedView):
    """The beliefs of a memory by id, and by the names that they go by; kept in RAM and up to date with every write."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self.names = Names()
        self._beliefs: dict[str, Belief] = {}
        self._news: dict[str, None] | None = None
        """Nodes that changed, in order; None before the first reading."""

    def apply(self, change: Change) -> None:
        if self._news is not None and change.table == "nodes" and _matters(change):
            self._news[change.id] = None

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        for id in nodes:
            self._remove(id)

    def __len__(self) -> int:
        return len(self._beliefs)

    def __iter__(self) -> Iterator[Belief]:
        return iter(self._beliefs.values())

    def get(self, id: str) -> Belief | None:
        return self._beliefs.get(id)

    def now(self, corpus: Corpus) -> "Beliefs":
        """Take in what was written since the last call.

        Parameters
        ----------
        corpus : Corpus
            The indexes as of now.
        """
        with self._taking_in(corpus):
            if self._news is None:
                for row in self._store.columns(list(FIELDS)):
                    self._take(row)
            elif self._news:
                known = {node.id: node for node in self._store.nodes(self._news) if node.ordinal is not None}
                for id in self._news:
                    if id in known:
                        self._take(tuple(getattr(known[id], field) for field in FIELDS))
                    else:
                        self._remove(id)
            self._news = {}
        return self

    def named(self, text: str) -> dict[str, float]:
        """Ids of the beliefs that a text names, and how sure that is."""
        return {str(id): trust for id, trust in self.names.matches(text).items()}

    def current(self, id: str) -> Belief | None:
        """A belief, or what has taken its place; None where nothing has and it is past."""
        belief = self._beliefs.get(id)
        for _ in range(MAX_SUPERSESSION_HOPS):
            if belief is None or belief.superseded_by is None:
                break
            belief = self._beliefs.get(belief.superseded_by)
        return None if belief is None or belief.past or belief.superseded_by else belief

    def called(self, given: str) -> list[Belief]:
        """What an id or a name stands for."""
        if given in self._beliefs:
            return [self._beliefs[given]]
        return [self._beliefs[str(id)] for id in self.names.called(given)]

    def _take(self, row: tuple[Any, ...]) -> None:
        metadata = row[1]
        if isinstance(metadata, str):
            metadata = json.loads(metadata) if any(f'"{key}"' in metadata for key in KEYS) else {}
        if not any(key in metadata for key in KEYS):
            return self._remove(row[0])
        belief = Belief.of(row, metadata)
        self._beliefs[belief.id] = belief
        self.names.add(belief.id, belief.names)
        return None

    def _remove(self, id: str) -> None:
        self._beliefs.pop(id, None)
        self.names.remove(id)


def is_past(metadata: Mapping[str, Any]) -> bool:
    """Whether metadata say that a memory does not hold any more: superseded, withdrawn, or a settled question."""
    status = metadata.get("status")
    if isinstance(status, str) and status.strip().lower() in PAST:
        return True
    if metadata.get("superseded_by"):
        return True
    return bool(metadata.get("resolved_at")) and _kind(metadata) == "open_question"


def _kind(metadata: Mapping[str, Any]) -> str:
    kind = metadata.get("type")
    kind = kind.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(kind, str) else ""
    return "open_question" if kind == "question" else kind


def labels_of(metadata: Mapping[str, Any], domain: str) -> frozenset[str]:
    """Where it holds: what scope, scopes or tags say with a colon, and its domain; none where it holds everywhere."""
    given = [*texts(metadata, "scope"), *texts(metadata, "scopes")]
    labels = {label.lower() for label in given}
    if any(label.partition(":")[0] in EVERYWHERE and label != "user" for label in labels):
        return frozenset()
    labels = {label for label in labels if ":" in label}
    labels |= {tag.lower() for tag in texts(metadata, "tags") if tag.startswith(("domain:", "project:"))}
    return frozenset(labels | ({f"domain:{domain}"} if domain != Domain.GENERAL else set()))


def _moment(metadata: Mapping[str, Any]) -> int | None:
    for key in ("last_reinforced_at", "confirmed_at", "updated_at"):
        if isinstance(metadata.get(key), str):
            try:
                return from_iso(metadata[key])
            except InvalidInput:
                continue
    return None


def _matters(change: Change) -> bool:
    """Whether a changed row may change a belief; counts of accesses do not."""
    return change.deleted or not {"access_count", "last_accessed"}.issuperset(change.columns)
