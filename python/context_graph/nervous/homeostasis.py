"""How balanced a memory is: how important its memories are held to be, and which of them have grown out of bounds."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Balance", "is_suspect", "neighbour_entropy"]

TARGET = 0.5
"""The mean importance of a balanced memory."""

MAX_IMPORTANCE = 0.9
MIN_NEIGHBOURS = 8
MAX_ENTROPY = 0.8
"""Semantic cancer (design 7): an importance that nobody gave, and neighbours that have little to do with each other."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The importance of some memories, and how many of them are not as they should be."""

    mean: float
    variance: float
    quarantined: int
    suspects: int
    count: int
    """Memories that are live or in quarantine."""

    @classmethod
    def of(cls, importances: Sequence[float], quarantined: int, suspects: int) -> "Balance":
        """From the importance of each live memory, of which there is one at least."""
        values = np.array(importances, np.float64)
        count = len(importances) + quarantined
        return cls(float(values.mean()), float(values.var()), quarantined, suspects, count)

    @property
    def health(self) -> float:
        """In [0, 1]: 1 - |mean - 0.5|, times the shares that are neither in quarantine nor suspect."""
        sound = (1 - self.quarantined / self.count) * (1 - self.suspects / self.count)
        return (1 - abs(self.mean - TARGET)) * sound


def is_suspect(importance: float, neighbour_clusters: Sequence[str], *, by_user: bool) -> bool:
    """Whether a memory looks like semantic cancer: important to everything, by nobody's word."""
    if by_user or importance <= MAX_IMPORTANCE or len(neighbour_clusters) < MIN_NEIGHBOURS:
        return False
    return neighbour_entropy(neighbour_clusters) > MAX_ENTROPY


def neighbour_entropy(clusters: Sequence[str]) -> float:
    """Entropy of the clusters of some neighbours, 1 where each has its own."""
    if len(clusters) < 2:
        return 0.0
    shares = [count / len(clusters) for count in Counter(clusters).values()]
    return -sum(share * math.log(share) for share in shares) / math.log(len(clusters))
