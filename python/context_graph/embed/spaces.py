"""The declared embedding spaces: what each is called, how wide it is, how two points in it compare.

An optional space, in which only some memories have a vector, is one file: a class of `SpaceEncoder` under `@space`.
Index, store, export and search iterate over `OPTIONAL` and know none of them by name.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import numpy as np

from context_graph.embed.inputs import MemoryInput, QuestionInput

if TYPE_CHECKING:
    from context_graph.kernels import dense

__all__ = ["OPTIONAL", "SPACES", "Space", "SpaceEncoder", "served", "space"]

Kind = Literal["dense", "computed", "sparse", "bits", "tokens"]
Metric = Literal["cosine", "bm25", "hamming", "maxsim", "translation"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Space:
    """One of the spaces.

    Attributes
    ----------
    kind : str
        dense and tokens are stored vectors, bits packed ones, sparse an inverted index, computed a function of
        time and position that is never stored.
    served : bool
        Whether a model of the user's own can serve it; what no model serves is made of E1's blocks, or of the text.
    """

    id: str
    name: str
    dim: int
    kind: Kind
    metric: Metric
    served: bool = False

    @property
    def index(self) -> int:
        """Position among all, 0-12 for the thirteen: `dominantEmbedder` on the wire."""
        return int(self.id[1:]) - 1


class SpaceEncoder(ABC):
    """An optional space: only memories that have its content have a vector; for the others its score is neutral.

    Attributes
    ----------
    of_text : bool
        Whether its vectors are made of the text alone. If so, they are made anew from it: a vector is taken away where
        this version finds nothing in the text, and an export without vectors leaves them out. If not, the vector
        itself is the record, so it is kept and exported like the file that it was made of.
    of_english : bool
        Whether its content is known by English words, so that a model of many languages reads it in English too.
    memory_kind : str, optional
        The kind that a memory with a vector here is of, in the weights of a search (`KINDS` of `retrieval/config.py`).
    score_name : str, optional
        The score that it gives in the first pass of a search; None where it gives none.
    least_spread, experimental
        Of that score; see `retrieval/score_table.py`.
    """

    space: ClassVar[Space]
    """Set by `@space`."""

    of_text: bool = True
    of_english: bool = False
    memory_kind: str | None = None
    score_name: str | None = None
    least_spread: float = 0.04
    experimental: bool = False

    @abstractmethod
    def encode(self, memory: MemoryInput) -> np.ndarray | None:
        """The vector of a memory, float32 (dim,), of unit length; None where it has no content for this space."""

    def question(self, question: QuestionInput) -> np.ndarray | None:
        """The vector of a question, float32 (dim,), of unit length; None where it asks for nothing in this space."""
        return None

    def has_content(self, text: str) -> bool:
        """Whether a text alone has content for this space; decides quickly which older memories to read anew."""
        return False

    def pack(self, vector: np.ndarray) -> bytes:
        """A vector as the store keeps it."""
        return vector.astype(np.float16).tobytes()

    def unpack(self, data: bytes) -> np.ndarray:
        """The vector of `pack`, as the index takes it: float16 (dim,)."""
        return np.frombuffer(data, np.float16)

    def is_sound(self, data: bytes) -> bool:
        """Whether bytes of a file that nobody vouches for are a vector of this space."""
        vector = self.unpack(data)
        return len(vector) == self.space.dim and bool(np.isfinite(vector).all())

    def score(self, vectors: "dense.Index", query: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The score of some stored vectors for a question: float32 (n,); by default their cosine."""
        scores: np.ndarray = vectors.scores(query[None], ids=places)[0]
        return scores


SPACES: dict[str, Space] = {}
"""Every space that is built, by id, in the order E1 to E13."""

OPTIONAL: dict[str, SpaceEncoder] = {}
"""The optional spaces by id, in the same order."""


def space(*, id: str, name: str, dim: int, kind: Kind, metric: Metric, served: bool = False) -> Callable[[T], T]:
    """Declare the class or function below it as the maker of a space; a class of `SpaceEncoder` makes it optional."""

    def declare(maker: T) -> T:
        SPACES[id] = Space(id, name, dim, kind, metric, served)
        if isinstance(maker, type) and issubclass(maker, SpaceEncoder):
            maker.space = SPACES[id]
            OPTIONAL[id] = maker()
        for known in sorted(SPACES, key=lambda one: SPACES[one].index):  # whatever the order of the imports
            SPACES[known] = SPACES.pop(known)
            if known in OPTIONAL:
                OPTIONAL[known] = OPTIONAL.pop(known)
        return maker

    return declare


def served() -> tuple[str, ...]:
    """The spaces that a model serves in the tier `minilm`."""
    return tuple(id for id, space in SPACES.items() if space.served)
