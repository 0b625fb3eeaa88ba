"""`context-graph hook capture`: the host waits for it, so it is quick, prints nothing, and never fails."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from context_graph.cli.capture._host import event_input, guarded, home_and_kinds, in_background

__all__ = ["captured", "start_worker"]


def captured(arguments: Sequence[str]) -> int:
    """Put what the host tells into the spool and start a worker; returns 0, for 2 would block the user's prompt."""
    return guarded(lambda: _capture(arguments))


def _capture(arguments: Sequence[str]) -> None:
    from context_graph.cli.capture.hook import parser
    from context_graph.connectors.claude_code.hook_event import parse_event
    from context_graph.connectors.claude_code.spool import put

    parsed = parser().parse_args(["capture", *arguments])
    home, kinds = home_and_kinds(parsed.home)
    hook_event = parse_event(event_input(), at=time.time_ns() // 1_000, agent=parsed.agent, kinds=kinds)
    if hook_event is not None:
        put(home, hook_event.to_json())
        os.nice(10)  # nobody waits for the worker, which inherits it
        start_worker(home, parsed.tier)


def start_worker(home: Path, tier: str | None) -> None:
    """Store what waits in a process of its own, unless one is at it; it outlives the host and whoever started it."""
    from context_graph.connectors.claude_code.spool import busy

    if busy(home):
        return
    in_background("drain", home, tier)
