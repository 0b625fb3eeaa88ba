"""What leaves: rows that a peer may have, as they are now, with the write that each register comes from."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from context_graph.models import Edge, Goal, Node, NodeState, Record, Scope
from context_graph.store import BIRTH, GROUPS, KINDS, OWN, PURGED, Position, Registers, Stamp, canonical, note_of
from context_graph.sync.batch import Batch, Entry

if TYPE_CHECKING:
    from context_graph.store import Reader, RegisterRows, Storage

__all__ = ["MAX_ROWS", "SHARED_RECORDS", "Shared", "batch_after", "entry_of", "leaves", "mark_at"]

MAX_ROWS = 500
"""Rows of the log that one batch looks at."""

PART = 125
"""Rows that are read together; a batch that grows too long ends within them."""

BATCH_BYTES = 4_000_000
"""After which a batch ends, well below what a reader takes."""

SHARED_RECORDS = ("model",)
"""Kinds of records that mean the same on every machine; those of documents and runs belong to one."""


def leaves(item: Node | Record, scopes: Collection[str]) -> bool:
    """Whether a node or record may be told to a peer with whom these scopes are shared."""
    if isinstance(item, Record) and item.kind not in SHARED_RECORDS:
        return False
    return str(item.scope) in scopes and item.state != NodeState.QUARANTINED


class Shared:
    """The rows of one moment that may leave, by table and id.

    Parameters
    ----------
    key : str
        The public key of this home, which is the origin of its own writes.
    """

    def __init__(self, reader: "Reader", rows: "RegisterRows", key: str, scopes: Collection[str]) -> None:
        self._reader, self._rows, self._key, self._scopes = reader, rows, key, scopes

    def items(self, table: str, ids: Collection[str]) -> dict[str, Any]:
        """Those of some rows that may leave; of edges those whose ends both do, and are live."""
        if not ids:
            return {}
        items: Iterable[Any]
        if table == "nodes":
            items = self._reader.nodes(ids)
        elif table == "edges":
            items = self.between(self._reader.edges_of_ids(ids))
        elif table == "goals":
            items = self._reader.goals()
        else:
            items = (record for kind in SHARED_RECORDS for record in self._reader.records(kind))
        return {item.id: item for item in items if item.id in ids and self.may_leave(item)}

    def may_leave(self, item: Node | Edge | Goal | Record) -> bool:
        """Whether a row may be told; of an edge, its ends decide."""
        if isinstance(item, Node | Record):
            return leaves(item, self._scopes)
        return isinstance(item, Edge) or Scope.USER in self._scopes

    def between(self, edges: Sequence[Edge]) -> list[Edge]:
        """Those of some edges whose ends are both live and may leave."""
        ends = {end for edge in edges for end in (edge.source, edge.target)}
        nodes = self._reader.nodes(ends)
        there = {node.id for node in nodes if node.state == NodeState.LIVE and leaves(node, self._scopes)}
        return [edge for edge in edges if edge.source in there and edge.target in there]

    def entries(self, registers: dict[tuple[str, str], Registers]) -> list[Entry]:
        """The entries of some rows, in their order."""
        ids = {table: {id for at, id in registers if at == table} for table in KINDS}
        items = {table: self.items(table, wanted) for table, wanted in ids.items()}
        entries = []
        for (table, id), known in registers.items():
            if not known.alive:
                entries.append(Entry(table, id, False, _named(known.at, self._key)))
            elif id in items[table]:
                entries.append(entry_of(table, items[table][id], known, self._key))
        return entries


def entry_of(
    table: str, item: Node | Edge | Goal | Record, registers: Registers, key: str, *, whole: bool = False
) -> Entry:
    """A row as an entry; of a node that was forgotten, unless it shall be whole, only that it was."""
    forgotten = not whole and isinstance(item, Node) and item.state == NodeState.FORGOTTEN
    at, later = _named(registers.at, key), registers.later
    registers_by_group = {
        group: (_named(later[group], key) if group in later else at, _values(item, columns))
        for group, columns in GROUPS[table].items()
        if not forgotten or group == "state"
    }
    birth = {} if forgotten else _values(item, BIRTH[table])
    return Entry(table, item.id, True, at, registers_by_group, birth)


def _values(item: Node | Edge | Goal | Record, columns: tuple[str, ...]) -> dict[str, Any]:
    """Columns of a row as JSON has them."""
    values = dict(zip(columns, _reading(columns)(item), strict=True))
    if "derived_from" in values:
        values["derived_from"] = list(values["derived_from"])
    return values


@cache
def _reading(columns: tuple[str, ...]) -> Callable[[Any], Iterable[Any]]:
    """What reads some columns of a row at once."""
    if len(columns) == 1:
        return lambda item: (getattr(item, columns[0]),)
    return attrgetter(*columns) if columns else lambda item: ()


def _named(stamp: Stamp, key: str) -> Stamp:
    return Stamp(stamp.hlc, key) if stamp.origin == OWN else stamp


def mark_at(reader: "Reader", seq: int, scopes: Collection[str]) -> str:
    """By which a position is known again: the event there, and what was shared."""
    return f"{(reader.hash_at(seq) or '')[:32]} {','.join(sorted(scopes))}"


def batch_after(
    store: "Storage",
    key: str,
    scopes: Collection[str],
    after: Position,
    mark: str = "",
    *,
    max_rows: int = MAX_ROWS,
    without: str = "",
) -> Batch:
    """The next batch after a position, or from the beginning where the log is another one, or other scopes are shared.

    Parameters
    ----------
    mark : str
        Of the position.
    without : str
        A peer whose log is known to go as far as it was taken in: what stands here as it told it is not told back.
    """
    with store.registers.opened() as rows, store.snapshot() as snapshot:
        rows.catch_up(snapshot)
        if after.seq and mark_at(snapshot, after.seq, scopes) != mark:
            after = Position()
        shared = Shared(snapshot, rows, key, scopes)
        height = snapshot.head()[0]
        page = rows.page(after, max_rows, without=without)
        entries: list[Entry] = []
        purged: dict[str, int] = {}
        size, upto, looked_at = 0, after, 0
        for start in range(0, len(page), PART):
            part = page[start : start + PART]
            registers = {
                (KINDS[at.kind], at.id): Registers.from_json(json.loads(text)) for at, text in part if at.kind != PURGED
            }
            told = {(entry.table, entry.id): entry for entry in shared.entries(registers)}
            for at, text in part:
                entry = None if at.kind == PURGED else told.get((KINDS[at.kind], at.id))
                size += len(canonical(entry.to_json())) if entry else 0
                if entries and size > BATCH_BYTES:
                    break
                if at.kind == PURGED:
                    purged[at.id] = int(text)
                elif entry:
                    entries.append(entry)
                upto, looked_at = at, looked_at + 1
            if size > BATCH_BYTES:
                break
        more = looked_at < len(page) or len(page) == max_rows
        if not more:
            upto = Position(height, PURGED, "~")
        mark = mark_at(snapshot, upto.seq, scopes)
        checkpoints = snapshot.events(1, type="checkpoint")
        signed = int(note_of(checkpoints[0])["size"]) if checkpoints else 0
        return Batch(key, after, upto, mark, more, signed, tuple(entries), purged)
