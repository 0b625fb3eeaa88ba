"""What the encoder of an optional space gets: a memory or a question, and what other spaces have made of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from context_graph.embed.statistics import PieceStatistics

__all__ = ["Media", "MemoryInput", "Pooled", "QuestionInput"]

Pooled = Callable[[Sequence[tuple[int, int]]], np.ndarray]
"""The mean of the token vectors of some spans of a text."""


class Media(NamedTuple):
    """What the embedder needs to know of a file besides the text of its memory.

    Attributes
    ----------
    signal : float32 (384,), optional
        How it looks or sounds.
    said : bool
        Whether the text has words from the file, or a caption; else it only describes the file, and is no content.
    """

    signal: np.ndarray | None
    said: bool


@dataclass(frozen=True, slots=True, eq=False)
class MemoryInput:
    """A memory that is being embedded.

    Attributes
    ----------
    spoken : str
        What a model reads, if there is one: speaker, name and text; the text stands in it from `offset` on.
    blocks : sequence of float32
        The blocks of E1.
    parts : callable, optional
        The model's pass over `spoken`, as a function of spans of it; the pass is made by the call. None in the base
        tier.
    """

    text: str
    spoken: str
    offset: int
    statistics: PieceStatistics
    tier: str
    blocks: Sequence[np.ndarray]
    media: Media | None
    parts: Callable[[], Pooled] | None


@dataclass(frozen=True, slots=True, eq=False)
class QuestionInput:
    """A question that is being embedded.

    Attributes
    ----------
    whole : callable, optional
        The model's view of it, float32 (384,); the pass is made by the call. None in the base tier.
    """

    text: str
    statistics: PieceStatistics
    whole: Callable[[], np.ndarray] | None
