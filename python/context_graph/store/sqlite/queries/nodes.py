"""Memories and concepts, and what became of those that are not there."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from context_graph.errors import InvalidInput, NodeNotFound
from context_graph.instants import DAY_US
from context_graph.models import Node, NodeState, to_iso
from context_graph.names import name_key
from context_graph.store.clock import time_of
from context_graph.store.sqlite.queries.base import BATCH, Rows
from context_graph.store.sqlite.rows import TABLES
from context_graph.visibility import Viewer, answers_sql

__all__ = ["NodeQueries"]

NODES = TABLES["nodes"]
ORDERS = ("created_at", "occurred_at", "last_accessed", "access_count", "importance", "name")


class NodeQueries(Rows):
    """Memories and concepts."""

    def node(self, node_id: str, *, forgotten: bool = False) -> Node:
        """One node.

        Parameters
        ----------
        forgotten : bool
            Return it also when it is forgotten, which otherwise is `NodeNotFound` with the way to bring it back.

        Raises
        ------
        NodeNotFound
            No live node has the id; what became of it is said.
        """
        found = self._nodes("WHERE id = ?", (node_id,))
        if found and (forgotten or found[0].state != NodeState.FORGOTTEN):
            return found[0]
        raise NodeNotFound(self._why_not(node_id))

    def nodes(self, ids: Iterable[str]) -> list[Node]:
        """The nodes of these ids that exist, in the order given, in every state."""
        wanted = list(ids)
        found = {n.id: n for n in self._nodes("WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(wanted),))}
        return [found[id] for id in wanted if id in found]

    def existing(self, ids: Iterable[str]) -> set[str]:
        """Those of some ids that nodes have, in any state."""
        wanted = json.dumps(list(ids))
        return {
            id for (id,) in self._rows("SELECT id FROM nodes WHERE id IN (SELECT value FROM json_each(?))", (wanted,))
        }

    def _why_not(self, node_id: str) -> str:
        """What became of a node that is not there, and what to do about it."""
        for type, hash, hlc, payload in self._rows(
            "SELECT e.type, e.hash, e.hlc, e.payload FROM touched t JOIN events e USING (seq)"
            " WHERE t.key = ? AND e.type <> 'effects' ORDER BY seq DESC",
            (node_id,),
        ):
            day = to_iso(time_of(hlc))[:10]
            if type == "purge":
                return f"node {node_id} was permanently deleted on {day}; nothing can bring it back"
            for change in json.loads(payload)["changes"] if payload else ():
                if change["table"] != "nodes" or change["key"] != [node_id]:
                    continue
                after = change["after"]
                if after is None or after.get("state") == NodeState.FORGOTTEN:
                    verb = "taken back" if after is None else "forgotten"
                    until = to_iso(time_of(hlc) + round(self.retention_days * DAY_US))[:10]
                    return (
                        f"node {node_id} was {verb} on {day}; "
                        f"restore_from_hash('{hash[:16]}') brings it back until {until}"
                    )
        return f"no node has the id {node_id!r}; search_graph finds nodes by their content"

    def memories(self, *, after_ordinal: int = -1, limit: int | None = None) -> Iterator[Node]:
        """Memories in all states, in the order they were stored; read in batches, so no lock is held between."""
        left = limit
        while left is None or left > 0:
            size = BATCH if left is None else min(BATCH, left)
            batch = self._nodes("WHERE ordinal > ? ORDER BY ordinal LIMIT ?", (after_ordinal, size))
            yield from batch
            if len(batch) < size:
                return
            after_ordinal = batch[-1].ordinal if batch[-1].ordinal is not None else after_ordinal
            left = None if left is None else left - size

    def columns(self, names: Sequence[str], after_ordinal: int = -1) -> list[tuple[Any, ...]]:
        """Raw columns of all memories by ordinal: enums as text, booleans as 0 or 1, mappings as JSON text.

        Raises
        ------
        InvalidInput
            A name is no column, or there is none.
        """
        for name in names:
            if name not in NODES.columns:
                raise InvalidInput(f"nodes have no column {name!r}; columns: {', '.join(NODES.columns)}", field="names")
        if not names:
            raise InvalidInput("expected at least one column name, got none", field="names")
        return self._rows(f"SELECT {', '.join(names)} FROM nodes WHERE ordinal > ? ORDER BY ordinal", (after_ordinal,))

    def columns_of(self, names: Sequence[str], ids: Iterable[str]) -> list[tuple[Any, ...]]:
        """The same of those of some memories that exist, in no order."""
        return self._rows(
            f"SELECT {', '.join(names)} FROM nodes"
            " WHERE ordinal IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )

    def oldest_memory(self) -> str | None:
        """The memory of the lowest ordinal."""
        rows = self._rows("SELECT id FROM nodes WHERE ordinal IS NOT NULL ORDER BY ordinal LIMIT 1")
        return rows[0][0] if rows else None

    def ordinals_used(self) -> int:
        """How many memories were ever given an ordinal: what the next one gets."""
        found = self._rows("SELECT value FROM counters WHERE name = 'ordinal'")
        return int(found[0][0]) if found else 0

    def with_metadata(self, text: str) -> list[Node]:
        """The memories whose metadata, as JSON, hold a text; in the order they were stored."""
        return self._nodes("WHERE ordinal IS NOT NULL AND instr(metadata, ?) > 0 ORDER BY ordinal", (text,))

    def metadata_of_agent(self, agent_id: str, keys: Sequence[str]) -> list[tuple[Any, ...]]:
        """Of each memory that an agent stored, in the order they were stored: id, state, who changed it, what
        supersedes it, and the values of some keys of its metadata, None where it lacks one. No memory is read whole.
        """
        values = ", ".join("json_extract(metadata, ?)" for _ in keys)
        paths = [f'$."{key}"' for key in keys]
        return self._rows(
            f"SELECT id, state, state_by, superseded_by, {values} FROM nodes"
            " WHERE ordinal IS NOT NULL AND agent_id = ? ORDER BY ordinal",
            (*paths, agent_id),
        )

    def find_by_prefix(self, hex_prefix: str, limit: int = 10) -> list[Node]:
        """Nodes whose id begins with these hex digits, hyphens not counted: what a citation tag names.

        Raises
        ------
        InvalidInput
            They are no hex digits.
        """
        digits = hex_prefix.lower().replace("-", "")
        if not digits or digits.strip("0123456789abcdef"):
            raise InvalidInput(f"expected hex digits, got {hex_prefix[:40]!r}", field="hex_prefix")
        cuts = [digits[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))]
        prefix = "-".join(cut for cut in cuts if cut)
        return self._nodes("WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", (prefix, prefix + "~", limit))

    def concept(self, key: str) -> Node | None:
        """The concept of this name, whatever its case, width and spacing; the oldest where there are several."""
        found = self._nodes("WHERE name_key = ? ORDER BY created_at, id LIMIT 1", (name_key(key),))
        return found[0] if found else None

    def concepts_named(self, keys: Iterable[str]) -> dict[str, Node]:
        """The concepts of these names that exist, by the keys as given; the oldest where there are several."""
        wanted = {name_key(key): key for key in keys}
        found = self._nodes(
            "WHERE name_key IN (SELECT value FROM json_each(?)) ORDER BY created_at DESC, id DESC",
            (json.dumps(list(wanted)),),
        )
        return {wanted[name_key(str(node.metadata.get("name_key") or node.name))]: node for node in found}

    def concepts(self, limit: int = 100, order: str = "access_count") -> list[Node]:
        """Live concepts, the highest first (names: the lowest)."""
        return self._nodes(f"WHERE name_key IS NOT NULL AND state = 'live' ORDER BY {_order(order)} LIMIT ?", (limit,))

    def recent(
        self, since: int, limit: int = 100, order: str = "created_at", *, viewer: Viewer, moment: int | None = None
    ) -> list[Node]:
        """Live memories created at or after an instant, the highest first, of those that a viewer may be answered.

        Parameters
        ----------
        moment : int, optional
            Only what is valid then.
        """
        return self._nodes(
            f"WHERE created_at >= ?1 AND ordinal IS NOT NULL AND {answers_sql('?3', '?4', '?5')}"
            f" ORDER BY {_order(order)} LIMIT ?2",
            (since, limit, viewer.session_id, viewer.context_id, moment),
        )

    def superseded(self, node_id: str) -> list[Node]:
        """The nodes that this one supersedes, oldest first."""
        return self._nodes("WHERE superseded_by = ? ORDER BY created_at, id", (node_id,))

    def derived(self, node_id: str) -> list[Node]:
        """The nodes whose content repeats this one's, at whatever remove."""
        made = self._nodes("WHERE derived_from IS NOT NULL")
        ids = {node_id}
        while more := {node.id for node in made if node.id not in ids and not ids.isdisjoint(node.derived_from)}:
            ids |= more
        return [node for node in made if node.id in ids]

    def tombstones(
        self, *, since: int = 0, limit: int = 100, states: Iterable[str] = (NodeState.FORGOTTEN,)
    ) -> list[Node]:
        """Forgotten nodes (or quarantined, on request), the latest first."""
        return self._nodes(
            "WHERE state <> 'live' AND state IN (SELECT value FROM json_each(?)) AND coalesce(state_at, 0) >= ?"
            " ORDER BY state_at DESC, id LIMIT ?",
            (json.dumps([str(state) for state in states]), since, limit),
        )


def _order(order: str) -> str:
    if order not in ORDERS:
        raise InvalidInput(f"expected order to be one of {', '.join(ORDERS)}, got {order!r}", field="order")
    return "name, id" if order == "name" else f"{order} DESC, id"
