"""One hash over all that is shared: equal in two homes that have nothing left to tell each other."""

import hashlib
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from context_graph.models import Edge, Goal, Node, NodeState, Record
from context_graph.store import GROUPS, canonical
from context_graph.sync.outgoing import Shared, entry_of

if TYPE_CHECKING:
    from context_graph.store import Reader, RegisterRows, Storage

__all__ = ["state_hash", "state_rows"]

TABLES: tuple[tuple[str, type], ...] = (("nodes", Node), ("edges", Edge), ("goals", Goal), ("records", Record))


def state_rows(store: "Storage", key: str, scopes: Collection[str]) -> list[list[Any]]:
    """Every live row that may leave: its columns and the write that each register comes from, in the order of ids.

    What was forgotten, is in quarantine or out of these scopes is not among them. Last comes what was deleted for good.
    """
    with store.registers.opened() as rows, store.snapshot() as snapshot:
        rows.catch_up(snapshot)
        return _lines(snapshot, rows, key, scopes)


def state_hash(store: "Storage", key: str, scopes: Collection[str]) -> str:
    """SHA-256 over `state_rows`; read again only where a register was written since."""
    with store.registers.opened() as rows, store.snapshot() as snapshot:
        rows.catch_up(snapshot)
        name, version = f"state {key} {','.join(sorted(scopes))}", rows.version()
        last = rows.state(name)
        if last.get("version") != version:
            digest = hashlib.sha256()
            for line in _lines(snapshot, rows, key, scopes):
                digest.update(canonical(line) + b"\n")
            last = {"version": version, "hash": digest.hexdigest()}
            rows.set_state(name, last)
        return str(last["hash"])


def _lines(reader: "Reader", rows: "RegisterRows", key: str, scopes: Collection[str]) -> list[list[Any]]:
    shared = Shared(reader, rows, key, scopes)
    all_lines: list[list[Any]] = []
    live: set[str] = set()
    for table, kind in TABLES:
        registers = rows.all_registers(table)
        lines: list[list[Any]] = []
        for item in (item for page in reader.scan(kind) for item in page):
            if isinstance(item, Edge) and not live.issuperset((item.source, item.target)):
                continue
            if (
                item.id in registers
                and getattr(item, "state", NodeState.LIVE) == NodeState.LIVE
                and shared.may_leave(item)
            ):
                live.add(item.id)
                entry = entry_of(table, item, registers[item.id], key)
                told = {group: [*entry.registers[group][0], entry.registers[group][1]] for group in GROUPS[table]}
                lines.append([table, item.id, *entry.at, told])
        all_lines += sorted(lines, key=lambda line: str(line[1]))
    return [*all_lines, ["purged", *rows.all_purged()]]
