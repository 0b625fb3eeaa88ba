"""Vectors by node, space and model."""

import json
from collections.abc import Iterable

from context_graph.store.sqlite.queries.base import Rows

__all__ = ["VectorQueries"]


class VectorQueries(Rows):
    """Vectors."""

    def vectors(self, node_ids: Iterable[str], space: str) -> dict[str, bytes]:
        """The vectors of these nodes in one space; nodes without one are absent."""
        return dict(
            self._rows(
                "SELECT v.node_id, b.data FROM vectors v JOIN blobs b USING (sha256)"
                " WHERE v.space = ? AND v.node_id IN (SELECT value FROM json_each(?))",
                (space, json.dumps(list(node_ids))),
            )
        )

    def vectors_by_ordinal(
        self, space: str, first: int, last: int, *, model: str | None = None
    ) -> list[tuple[int, bytes]]:
        """The vectors of the memories with first <= ordinal <= last that have one in this space, of this model."""
        return self._rows(
            "SELECT n.ordinal, b.data FROM nodes n CROSS JOIN vectors v ON v.node_id = n.id AND v.space = ?"
            " CROSS JOIN blobs b USING (sha256) WHERE n.ordinal BETWEEN ? AND ? AND (? IS NULL OR v.model = ?)"
            " ORDER BY n.ordinal",
            (space, first, last, model, model),
        )

    def vectors_of(
        self, node_ids: Iterable[str], spaces: Iterable[str] | None = None
    ) -> dict[str, list[tuple[str, str, bytes]]]:
        """Space, model and bytes of the vectors of each node that has any, of these spaces alone if any are named."""
        by_node: dict[str, list[tuple[str, str, bytes]]] = {}
        for id, space, model, data in self._rows(
            "SELECT v.node_id, v.space, v.model, b.data FROM vectors v JOIN blobs b USING (sha256) WHERE v.node_id"
            " IN (SELECT value FROM json_each(?)) AND (? OR v.space IN (SELECT value FROM json_each(?)))"
            " ORDER BY v.node_id, v.space",
            (json.dumps(list(node_ids)), int(spaces is None), json.dumps(list(spaces or ()))),
        ):
            by_node.setdefault(id, []).append((space, model, data))
        return by_node

    def vector_models(self, node_id: str) -> dict[str, str]:
        """Which model made the vector of a node, by space."""
        return dict(self._rows("SELECT space, model FROM vectors WHERE node_id = ? ORDER BY space", (node_id,)))

    def made_by_others(self, space: str, model: str) -> list[str]:
        """Memories whose vector in a space another model made, the latest first; forgotten ones are left out."""
        rows = self._rows(
            "SELECT n.id FROM vectors v JOIN nodes n ON n.id = v.node_id"
            " WHERE v.space = ? AND v.model <> ? AND n.ordinal IS NOT NULL AND n.state <> 'forgotten'"
            " ORDER BY n.ordinal DESC",
            (space, model),
        )
        return [id for (id,) in rows]
