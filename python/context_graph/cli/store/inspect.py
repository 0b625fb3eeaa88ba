"""`context-graph inspect`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.cli._opening import node_named, opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.cli.store._proposed import lines_of

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.models import Edge, Event, Node

SHOWN = (
    "node_id", "kind", "state", "occurred_at", "valid_to", "importance", "johari_quadrant", "access_count",
    "superseded_by",
)  # fmt: skip
EXAMPLE = "context-graph inspect node_0193a4b2c1 --save picture.png"


def parser() -> argparse.ArgumentParser:
    found = options("inspect", "Show a memory with its links and its history.", example=EXAMPLE)
    found.add_argument("node", help="its id or citation tag")
    found.add_argument("--save", type=Path, metavar="FILE", help="write its picture, sound or film to a new file")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.extraction.proposals import proposals_of
    from context_graph.models import to_iso

    with opened(parsed) as memory:
        node = node_named(memory, parsed.node)
        edges = memory.store.edges(node.id)
        others = {other.id: other for other in memory.store.nodes({end for e in edges for end in (e.source, e.target)})}
        history = memory.store.lineage(node.id, 50)
        ended = node.valid_to is not None and node.valid_to <= memory.present()
        if parsed.save is not None:
            _save(memory, node.id, parsed.save)
    links, events = [_link(edge, node.id, others) for edge in edges], [_entry(event) for event in history]
    data = {
        "node_id": node.id, "kind": node.kind, "name": node.name, "content": node.content, "rationale": node.rationale,
        "state": node.state, "scope": node.scope, "domain": node.domain, "speaker": node.speaker,
        "created_at": to_iso(node.created_at), "occurred_at": to_iso(node.occurred_at),
        "valid_to": to_iso(node.valid_to) if node.valid_to else None, "superseded_by": node.superseded_by,
        "importance": node.importance, "johari_quadrant": node.johari_quadrant, "delta_s": node.delta_s,
        "delta_c": node.delta_c, "access_count": node.access_count, "metadata": dict(node.metadata),
        "links": links, "history": events,
    }  # fmt: skip
    lines = [f"{node.name}  {tag_of(node.id)}", "", node.content, ""]
    lines += [f"why: {node.rationale}", ""] if node.rationale else []
    shown = data | {"state": _state(node, ended)}
    lines += [f"{key:<16} {shown[key]}" for key in SHOWN if shown[key] is not None]
    if (proposals := proposals_of(node)) is not None:
        lines += ["", f"proposed by {proposals.model}", *lines_of(proposals)]
    lines += ["", f"{len(links)} links"]
    lines += [f"  {link['direction']:<4} {link['type']:<12} {link['w_eff']:.2f}  {link['name']}" for link in links]
    lines += ["", "history"] + [f"  {event['at']}  {event['type']:<12} {event['hash']}" for event in events]
    show(parsed, data, "\n".join(lines))
    return 0


def _state(node: "Node", ended: bool) -> str:
    """The state in words: what is live may be past all the same."""
    from context_graph.citations import tag_of
    from context_graph.models import NodeState

    if not ended or node.state != NodeState.LIVE:
        return node.state
    return f"superseded by {tag_of(node.superseded_by)}" if node.superseded_by else "past"


def _save(memory: "Memory", node_id: str, path: Path) -> None:
    """Write the file that a memory holds; one that is there already stays."""
    from context_graph.errors import InvalidInput, UnusablePath
    from context_graph.reading.media import FILE

    data = memory.store.vectors([node_id], FILE).get(node_id)
    if data is None:
        raise InvalidInput("this memory holds no file; its metadata.media says whether there was one", field="node")
    try:
        with path.open("xb") as file:
            file.write(data)
    except OSError as error:
        raise UnusablePath(f"{path} could not be written: {error.strerror}; name a new file", field="save") from error


def _link(edge: "Edge", own: str, others: dict[str, "Node"]) -> dict[str, object]:
    from context_graph.graph.edges import effective_weight

    outwards = edge.source == own
    other = edge.target if outwards else edge.source
    return {
        "type": edge.edge_type, "direction": "out" if outwards else "in", "node_id": other, "name": others[other].name,
        "weight": round(edge.weight, 3), "w_eff": round(effective_weight(edge), 3), "origin": edge.origin,
    }  # fmt: skip


def _entry(event: "Event") -> dict[str, str]:
    from context_graph.models import to_iso
    from context_graph.store import time_of

    return {"at": to_iso(time_of(event.hlc)), "type": event.type, "hash": event.hash[:16]}
