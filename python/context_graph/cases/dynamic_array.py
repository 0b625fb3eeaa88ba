"""A vector that grows at its end."""

from typing import Any

import numpy as np

__all__ = ["DynamicArray"]


class DynamicArray:
    """A vector that grows at its end."""

    def __init__(self, dtype: str) -> None:
        self._array, self._size = np.zeros(1_024, dtype), 0

    def append(self, value: Any) -> None:
        if self._size == len(self._array):
            self._array = np.concatenate([self._array, np.zeros_like(self._array)])
        self._array[self._size] = value
        self._size += 1

    def __len__(self) -> int:
        return self._size

    @property
    def array(self) -> np.ndarray:
        """What is in it, not copied."""
        return self._array[: self._size]
