"""All memories as arrays in RAM, one row each in the order they were stored: what a search scans."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.embed.experts import WIDTH as FUSED_DIMENSIONS
from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.semantic import DIMENSIONS as SEMANTIC_DIMENSIONS
from context_graph.embed.semantic import STATIC, static_sums
from context_graph.embed.statistics import VOCABULARY_SIZE, PieceStatistics, holding_counts
from context_graph.models import Node, NodeState, Scope
from context_graph.retrieval.columns import Codes, Columns, Made
from context_graph.retrieval.features import OCCASIONAL, Features
from context_graph.retrieval.occasional import Occasional

__all__ = ["DEAD", "FIELDS", "FOREVER", "Corpus", "Rarity", "Viewer"]

FOREVER = np.iinfo(np.int64).max
GROWTH = 1.25
"""Rarities are counted afresh when the store has grown by this factor: drift stays small, cost stays amortised."""

FIRST_COUNT, COARSE = 32, 1_024

SCOPES = {Scope.USER: 0, Scope.SESSION: 1, Scope.CONTEXT: 2}
FIELDS = (
    "ordinal", "id", "session_id", "context_id", "position", "speaker", "agent_id", "domain", "modality", "scope",
    "state", "importance", "johari_quadrant", "occurred_at", "created_at", "valid_from", "valid_to", "access_count",
)  # fmt: skip
"""The fields of a node that its row needs, in the order `extend` takes them."""

DEAD = ("", "", None, 0, None, None, "", "", Scope.USER, "", 0.0, "", 0, 0, 0, 0, 0)
"""`FIELDS` after the ordinal, of an ordinal whose memory was undone or purged."""


@dataclass(frozen=True, slots=True, eq=False)
class Rarity:
    """What of a memory follows from how rare its words are: static sums (n, 256), information content (n,)."""

    static: np.ndarray
    info: np.ndarray

    @classmethod
    def unknown(cls, n: int) -> "Rarity":
        return cls(np.zeros((n, STATIC), np.float32), np.zeros(n, np.float32))

    def __getitem__(self, span: slice) -> "Rarity":
        return Rarity(self.static[span], self.info[span])


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: decides which session and conversation memories are visible."""

    session_id: str
    context_id: str | None = None


