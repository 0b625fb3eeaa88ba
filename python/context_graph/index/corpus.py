"""All memories as arrays in RAM, one row each in the order they were stored: what a search scans."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from context_graph.embed import OPTIONAL
from context_graph.embed.embedder import Embedder
from context_graph.embed.experts import WIDTH as FUSED_DIMENSIONS
from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.semantic import DIMENSIONS as SEMANTIC_DIMENSIONS
from context_graph.embed.semantic import STATIC, static_sums
from context_graph.embed.statistics import VOCABULARY_SIZE, PieceStatistics, holding_counts
from context_graph.index.batch import Features, Ragged, Words, array_names
from context_graph.index.columns import Codes, Columns, Made, NameCodes
from context_graph.index.optional_space import OptionalSpace
from context_graph.locks import Rank, reentrant_lock
from context_graph.models import NodeState, Scope
from context_graph.reading.attributes import COUNT as ATTRIBUTES
from context_graph.visibility import SCOPES, Viewer, answers_mask

if TYPE_CHECKING:
    from context_graph.store import Segment

__all__ = ["DEAD", "FIELDS", "FOREVER", "Corpus"]

FOREVER = np.iinfo(np.int64).max
GROWTH = 1.25
"""Rarities are counted afresh when the store has grown by this factor: drift stays small, cost stays amortised."""

FIRST_COUNT, COARSE = 32, 1_024

CODES = ("sessions", "contexts", "speakers", "agents", "domains", "modalities", "joharis")
INDEXES = ("terms", "named")

FIELDS = (
    "ordinal", "id", "session_id", "context_id", "position", "speaker", "agent_id", "domain", "modality", "scope",
    "state", "importance", "johari_quadrant", "occurred_at", "created_at", "valid_from", "valid_to", "access_count",
)  # fmt: skip
"""The fields of a node that its row needs, in the order `extend` takes them."""

DEAD = ("", "", None, 0, None, None, "", "", Scope.USER, "", 0.0, "", 0, 0, 0, 0, 0)
"""`FIELDS` after the ordinal, of an ordinal whose memory was undone or purged."""


class Corpus:
    """The resident indexes and columns.

    Rows are ordinals of the store. A memory that is forgotten, undone or purged keeps its row and is masked.
    """

    def __init__(self, statistics: PieceStatistics, *, embedder: Embedder, backend: str | None = None) -> None:
        from context_graph.kernels import dense, hdc, maxsim, sparse

        self.statistics = statistics
        self.embedder = embedder
        """Whose vectors these are, and who reads the questions for them."""

        self.semantic = dense.Index(SEMANTIC_DIMENSIONS, dtype="float16", backend=backend)
        self.tokens = maxsim.Index(TOKEN_DIMENSIONS, backend=backend)
        self.terms = sparse.Index(backend=backend)
        self.bits = hdc.Index(backend=backend)
        self.columns = Columns(
            session="i4", context="i4", position="i4", speaker="i4", agent="i4", domain="i2", modality="i2",
            scope="i1", live="?", dialogue="?", length="f4", importance="f4", johari="i1",
            occurred_at="i8", created_at="i8", valid_from="i8", valid_to="i8", accesses="i4",
        )  # fmt: skip
        self.rarities = Columns(info="f4", static=f"({STATIC},)f4")
        """What of a memory follows from how rare its words are: information content, static sums."""

        self.kind_of = {id: each.memory_kind for id, each in OPTIONAL.items() if each.memory_kind}
        """By optional space, the kind that a memory with a vector there is of."""

        self.forms = Columns(traits="u1", **dict.fromkeys(self.kind_of.values(), "?"))
        """What follows from its text alone: the traits of its form, and whether it is of each of these kinds."""

        self.named = sparse.Index(backend=backend)
        """The names in each memory (`lexical.names`), and the memories of each name."""

        self.ids: list[str] = []
        self.row_of: dict[str, int] = {}
        self.sessions, self.contexts, self.speakers, self.agents = Codes(), Codes(), NameCodes(), Codes()
        self.domains, self.modalities, self.joharis = Codes(), Codes(), Codes()
        self.owners = Columns(row="i4")
        """The memory of each token document: a long memory has one for every chunk."""

        self.optional = {id: OptionalSpace(encoder, backend=backend) for id, encoder in OPTIONAL.items()}
        """The spaces that only some memories have."""

        self.fused = Made(FUSED_DIMENSIONS)
        """All spaces as one vector, of the memories whose fused vector was asked for."""

        self.attributes = Made(ATTRIBUTES)
        """How likely each attribute is, of the memories that a question for one was asked of."""

        self.one_document_each = True
        """Whether every memory has exactly one token document, at its own row."""

        self.lock = reentrant_lock(Rank.CORPUS, "Corpus.lock")
        self._texts: list[Words] = []
        self._weighed: list[bool] = []  # whether a cache gave the rarities of each part
        self._loading = False
        self._laid = 0
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
        kept += self.rarities.nbytes + self.forms.nbytes
        return {
            "E1": self.semantic.nbytes,
            "E6": self.terms.nbytes,
            "E9": self.bits.nbytes,
            "E12": self.tokens.nbytes,
            **{id: part.nbytes for id, part in self.optional.items()},
            "fused": self.fused.nbytes,
            "attributes": self.attributes.nbytes,
            "columns": self.columns.nbytes + self.named.nbytes + kept,
        }

    def extend(self, rows: Sequence[tuple[Any, ...]], features: Features) -> None:
        """Add memories in the order of their ordinals; row = ordinal.

        Parameters
        ----------
        rows : sequence of tuple
            `FIELDS` of each memory.
        features : Features
            Of the same memories.
        """
        with self.lock:
            if rows and rows[0][0] > len(self):  # ordinals lost to a write that was undone
                lost = rows[0][0] - len(self)
                self.take_in(Features.nothing(lost))
                self.enter([(len(self) + i, *DEAD) for i in range(lost)], Features.nothing(lost).words)
            self.take_in(features)
            self.enter(rows, features.words)

    def take_in(self, features: Features) -> None:
        """The arrays of memories whose fields `enter` will add."""
        first = self._laid
        self.semantic.append(features.semantic)
        self.bits.append(features.bits)
        self.tokens.append_int8(features.codes, features.code_lengths)
        self._belong(first, len(features), features.code_owners, features.traits, features.optional)
        self.rarities.append(
            info=np.zeros(len(features), np.float32), static=np.zeros((len(features), STATIC), np.float32)
        )

    def lay(self, segment: "Segment", rarities: "Segment | None") -> None:
        """The same from files of a cache: what is searched stays there, and what is small is copied.

        Parameters
        ----------
        segment : Segment
            `Features` of memories, with their codes in blocks.
        rarities : Segment, optional
            Columns of `rarities`, for the count in force once all are loaded.
        """
        arrays, first, file = segment.arrays, self._laid, segment.file.fileno()
        self.semantic.lay(arrays["semantic"], file, segment.offsets["semantic"])
        self.bits.lay(arrays["bits"], file, segment.offsets["bits"])
        lengths = arrays["code_lengths"]
        self.tokens.lay(arrays["blocks"], arrays["scale"], lengths, file, segment.offsets["blocks"])
        of_space = {id: Ragged(*(arrays[name] for name in array_names(id))) for id in self.optional}
        self._belong(first, len(arrays["traits"]), arrays["code_owners"], arrays["traits"], of_space)
        if rarities is None:
            n = len(arrays["traits"])
            self.rarities.append(info=np.zeros(n, np.float32), static=np.zeros((n, STATIC), np.float32))
        else:
            values = {name: rarities.arrays[name] for name in ("info", "static")}
            self.rarities.lay(rarities.file.fileno(), rarities.offsets, **values)

    def _belong(
        self,
        first: int,
        n: int,
        code_owners: np.ndarray,
        traits: np.ndarray,
        of_space: Mapping[str, Ragged],
    ) -> None:
        self.owners.append(row=code_owners + first)
        for id, (vectors, whose) in of_space.items():
            self.optional[id].append(vectors, whose + first)
        self.one_document_each &= np.array_equal(code_owners, np.arange(n))
        kinds = {kind: np.isin(np.arange(n), of_space[id].owners) for id, kind in self.kind_of.items()}
        self.forms.append(traits=traits, **kinds)
        self._laid += n

    def enter(
        self, rows: Sequence[tuple[Any, ...]], words: Words, *, weighed: bool = False, holding: np.ndarray | None = None
    ) -> None:
        """Add memories whose arrays are here.

        Parameters
        ----------
        rows : sequence of tuple
            `FIELDS` of each.
        words : Words
            Of the same memories.
        weighed : bool
            Whether their rarities are here too, for the count in force once all are loaded.
        holding : int64 (30522,), optional
            In how many of them each word piece occurs, where a cache holds it.
        """
        with self.lock:
            while len(self) < self._next_count < len(self) + len(rows):
                cut = self._next_count - len(self)
                self._enter(rows[:cut], words[:cut], weighed, None)
                rows, words, holding = rows[cut:], words[cut:], None
            self._enter(rows, words, weighed, holding)

    def _enter(self, rows: Sequence[tuple[Any, ...]], words: Words, weighed: bool, holding: np.ndarray | None) -> None:
        first = len(self)
        field = dict(zip(FIELDS, zip(*rows, strict=True), strict=True)) if rows else {name: () for name in FIELDS}
        if holding is None and len(words) == 1:
            self._holding[np.unique(words.pieces)] += 1
        else:
            self._holding += holding_counts(words.pieces, words.piece_lengths) if holding is None else holding
        self._texts.append(words)
        self._weighed.append(weighed)
        if not (weighed or self._loading):
            self._weigh(slice(first, first + len(rows)), words)
        self.terms.append(words.terms, words.counts, words.term_lengths)
        name = words.counts == 0
        owners = np.repeat(np.arange(len(words)), words.term_lengths)[name]
        lengths = np.bincount(owners, minlength=len(words))
        self.named.append(words.terms[name], np.ones(name.sum(), np.float32), lengths)
        self._name(field["id"])
        valid_to = [FOREVER if moment is None else moment for moment in field["valid_to"]]
        starts = np.concatenate([[0], np.cumsum(words.counts, dtype=np.float64)])
        bounds = np.concatenate([[0], np.cumsum(words.term_lengths)])
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
            dialogue=[bool(text) for text in field["speaker"]],
            length=np.diff(starts[bounds]),
            importance=field["importance"],
            johari=[self.joharis.of(text) for text in field["johari_quadrant"]],
            occurred_at=field["occurred_at"],
            created_at=field["created_at"],
            valid_from=field["valid_from"],
            valid_to=valid_to,
            accesses=field["access_count"],
        )
        if len(self) == self._next_count:
            self.recount()

    def _name(self, ids: Sequence[str]) -> None:
        first = len(self)
        self.row_of |= dict(zip(ids, range(first, first + len(ids)), strict=True))
        self.ids += ids
        if self.row_of.pop("", None) is not None:
            dead = [first + i for i, id in enumerate(ids) if not id]
            self.terms.discount(dead)
            self.named.discount(dead)
            self._removed.update(dead)

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

    def pieces(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Word pieces of some memories, one after the other, and how many each has: int (t,), int64 (m,)."""
        ends, found = np.cumsum([len(part) for part in self._texts]), []
        places = np.searchsorted(ends, rows, side="right")
        bounds = {place: _ends(self._texts[place].piece_lengths) for place in np.unique(places).tolist()}
        for row, place in zip(rows.tolist(), places.tolist(), strict=True):
            part, within = self._texts[place], row - int(ends[place]) + len(self._texts[place])
            found.append(part.pieces[bounds[place][within] : bounds[place][within + 1]])
        lengths = np.array([len(each) for each in found], np.int64)
        return np.concatenate([np.zeros(0, np.int64), *found]), lengths

    def reembed(
        self, node_id: str, semantic: np.ndarray, chunks: Sequence[np.ndarray], optional: Mapping[str, np.ndarray]
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
            for id, part in self.optional.items():
                part.put(row, optional[id]) if id in optional else part.drop(row)
            for id, kind in self.kind_of.items():
                getattr(self.forms, kind)[row] = id in optional
            self.fused.forget(row)
            self.attributes.forget(row)

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

    def erase(self, node_id: str) -> int | None:
        """A memory that was deleted for good: its row stays, as empty as one loaded from a store without it.

        Nothing that is asked here answers from it any more. Its words, names and semantic vector are overwritten; its
        tokens, bits and postings are masked until the indexes are loaded anew. Returns the row, if it had one.
        """
        with self.lock:
            row = self.row_of.get(node_id)
            if row is None:
                return None
            self.remove(node_id)
            del self.row_of[node_id]
            self.ids[row] = ""
            self._unsay(row)
            codes = self.columns.speaker[row], self.columns.agent[row]
            dead = dict(zip(FIELDS, (row, *DEAD), strict=True))
            for name, value in {
                "session": self.sessions.of(""), "context": self.contexts.of(""), "speaker": -1, "agent": -1,
                "domain": self.domains.of(""), "modality": self.modalities.of(""), "johari": self.joharis.of(""),
                "dialogue": False, "length": 0.0, "accesses": 0, "scope": SCOPES[Scope.USER],
                **{name: dead[name] for name in ("position", "importance", "occurred_at", "created_at", "valid_from")},
                "valid_to": dead["valid_to"],
            }.items():  # fmt: skip
                getattr(self.columns, name)[row] = value
            for code, known, column in zip(codes, (self.speakers, self.agents), ("speaker", "agent"), strict=True):
                if code >= 0 and not (getattr(self.columns, column) == code).any():
                    known.forget(int(code))  # nobody else has that name
            self.semantic.replace(np.array([row]), np.zeros((1, self.semantic.dim), np.float32))
            for part in self.optional.values():
                part.drop(row)
            self.fused.forget(row)
            self.attributes.forget(row)
            for name in self.forms.names:
                getattr(self.forms, name)[row] = 0
            self.rarities.info[row], self.rarities.static[row] = 0.0, 0.0
            self._order = None
            return row

    def _unsay(self, row: int) -> None:
        """Let go of the words of a row."""
        first = 0
        for number, part in enumerate(self._texts):
            if row < first + len(part):
                one = part[row - first : row - first + 1]
                self._holding -= holding_counts(one.pieces, one.piece_lengths)
                self._texts[number] = part.without(row - first)
                return
            first += len(part)

    def visible(self, viewer: Viewer, *, now: int, as_of: int | None = None) -> np.ndarray:
        """Which rows may be answered: live, valid at the time, and in a scope the viewer shares. bool (n,)."""
        with self.lock:
            session = None if viewer.session_id is None else self.sessions.known(viewer.session_id)
            context = None if viewer.context_id is None else self.contexts.known(viewer.context_id)
            return answers_mask(self.columns, now if as_of is None else as_of, session, context)

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
        order: np.ndarray = self._order
        return order

    def has(self, trait: int, rows: np.ndarray) -> np.ndarray:
        """Which rows have a trait of their form: float32."""
        held: np.ndarray = self.forms.traits[rows] & trait > 0
        return held.astype(np.float32)

    def reserve(self, memories: int, tokens: int) -> None:
        """Make room at once for what a load will bring, and a quarter for what follows.

        Room that is not used costs no memory. Where there is too little, arrays are copied to where there is more.
        """
        self.semantic.reserve(memories + memories // 4)
        self.bits.reserve(memories + memories // 4)
        self.rarities.reserve(memories + memories // 4)
        self.tokens.reserve(memories + memories // 4, tokens + tokens // 4)

    def load_up_to(self, memories: int) -> int:
        """Announce how many memories a load will bring, so that they are counted once; returns the count in force."""
        count = 0
        while self._next_count <= memories:
            count = self._next_count
            self._next_count = _count_after(count)
        self._next_count = count or FIRST_COUNT
        self._loading = count > 0
        return count

    def written_out(self) -> dict[str, np.ndarray]:
        """The fields and indexes of all memories as arrays for `adopt`: what of a corpus is not in its segments."""
        texts = {name: getattr(self, name).texts for name in CODES}
        arrays = {"named": _bytes({"ids": self.ids} | texts), "holding": self._holding}
        arrays |= {"counted": self.statistics.holding, "count": np.array([self.statistics.memories])}
        arrays |= {f"column {name}": getattr(self.columns, name) for name in self.columns.names}
        for index in INDEXES:
            arrays |= {f"{index} {name}": array for name, array in getattr(self, index).written_out().items()}
        return arrays

    def adopt(
        self, arrays: Mapping[str, np.ndarray], parts: Sequence[Words], weighed: Sequence[bool], *, room: int
    ) -> None:
        """Be, where this one is empty, the corpus that was written out, of memories whose arrays are here.

        Parameters
        ----------
        parts, weighed
            Words of all memories, and whether the rarities of each part are here.
        room : int
            How many memories there will be.
        """
        named = json.loads(bytes(arrays["named"]))
        for name in CODES:
            getattr(self, name).take_over(named[name])
        for index in INDEXES:
            prefix = f"{index} "
            found = {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}
            getattr(self, index).adopt(found)
        self._name(named["ids"])
        self.columns.reserve(room)
        self.columns.append(**{name: arrays[f"column {name}"] for name in self.columns.names})
        self._holding += arrays["holding"]
        self._texts += parts
        self._weighed += weighed
        if not self._loading:  # too few to be counted yet
            self._weigh_all()
        elif self._next_count == int(arrays["count"][0]):
            self.statistics.freeze(self._next_count, arrays["counted"])
            self._count_later()

    def recount(self) -> None:
        """Weigh all memories with the rarities of today, and hold on to those until the store has grown again."""
        self.statistics.freeze(len(self), self._holding)
        self._count_later()

    def _count_later(self) -> None:
        self._weigh_all()
        self._loading = False
        self._next_count = _count_after(self.statistics.memories)

    def _weigh_all(self) -> None:
        first = 0
        for part, weighed in zip(self._texts, self._weighed, strict=True):
            if not (self._loading and weighed):
                self._weigh(slice(first, first + len(part)), part)
            first += len(part)

    def _weigh(self, span: slice, words: Words) -> None:
        self.rarities.static[span] = static_sums(words.pieces, words.piece_lengths, self.statistics)
        self.rarities.info[span] = self.statistics.information(words.pieces, words.piece_lengths)


def _bytes(value: object) -> np.ndarray:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def _count_after(memories: int) -> int:
    """The size at which rarities are counted next; a pure function of the last, so that equal stores agree."""
    following = int(memories * GROWTH) + 1
    return following if following < COARSE else -(-following // COARSE) * COARSE


def _ends(lengths: np.ndarray) -> np.ndarray:
    """Where each of some runs begins, and where the last one ends: int64 (n + 1,)."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
