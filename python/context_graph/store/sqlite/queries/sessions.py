"""Sessions, and their memories in turn."""

import json
from collections.abc import Iterable, Iterator

from context_graph.models import Node
from context_graph.store.records import Said, Session
from context_graph.store.sqlite.queries.base import Rows
from context_graph.store.sqlite.rows import TABLES, decode
from context_graph.visibility import Viewer, answers_sql

__all__ = ["SessionQueries"]


class SessionQueries(Rows):
    """Sessions."""

    def session(self, session_id: str) -> Session | None:
        """What is kept of a session, or None where it never wrote."""
        table = TABLES["sessions"]
        rows = self._rows(f"{table.select} WHERE id = ?", (session_id,))
        return decode(table, rows[0]) if rows else None

    def sessions(self, limit: int = 100) -> list[Session]:
        """Sessions, the last seen first."""
        table = TABLES["sessions"]
        return [
            decode(table, row) for row in self._rows(f"{table.select} ORDER BY last_seen DESC, id LIMIT ?", (limit,))
        ]

    def session_memories(
        self, session_id: str, limit: int, before_position: int | None = None, *, states: Iterable[str] = ("live",)
    ) -> list[Node]:
        """The last memories of a session before a position, oldest first."""
        before = 2**62 if before_position is None else before_position
        found = self._nodes(
            "WHERE session_id = ? AND position < ? AND ordinal IS NOT NULL"
            " AND state IN (SELECT value FROM json_each(?)) ORDER BY position DESC, ordinal DESC LIMIT ?",
            (session_id, before, json.dumps([str(state) for state in states]), limit),
        )
        return found[::-1]

    def session_after(self, session_id: str, position: int) -> Iterator[Node]:
        """The memories of a session after a position, in all states, oldest first."""
        while found := self._nodes(
            "WHERE session_id = ? AND position > ? AND ordinal IS NOT NULL ORDER BY position, ordinal LIMIT 1",
            (session_id, position),
        ):
            yield found[0]
            position = found[0].position

    def session_position(self, session_id: str) -> int:
        """The position that the next memory of this session takes."""
        last = self._rows(
            "SELECT position FROM nodes WHERE session_id = ? AND ordinal IS NOT NULL ORDER BY position DESC LIMIT 1",
            (session_id,),
        )
        return last[0][0] + 1 if last else 0

    def last_said(self, session_id: str) -> Said | None:
        """The last live memory of a session, as far as the next one needs it."""
        found = self._rows(
            "SELECT id, content, speaker FROM nodes WHERE session_id = ? AND ordinal IS NOT NULL AND state = 'live'"
            " ORDER BY position DESC, ordinal DESC LIMIT 1",
            (session_id,),
        )
        return Said(*found[0]) if found else None

    def in_turn(self, node_ids: Iterable[str], viewer: Viewer) -> list[tuple[str, str]]:
        """Memories that follow each other in their session for a viewer, and that no Temporal edge joins.

        They were stored with others between them that are forgotten now, deleted, or of a scope that the viewer does
        not share. Only pairs with one of these memories: ids of the earlier and the later.
        """
        where = "{0}.ordinal IS NOT NULL AND " + answers_sql("?2", "?3", "NULL", row="{0}")
        beside = "SELECT {0}(p.position) FROM nodes p WHERE p.session_id = n.session_id AND p.position {1} n.position"
        asked = f"FROM nodes n WHERE n.id IN (SELECT value FROM json_each(?1)) AND {where.format('n')}"
        rows = self._rows(
            "WITH pairs (session_id, first, second) AS ("
            f"SELECT n.session_id, ({beside.format('max', '<')} AND {where.format('p')}), n.position {asked} UNION "
            f"SELECT n.session_id, n.position, ({beside.format('min', '>')} AND {where.format('p')}) {asked})"
            " SELECT DISTINCT a.id, b.id FROM pairs"
            f" JOIN nodes a ON a.session_id = pairs.session_id AND a.position = first AND {where.format('a')}"
            f" JOIN nodes b ON b.session_id = pairs.session_id AND b.position = second AND {where.format('b')}"
            " WHERE NOT EXISTS (SELECT 1 FROM edges e WHERE e.source = a.id AND e.target = b.id"
            " AND e.edge_type = 'Temporal') ORDER BY a.session_id, first",
            (json.dumps(list(node_ids)), viewer.session_id, viewer.context_id),
        )
        return [(a, b) for a, b in rows]
