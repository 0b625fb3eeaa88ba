"""Edges, and what was retrieved together."""

import json
from collections.abc import Iterable
from typing import Any

from context_graph.models import Edge, EdgeType
from context_graph.store.records import Pair
from context_graph.store.sqlite.queries.base import Rows
from context_graph.store.sqlite.rows import TABLES, decode

__all__ = ["EdgeQueries"]

EDGES = TABLES["edges"]
OF_TYPES = "edge_type IN (SELECT value FROM json_each(?2))"


class EdgeQueries(Rows):
    """Edges and pairs."""

    def edges(self, node_ids: str | Iterable[str], *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Edges that touch any of these nodes, each once, in the order of their ids."""
        ids = json.dumps([node_ids] if isinstance(node_ids, str) else list(node_ids))
        # Two index searches instead of an OR; those from the other end leave out what the first has found.
        among, of_type = "(SELECT value FROM json_each(?1))", "" if types is None else f" AND {OF_TYPES}"
        rows = self._rows(
            f"{EDGES.select} WHERE source IN {among}{of_type} UNION ALL "
            f"{EDGES.select} WHERE target IN {among} AND +source NOT IN {among}{of_type} ORDER BY id",
            (ids,) if types is None else (ids, json.dumps(list(types))),
        )
        return [decode(EDGES, row) for row in rows]

    def edges_between(self, node_ids: Iterable[str], *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Edges whose both ends are among these nodes."""
        rows = self._rows(
            f"{EDGES.select} WHERE source IN (SELECT value FROM json_each(?1))"
            " AND +target IN (SELECT value FROM json_each(?1)) ORDER BY id",
            (json.dumps(list(node_ids)),),
        )
        return _typed(rows, types)

    def edge(self, edge_id: str) -> Edge | None:
        """One edge, or None."""
        rows = self._rows(f"{EDGES.select} WHERE id = ?", (edge_id,))
        return decode(EDGES, rows[0]) if rows else None

    def edges_of_ids(self, ids: Iterable[str]) -> list[Edge]:
        """Those of some edges that exist, in the order of their ids."""
        among = "WHERE id IN (SELECT value FROM json_each(?))"
        rows = self._rows(f"{EDGES.select} {among} ORDER BY id", (json.dumps([*ids]),))
        return [decode(EDGES, row) for row in rows]

    def all_edges(self, *, types: Iterable[EdgeType] | None = None) -> list[Edge]:
        """Every edge, in the order of their ids."""
        return _typed(self._rows(f"{EDGES.select} ORDER BY id"), types)

    def reached(self, node_ids: Iterable[str]) -> list[tuple[str, str, float]]:
        """Source, target and effective weight of the edges that touch these nodes: all a traversal needs."""
        weight = "weight * (1 + excitatory - inhibitory + 0.5 * modulatory)"
        return self._rows(
            f"SELECT source, target, {weight} FROM edges WHERE source IN (SELECT value FROM json_each(?1)) UNION ALL "
            f"SELECT source, target, {weight} FROM edges WHERE target IN (SELECT value FROM json_each(?1))",
            (json.dumps(list(node_ids)),),
        )

    def pairs(self, node_ids: Iterable[str]) -> list[Pair]:
        """How often nodes were retrieved together, for pairs that touch any of these."""
        table = TABLES["pairs"]
        rows = self._rows(
            f"{table.select} WHERE first IN (SELECT value FROM json_each(?1)) UNION "
            f"{table.select} WHERE second IN (SELECT value FROM json_each(?1)) ORDER BY first, second",
            (json.dumps(list(node_ids)),),
        )
        return [decode(table, row) for row in rows]


def _typed(rows: list[tuple[Any, ...]], types: Iterable[EdgeType] | None) -> list[Edge]:
    if types is not None:
        wanted = {str(type) for type in types}
        at = EDGES.columns.index("edge_type")
        rows = [row for row in rows if row[at] in wanted]
    return [decode(EDGES, row) for row in rows]
