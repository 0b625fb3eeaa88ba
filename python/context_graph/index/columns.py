"""Growable arrays that stand side by side: one row for every memory, one column for every field."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from context_graph.embed.stems import words

__all__ = ["Codes", "Columns", "LazyVectors", "NameCodes", "found_in"]


def found_in(values: np.ndarray | int, ordered: np.ndarray) -> np.ndarray:
    """Which values stand in an ascending array: bool, of the shape of `values`. np.isin would sort both anew."""
    if len(ordered) == 0:
        return np.zeros(np.shape(values), bool)
    matches: np.ndarray = ordered[np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)] == values
    return matches


class Columns:
    """Columns of equal length that grow together by appending rows; reading a column never copies it."""

    def __init__(self, **dtypes: type | str) -> None:
        self._arrays = {name: np.zeros(64, dtype) for name, dtype in dtypes.items()}
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def names(self) -> list[str]:
        return list(self._arrays)

    def __getattr__(self, name: str) -> np.ndarray:
        arrays = self.__dict__.get("_arrays", {})
        if name not in arrays:
            raise AttributeError(f"no column {name!r}; columns: {', '.join(arrays)}")
        column: np.ndarray = arrays[name][: self._length]
        return column

    def append(self, **values: ArrayLike) -> None:
        """Add rows; every column must be given, all of the same length."""
        added = len(np.asarray(next(iter(values.values()))))
        if self._length + added > self._capacity:
            self.reserve(max(2 * self._length, self._length + added))
        for name, array in self._arrays.items():
            array[self._length : self._length + added] = values[name]
        self._length += added

    def append_row(self, *values: Any) -> None:
        """Add one row, with a value for every column, in the order of `names`: a tenth of the time of `append`."""
        if self._length == self._capacity:
            self.reserve(2 * self._length)
        for array, value in zip(self._arrays.values(), values, strict=True):
            array[self._length] = value
        self._length += 1

    def append_mapped(self, file: int, offsets: Mapping[str, int], **values: np.ndarray) -> None:
        """Add rows that stand in an open file, each column at its own offset.

        Whole pages are mapped instead of copied where the capacity suffices (`reserve`). A write copies its page.
        """
        from context_graph import _core

        added = len(next(iter(values.values())))
        if self._length + added > self._capacity:
            self.reserve(max(2 * self._length, self._length + added))
        for name, array in self._arrays.items():
            target = array[self._length : self._length + added]
            if not _core.map_file(file, offsets[name], target):
                target[:] = values[name]
        self._length += added

    def reserve(self, rows: int) -> None:
        """Raise the capacity to this many rows in all."""
        from context_graph.kernels._arrays import resident

        if rows <= self._capacity:
            return
        for name, array in self._arrays.items():
            grown = resident((rows, *array.shape[1:]), array.dtype)
            grown[: self._length] = array[: self._length]
            self._arrays[name] = grown

    @property
    def _capacity(self) -> int:
        return len(next(iter(self._arrays.values())))

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays.values())


class LazyVectors:
    """Vectors of rows, each computed when a search first needs it."""

    def __init__(self, dim: int) -> None:
        self._columns = Columns(vector=f"({dim},)f2")
        self._place: dict[int, int] = {}

    @property
    def nbytes(self) -> int:
        return self._columns.vector.nbytes

    def missing(self, rows: np.ndarray) -> np.ndarray:
        """Those of some rows that have no vector yet."""
        return np.array([row for row in rows.tolist() if row not in self._place], np.int64)

    def append(self, rows: np.ndarray, vectors: np.ndarray) -> None:
        """Add the vectors of rows that have none: (m,), (m, dim), kept as float16."""
        first = len(self._columns)
        self._columns.append(vector=vectors)
        self._place |= {row: first + i for i, row in enumerate(rows.tolist())}

    def of(self, rows: np.ndarray) -> np.ndarray:
        """The vectors of rows that have one: float32 (m, dim)."""
        places = np.array([self._place[row] for row in rows.tolist()], np.int64)
        return self._columns.vector[places].astype(np.float32)

    def invalidate(self, row: int) -> None:
        """Drop the vector of a row that has changed; the next search that needs it computes it again."""
        self._place.pop(row, None)


class Codes:
    """A dictionary encoding: small integers for repeated texts, in order of first appearance; -1 stands for none."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self.texts: list[str] = []

    def __len__(self) -> int:
        return len(self.texts)

    def of(self, text: str | None) -> int:
        """The code of a text, new if it was never seen."""
        if text is None:
            return -1
        code = self._codes.get(text)
        if code is None:
            code = self._codes[text] = len(self.texts)
            self.texts.append(text)
        return code

    def forget(self, code: int) -> None:
        """Drop the text of a code; the code is not used again."""
        self._codes.pop(self.texts[code], None)
        self.texts[code] = ""

    def load_texts(self, texts: list[str]) -> None:
        """Fill empty codes with texts, in the order of their codes."""
        self.texts, self._codes = texts, {text: code for code, text in enumerate(texts)}

    def known(self, text: str | None) -> int:
        """The code of a text, -2 if it was never seen."""
        return -1 if text is None else self._codes.get(text, -2)


class NameCodes(Codes):
    """Codes of names, with an index of their first words."""

    def __init__(self) -> None:
        super().__init__()
        self._by_first: dict[str, set[int]] = {}
        self._indexed = 0

    def forget(self, code: int) -> None:
        for first in words(self.texts[code])[:1]:
            self._by_first.get(first, set()).discard(code)
        super().forget(code)

    def with_first_word(self, candidates: Iterable[str]) -> set[int]:
        """Codes of the names whose first word is one of the candidates, in lower case."""
        for code in range(self._indexed, len(self.texts)):  # twice where two threads ask at once, with the same end
            for first in words(self.texts[code])[:1]:
                self._by_first.setdefault(first, set()).add(code)
            self._indexed = code + 1
        return {code for word in candidates for code in self._by_first.get(word, ())}
