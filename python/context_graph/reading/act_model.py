"""How likely a statement, or a question for all of a kind, is of each act: what its wording alone does not show.

"Raisins in cake are an abomination" has no word that always tells a preference. A linear model over the static word
vectors of a text and of its first words; fitted by benchmarks/quality/acts.py on sentences written for it.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.embed.static_table import DIMENSIONS, rows
from context_graph.embed.wordpiece import pieces
from context_graph.reading import attributes
from context_graph.regex import regex

__all__ = ["FEATURES", "WEIGHTS", "Model", "features", "model", "probabilities"]

WEIGHTS = Path(__file__).parent.parent / "data" / "acts.npz"

FEATURES = 3 * DIMENSIONS
"""The rarity-weighted vector of the text, the plain mean of its words, and that of its first words."""

OPENING = 3
"""First words that are looked at apart: they say who speaks, or what is asked for."""

SCALE = np.repeat(np.array([2.0, 3.0, 3.0], np.float32), DIMENSIONS)
"""What the three parts count: one penalty on the weights serves all."""

_WORD = regex(r"[\w'’]+")


class Model(NamedTuple):
    """
    Attributes
    ----------
    statement, question : float32 (FEATURES + 1, 4)
        Weights by act, the last row the intercept.
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
    return np.concatenate([attributes.vector(text), _mean(whole), _mean(opening)]) * SCALE


def probabilities(text: str, weights: np.ndarray) -> np.ndarray:
    """Of each act of `acts.ACTS`, by one of the two tables of `Model`: float32 (4,)."""
    logits = features(text) @ weights[:-1] + weights[-1]
    chances: np.ndarray = 1.0 / (1.0 + np.exp(-logits))
    return chances


def _mean(text: str) -> np.ndarray:
    """Mean of the unit vectors of all word pieces: float32 (256,)."""
    of_text = np.array(pieces(text), np.int64)
    if not len(of_text):
        return np.zeros(DIMENSIONS, np.float32)
    units = rows(of_text)
    lengths = np.sqrt(np.einsum("ij,ij->i", units, units)) + np.float32(1e-9)
    mean: np.ndarray = (1.0 / lengths / np.float32(len(units))) @ units
    return mean
