"""One hash over all that is shared: equal in two homes that have nothing left to tell each other."""

import hashlib
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from context_graph.models import Edge, Goal, Node, NodeState, Record
from context_graph.store import GROUPS, canonical
from context_graph.sync.outgoing import Shared, entry_of

if TYPE_CHECKING:
    from context_graph.store import Storage

__all__ = ["state_hash", "state_rows"]

TABLES: tuple[tuple[str, type], ...] = (("nodes", Node), ("edges", Edge), ("goals", Goal), ("records", Record))


def state_rows(store: "Storage", key: str, scopes: Collection[str]) -> list[list[Any]]:
    """Every live row that may leave: its columns and the write that each register comes from, in the order of ids.

    What was forgotten, is in quarantine or out of these scopes is not among them. Last comes what was deleted for good.
    """
    with store.registers.opened() as rows, store.snapshot() as snapshot:
        rows.catch_up(snapshot)
        shared = Shared(snapshot, rows, key, scopes)
        all_lines: list[list[Any]] = []
        for table, kind in TABLES:
            registers = rows.all_registers(table)
            lines = []
            for page in snapshot.scan(kind):
                items = shared.items(table, {item.id for item in page})
                for id, item in items.items():
                    if id in registers and getattr(item, "state", NodeState.LIVE) == NodeState.LIVE:
                        entry = entry_of(table, item, registers[id], key)
                        lines.append(
                            [
                                table,
                                id,
                                *entry.at,
                                {g: [*entry.registers[g][0], entry.registers[g][1]] for g in GROUPS[table]},
                            ]
                        )
            all_lines += sorted(lines, key=lambda line: str(line[1]))
        return [*all_lines, ["purged", *rows.all_purged()]]


def state_hash(store: "Storage", key: str, scopes: Collection[str]) -> str:
    """SHA-256 over `state_rows`."""
    digest = hashlib.sha256()
    for row in state_rows(store, key, scopes):
        digest.update(canonical(row) + b"\n")
    return digest.hexdigest()
