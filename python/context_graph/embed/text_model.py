"""The port of what reads texts: one forward pass serves every dense view of a text."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from context_graph.embed.minilm import DIMENSIONS
from context_graph.embed.semantic import unit
from context_graph.embed.statistics import PieceStatistics

__all__ = ["AS_FITTED", "CHUNKS_AT_ONCE", "Scale", "TextModel", "narrowing"]

CHUNKS_AT_ONCE = 4
"""Chunks embedded before the answer; the rest follow in the background and are found by their words meanwhile."""

LONG = 128
"""Tokens from which a memory is its own window: what stood before adds little, and a second pass costs much."""


class Scale(NamedTuple):
    """How the scores of a model compare with those that relevance was fitted on: each is multiplied, then shifted.

    Attributes
    ----------
    late, cosine : (float, float)
        Factor and shift of late interaction, and of the cosine of E1.
    """

    late: tuple[float, float]
    cosine: tuple[float, float]


AS_FITTED = Scale((1.0, 0.0), (1.0, 0.0))


class TextModel(ABC):
    """What reads texts.

    A chunk is a part of a text as the model takes it, such as token numbers; `states` are what a pass makes of a chunk.
    Nobody but the model looks into either.

    Attributes
    ----------
    name : str
        Names the origin of vectors: those of two models are never compared.
    limit : int
        Length of the longest chunk.
    chunks_at_once : int
        Chunks of a memory that are embedded before the answer.
    multilingual : bool
        It reads a text in the language that it is in; any other model gets what is known of it in English.
    levels_languages : bool
        The directions are taken away in which its vectors of one meaning differ between languages.
    has_tokens : bool
        It has token vectors; without, E12 keeps its static form.
    has_parts : bool
        A mean of its token vectors may be compared with the vector of a text; without, parts are read by themselves.
    scale : Scale
        See there; known once the model is loaded.
    """

    name: str
    limit: int
    chunks_at_once: int = CHUNKS_AT_ONCE
    multilingual: bool = False
    levels_languages: bool = False
    has_tokens: bool = True
    has_parts: bool = True
    scale: Scale = AS_FITTED

    @property
    @abstractmethod
    def loaded(self) -> bool:
        """Whether the next pass need not wait for the weights."""

    @abstractmethod
    def load(self) -> None:
        """Load the weights, or raise EmbeddingFailed."""

    def unload(self) -> None:
        """Let go of what `load` read; the next text reads it again."""
        return None

    @abstractmethod
    def chunked(self, text: str, *, question: bool = False) -> list[Any]:
        """The chunks of a text, at least one."""

    def window(self, previous: str, first: Any) -> list[Any]:
        """The end of the previous text and the first chunk of this one, to be read in one pass; nothing where one of
        them says nothing new."""
        if not previous or not (before := self.chunked(previous)[-1]) or len(first) >= LONG:
            return []
        room = self.limit - min(len(first), self.limit // 2)
        head = before[-room:]
        return [head + first[: self.limit - len(head)]]

    @abstractmethod
    def hidden(self, chunks: Sequence[Any], *, question: bool = False) -> list[Any]:
        """The states of each chunk."""

    @abstractmethod
    def pooled(self, states: Sequence[Any]) -> np.ndarray:
        """One vector for a text from the states of its chunks: unit (384,)."""

    def narrowed(self, vector: np.ndarray) -> np.ndarray:
        """A vector of the model's width in the width that spaces have for it: unit (384,), zero stays zero."""
        width = len(vector)
        return unit(vector if width == DIMENSIONS else vector @ narrowing(width, DIMENSIONS))

    @abstractmethod
    def tokens(self, states: Any) -> np.ndarray:
        """Token vectors for late interaction: unit rows, float32 (t, 128)."""

    @abstractmethod
    def content(self, states: Any) -> np.ndarray:
        """Vectors of the tokens of the text alone: float32 (t, width)."""

    @abstractmethod
    def part(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Which of the tokens of a text stand for a span of its characters: the first, and the one behind the last."""

    @abstractmethod
    def idf(self, text: str, chunk: Any, statistics: PieceStatistics) -> np.ndarray:
        """How rare each token of the first chunk of a text is, in [0, 1]: float32 (t,)."""


@lru_cache(maxsize=8)
def narrowing(width: int, to: int) -> np.ndarray:
    """Orthonormal columns that keep cosines on average: float32 (width, to), the same on every machine.

    A narrower vector is padded with zeros.
    """
    if width <= to:
        return np.eye(width, to, dtype=np.float32)
    drawn = np.random.Generator(np.random.PCG64(to)).standard_normal((width, to))
    return np.linalg.qr(drawn)[0].astype(np.float32)
