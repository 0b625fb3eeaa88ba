"""Agents and workflows as the kg_ tools show them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from context_graph.presentation.answer_budget import shared

__all__ = [
    "AgentStatus",
    "AgentType",
    "WorkflowStatus",
    "WorkflowType",
    "artifacts_shown",
    "fitting_values",
    "formatted",
]

AgentType = Literal[
    "researcher", "analyst", "architect", "tester", "coder", "reviewer", "coordinator", "optimizer", "documenter"
]
AgentStatus = Literal["idle", "running", "paused", "completed", "failed", "terminated"]
WorkflowType = Literal["collaboration", "analysis", "sync", "custom"]
WorkflowStatus = Literal["running", "completed", "failed", "suspended"]


def formatted(ms: float) -> str:
    """A time in words.

    Examples
    --------
    >>> formatted(12.3), formatted(2_500), formatted(90_000)
    ('12ms', '2.5s', '1m 30s')
    """
    if ms < 1_000:
        return f"{ms:.0f}ms"
    return f"{ms / 1_000:.1f}s" if ms < 60_000 else f"{int(ms // 60_000)}m {int(ms % 60_000 // 1_000)}s"


def fitting_values(values: Iterable[Any], max_bytes: int) -> list[Any]:
    """The first JSON values that fit in so many bytes."""
    fitted = []
    for value in values:
        max_bytes -= len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) + 2
        if max_bytes < 0:
            break
        fitted.append(value)
    return fitted


def artifacts_shown(artifacts: Iterable[Mapping[str, Any]], max_bytes: int) -> list[dict[str, Any]]:
    """Artefacts with as much of their contents as fits; `nextOffset` is where the rest begins."""
    shown = [dict(one) for one in artifacts]
    pieces = shared([str(one.get("content", "")) for one in shown], max_bytes=max_bytes)
    for one, piece in zip(shown, pieces, strict=True):
        if "content" in one:
            one["chars"] = len(one["content"])
            one["content"] = piece.text
            if piece.next_offset is not None:
                one["nextOffset"] = piece.next_offset
    return shown
