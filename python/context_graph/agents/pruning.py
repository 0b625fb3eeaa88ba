"""Runs of agents and workflows that ended long ago make room: the newest stay, and whatever has not ended."""

from typing import TYPE_CHECKING

from context_graph.instants import HOUR_US
from context_graph.models import NodeState, Record

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["prune_runs"]

RUNS = ("agent", "workflow")
ENDED = ("completed", "failed", "terminated")
"""What is idle, running, paused or suspended may go on, however old it is."""

RECENT_US = HOUR_US
"""Whoever began it may still read what came out."""


def prune_runs(memory: "Runtime") -> int:
    """Take away the runs that ended first where more than `agent_runs` have, none of the last hour; returns how many.

    With an agent go its result and its trajectory, with a workflow its trajectory. It is one event, which undo takes
    back as long as there is room for what it brings.
    """
    runs = [record for kind in RUNS for record in memory.store.records(kind) if record.state == NodeState.LIVE]
    ended = sorted((one for one in runs if one.data.get("status") in ENDED), key=_ended_at)
    excess = max(0, len(ended) - memory.settings.agent_runs)
    oldest = [one for one in ended[:excess] if _ended_at(one)[0] < memory.clock() - RECENT_US]
    if not oldest:
        return 0
    names = {
        "agent_result": {one.name for one in oldest if one.kind == "agent"},
        "trajectory": {str(one.data.get("trajectory")) for one in oldest},
    }
    rest = [one for kind, chosen in names.items() for one in memory.store.records(kind) if one.name in chosen]
    with memory.store.write("agent", memory.author(memory.caller)) as tx:
        for record in (*oldest, *rest):
            tx.remove(record)
        tx.note.update(operation="runs_pruned", records=[one.id for one in oldest], removed=len(oldest))
    memory.committed(tx.committed)
    return len(oldest)


def _ended_at(one: Record) -> tuple[int, str]:
    return int(one.data.get("completed_at") or one.data.get("last_activity") or one.updated_at), one.id
