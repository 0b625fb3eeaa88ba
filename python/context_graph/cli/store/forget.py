"""`context-graph forget`."""

import argparse
import sys

from context_graph.cli._opening import node_named, opened
from context_graph.cli._options import options
from context_graph.cli._output import complain, show

EXAMPLE = "context-graph forget node_0193a4b2c1"


def parser() -> argparse.ArgumentParser:
    found = options("forget", "Remove a memory; context-graph undo brings it back for 30 days.", example=EXAMPLE)
    found.add_argument("node", help="its id or citation tag")
    found.add_argument("--permanently", action="store_true", help="delete it for good, from every file")
    found.add_argument("--yes", action="store_true", help="do not ask before deleting for good")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.errors import Refused
    from context_graph.ingest.forget import forget
    from context_graph.models import NodeState, to_iso

    with opened(parsed) as memory:
        node = node_named(memory, parsed.node)
        if node.state == NodeState.FORGOTTEN and not parsed.permanently:
            raise Refused(
                f"{node.name!r} is forgotten already", hint="context-graph log --type forgotten names what undoes it"
            )
        if parsed.permanently and not (parsed.yes or _is_confirmed(node.name)):
            complain("nothing was deleted")
            return 1
        done = forget(memory, node.id, "user_requested", soft=not parsed.permanently)
    until = to_iso(done.restore_deadline) if done.restore_deadline else None
    data = {
        "node_id": node.id, "permanent": not done.soft, "edges_removed": done.edges_removed,
        "undo": done.reversal_hash, "until": until, "remains": list(done.remains),
        "reopened": list(done.reopened),
    }  # fmt: skip
    text = "\n".join([f"{node.name!r} is gone for good", *done.remains])
    if until:
        text = f"forgot {node.name!r}; context-graph undo {done.reversal_hash} brings it back until {until[:10]}"
    if done.reopened:
        text += f"\nit had superseded {' '.join(map(tag_of, done.reopened))}, which holds again"
    show(parsed, data, text)
    return 0


def _is_confirmed(name: str) -> bool:
    """Whether the person at the terminal says yes; without a terminal nobody can be asked."""
    from context_graph.errors import Refused

    if sys.stdin is None or not sys.stdin.isatty():
        raise Refused(
            f"expected a terminal to ask whether {name!r} is to be deleted for good, got none; nothing was deleted",
            hint="pass --yes to delete it without being asked",
        )
    complain(f"Delete {name!r} for good? Nothing brings it back. [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
