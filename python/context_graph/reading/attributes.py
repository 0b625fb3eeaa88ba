"""Which attribute a statement or a question is about: where somebody lives, what a thing costs, who owns it.

A linear model over the static word vectors, so that "where do I live?" and "moved in with Kai on Sunday" meet though
they share no word. It is fitted by benchmarks/quality/attributes.py on sentences and words written for it.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.embed.languages import in_english
from context_graph.embed.static_table import DIMENSIONS, prior_idf, row_lengths, weighted_sums
from context_graph.embed.wordpiece import continuations, pieces
from context_graph.texts import kept_for_texts

__all__ = ["COUNT", "Model", "likelihoods", "model", "of_text", "vector", "vectors"]

ATTRIBUTE_WEIGHTS = Path(__file__).parent.parent / "data" / "attributes.npz"

_ONE_START = np.zeros(1, np.int64)

COUNT = 70
"""How many attributes there are."""


class Model(NamedTuple):
    """
    Attributes
    ----------
    names : tuple of str
        Of the k attributes.
    values : str (k,)
        "one" where a person has one value at a time, "each" where each of several things has one, "many" else.
    weights : float32 (257, k + 1)
        By dimension of a static vector, the last row the intercept; the last column is for what has no attribute.
    near : bool (k, k)
        Whether statements about the second may answer a question for the first: who says what they are by trade says
        where they work as well. Each is near itself.
    """

    names: tuple[str, ...]
    values: np.ndarray
    weights: np.ndarray
    near: np.ndarray


@lru_cache(maxsize=1)
def model() -> Model:
    """The weights of the package, read once."""
    with np.load(ATTRIBUTE_WEIGHTS, allow_pickle=False) as read:
        return Model(tuple(read["names"].tolist()), read["values"], read["weights"].astype(np.float32), read["near"])


@kept_for_texts(maxsize=512)  # a note is compared by its words and by its attributes
def vector(text: str) -> np.ndarray:
    """Unit vector of a text, word by word in English, or zeros for one without words: float32 (256,)."""
    piece_rows = np.array(pieces(in_english(text)), np.int64)
    if not len(piece_rows):
        return np.zeros(DIMENSIONS, np.float32)
    summed = _sums(piece_rows, _ONE_START)  # as `vectors`, in fewer steps
    unit: np.ndarray = (summed / np.maximum(row_lengths(summed), np.float32(1e-9)))[0]
    return unit


def vectors(piece_rows: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Unit vectors of texts whose pieces stand one after the other: int (t,), int (m,) -> float32 (m, 256).

    A word of several pieces counts as one: it is most often a name, and those say little of an attribute.
    """
    summed = np.zeros((len(lengths), DIMENSIONS), np.float32)
    if len(piece_rows):
        owners = np.flatnonzero(lengths)
        summed[owners] = _sums(piece_rows, (np.cumsum(lengths) - lengths)[owners])
    return summed / np.maximum(row_lengths(summed), np.float32(1e-9))


def _sums(piece_rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Weighted sums of texts that have pieces, and begin at these places: float32 (s, 256)."""
    begins = ~continuations()[piece_rows]
    begins[starts] = True  # no word goes on from one text to the next
    of_word = np.cumsum(begins) - 1
    weights = prior_idf(piece_rows) / np.bincount(of_word)[of_word]
    return weighted_sums(piece_rows, weights.astype(np.float32), starts)


def likelihoods(units: np.ndarray) -> np.ndarray:
    """Probability of each attribute: unit static vectors, float32 (m, 256) -> float32 (m, k).

    What is missing to 1 in a row is the probability that it has none of them.
    """
    weights = model().weights
    logits = units @ weights[:-1] + weights[-1]
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return (odds / odds.sum(axis=1, keepdims=True))[:, :-1]


@kept_for_texts(maxsize=2_048)
def of_text(text: str) -> np.ndarray:
    """Probability of each attribute of one text: float32 (k,).

    Examples
    --------
    >>> known = model()
    >>> [known.names[of_text(text).argmax()] for text in ("Where do I live?", "We rent a flat in Ghent.")]
    ['home', 'home']
    """
    return likelihoods(vector(text)[None])[0]
