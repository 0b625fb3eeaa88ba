"""Names of agents in a purge: they go with the last memory of the agent, from tables, payloads and heads of events."""

import json
from typing import Any

import apsw

from context_graph.models import Node
from context_graph.store.chain import NOBODY, canonical
from context_graph.store.sqlite.log_search import AMONG, LogSearch
from context_graph.store.sqlite.logged_changes import LoggedChange, LoggedPayload, read_payload, sides_of
from context_graph.store.sqlite.queries import Queries

__all__ = ["agents_in", "agents_of", "is_named", "unname", "without_names"]

NAMED_IN = ("agent_id", "state_by")
"""Columns that hold the name of an agent: of nodes, records and sessions, and of nodes that it put away."""

ROLES = {"user", "system"}
"""What stands in `state_by` for no agent in particular."""


def _naming(name: str) -> list[bytes]:
    """What stands in a payload that has the name in one of these columns."""
    return [b'"%s":%s' % (column.encode(), canonical(name)) for column in NAMED_IN]


def is_named(queries: Queries, name: str, looked: LogSearch) -> bool:
    heads = queries._rows("SELECT 1 FROM events WHERE agent_id = ? LIMIT 1", (name,))
    return bool(heads or looked.holding(queries, _naming(name)))


def agents_in(rows: list[Node], events: dict[int, LoggedPayload], doomed: set[str]) -> set[str]:
    """Whose memories these were, at any time."""
    sides = (
        side
        for payload in events.values()
        for change in payload.all_changes()
        if change.table == "nodes" and change.key[0] in doomed
        for side in sides_of(change.parsed())
    )
    named = {node.agent_id for node in rows} | {str(side["agent_id"]) for side in sides if side.get("agent_id")}
    return {name for name in named if name is not None and name not in ROLES}


def agents_of(
    queries: Queries, doomed: set[str], names: set[str], looked: LogSearch
) -> tuple[set[str], dict[int, LoggedPayload]]:
    """Those of these agents that have no other memory, not even one taken back, and the events that name them."""
    alone: set[str] = set()
    events: dict[int, LoggedPayload] = {}
    for name in names:
        others = f"SELECT 1 FROM nodes WHERE agent_id = ? AND id NOT {AMONG} LIMIT 1"
        if queries._rows(others, (name, json.dumps(sorted(doomed)))):
            continue
        found = {seq: read_payload(body) for seq, body in looked.holding(queries, _naming(name))}
        if not any(_is_of(change, name, doomed) for payload in found.values() for change in payload.all_changes()):
            alone.add(name)
            events |= found
    return alone, events


def _is_of(change: LoggedChange, name: str, doomed: set[str]) -> bool:
    """Whether a change is of another memory of this agent."""
    other = change.table == "nodes" and change.key[0] not in doomed
    return other and any(side.get("agent_id") == name for side in sides_of(change.parsed()))


def without_names(change: LoggedChange, names: set[str]) -> LoggedChange:
    """A change of a row that stays, with no agent where one of these was named."""
    if not names or change.table not in ("nodes", "records", "sessions"):
        return change
    record = change.parsed()

    def without(side: Any) -> Any:
        return side and {c: None if c in NAMED_IN and value in names else value for c, value in side.items()}

    return LoggedChange({**record, "before": without(record["before"]), "after": without(record["after"])})


def unname(connection: apsw.Connection, names: set[str]) -> tuple[set[int], int]:
    """Take agents out of tables and heads of events; returns which events lost their author, and how many cannot."""
    bindings = (json.dumps(sorted(names)),)
    if not names:
        return set(), 0
    connection.execute(f"UPDATE sessions SET agent_id = NULL WHERE agent_id {AMONG}", bindings)
    connection.execute(f"UPDATE records SET agent_id = NULL WHERE agent_id {AMONG}", bindings)
    connection.execute(f"UPDATE nodes SET state_by = NULL WHERE state_by {AMONG}", bindings)
    by_them = f"FROM events WHERE agent_id {AMONG} AND author_hash IS"
    unnamed = {int(str(seq)) for (seq,) in connection.execute(f"SELECT seq {by_them} NOT NULL", bindings)}
    connection.executemany(
        "UPDATE events SET agent_id = ?, session_id = ?, context_id = ?, author_salt = NULL WHERE seq = ?",
        [(NOBODY.agent_id, NOBODY.session_id, NOBODY.context_id, seq) for seq in unnamed],
    )
    return unnamed, int(str(connection.execute(f"SELECT count(*) {by_them} NULL", bindings).fetchall()[0][0]))
