"""An outcome as a tools/call result whose line stays below what clients read."""

import json
from typing import Any, Literal

from context_graph.presentation.pulse import META_KEY, PulseView
from context_graph.server.dispatch import Outcome, failed

__all__ = ["ERROR_KEY", "LINE_BYTES", "Form", "result_of"]

ERROR_KEY = "context-graph/error"
"""In _meta, the values of an error that structuredContent may not hold."""

LINE_BYTES = 65_535
"""A line of 64 KiB is more than the readers of asyncio clients take."""

AROUND = 1_024  # envelope, ids, _meta
CUT = "… (cut: the whole answer is in structuredContent)"


Form = Literal["text", "both", "structured"]
"""How values go out: as text, as structuredContent, or as both."""


def result_of(outcome: Outcome, form: Form = "both", *, schema_listed: bool = False) -> dict[str, Any]:
    """The result as JSON values: structuredContent, _meta and the texts.

    Parameters
    ----------
    schema_listed : bool
        Whether the client was told a schema of structuredContent. Version 1 of the TypeScript SDK holds errors against
        it too, and throws instead of handing the error on; the values of an error are in _meta then.

    Notes
    -----
    Values go out twice unless the client says which it reads, since some read only the text and some only
    structuredContent. Where both are too long for a line, the text is cut; where the values alone are, the answer is an
    error that says how to ask for less.
    """
    texts, structured = outcome.texts, 0
    if form == "structured" and not outcome.is_error:
        texts = (texts[0], *texts[2:])
    if form != "text":
        structured = _bytes(outcome.structured)
    left, said = LINE_BYTES - AROUND - structured, sum(_bytes(text) for text in texts)
    if left < 4_096 or (form == "text" and said > left):
        return result_of(_too_long(outcome, structured or said), form, schema_listed=schema_listed)
    if said > left:
        texts = (texts[0], _cut(texts[1], left - said + _bytes(texts[1]) - _bytes(CUT)) + CUT, *texts[2:])
    meta = {META_KEY: outcome.structured["pulse"]}
    result: dict[str, Any] = {"content": [{"type": "text", "text": text} for text in texts]}
    if schema_listed and outcome.is_error and form == "both":
        meta[ERROR_KEY] = outcome.structured
    elif form != "text":
        result["structuredContent"] = outcome.structured
    return {**result, "isError": outcome.is_error, "_meta": meta}


def _too_long(outcome: Outcome, structured: int) -> Outcome:
    error = {
        "code": "ANSWER_TOO_LONG",
        "message": f"the answer has {structured} bytes, more than one message may hold",
        "hint": "ask for less: a lower top_k, limit, max_nodes or max_tokens, or without content and explain",
        "retryable": False,
    }
    return failed(error, PulseView(**outcome.structured["pulse"]))


def _cut(text: str, max_bytes: int) -> str:
    """The longest beginning that fits in so many bytes of JSON."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _bytes(text[:middle]) <= max_bytes else (low, middle - 1)
    return text[:low]


def _bytes(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
