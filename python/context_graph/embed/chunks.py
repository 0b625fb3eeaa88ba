"""Long texts cut where sentences end, so that each part fits one forward pass."""

import re
from collections.abc import Sequence

from context_graph.embed.wordpiece import pieces
from context_graph.regex import regex

__all__ = ["CHUNK_PIECES", "chunked", "clauses", "sentences"]

CHUNK_PIECES = 254  # 256 with [CLS] and [SEP]

_END = regex(r"\n|[.!?。！？](?=\s|\Z)")

MAX_CLAUSES = 4
"""A text of more is a list or a story."""

_JOINT = regex(
    r"(?<=[.!?])\s+|[;:]\s+|,\s+(?=\S+\s+\S)|,?\s+(?:and|but|und|aber|y|pero)\s+(?=(?:i|we|he|she|they|it|the|my|our|his|"
    r"her|ich|wir|er|sie|es|mein|unser|yo|mi)\b)",
    re.I,
)


def sentences(text: str) -> list[str]:
    """Parts of a text that end in a line break or at a full stop, question or exclamation mark before a blank."""
    parts, start = [], 0
    for end in _END.finditer(text):
        if part := text[start : end.end()].strip():
            parts.append(part)
        start = end.end()
    if text[start:].strip():
        parts.append(text[start:].strip())
    return parts


def clauses(text: str) -> list[str]:
    """Parts of a text that may be statements of their own, of two words and more; the text itself where it has none, or
    more than a few.

    Examples
    --------
    >>> clauses("Mum lives in Valencia, she turned 70 in January.")
    ['Mum lives in Valencia', 'she turned 70 in January.']
    """
    parts = [part for part in _JOINT.split(text.strip()) if len(part.split()) > 1]
    return parts if 1 < len(parts) <= MAX_CLAUSES else [text]


def chunked(text: str, *, limit: int = CHUNK_PIECES) -> list[list[int]]:
    """Word pieces of a text in chunks of at most `limit`, cut between sentences where that is possible."""
    whole = pieces(text)
    if len(whole) <= limit:
        return [list(whole)]
    chunks: list[list[int]] = [[]]
    for sentence in sentences(text):
        for part in _split(pieces(sentence), limit):
            if len(chunks[-1]) + len(part) > limit:
                chunks.append([])
            chunks[-1].extend(part)
    return [chunk for chunk in chunks if chunk]


def _split(whole: Sequence[int], limit: int) -> list[Sequence[int]]:
    return [whole[start : start + limit] for start in range(0, len(whole), limit)]
