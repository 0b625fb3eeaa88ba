"""What is kept: one event log in SQLite, and the tables folded from it."""

from context_graph.store.clock import time_of
from context_graph.store.connection import SqliteStatus, sqlite_status
from context_graph.store.feed import Change, changes_of, is_emptied, note_of, noted_nodes
from context_graph.store.log import GENESIS
from context_graph.store.prepare import format_at
from context_graph.store.purge import Purged
from context_graph.store.rows import Pair, Session
from context_graph.store.schema import FORMAT
from context_graph.store.store import Restored, Snapshot, Store
from context_graph.store.transaction import Transaction
from context_graph.store.undo import Undone
from context_graph.store.verify import Verification

__all__ = [
    "FORMAT",
    "GENESIS",
    "Change",
    "Pair",
    "Purged",
    "Restored",
    "Session",
    "Snapshot",
    "SqliteStatus",
    "Store",
    "Transaction",
    "Undone",
    "Verification",
    "changes_of",
    "format_at",
    "is_emptied",
    "note_of",
    "noted_nodes",
    "sqlite_status",
    "time_of",
]
