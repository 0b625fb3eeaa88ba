"""Long texts cut where sentences end, so that each part fits one forward pass."""

import re
from collections.abc import Sequence

from context_graph.embed.wordpiece import pieces
from context_graph.regex import regex

__all__ = ["CHUNK_PIECES", "chunked", "clauses", "sentences"]

CHUNK_PIECES = 254  # 256 with [CLS] and [SEP]

_END = regex(r"\n|[.!?。！？](?=\s|\Z)")

_SHORTENED = regex(
    r"(?<![^\W_])(?:mr|mrs|ms|mx|dr|prof|st|sra|dott|mt|capt|sgt|rev|vs|approx|ca|e\.g|i\.e|z\.b|d\.h|p\.ej|bzw)\.$",
    re.I,
)
_NUMBERED = regex(r"(?<![^\W_])(?:no|nr|núm)\.$", re.I)
MAX_SHORTENED = 8
"""Characters of the longest of these, with its full stop and one that stands before it."""

MAX_CLAUSES = 4
"""A text of more is a list or a story."""

_JOINT = regex(
    r"(?<=[.!?])(?<!\bdr\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bmrs\.)(?<!\bprof\.)(?<!\bst\.)\s+|[;:]\s+|,\s+(?=\S+\s+\S)|,?\s+(?:and|but|und|aber|y|pero)\s+(?=(?:i|we|he|she|they|it|the|my|our|his|"
    r"her|ich|wir|er|sie|es|mein|unser|yo|mi)\b)",
    re.I,
)


def sentences(text: str) -> list[str]:
    """Parts of a text that end in a line break or at a full stop, question or exclamation mark before a blank.

    Examples
    --------
    >>> sentences("Ask Dr. Weiss. She is in on Mondays.")
    ['Ask Dr. Weiss.', 'She is in on Mondays.']
    """
    parts, start = [], 0
    for end in _END.finditer(text):
        if end[0] == "." and _is_shortened(text, end.end()):
            continue
        if part := text[start : end.end()].strip():
            parts.append(part)
        start = end.end()
    if text[start:].strip():
        parts.append(text[start:].strip())
    return parts


def _is_shortened(text: str, end: int) -> bool:
    """Whether a full stop ends a word that is cut short, and the text goes on with a name or a number."""
    following = text[end : end + 2].strip()
    if not (following and (following.isupper() or following.isdigit())):
        return False
    before = text[max(0, end - MAX_SHORTENED) : end]
    return bool(_SHORTENED.search(before) or (following.isdigit() and _NUMBERED.search(before)))


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
