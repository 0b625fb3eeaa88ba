"""Under which assumptions a statement holds: its domain, whose view it is, and the frame that its sentences open with.

"In Python, lists are mutable" and "In Scala, lists are immutable" both hold: who merges them loses one of two truths.
"""

import re
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from context_graph.embed.chunks import sentences
from context_graph.embed.stems import stems
from context_graph.models import Domain, Node
from context_graph.regex import regex

__all__ = ["AGREEING", "Priors", "agreement", "priors_of"]

DIMENSIONS = 128
AGREEING = 0.7
"""Agreement from which on two statements may be merged (seed 001 6.5)."""

_BLOCKS = {"domain": (0, 32, 0.4), "view": (32, 64, 0.2), "assumption": (64, 128, 0.4)}
"""First and last dimension of each part, and what it weighs."""

_WORDS = "in|for|with|under|according to|assuming|given|when using|using|on|within|per|bei|unter|für|laut|según|para|en"
_FRAME = regex(rf"^\W*((?:{_WORDS})\s+[^,;:.!?]{{2,60}}?)\s*[,:]\s", re.I)
"""What a sentence opens with before its first comma, such as "In Python, ..." or "For adults: ..."."""

_OPENERS = regex(rf"^(?:{_WORDS})\s+", re.I)


@dataclass(frozen=True, slots=True)
class Priors:
    """The assumptions of one memory.

    Attributes
    ----------
    frames : tuple of str
        What its sentences open with, as it is written.
    vector : float32 (128,)
        A part of unit length, or of zeros where it says nothing of it: domain, view, assumptions.
    """

    domain: str
    frames: tuple[str, ...]
    vector: np.ndarray


def priors_of(node: Node) -> Priors:
    """Read the assumptions of a memory: domain and agent from its fields, the rest from its text."""
    frames = tuple(dict.fromkeys(match[1] for sentence in sentences(node.content) if (match := _FRAME.match(sentence))))
    parts = {
        "domain": [] if node.domain == Domain.GENERAL else [str(node.domain)],
        "view": [name for name in (node.agent_id, node.observer_perspective) if name],
        "assumption": [stem for frame in frames for stem in stems(_OPENERS.sub("", frame))],
    }
    vector = np.zeros(DIMENSIONS, np.float32)
    for name, words in parts.items():
        first, last, _ = _BLOCKS[name]
        vector[first:last] = _projected(words, last - first)
    return Priors(str(node.domain), frames, vector)


def agreement(one: Priors, other: Priors) -> float:
    """How well two statements' assumptions fit together, in [0, 1]; of what only one says anything they agree.

    The weighted mean of the cosines of the three parts.
    """
    total = 1.0
    for first, last, weight in _BLOCKS.values():
        a, b = one.vector[first:last], other.vector[first:last]
        if a.any() and b.any():
            total -= weight * (1.0 - max(0.0, float(a @ b)))
    return total


def _projected(words: list[str], size: int) -> np.ndarray:
    """Words as a unit vector: each adds one to a place that its hash names, with a sign that its hash names too."""
    vector = np.zeros(size, np.float32)
    for word in words:
        digest = blake2b(word.encode(), digest_size=4).digest()
        vector[int.from_bytes(digest[:3], "big") % size] += 1.0 if digest[3] & 1 else -1.0
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
