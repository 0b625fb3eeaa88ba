"""How likely a statement, or a question for all of a kind, is of each act: what its wording alone does not show.

"Raisins in cake are an abomination" has no word that always tells a preference. A linear model over the static word
vectors of a text and of its first words, which say what is spoken of, and over its words and pairs of words, which say
how; fitted by benchmarks/quality/acts.py on sentences written for it.
"""

import math
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from context_graph.embed.static_table import DIMENSIONS, rows
from context_graph.embed.wordpiece import pieces
from context_graph.reading import attributes
from context_graph.regex import regex

__all__ = ["FEATURES", "WEIGHTS", "Model", "features", "model", "probabilities"]

WEIGHTS = Path(__file__).parent.parent / "data" / "acts.npz"

HASHED = 2_048
"""Places of words and of pairs of words, each hashed to one, with a sign (feature hashing, Weinberger et al. 2009)."""

FEATURES = 3 * DIMENSIONS + HASHED
"""The rarity-weighted vector of the text, the plain mean of its words, that of its first words, and the words."""

OPENING = 3
"""First words that are looked at apart: they say who speaks, or what is asked for."""

SCALE = np.repeat(np.array([2.0, 3.0, 3.0], np.float32), DIMENSIONS)
"""What the three parts count: one penalty on the weights serves all."""

HASHED_SCALE = 2.0

_WORD = regex(r"[\w'’]+")
_TOKEN = regex(r"[\w']+|[?!:,.]")


class Model(NamedTuple):
    """
    Attributes
    ----------
    statement, question : float32 (FEATURES + 1, kinds)
        Weights by act, and by what a question asks for all of; the last row is the intercept.
    """

    statement: np.ndarray
    question: np.ndarray


@lru_cache(maxsize=1)
def model() -> Model:
    """The weights of the package, read once."""
    with np.load(WEIGHTS, allow_pickle=False) as read:
        return Model(*(read[name].astype(np.float32) for name in Model._fields))


def features(text: str) -> np.ndarray:
    """What a text is judged by: float32 (FEATURES,)."""
    low = text.lower()
    opening = " ".join(_WORD.findall(low)[:OPENING])
    whole = text if text.isascii() else low  # pieces of ASCII have no case, and those of the text are known already
    vectors = np.concatenate([attributes.vector(text), _mean(whole), _mean(opening)]) * SCALE
    return np.concatenate([vectors, _hashed(low)])


def probabilities(text: str, weights: np.ndarray) -> np.ndarray:
    """Of each kind of one of the two tables of `Model`: float32 (kinds,)."""
    logits = features(text) @ weights[:-1] + weights[-1]
    chances: np.ndarray = 1.0 / (1.0 + np.exp(-logits))
    return chances


def _hashed(low: str) -> np.ndarray:
    """The words of a text in small letters and each two that follow, hashed: float32 (`HASHED`,)."""
    tokens = _TOKEN.findall(low.replace("’", "'"))
    grams = {*tokens, *map(" ".join, pairwise(["^", *tokens, "$"]))}
    hashed = np.zeros(HASHED, np.float32)
    for gram in grams:
        place = crc32(gram.encode())
        hashed[place % HASHED] += 1.0 if place >> 31 else -1.0
    return hashed * np.float32(HASHED_SCALE / math.sqrt(len(grams)))


def _mean(text: str) -> np.ndarray:
    """Mean of the unit vectors of all word pieces: float32 (256,)."""
    of_text = np.array(pieces(text), np.int64)
    if not len(of_text):
        return np.zeros(DIMENSIONS, np.float32)
    units = rows(of_text)
    lengths = np.sqrt(np.einsum("ij,ij->i", units, units)) + np.float32(1e-9)
    mean: np.ndarray = (1.0 / lengths / np.float32(len(units))) @ units
    return mean
