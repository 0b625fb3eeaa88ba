"""Undo: an event of its own whose changes are those of another, reversed against the present."""

from collections.abc import Mapping
from typing import Any

from context_graph.errors import Refused
from context_graph.models import Event, NodeKind, NodeState
from context_graph.store.sqlite.changes import ChangeRecord
from context_graph.store.sqlite.rows import TABLES, Row, completed, decode
from context_graph.store.sqlite.transaction import Transaction

__all__ = ["REVERSIBLE", "closes", "revert", "standing_undo", "takes_away"]

REVERSIBLE = ("nodes", "edges", "vectors", "goals", "records", "pairs")
"""Counters never run back, and what a session went through since is not taken from it."""

COUNTED = ("access_count", "last_accessed")
"""Columns that reading changes."""

UNMADE = "its merge was taken back"

STATE = ("state", "state_reason", "state_at", "state_by")


def standing_undo(tx: Transaction, event_id: str) -> Event | None:
    """The undo of an event that is itself not undone."""
    chain: list[Event] = []  # its last undo, the last undo of that one, ...: the end of the chain stands
    while last := tx.lineage(chain[-1].id if chain else event_id, limit=1):
        chain += last
    return chain[0] if len(chain) % 2 else None


def revert(tx: Transaction, payload: Mapping[str, Any]) -> list[str]:
    """Reverse the changes of a payload; returns what could not be, because it changed again since.

    An inserted row goes with what it has become, a deleted one returns as it was. Of an updated row, those
    columns go back that still hold what the event wrote.
    """
    changes: list[ChangeRecord] = [change for change in payload["changes"] if change["table"] in REVERSIBLE]
    changes.reverse()
    deleted = [change for change in changes if change["after"] is None]
    inserted = [change for change in changes if change["before"] is None]
    updated = [change for change in changes if change["before"] is not None and change["after"] is not None]
    conflicts: list[str] = []
    # Nodes return before the edges that need them, and go after the edges that hold them.
    for change in sorted(deleted, key=lambda change: change["table"] != "nodes"):
        conflicts += _bring_back(tx, change)
    for change in updated:
        conflicts += _reset(tx, change)
    made = [change for change in inserted if change["table"] == "nodes" and tx.row("nodes", change["key"]) is not None]
    staying = _into_the_trash(tx, made, {change["key"][0] for change in inserted if change["table"] == "edges"})
    for change in inserted:
        if change["table"] != "nodes" and not (change["table"] == "vectors" and change["key"][0] in staying):
            tx.set_row(change["table"], change["key"], None)
    conflicts += _take_away(tx, [change["key"][0] for change in made if change["key"][0] not in staying])
    return conflicts + [
        f"node {node_id} was linked or changed since: it is in the trash, not gone" for node_id in staying
    ]


def takes_away(change: ChangeRecord) -> bool:
    """Whether a change of a node deletes it or puts it into the trash."""
    return change["after"] is None or change["after"].get("state") == NodeState.FORGOTTEN


def closes(change: ChangeRecord) -> bool:
    """Whether a change of a node ends its validity."""
    before, after = change["before"], change["after"]
    return bool(before and after and before.get("valid_to") is None and after.get("valid_to") is not None)


def _bring_back(tx: Transaction, change: ChangeRecord) -> list[str]:
    table, key = change["table"], change["key"]
    row = completed(TABLES[table], change["before"] or {})
    if tx.row(table, key) is not None:
        return [f"{_name(change)} exists again"]
    ends = {"edges": ("source", "target"), "vectors": ("node_id",), "pairs": ("first", "second")}.get(table, ())
    missing = [str(row[end]) for end in ends if tx.row("nodes", (str(row[end]),)) is None]
    if missing:
        return [f"{_name(change)} needs node {missing[0]}, which is gone"]
    if _name_taken(tx, table, row):
        return [f"{_name(change)} stays away: another has its name since"]
    tx.set_row(table, key, row)
    return []


