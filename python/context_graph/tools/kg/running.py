"""Agents and workflows as the kg_ tools show them."""

from typing import Literal

__all__ = ["AgentStatus", "AgentType", "WorkflowStatus", "WorkflowType", "formatted"]

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
