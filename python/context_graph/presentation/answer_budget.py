"""Keeping an answer within one line of the wire: contents cut with a way to go on, lists cut at their end."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from context_graph.presentation.wire_model import WireModel

__all__ = ["ANSWER_BYTES", "CONTENT_BYTES", "RESOURCE_BYTES", "Piece", "cut", "fitting", "shared", "snippet"]

ANSWER_BYTES = 26_000
"""Of JSON in one answer that a tool aims at: it goes out twice, as values and as text, in a line below 64 KiB."""

CONTENT_BYTES = 16_384
"""Of one memory's content, or of all contents in one answer together."""

RESOURCE_BYTES = 40_000
"""Of text in a resource, which goes out once."""

MIN_TEXT_BYTES = 256

Item = TypeVar("Item", bound=WireModel)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a content; `next_offset` is where to go on, None at the end."""

    text: str
    next_offset: int | None


def cut(text: str, *, offset: int = 0, max_bytes: int = CONTENT_BYTES) -> Piece:
    """As much of a text as fits in so many bytes of JSON, from an offset in characters."""
    if _bytes(text[offset : offset + max_bytes]) <= max_bytes:
        text_part = text[offset : offset + max_bytes]
    else:
        low, high = 0, max_bytes
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if _bytes(text[offset : offset + middle]) <= max_bytes else (low, middle - 1)
        text_part = text[offset : offset + low]
    end = offset + len(text_part)
    return Piece(text_part, end if end < len(text) else None)


def shared(texts: Sequence[str], *, max_bytes: int = CONTENT_BYTES, offset: int = 0) -> list[Piece]:
    """Several texts in one budget: short ones whole, the others in equal parts of what is left."""
    pieces: dict[int, Piece] = {}
    left = max_bytes
    by_length = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for done, i in enumerate(by_length):
        share = max(left // (len(texts) - done), MIN_TEXT_BYTES)
        pieces[i] = cut(texts[i], offset=offset, max_bytes=min(share, CONTENT_BYTES))
        left -= min(left, _bytes(pieces[i].text))
    return [pieces[i] for i in range(len(texts))]


def snippet(text: str, *, max_bytes: int) -> str:
    """The first lines of a text that fit in so many bytes of JSON, with an ellipsis where there are more."""
    piece = cut(text.strip(), max_bytes=max(max_bytes - 3, 0))
    if piece.next_offset is None:
        return piece.text
    whole = piece.text.rpartition("\n")[0] if piece.text.count("\n") > 1 else piece.text
    return f"{whole.rstrip()}…"


def fitting(items: Iterable[Item], max_bytes: int) -> list[Item]:
    """The first items whose JSON fits in so many bytes."""
    fitted = []
    for item in items:
        max_bytes -= len(item.model_dump_json(by_alias=True, exclude_none=True).encode()) + 1
        if max_bytes < 0:
            break
        fitted.append(item)
    return fitted


def _bytes(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode("utf-8", "replace")) - 2
