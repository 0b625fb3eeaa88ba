"""`context-graph forget`."""

import argparse

from context_graph.cli._run import opened, options, show
from context_graph.memory.citations import node_of
from context_graph.memory.forget import forget
from context_graph.models import to_iso


def parser() -> argparse.ArgumentParser:
    found = options("forget", "Remove a memory; it can be brought back for 30 days.", example="context-graph forget node_0193a4b2c1")
    found.add_argument("node", help="its id or citation tag")
    found.add_argument("--permanently", action="store_true", help="delete it for good, from every file")
    return found


def run(parsed: argparse.Namespace) -> int:
    with opened(parsed) as memory:
        node = node_of(memory.store, parsed.node if "node_" in parsed.node else f"node_{parsed.node}")
        done = forget(memory, node.id, "user_requested", soft=not parsed.permanently)
    data = {
        "node_id": node.id, "permanent": not done.soft, "edges_removed": done.edges_removed,
        "undo": done.reversal_hash, "until": to_iso(done.restore_deadline) if done.restore_deadline else None,
    }  # fmt: skip
    text = f"{node.name!r} is gone for good" if not done.soft else (
        f"forgot {node.name!r}; context-graph undo {done.reversal_hash} brings it back until {data['until'][:10]}"
    )
    show(parsed, data, text)
    return 0
