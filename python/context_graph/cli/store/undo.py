"""`context-graph undo`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show

EXAMPLE = "context-graph undo 9c1e5a7704bd21f3"


def parser() -> argparse.ArgumentParser:
    found = options("undo", "Take back a write; undoing the undo redoes it.", example=EXAMPLE)
    found.add_argument("hash", help="from context-graph log, or the reversal_hash of a tool's answer")
    found.add_argument("--preview", action="store_true", help="only say what would change")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.ingest.forget import restore

    with opened(parsed) as memory:
        event = memory.store.event(parsed.hash)  # an unknown hash is told in the words of the log
        done = restore(memory, event.hash, preview=parsed.preview, only=None)
    data = {
        "undone": done.done, "operation": done.original_type, "nodes": list(done.node_ids), "edges": done.edges,
        "removed_edges": done.removed_edges, "redo": done.reversal_hash, "conflicts": list(done.conflicts),
    }  # fmt: skip
    verb = "took back" if done.done else "would take back" if done.changed else "nothing is left to take back of"
    again = f"; context-graph undo {done.reversal_hash} redoes it" if done.reversal_hash else ""
    gone = f", {done.removed_edges} of them {'removed' if done.done else 'would go'}" if done.removed_edges else ""
    counts = f": {len(done.node_ids)} nodes, {done.edges} edges{gone}" if done.changed else ""
    text = f"{verb} a write of type {done.original_type}{counts}{again}"
    show(parsed, data, "\n".join([text, *(f"left as it is: {conflict}" for conflict in done.conflicts)]))
    return 0
