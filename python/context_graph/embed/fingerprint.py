"""What a memory and a question are in all spaces."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Fingerprint", "FirstPerson", "Pending", "QueryVectors"]


class Pending(NamedTuple):
    """A chunk that is still to be embedded, as the models of E1 and E12 take it; None where theirs are fewer."""

    semantic: Any
    tokens: Any


@dataclass(frozen=True, slots=True, eq=False)
class Fingerprint:
    """One memory in all stored spaces.

    Attributes
    ----------
    semantic : float32 (1024,), unit length
        E1.
    chunks : list of int8 (t, 128)
        E12, one array a chunk.
    terms : dict
        E6: term id -> count, of text, date and speaker, and of the rationale's cues.
    bits : uint64 (160,)
        E9.
    pieces : int32 (t,)
        Word pieces of the text, from which the static vectors are summed again as rarity changes.
    pending : list
        Chunks still to be embedded.
    optional : dict
        Space id -> float32 unit vector, of the optional spaces.
    """

    semantic: np.ndarray
    chunks: list[np.ndarray]
    terms: Mapping[int, float]
    bits: np.ndarray
    pieces: np.ndarray
    pending: list[Pending] = field(default_factory=list)
    optional: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class FirstPerson:
    """What a speaker might say, in E12 as their memories are."""

    speaker: str
    tokens: np.ndarray
    idf: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class QueryVectors:
    """A question, in the spaces that it is asked in."""

    text: str
    semantic: np.ndarray
    static: np.ndarray
    """float32 (256,), unit length: compared with sums of neighbouring memories."""

    tokens: np.ndarray
    idf: np.ndarray
    """float32 (t,): how rare each of its tokens is, in [0, 1]."""

    terms: dict[int, int]
    cues: dict[int, int]
    original: str = ""
    """The question as it was asked; `text` is it in English."""

    readings: tuple[Mapping[int, float], ...] = ()
    """The terms again, in the language that it was asked in."""

    renamed: tuple[Mapping[int, float], ...] = ()
    """The terms again, each time with another name of something that the text names in place of that one."""

    optional: dict[str, np.ndarray] = field(default_factory=dict)
    """Space id -> float32 unit vector, of the optional spaces."""

    first_person: FirstPerson | None = None
    """The question as a speaker whom it names would put it."""
