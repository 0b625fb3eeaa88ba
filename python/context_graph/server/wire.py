"""An outcome as a tools/call result whose line stays below what clients read."""

import json
from typing import Any

from context_graph.server.dispatch import Outcome, failed
from context_graph.server.pulse import META_KEY, PulseView

__all__ = ["LINE_BYTES", "result_of"]

LINE_BYTES = 65_535
"""A line of 64 KiB is more than the readers of asyncio clients take."""

AROUND = 1_024  # envelope, ids, _meta
CUT = "… (cut: the whole answer is in structuredContent)"


def result_of(outcome: Outcome) -> dict[str, Any]:
    """The result as JSON values: structuredContent, _meta and the texts.

    Values go out twice, since some clients read only the text. Where both are too long for a line, the text is cut;
    where the values alone are, the answer is an error that says how to ask for less.
    """
    structured = _bytes(outcome.structured)
    texts = outcome.texts
    left = LINE_BYTES - AROUND - structured
    if left < 4_096:
        return result_of(_too_long(outcome, structured))
    if sum(_bytes(text) for text in texts) > left:
        notes = sum(_bytes(text) for text in texts) - _bytes(texts[1])
        texts = (texts[0], _cut(texts[1], left - notes - _bytes(CUT)) + CUT, *texts[2:])
    return {
        "content": [{"type": "text", "text": text} for text in texts],
        "structuredContent": outcome.structured,
        "isError": outcome.is_error,
        "_meta": {META_KEY: outcome.structured["pulse"]},
    }


def _too_long(outcome: Outcome, structured: int) -> Outcome:
    error = {
        "code": "ANSWER_TOO_LONG",
        "message": f"the answer has {structured} bytes, more than one message may hold",
        "hint": "ask for less: a lower top_k, limit, max_nodes or max_tokens, or without content and explain",
        "retryable": False,
    }
    return failed(error, PulseView(**outcome.structured["pulse"]))


def _cut(text: str, room: int) -> str:
    """The longest beginning that fits in so many bytes of JSON."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _bytes(text[:middle]) <= room else (low, middle - 1)
    return text[:low]


def _bytes(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
