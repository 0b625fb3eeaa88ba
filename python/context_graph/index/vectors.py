"""The vectors of all memories, in every space: what the scans of a search read."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import OPTIONAL, Fingerprint
from context_graph.embed.experts import WIDTH as FUSED_DIMENSIONS
from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.semantic import DIMENSIONS as SEMANTIC_DIMENSIONS
from context_graph.embed.sentence_table import DIMENSIONS as SENTENCE
from context_graph.index.batch import Features, Ragged, array_names
from context_graph.index.columns import Columns, LazyVectors
from context_graph.index.optional_space import OptionalSpace
from context_graph.reading.areas import COUNT as AREAS
from context_graph.reading.attributes import COUNT as ATTRIBUTES

if TYPE_CHECKING:
    from context_graph.store import Segment

__all__ = ["Vectors"]


class Vectors:
    """One index for each space, and what else of a memory follows from its text alone."""

    def __init__(self, *, backend: str | None = None) -> None:
        from context_graph.kernels import dense, hdc, maxsim

        self.semantic = dense.Index(SEMANTIC_DIMENSIONS, dtype="float16", backend=backend)
        self.tokens = maxsim.Index(TOKEN_DIMENSIONS, backend=backend)
        self.bits = hdc.Index(backend=backend)
        self.owners = Columns(row="i4")
        """The row of each token document: a long memory has one for every chunk."""

        self.optional = {id: OptionalSpace(encoder, backend=backend) for id, encoder in OPTIONAL.items()}
        """The spaces that only some memories have."""

        self.kind_of = {id: each.memory_kind for id, each in OPTIONAL.items() if each.memory_kind}
        """By optional space, the kind that a memory with a vector there is of."""

        self.forms = Columns(traits="u2", **dict.fromkeys(self.kind_of.values(), "?"))
        """The traits of each text's form, and whether the memory is of each of these kinds."""

        self.fused = LazyVectors(FUSED_DIMENSIONS)
        """All spaces as one vector."""

        self.attributes = LazyVectors(ATTRIBUTES)
        self.sentences = LazyVectors(SENTENCE)
        """How likely each attribute is."""

        self.areas = LazyVectors(AREAS)
        """How much the text speaks for each area of life."""

        self.one_document_each = True
        """Whether every memory has exactly one token document, at its own row."""

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def nbytes(self) -> dict[str, int]:
        """Bytes in RAM by space, the forms apart."""
        return {
            "E1": self.semantic.nbytes,
            "E9": self.bits.nbytes,
            "E12": self.tokens.nbytes,
            **{id: space.nbytes for id, space in self.optional.items()},
            "fused": self.fused.nbytes,
            "attributes": self.attributes.nbytes,
            "sentences": self.sentences.nbytes,
            "areas": self.areas.nbytes,
        }

    def append(self, features: Features) -> None:
        """Copy the vectors of memories, which get the next rows."""
        self.semantic.append(features.semantic)
        self.bits.append(features.bits)
        self.append_rest(features)

    def append_own(self, fingerprint: Fingerprint) -> None:
        """Copy E1 and E9 of one memory, by which the next ones are compared with it; the rest follows."""
        self.semantic.append(fingerprint.semantic.astype(np.float16)[None])
        self.bits.append(fingerprint.bits[None])

    def append_rest(self, features: Features) -> None:
        """Copy what `append_own` leaves out, of the memories that it was called for since."""
        self.tokens.append_int8(features.codes, features.code_lengths)
        self._append_owned(features.code_owners, features.traits, features.optional)

    def map_segment(self, segment: "Segment") -> None:
        """Add the vectors of memories from a cached file. The large arrays are mapped, the small ones copied."""
        arrays, file = segment.arrays, segment.file.fileno()
        self.semantic.append_mapped(arrays["semantic"], file, segment.offsets["semantic"])
        self.bits.append_mapped(arrays["bits"], file, segment.offsets["bits"])
        lengths = arrays["code_lengths"]
        self.tokens.append_mapped(arrays["blocks"], arrays["scale"], lengths, file, segment.offsets["blocks"])
        optional = {id: Ragged(*(arrays[name] for name in array_names(id))) for id in self.optional}
        self._append_owned(arrays["code_owners"], arrays["traits"], optional)

    def _append_owned(self, code_owners: np.ndarray, traits: np.ndarray, optional: Mapping[str, Ragged]) -> None:
        """Add what refers to memories by their place among those that are being added."""
        first, n = len(self), len(traits)
        self.owners.append(row=code_owners + first)
        for id, (vectors, owners) in optional.items():
            self.optional[id].append(vectors, owners + first)
        self.one_document_each &= np.array_equal(code_owners, np.arange(n))
        kinds = {kind: np.zeros(n, bool) for kind in self.kind_of.values()}
        for id, kind in self.kind_of.items():
            kinds[kind][optional[id].owners] = True
        self.forms.append(traits=traits, **kinds)

    def replace(
        self, row: int, semantic: np.ndarray, chunks: Sequence[np.ndarray], optional: Mapping[str, np.ndarray]
    ) -> None:
        """Write the vectors of a memory that was embedded again.

        Parameters
        ----------
        semantic : float16 (1024,)
            E1.
        chunks : sequence of int8 (t, 128)
            E12 of the whole text. Only chunks that the row does not have yet are added.
        optional : mapping
            Its vectors in optional spaces. A vector in another one is removed.
        """
        added = chunks[int((self.owners.row == row).sum()) :]
        if added:
            self.tokens.append_int8(np.concatenate(added), np.array([len(chunk) for chunk in added], np.int64))
            self.owners.append(row=np.full(len(added), row))
            self.one_document_each = False
        self.semantic.replace(np.array([row]), semantic[None].astype(np.float32))
        for id, space in self.optional.items():
            space.put(row, optional[id]) if id in optional else space.drop(row)
        for id, kind in self.kind_of.items():
            getattr(self.forms, kind)[row] = id in optional
        self.fused.invalidate(row)
        self.attributes.invalidate(row)
        self.sentences.invalidate(row)
        self.areas.invalidate(row)

    def erase(self, row: int) -> None:
        """Overwrite what can be overwritten of a deleted memory; its tokens and bits stay masked until a reload."""
        self.semantic.replace(np.array([row]), np.zeros((1, self.semantic.dim), np.float32))
        for space in self.optional.values():
            space.drop(row)
        self.fused.invalidate(row)
        self.attributes.invalidate(row)
        self.sentences.invalidate(row)
        self.areas.invalidate(row)
        for name in self.forms.names:
            getattr(self.forms, name)[row] = 0

    def has(self, trait: int, rows: np.ndarray) -> np.ndarray:
        """Which rows have a trait of their form: float32."""
        mask: np.ndarray = self.forms.traits[rows] & trait > 0
        return mask.astype(np.float32)

    def reserve(self, memories: int, tokens: int) -> None:
        """Raise the capacity of the spaces that every memory has."""
        self.semantic.reserve(memories)
        self.bits.reserve(memories)
        self.tokens.reserve(memories, tokens)
