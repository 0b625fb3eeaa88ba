"""How likely a later result took the place of an earlier one: boosted trees over `claim_signs.SIGNS`.

Fitted by benchmarks/quality/claims.py on stories in which every two statements are labelled.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

__all__ = ["CLAIM_TREES", "Trees", "trees"]

CLAIM_TREES = Path(__file__).parents[2] / "data" / "claims.npz"


class Trees(NamedTuple):
    """Regression trees, their nodes one after the other.

    Attributes
    ----------
    roots : int32 (t,)
        The first node of each.
    feature : int16 (n,)
    threshold : float32 (n,)
        A claim goes left where its value of the feature is at most this.
    left, right : int32 (n,)
        The next node; of a leaf the leaf itself.
    value : float32 (n,)
        What a leaf adds to the log odds.
    start : float
        The log odds before any tree.
    depth : int
        Steps from a root to the deepest leaf.
    """

    roots: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray
    start: float
    depth: int

    def log_odds(self, signs: np.ndarray) -> np.ndarray:
        """Of claims with these signs: float32 (m, f) -> float64 (m,)."""
        values = np.ascontiguousarray(signs).reshape(-1)  # `take` of a flat array is twice as fast as two indices
        first = signs.shape[1] * np.arange(len(signs))[:, None]
        nodes = np.broadcast_to(self.roots, (len(signs), len(self.roots)))
        for _ in range(self.depth):
            goes_left = values.take(first + self.feature.take(nodes)) <= self.threshold.take(nodes)
            nodes = np.where(goes_left, self.left.take(nodes), self.right.take(nodes))
        added: np.ndarray = self.start + self.value.take(nodes).sum(axis=1, dtype=np.float64)
        return added


@lru_cache(maxsize=2)
def trees(tier: str) -> Trees:
    """Those of the package for a tier, read once."""
    with np.load(CLAIM_TREES, allow_pickle=False) as read:
        fields = {name: read[f"{tier}.{name}"] for name in Trees._fields}
    return Trees(**fields | {"start": float(fields["start"]), "depth": int(fields["depth"])})
