"""`context-graph log`."""

import argparse
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import opened
from context_graph.cli._options import options, whole_number
from context_graph.cli._output import show

if TYPE_CHECKING:
    from context_graph.models import Event
    from context_graph.store import Store

QUIET = ("effects", "calls")
"""What calling leaves behind; it is never undone, so it is listed only when asked for."""


def parser() -> argparse.ArgumentParser:
    text = "List what was written, newest first; context-graph undo takes a hash of it."
    found = options("log", text, example="context-graph log -n 20")
    number = whole_number(1, 100_000)
    found.add_argument("-n", "--limit", type=number, default=20, metavar="N", help="most entries (default 20)")
    found.add_argument("--type", help="only this type, such as created, forgotten or effects (counted reads)")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.errors import InvalidInput
    from context_graph.models import to_iso
    from context_graph.store import EVENT_TYPES, noted_nodes, time_of

    with opened(parsed) as memory:
        events = list(islice(_events(memory.store, parsed.type), parsed.limit))
        if not events and parsed.type not in (None, *EVENT_TYPES):
            raise InvalidInput(f"type must be one of {', '.join(EVENT_TYPES)}; got {parsed.type[:40]!r}", field="type")
        nodes = {event.seq: noted_nodes(event) for event in events}
        names = {node.id: node.name for node in memory.store.nodes({ids[0] for ids in nodes.values() if ids})}
    entries = [
        {
            "seq": event.seq, "at": to_iso(time_of(event.hlc)), "type": event.type, "hash": event.hash[:16],
            "agent_id": event.author.agent_id, "session_id": event.author.session_id,
            "node_id": next(iter(nodes[event.seq]), None), "name": next(map(names.get, nodes[event.seq]), None),
            "node_ids": nodes[event.seq],
        }
        for event in events
    ]  # fmt: skip
    text = "\n".join(f"{e['at']}  {e['hash']}  {e['type']:<12} {_about(e)}".rstrip() for e in entries)
    nothing = f"nothing of type {parsed.type!r} was written" if parsed.type else "nothing was written yet"
    show(parsed, entries, text or nothing)
    return 0


def _about(entry: dict[str, Any]) -> str:
    """The first node of an event, and how many more there are."""
    more = len(entry["node_ids"]) - 1
    return f"{entry['name'] or ''}{f' and {more} more' if more > 0 else ''}"


def _events(store: "Store", type: str | None) -> Iterator["Event"]:
    """Events of a type, or all but the quiet ones, newest first."""
    before = None
    while page := store.events(200, before, type):
        yield from (event for event in page if type is not None or event.type not in QUIET)
        before = page[-1].seq
