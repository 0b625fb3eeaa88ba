"""The declared embedding spaces: what each is called, how wide it is, how two points in it compare."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

__all__ = ["SPACES", "Space", "space"]

Kind = Literal["dense", "computed", "sparse", "bits", "tokens"]
Metric = Literal["cosine", "bm25", "hamming", "maxsim", "translation"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Space:
    """One of the thirteen spaces.

    Attributes
    ----------
    kind : str
        dense and tokens are stored vectors, bits packed ones, sparse an inverted index, computed a function of
        time and position that is never stored.
    occasional : bool
        Only memories that have its content have a vector; for the others its score is neutral.
    """

    id: str
    name: str
    dim: int
    kind: Kind
    metric: Metric
    occasional: bool = False

    @property
    def index(self) -> int:
        """Position among the thirteen, 0-12: `dominantEmbedder` on the wire."""
        return int(self.id[1:]) - 1


SPACES: dict[str, Space] = {}
"""Every space that is built, by id, in the order E1 to E13."""


def space(*, id: str, name: str, dim: int, kind: Kind, metric: Metric, occasional: bool = False) -> Callable[[T], T]:
    """Declare the class or function below it as the maker of a space."""

    def declare(maker: T) -> T:
        SPACES[id] = Space(id, name, dim, kind, metric, occasional)
        for known in sorted(SPACES, key=lambda one: SPACES[one].index):  # whatever the order of the imports
            SPACES[known] = SPACES.pop(known)
        return maker

    return declare