def _reset(tx: Transaction, change: ChangeRecord) -> list[str]:
    before, after = change["before"] or {}, change["after"] or {}
    row = tx.row(change["table"], change["key"])
    if row is None:
        return [f"{_name(change)} is gone"]
    states = change["table"] == "nodes" and after.get("state", NodeState.LIVE) != NodeState.LIVE
    back: Row = {}
    conflicts = []
    for column in before:
        if row[column] == after[column] or (states and column in STATE):  # forgetting can always be taken back
            back[column] = before[column]
        elif row[column] != before[column]:
            conflicts.append(f"{column} of {_name(change)} was changed again since")
    for end in {"source", "target"} & back.keys():
        if tx.row("nodes", (str(back[end]),)) is None:
            conflicts.append(f"{_name(change)} needs node {back.pop(end)}, which is gone")
    if _name_taken(tx, change["table"], row | back):
        return [*conflicts, f"{_name(change)} stays as it is: another has its name since"]
    tx.set_row(change["table"], change["key"], row | back)
    return conflicts


def _name_taken(tx: Transaction, table: str, row: Row) -> bool:
    """Whether a row is a live record whose name another live one has."""
    if table != "records" or row["state"] != NodeState.LIVE:
        return False
    return tx.namesake(decode(TABLES[table], tuple(row.values()))) is not None


def _into_the_trash(tx: Transaction, created: list[ChangeRecord], own_edges: set[str]) -> list[str]:
    """Put nodes made of others there where something has leant on them since: what they were made of is back."""
    going, staying = [change["key"][0] for change in created], []
    for change in created:
        if _is_copy(tx, change["key"][0]) and _leant_on(tx, change, going, own_edges):
            staying.append(change["key"][0])
            tx.update(
                staying[-1], state=NodeState.FORGOTTEN, state_reason=UNMADE, state_at=tx.now, state_by="system"
            )  # fmt: skip
    return staying


def _take_away(tx: Transaction, node_ids: list[str]) -> list[str]:
    """Remove nodes and the links that were made by themselves since; returns what stays, as others use it.

    Raises
    ------
    Refused
        Somebody has linked one of them since, or put it in the place of another.
    """
    reasons: list[str] = []
    used: list[str] = []
    for node_id in node_ids:
        node = tx.node(node_id, forgotten=True)
        edges = [edge for edge in tx.edges(node_id) if not {edge.source, edge.target} <= {*node_ids}]
        if node.kind != NodeKind.MEMORY and edges:
            used.append(node_id)
            continue
        for edge in edges:
            if edge.origin == "explicit":
                other = edge.target if edge.source == node_id else edge.source
                reasons.append(f"a link ({edge.edge_type}) joins {_called(tx, node_id)} to {_called(tx, other)}")
        kept = [node for node in tx.superseded(node_id) if node.id not in node_ids]
        reasons += [f"{_called(tx, node.id)} is superseded by {_called(tx, node_id)}" for node in kept]
    if reasons:
        listed = "; ".join(reasons[:5]) + (f"; and {len(reasons) - 5} more" if len(reasons) > 5 else "")
        raise Refused(
            f"expected nothing to refer to what this undo would take away, but since then: {listed}. "
            "Undo those writes first, or forget the node instead"
        )
    for node_id in node_ids:
        if node_id not in used:
            for edge in tx.edges(node_id):
                tx.set_row("edges", (edge.id,), None)
            tx.remove_node(node_id)
    return [f"{_called(tx, node_id)} is mentioned by others since: it stays" for node_id in used]


def _called(tx: Transaction, node_id: str) -> str:
    return f"{tx.node(node_id, forgotten=True).name!r} ({node_id})"


def _is_copy(tx: Transaction, node_id: str) -> bool:
    """Whether all that a node says is said by others, which are there."""
    sources = tx.node(node_id, forgotten=True).derived_from
    return bool(sources) and all(tx.row("nodes", (id,)) is not None for id in sources)


def _leant_on(tx: Transaction, change: ChangeRecord, going: list[str], own_edges: set[str]) -> bool:
    """Whether a node has an edge, has taken a place or was changed after it was made."""
    node_id, made = change["key"][0], change["after"] or {}
    row = tx.row("nodes", (node_id,)) or {}
    changed = any(row[column] != made[column] for column in made if column in row and column not in COUNTED)
    linked = any(edge.id not in own_edges for edge in tx.edges(node_id))
    return changed or linked or any(node.id not in going for node in tx.superseded(node_id))


def _name(change: ChangeRecord) -> str:
    return f"{TABLES[change['table']].name[:-1]} {'/'.join(change['key'])}"
