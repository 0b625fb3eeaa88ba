"""`context-graph inspect`."""

import argparse

from context_graph.cli._run import opened, options, show
from context_graph.graph.edges import effective_weight
from context_graph.memory.citations import node_of, tag_of
from context_graph.models import Event, to_iso
from context_graph.store import time_of


def parser() -> argparse.ArgumentParser:
    found = options("inspect", "Show a memory with its links and its history.", example="context-graph inspect node_0193a4b2c1")
    found.add_argument("node", help="its id or citation tag")
    return found


def run(parsed: argparse.Namespace) -> int:
    with opened(parsed) as memory:
        node = node_of(memory.store, parsed.node if "node_" in parsed.node else f"node_{parsed.node}")
        edges = memory.store.edges(node.id)
        others = {n.id: n for n in memory.store.nodes({e.source for e in edges} | {e.target for e in edges})}
        history = memory.store.lineage(node.id, 50)
    links = [
        {
            "type": edge.edge_type, "direction": "out" if edge.source == node.id else "in",
            "node_id": (other := edge.target if edge.source == node.id else edge.source),
            "name": others[other].name, "weight": round(edge.weight, 3), "w_eff": round(effective_weight(edge), 3),
            "origin": edge.origin,
        }
        for edge in edges
    ]  # fmt: skip
    data = {
        "node_id": node.id, "kind": node.kind, "name": node.name, "content": node.content, "rationale": node.rationale,
        "state": node.state, "scope": node.scope, "domain": node.domain, "speaker": node.speaker,
        "created_at": to_iso(node.created_at), "occurred_at": to_iso(node.occurred_at),
        "valid_to": to_iso(node.valid_to) if node.valid_to else None, "superseded_by": node.superseded_by,
        "importance": node.importance, "johari_quadrant": node.johari_quadrant, "delta_s": node.delta_s,
        "delta_c": node.delta_c, "access_count": node.access_count, "metadata": dict(node.metadata),
        "links": links, "history": [_entry(event) for event in history],
    }  # fmt: skip
    lines = [f"{node.name}  {tag_of(node.id)}", "", node.content, "", f"why: {node.rationale}" if node.rationale else ""]
    lines += [f"{key:<16} {data[key]}" for key in ("node_id", "state", "occurred_at", "importance", "johari_quadrant")]
    lines += ["", f"{len(links)} links"] + [f"  {l['type']:<12} {l['w_eff']:.2f}  {l['name']}" for l in links]  # noqa: E741
    lines += ["", "history"] + [f"  {e['at']}  {e['type']:<12} {e['hash']}" for e in data["history"]]
    show(parsed, data, "\n".join(lines))
    return 0


def _entry(event: Event) -> dict[str, str]:
    return {"at": to_iso(time_of(event.hlc)), "type": event.type, "hash": event.hash[:16]}
