"""`context-graph log`."""

import argparse

from context_graph.cli._run import opened, options, show
from context_graph.models import to_iso
from context_graph.store import time_of


def parser() -> argparse.ArgumentParser:
    found = options("log", "List what was written, newest first; a hash can be given to undo.", example="context-graph log -n 20")
    found.add_argument("-n", "--limit", type=int, default=20, help="most entries (default 20)")
    found.add_argument("--type", help="only this type, such as created or forgotten")
    return found


def run(parsed: argparse.Namespace) -> int:
    with opened(parsed) as memory:
        events = memory.store.events(max(1, parsed.limit), type=parsed.type)
        names = {}
        for event in events:
            for node_id in (event.payload or {}).get("note", {}).get("nodes", [])[:1]:
                names[event.seq] = next((node.name for node in memory.store.nodes([node_id])), node_id)
    entries = [
        {
            "seq": event.seq, "at": to_iso(time_of(event.hlc)), "type": event.type, "hash": event.hash[:16],
            "agent_id": event.author.agent_id, "session_id": event.author.session_id, "name": names.get(event.seq),
        }
        for event in events
    ]  # fmt: skip
    text = "\n".join(f"{e['at']}  {e['hash']}  {e['type']:<12} {e['name'] or ''}" for e in entries)
    show(parsed, entries, text or "nothing was written yet")
    return 0
