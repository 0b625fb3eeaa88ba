"""The values of one feature over all cases as arrays, and how similar each is to a value that is asked about."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from context_graph.cases.dynamic_array import DynamicArray
from context_graph.cases.features import Boolean, Categorical, Date, Feature, Number, Ordinal, Set, Text, spelt
from context_graph.cases.words import WordIndex
from context_graph.errors import InvalidInput
from context_graph.instants import DAY_US
from context_graph.kernels import dense
from context_graph.models import from_iso

__all__ = ["NEUTRAL", "Column", "Scaled", "column_of"]

NEUTRAL = 0.5
"""The similarity of a feature that a case lacks: it speaks neither for the case nor against it."""

Embed = Callable[[str], np.ndarray]
"""The meaning of a text: float32 (1024,)."""


class Column(ABC):
    """One feature of all cases, a row for each."""

    def __init__(self, feature: Feature) -> None:
        self.feature = feature
        self.unfit = 0
        """Values that are none of its type, taken as missing."""

        self._missing, self._any_missing = DynamicArray("?"), False

    def append(self, name: str, value: Any) -> None:
        """Take in the value of the next case; None where it has none."""
        if value is not None:
            try:
                value = self.feature.checked(name, value)
            except InvalidInput:
                self.unfit += 1
                value = None
        self._missing.append(value is None)
        self._any_missing |= value is None
        self._append(value)

    def settle(self, live: np.ndarray) -> None:  # noqa: B027
        """Note what depends on all cases, of those that are live: bool (n,)."""

    @abstractmethod
    def _append(self, value: Any) -> None: ...

    @abstractmethod
    def _similarity(self, value: Any, rows: np.ndarray | slice) -> np.ndarray:
        """How similar each row is to a value, in [0, 1]; anything where it has none. A new array."""

    def similarity(self, value: Any, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """How similar each row is to a value, in [0, 1], and `NEUTRAL` where it has none: float64."""
        similar = self._similarity(value, rows)
        if self._any_missing:
            similar[self.missing(rows)] = NEUTRAL
        return similar

    def missing(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Which rows have no value: bool."""
        lacking: np.ndarray = self._missing.array[rows]
        return lacking


class Scaled(Column):
    """Numbers on a line."""

    def __init__(self, feature: Feature, position: Callable[[Any], float], low: float | None, high: float | None):
        super().__init__(feature)
        self._values = DynamicArray("f8")
        self._position = position
        self._declared = low, high
        self._span = 0.0

    def _append(self, value: Any) -> None:
        self._values.append(np.nan if value is None else self._position(value))

    def settle(self, live: np.ndarray) -> None:
        values = self._values.array[live]
        values = values[~np.isnan(values)]
        low, high = self._declared
        if len(values):
            low = float(values.min()) if low is None else low
            high = float(values.max()) if high is None else high
        self._span = (high or 0.0) - (low or 0.0) if low is not None and high is not None else 0.0

    def _similarity(self, value: Any, rows: np.ndarray | slice) -> np.ndarray:
        away: np.ndarray = self._values.array[rows] - self._position(value)
        if self._span <= 0:
            return np.where(away == 0, 1.0, 0.0)
        np.abs(away, out=away)  # in place: a row of 100,000 then stays in the cache
        away /= -self._span
        away += 1.0
        np.maximum(away, 0.0, out=away)
        return away

    def numbers(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The values in shares of the range, NaN where there is none: float64."""
        scaled: np.ndarray = self._values.array[rows] / (self._span or 1.0)
        return scaled

    def number(self, value: Any) -> float:
        """A value as `numbers` has them."""
        return self._position(value) / (self._span or 1.0)


class _Coded(Column):
    """Words of a list, whatever their case."""

    def __init__(self, feature: Feature) -> None:
        super().__init__(feature)
        self._values = DynamicArray("i4")
        self._codes: dict[str, int] = {}

    def _append(self, value: Any) -> None:
        self._values.append(-1 if value is None else self._codes.setdefault(_folded(value), len(self._codes)))

    def _similarity(self, value: Any, rows: np.ndarray | slice) -> np.ndarray:
        return np.where(self._values.array[rows] == self._codes.get(_folded(value), -2), 1.0, 0.0)


class _Sets(Column):
    """Lists of elements, inverted: of each element, the rows that have it."""

    def __init__(self, feature: Feature) -> None:
        super().__init__(feature)
        self._sizes = DynamicArray("i4")
        self._rows: dict[str, DynamicArray] = {}

    def _append(self, value: Any) -> None:
        elements = {_folded(one) for one in value or ()}
        for element in elements:
            self._rows.setdefault(element, DynamicArray("i4")).append(len(self._sizes))
        self._sizes.append(len(elements))

    def _similarity(self, value: Any, rows: np.ndarray | slice) -> np.ndarray:
        elements = {_folded(one) for one in value}
        common = np.zeros(len(self._sizes), "i4")
        for element in elements & self._rows.keys():
            common[self._rows[element].array] += 1
        either = self._sizes.array[rows] + len(elements) - common[rows]
        empty = either == 0
        similar: np.ndarray = common[rows] / np.maximum(either, 1)
        similar[empty] = 1.0
        return similar


class _Texts(Column):
    """Texts by meaning and by words, half each; each different one is embedded once."""

    def __init__(self, feature: Feature, embed: Embed) -> None:
        super().__init__(feature)
        self._embed, self._words = embed, WordIndex()
        self._index: dense.Index | None = None
        self._places: dict[str, int] = {}
        self._values = DynamicArray("i4")

    def _append(self, value: Any) -> None:
        if value is not None and value not in self._places:
            vector = self._embed(value)
            if self._index is None:
                self._index = dense.Index(len(vector), dtype="float16")
            self._index.append(vector[None])
            self._words.append(value)
            self._places[value] = len(self._places)
        self._values.append(0 if value is None else self._places[value])

    def _similarity(self, value: Any, rows: np.ndarray | slice) -> np.ndarray:
        places = self._values.array[rows]
        if self._index is None:
            return np.zeros(len(places))
        alike = np.clip(self._index.scores(self._embed(value)[None])[0], 0.0, 1.0).astype("f8")
        shared = self._words.cosines(value)
        if shared is not None:
            alike = (alike + shared) / 2
        if value in self._places:
            alike[self._places[value]] = 1.0
        similar: np.ndarray = alike[places]
        return similar


def column_of(feature: Feature, embed: Embed) -> Column:
    """An empty column for a feature."""
    match feature:
        case Number():
            return Scaled(feature, float, feature.min, feature.max)
        case Date():
            ends = [None if end is None else _day(end) for end in (feature.min, feature.max)]
            return Scaled(feature, _day, *ends)
        case Ordinal():
            places = {word: float(place) for place, word in enumerate(feature.order)}
            return Scaled(feature, places.__getitem__, 0.0, float(len(places) - 1))
        case Set():
            return _Sets(feature)
        case Text():
            return _Texts(feature, embed)
        case Categorical() | Boolean():
            return _Coded(feature)
    raise TypeError(f"expected a feature, got {type(feature).__name__}")


def _folded(value: Any) -> str:
    return spelt(value).casefold()


def _day(text: str) -> float:
    return from_iso(text) / DAY_US
