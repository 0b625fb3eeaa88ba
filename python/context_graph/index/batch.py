"""Features of memories: the arrays that follow from their texts alone, so that they can be cached."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from context_graph.embed import OPTIONAL, Fingerprint
from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.semantic import DIMENSIONS as SEMANTIC_DIMENSIONS
from context_graph.reading.acts import ACTS
from context_graph.reading.intent import traits
from context_graph.texts import kept_for_texts

__all__ = [
    "ASKS", "BIT_WORDS", "CONTINUES", "DEFINITION", "DOES", "FORMS", "NUMBER", "OF_ANOTHER", "PASSAGE", "TEST",
    "TIME_WORD", "WISH", "Features", "Ragged", "Words", "array_names", "form_of", "pack_tokens", "pack_words",
    "unpack_tokens", "unpack_words", "with_form",
]  # fmt: skip

ASKS, TIME_WORD, NUMBER, WISH, CONTINUES, OF_ANOTHER = 1, 2, 4, 8, 16, 32
DOES = {act: 64 << place for place, act in enumerate(ACTS)}
"""By act, the trait of a statement that does it."""

TEST = 64 << len(ACTS)
"""The trait of code that tests other code."""

PASSAGE = TEST << 1
"""The trait of a text about something that one reads of, as in an encyclopedia."""

DEFINITION = PASSAGE << 1
"""The trait of code that begins with a function or a type."""

FORMS = DEFINITION << 1
"""Every form is a number below this."""

BIT_WORDS = 160


class Ragged(NamedTuple):
    """Vectors that only some of n memories have.

    Attributes
    ----------
    vectors : float16 (a, dim)
    owners : int64 (a,)
        Whose each is, ascending, counted from the first of the n.
    """

    vectors: np.ndarray
    owners: np.ndarray

    def of_rows(self, first: int, last: int) -> "Ragged":
        """The vectors of the memories in [first, last), with owners counted from `first`."""
        span = slice(*np.searchsorted(self.owners, [first, last]))
        return Ragged(self.vectors[span], self.owners[span] - first)


def array_names(space: str) -> tuple[str, str]:
    """Names of the two arrays of an optional space in the files of the cache."""
    return space.lower(), f"{space.lower()}_owners"


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Terms and word pieces of n memories, as `Features` has them."""

    terms: np.ndarray
    counts: np.ndarray
    term_lengths: np.ndarray
    pieces: np.ndarray
    piece_lengths: np.ndarray

    def __len__(self) -> int:
        return len(self.term_lengths)

    def __getitem__(self, span: slice) -> "Words":
        first, last, _ = span.indices(len(self))
        terms, pieces = _bounds(self.term_lengths), _bounds(self.piece_lengths)
        of_terms, of_pieces = slice(terms[first], terms[last]), slice(pieces[first], pieces[last])
        return Words(
            self.terms[of_terms], self.counts[of_terms], self.term_lengths[span],
            self.pieces[of_pieces], self.piece_lengths[span],
        )  # fmt: skip

    def lengths(self) -> np.ndarray:
        """Words of each memory, repeated ones too: float64 (n,)."""
        if len(self) == 1:
            return np.add.reduce(self.counts, dtype=np.float64, keepdims=True)
        starts = np.concatenate([[0], np.cumsum(self.counts, dtype=np.float64)])
        return np.diff(starts[_bounds(self.term_lengths)])

    def without(self, place: int) -> "Words":
        """A copy in which the memory at one place has no words."""
        ends, starts = _bounds(self.term_lengths), _bounds(self.piece_lengths)
        terms, pieces = slice(ends[place], ends[place + 1]), slice(starts[place], starts[place + 1])
        lengths = [lengths.copy() for lengths in (self.term_lengths, self.piece_lengths)]
        for each in lengths:
            each[place] = 0
        return Words(
            np.delete(self.terms, terms), np.delete(self.counts, terms), lengths[0],
            np.delete(self.pieces, pieces), lengths[1],
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Arrays over n memories; ragged parts are concatenated, with their lengths beside them."""

    semantic: np.ndarray
    """float16 (n, 1024): E1."""

    bits: np.ndarray
    """uint64 (n, 160): E9."""

    codes: np.ndarray
    """int8 (t, 128): E12."""

    code_lengths: np.ndarray
    """int64 (c,): tokens of each chunk."""

    code_owners: np.ndarray
    """int64 (c,): the memory of each chunk, counted from the first of these n."""

    terms: np.ndarray
    """int64 (nnz,): E6."""

    counts: np.ndarray
    """float32 (nnz,)."""

    term_lengths: np.ndarray
    """int64 (n,)."""

    pieces: np.ndarray
    """uint16 (p,)."""

    piece_lengths: np.ndarray
    """int64 (n,)."""

    traits: np.ndarray
    """uint16 (n,): ASKS | TIME_WORD | NUMBER | WISH | CONTINUES | OF_ANOTHER | TEST | PASSAGE and those of
    `DOES`."""

    optional: Mapping[str, Ragged]
    """By id, every optional space."""

    def __len__(self) -> int:
        return len(self.semantic)

    @classmethod
    def of(cls, prints: Sequence[Fingerprint], forms: Sequence[int]) -> "Features":
        """Features of memories from their fingerprints and the traits of their form."""
        chunks = [chunk for fingerprint in prints for chunk in fingerprint.chunks]
        return cls(
            semantic=_stacked([p.semantic for p in prints], (0, SEMANTIC_DIMENSIONS)).astype(np.float16),
            bits=_stacked([p.bits for p in prints], (0, BIT_WORDS)).astype(np.uint64),
            codes=_joined(chunks, np.int8, (0, TOKEN_DIMENSIONS)),
            code_lengths=np.array([len(chunk) for chunk in chunks], np.int64),
            code_owners=np.array([i for i, p in enumerate(prints) for _ in p.chunks], np.int64),
            terms=np.array([term for p in prints for term in p.terms], np.int64),
            counts=np.array([count for p in prints for count in p.terms.values()], np.float32),
            term_lengths=np.array([len(p.terms) for p in prints], np.int64),
            pieces=_joined([p.pieces for p in prints], np.uint16, (0,)),
            piece_lengths=np.array([len(p.pieces) for p in prints], np.int64),
            traits=np.array(forms, np.uint16),
            optional=_optional(prints),
        )

    @classmethod
    def nothing(cls, n: int) -> "Features":
        """Features of rows that hold no memory."""
        empty, lengths = np.zeros(0, np.int64), np.zeros(n, np.int64)
        return cls(
            np.zeros((n, SEMANTIC_DIMENSIONS), np.float16), np.zeros((n, BIT_WORDS), np.uint64),
            np.zeros((0, TOKEN_DIMENSIONS), np.int8), empty, empty, empty, np.zeros(0, np.float32), lengths,
            np.zeros(0, np.uint16), lengths, np.zeros(n, np.uint8), _optional(()),
        )  # fmt: skip

    def __getitem__(self, span: slice) -> "Features":
        """A part of the memories."""
        first, last, _ = span.indices(len(self))
        terms, pieces = _bounds(self.term_lengths), _bounds(self.piece_lengths)
        chunks, codes = np.searchsorted(self.code_owners, [first, last]), _bounds(self.code_lengths)
        of_terms, of_pieces = slice(terms[first], terms[last]), slice(pieces[first], pieces[last])
        return Features(
            self.semantic[span], self.bits[span], self.codes[codes[chunks[0]] : codes[chunks[1]]],
            self.code_lengths[chunks[0] : chunks[1]], self.code_owners[chunks[0] : chunks[1]] - first,
            self.terms[of_terms], self.counts[of_terms], self.term_lengths[span], self.pieces[of_pieces],
            self.piece_lengths[span], self.traits[span],
            {id: part.of_rows(first, last) for id, part in self.optional.items()},
        )  # fmt: skip

    @property
    def words(self) -> Words:
        return Words(self.terms, self.counts, self.term_lengths, self.pieces, self.piece_lengths)

    def arrays(self) -> dict[str, np.ndarray]:
        """By name, as the files of the cache have them."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "optional"}
        for id, part in self.optional.items():
            arrays |= dict(zip(array_names(id), part, strict=True))
        return arrays


@kept_for_texts(maxsize=128)  # those of a write are read together
def form_of(text: str) -> int:
    """The traits of a text as one number; the store and the index both ask for it."""
    form = traits(text)
    number = ASKS * form.asks | TIME_WORD * form.time_word | NUMBER * form.number
    number |= WISH * form.wish | CONTINUES * form.continues | OF_ANOTHER * form.of_another | TEST * form.test
    number |= PASSAGE * form.passage | DEFINITION * form.definition
    return number | sum(DOES[act] for act in form.acts)


def pack_words(fingerprint: Fingerprint, form: int) -> bytes:
    """What was read off a text, as the store keeps it for E6: form, terms, counts, word pieces."""
    head = np.array([form, len(fingerprint.terms)], "<i4")
    terms = np.fromiter(fingerprint.terms.keys(), "<i8", len(fingerprint.terms))
    counts = np.fromiter(fingerprint.terms.values(), "<f4", len(fingerprint.terms))
    return head.tobytes() + terms.tobytes() + counts.tobytes() + fingerprint.pieces.astype("<u2").tobytes()


def with_form(data: bytes, form: int) -> bytes:
    """`pack_words` of the same text with another form."""
    return np.array([form], "<i4").tobytes() + data[4:]


def unpack_words(data: bytes) -> tuple[dict[int, float], np.ndarray, int]:
    """Terms, pieces and form of `pack_words`."""
    form, count = np.frombuffer(data, "<i4", 2).tolist()
    terms = np.frombuffer(data, "<i8", count, 8)
    counts = np.frombuffer(data, "<f4", count, 8 + 8 * count)
    pieces = np.frombuffer(data, "<u2", offset=8 + 12 * count)
    return dict(zip(terms.tolist(), counts.tolist(), strict=True)), pieces, form


def pack_tokens(chunks: Sequence[np.ndarray]) -> bytes:
    """Token codes of all chunks as the store keeps them: chunk count, lengths, codes."""
    head = np.array([len(chunks), *(len(chunk) for chunk in chunks)], "<i4")
    return head.tobytes() + b"".join(np.ascontiguousarray(chunk, np.int8).tobytes() for chunk in chunks)


def unpack_tokens(data: bytes) -> list[np.ndarray]:
    """The chunks of `pack_tokens`."""
    count = int(np.frombuffer(data, "<i4", 1)[0])
    lengths = np.frombuffer(data, "<i4", count, 4)
    codes = np.frombuffer(data, np.int8, offset=4 * (count + 1)).reshape(-1, TOKEN_DIMENSIONS)
    return np.split(codes, np.cumsum(lengths)[:-1]) if count else []


def _optional(prints: Sequence[Fingerprint]) -> dict[str, Ragged]:
    spaces = {}
    for id, encoder in OPTIONAL.items():
        owners = [i for i, fingerprint in enumerate(prints) if id in fingerprint.optional]
        vectors = _stacked([prints[i].optional[id] for i in owners], (0, encoder.space.dim)).astype(np.float16)
        spaces[id] = Ragged(vectors, np.array(owners, np.int64))
    return spaces


def _stacked(rows: list[np.ndarray], empty: tuple[int, ...]) -> np.ndarray:
    if len(rows) == 1:
        return rows[0][None]
    return np.stack(rows) if rows else np.zeros(empty)


def _joined(parts: list[np.ndarray], dtype: type, empty: tuple[int, ...]) -> np.ndarray:
    if len(parts) == 1:
        return parts[0].astype(dtype)
    return np.concatenate(parts).astype(dtype) if parts else np.zeros(empty, dtype)


def _bounds(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)])