class Corpus:
    """The resident indexes and columns.

    Rows are ordinals of the store. A memory that is forgotten, undone or purged keeps its row and is masked.
    """

    def __init__(self, statistics: PieceStatistics, *, backend: str | None = None) -> None:
        from context_graph.kernels import dense, hdc, maxsim, sparse

        self.statistics = statistics
        self.semantic = dense.Index(SEMANTIC_DIMENSIONS, dtype="float16", backend=backend)
        self.tokens = maxsim.Index(TOKEN_DIMENSIONS, backend=backend)
        self.terms = sparse.Index(backend=backend)
        self.bits = hdc.Index(backend=backend)
        self.columns = Columns(
            session="i4", context="i4", position="i4", speaker="i4", agent="i4", domain="i2", modality="i2",
            scope="i1", live="?", traits="u1", dialogue="?", code="?", length="f4", importance="f4", johari="i1",
            occurred_at="i8", created_at="i8", valid_from="i8", valid_to="i8", info="f4", accesses="i4",
            static=f"({STATIC},)f4",
        )  # fmt: skip
        self.named = sparse.Index(backend=backend)
        """The names in each memory (`lexical.names`), and the memories of each name."""

        self.ids: list[str] = []
        self.row_of: dict[str, int] = {}
        self.sessions, self.contexts, self.speakers, self.agents = Codes(), Codes(), Codes(), Codes()
        self.domains, self.modalities, self.joharis = Codes(), Codes(), Codes()
        self.owners = Columns(row="i4")
        """The memory of each token document: a long memory has one for every chunk."""

        self.occasional = {id: Occasional(dim, backend=backend) for id, dim in OCCASIONAL.items()}
        """The spaces that only some memories have."""

        self.fused = Made(FUSED_DIMENSIONS)
        """All spaces as one vector, of the memories whose fused vector was asked for."""

        self.one_document_each = True
        """Whether every memory has exactly one token document, at its own row."""

        self.lock = threading.RLock()
        self._texts: list[Features] = []
        self._weighed: list[bool] = []  # whether a cache gave the rarities of each part
        self._loading = False
        self._holding = np.zeros(VOCABULARY_SIZE, np.int64)
        self._next_count = FIRST_COUNT
        self._order: np.ndarray | None = None
        self._removed: set[int] = set()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def documents(self) -> int:
        """How many memories word statistics are over: all but those that are not in the store any more."""
        return len(self) - len(self._removed)

    @property
    def nbytes(self) -> dict[str, int]:
        """Bytes in RAM by part."""
        kept = sum(part.terms.nbytes + part.pieces.nbytes for part in self._texts)
        return {
            "E1": self.semantic.nbytes,
            "E6": self.terms.nbytes,
            "E9": self.bits.nbytes,
            "E12": self.tokens.nbytes,
            **{id: part.nbytes for id, part in self.occasional.items()},
            "fused": self.fused.nbytes,
            "columns": self.columns.nbytes + self.named.nbytes + kept,
        }

    def append(self, node: Node, features: Features) -> None:
        """Add one memory."""
        self.extend([tuple(getattr(node, name) for name in FIELDS)], features)

    def extend(
        self,
        rows: Sequence[tuple],
        features: Features,
        rarity: Rarity | None = None,
        holding: np.ndarray | None = None,
    ) -> None:
        """Add memories in the order of their ordinals; row = ordinal.

        Parameters
        ----------
        rows : sequence of tuple
            `FIELDS` of each memory.
        features : Features
            Of the same memories.
        rarity : Rarity, optional
            What a cache holds of them for the count in force once all are loaded.
        holding : int64 (30522,), optional
            In how many of them each word piece occurs, where a cache holds it.
        """
        with self.lock:
            if rows and rows[0][0] > len(self):  # ordinals lost to a write that was undone
                lost = rows[0][0] - len(self)
                self._extend([(len(self) + i, *DEAD) for i in range(lost)], Features.nothing(lost), None)
            while len(self) < self._next_count < len(self) + len(rows):
                cut = self._next_count - len(self)
                self._extend(rows[:cut], features[:cut], None if rarity is None else rarity[:cut])
                rows, features = rows[cut:], features[cut:]
                rarity, holding = None if rarity is None else rarity[cut:], None
            self._extend(rows, features, rarity, holding)

    def _extend(
        self, rows: Sequence[tuple], features: Features, rarity: Rarity | None, holding: np.ndarray | None = None
    ) -> None:
        first = len(self)
        field = dict(zip(FIELDS, zip(*rows, strict=True), strict=True)) if rows else {name: () for name in FIELDS}
        self._holding += holding_counts(features.pieces, features.piece_lengths) if holding is None else holding
        self._weighed.append(rarity is not None)
        if rarity is None:
            rarity = Rarity.unknown(len(rows)) if self._loading else self._rarity(features)
        self.semantic.append(features.semantic)
        self.terms.append(features.terms, features.counts, features.term_lengths)
        name = features.counts == 0
        owners = np.repeat(np.arange(len(features)), features.term_lengths)[name]
        lengths = np.bincount(owners, minlength=len(features))
        self.named.append(features.terms[name], np.ones(name.sum(), np.float32), lengths)
        self.bits.append(features.bits)
        self.tokens.append_int8(features.codes, features.code_lengths)
        self.owners.append(row=features.code_owners + first)
        for id, part in self.occasional.items():
            vectors, whose = features.occasional(id)
            part.append(vectors, whose + first)
        self.one_document_each &= np.array_equal(features.code_owners, np.arange(len(rows)))
        self._texts.append(features)
        self.ids += field["id"]
        if dead := [first + i for i, id in enumerate(field["id"]) if not id]:
            self.terms.discount(dead)
            self.named.discount(dead)
            self._removed.update(dead)
        self.row_of |= {id: first + i for i, id in enumerate(field["id"]) if id}
        valid_to = [FOREVER if moment is None else moment for moment in field["valid_to"]]
        starts = np.concatenate([[0], np.cumsum(features.counts, dtype=np.float64)])
        bounds = np.concatenate([[0], np.cumsum(features.term_lengths)])
        self.columns.append(
            session=[self.sessions.of(text) for text in field["session_id"]],
            context=[self.contexts.of(text) for text in field["context_id"]],
            position=field["position"],
            speaker=[self.speakers.of(text.lower() if text else None) for text in field["speaker"]],
            agent=[self.agents.of(text) for text in field["agent_id"]],
            domain=[self.domains.of(text) for text in field["domain"]],
            modality=[self.modalities.of(text) for text in field["modality"]],
            scope=[SCOPES[text] for text in field["scope"]],
            live=[state == NodeState.LIVE for state in field["state"]],
            traits=features.traits,
            dialogue=[bool(text) for text in field["speaker"]],
            code=np.isin(np.arange(len(rows)), features.e7_owners),
            length=np.diff(starts[bounds]),
            importance=field["importance"],
            johari=[self.joharis.of(text) for text in field["johari_quadrant"]],
            occurred_at=field["occurred_at"],
            created_at=field["created_at"],
            valid_from=field["valid_from"],
            valid_to=valid_to,
            accesses=field["access_count"],
            info=rarity.info,
            static=rarity.static,
        )
        if len(self) == self._next_count:
            self.recount()

    def words(self, rows: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Terms of some memories, and how often each has them: int64 (t,), float32 (t,) each."""
        ends = np.cumsum([len(part) for part in self._texts])
        found = []
        for row, place in zip(rows.tolist(), np.searchsorted(ends, rows, side="right").tolist(), strict=True):
            part = self._texts[place]
            within = row - int(ends[place]) + len(part)
            start = int(part.term_lengths[:within].sum())
            span = slice(start, start + int(part.term_lengths[within]))
            found.append((part.terms[span], part.counts[span]))
        return found

    def reembed(
        self, node_id: str, semantic: np.ndarray, chunks: Sequence[np.ndarray], occasional: Mapping[str, np.ndarray]
    ) -> None:
        """Take over E1, those chunks of E12 that the row does not have yet, and just these of the spaces that only some
        have: a vector in another of them is taken away."""
        with self.lock:
            row = self.row_of.get(node_id)
            if row is None:
                return
            fresh = chunks[int((self.owners.row == row).sum()) :]
            if fresh:
                self.tokens.append_int8(np.concatenate(fresh), np.array([len(chunk) for chunk in fresh], np.int64))
                self.owners.append(row=np.full(len(fresh), row))
                self.one_document_each = False
            self.semantic.replace(np.array([row]), semantic[None].astype(np.float32))
            for id, part in self.occasional.items():
                part.put(row, occasional[id]) if id in occasional else part.drop(row)
            self.columns.code[row] = "E7" in occasional
            self.fused.forget(row)

    def update(self, node_id: str, changed: Mapping[str, object]) -> None:
        """Take over changed fields of a memory; fields that no search looks at change nothing here."""
        with self.lock:
            row, columns = self.row_of[node_id], self.columns
            if row in self._removed:
                self._removed.discard(row)
                self.terms.restore([row])
                self.named.restore([row])
            for field, value in changed.items():
                if field == "access_count":
                    columns.accesses[row] = value
                elif field == "state":
                    columns.live[row] = value == NodeState.LIVE
                elif field == "johari_quadrant":
                    columns.johari[row] = self.joharis.of(str(value))
                elif field == "valid_to":
                    columns.valid_to[row] = FOREVER if value is None else value
                elif field in ("importance", "valid_from"):
                    getattr(columns, field)[row] = value

    def remove(self, node_id: str) -> None:
        """A memory that is not in the store any more: its row stays, dead, and serves again if it comes back."""
        with self.lock:
            row = self.row_of.get(node_id)
            if row is not None and row not in self._removed:
                self.columns.live[row] = False
                self._removed.add(row)
                self.named.discount([row])
                self.terms.discount([row])  # as after a reopening, which finds nothing at its place

    def visible(self, viewer: Viewer, *, now: int, as_of: int | None = None) -> np.ndarray:
        """Which rows may be answered: live, valid at the time, and in a scope the viewer shares. bool (n,)."""
        moment = now if as_of is None else as_of
        with self.lock:
            columns = self.columns
            mask = columns.live & (columns.valid_from <= moment) & (moment < columns.valid_to)
            mine = columns.session == self.sessions.known(viewer.session_id)
            shared = (columns.scope == SCOPES[Scope.USER]) | ((columns.scope == SCOPES[Scope.SESSION]) & mine)
            if viewer.context_id is not None:
                context = columns.context == self.contexts.known(viewer.context_id)
                shared |= (columns.scope == SCOPES[Scope.CONTEXT]) & mine & context
            return mask & shared

    def unchanged_until(self, now: int) -> int:
        """The next moment, in microseconds, at which a memory begins or ends to be valid."""
        columns = self.columns
        bounds = np.concatenate([columns.valid_from, columns.valid_to])
        return int(np.min(bounds, where=bounds > now, initial=np.iinfo(np.int64).max))

    @property
    def session_order(self) -> np.ndarray:
        """Rows by session, in each by position: int64 (n,)."""
        if self._order is None or len(self._order) != len(self):
            self._order = np.lexsort((self.columns.position, self.columns.session))
        return self._order

    def has(self, trait: int, rows: np.ndarray) -> np.ndarray:
        """Which rows have a trait of their form: float32."""
        return (self.columns.traits[rows] & trait > 0).astype(np.float32)

    def reserve(self, memories: int, chunks: int, tokens: int) -> None:
        """Make room at once for what a load will bring, instead of growing and copying on the way."""
        self.semantic.reserve(memories)
        self.bits.reserve(memories)
        self.tokens.reserve(chunks, tokens)

    def load_up_to(self, memories: int) -> int:
        """Announce how many memories a load will bring, so that they are counted once; returns the count in force."""
        count = 0
        while self._next_count <= memories:
            count = self._next_count
            self._next_count = _count_after(count)
        self._next_count = count or FIRST_COUNT
        self._loading = count > 0
        return count

    def recount(self) -> None:
        """Weigh all memories with the rarities of today, and hold on to those until the store has grown again."""
        self.statistics.freeze(len(self), self._holding)
        first = 0
        for part, weighed in zip(self._texts, self._weighed, strict=True):
            if not (self._loading and weighed):
                rarity = self._rarity(part)
                span = slice(first, first + len(part))
                self.columns.static[span], self.columns.info[span] = rarity.static, rarity.info
            first += len(part)
        self._loading = False
        self._next_count = _count_after(len(self))

    def _rarity(self, features: Features) -> Rarity:
        sums = static_sums(features.pieces, features.piece_lengths, self.statistics)
        return Rarity(sums, self.statistics.information(features.pieces, features.piece_lengths))


def _count_after(memories: int) -> int:
    """The size at which rarities are counted next; a pure function of the last, so that equal stores agree."""
    following = int(memories * GROWTH) + 1
    return following if following < COARSE else -(-following // COARSE) * COARSE
