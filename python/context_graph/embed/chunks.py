"""Long texts cut where sentences end, so that each part fits one forward pass."""

from collections.abc import Sequence

from context_graph.embed.wordpiece import pieces

__all__ = ["CHUNK_PIECES", "chunked", "sentences"]

CHUNK_PIECES = 254  # 256 with [CLS] and [SEP]

_ENDS = ".!?。！？"


def sentences(text: str) -> list[str]:
    """Parts of a text that end in a line break or at a full stop, question or exclamation mark before a blank."""
    found, start = [], 0
    for i, letter in enumerate(text):
        ends = letter == "\n" or (letter in _ENDS and (i + 1 == len(text) or text[i + 1].isspace()))
        if ends:
            if part := text[start : i + 1].strip():
                found.append(part)
            start = i + 1
    if text[start:].strip():
        found.append(text[start:].strip())
    return found


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
