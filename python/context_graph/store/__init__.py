"""What is kept: one event log, and the tables folded from it; behind ports that SQLite answers.

Whoever is above imports from here alone: the ports for what it asks, `Store` to open one.
"""

from context_graph.store import keys
from context_graph.store.chain import GENESIS, canonical
from context_graph.store.clock import MAX_STAMP, first_stamp, logical_of, time_of
from context_graph.store.feed import (
    Change,
    change_of,
    changes_of,
    is_emptied,
    note_of,
    noted_nodes,
    written_rows,
)
from context_graph.store.files import make_folder, naming, write_whole
from context_graph.store.merkle import Growing as MerkleTree
from context_graph.store.ports import (
    Edges,
    Events,
    Feed,
    Goals,
    Nodes,
    Reader,
    Records,
    RegisterRows,
    RegisterStore,
    Sessions,
    Storage,
    Transaction,
    Vectors,
    Writer,
)
from context_graph.store.proofs import check as check_proof
from context_graph.store.records import EVENT_TYPES, Pair, Purged, Restored, Said, Session, Undone, Verification
from context_graph.store.registers import BIRTH, GROUPS, KINDS, OWN, PURGED, Position, Registers, Stamp
from context_graph.store.segments import SEGMENT_ROWS, STATE_PART, Segment, Segments
from context_graph.store.sqlite.backup import backups
from context_graph.store.sqlite.connection import SqliteStatus, sqlite_status
from context_graph.store.sqlite.prepare import format_at, has_store, refuse_lost
from context_graph.store.sqlite.recovery import recover
from context_graph.store.sqlite.rows import check_item
from context_graph.store.sqlite.schema import FORMAT
from context_graph.store.sqlite.store import Store

__all__ = [
    "BIRTH",
    "EVENT_TYPES",
    "FORMAT",
    "GENESIS",
    "GROUPS",
    "KINDS",
    "MAX_STAMP",
    "OWN",
    "PURGED",
    "SEGMENT_ROWS",
    "STATE_PART",
    "Change",
    "Edges",
    "Events",
    "Feed",
    "Goals",
    "MerkleTree",
    "Nodes",
    "Pair",
    "Position",
    "Purged",
    "Reader",
    "Records",
    "RegisterRows",
    "RegisterStore",
    "Registers",
    "Restored",
    "Said",
    "Segment",
    "Segments",
    "Session",
    "Sessions",
    "SqliteStatus",
    "Stamp",
    "Storage",
    "Store",
    "Transaction",
    "Undone",
    "Vectors",
    "Verification",
    "Writer",
    "backups",
    "canonical",
    "change_of",
    "changes_of",
    "check_item",
    "check_proof",
    "first_stamp",
    "format_at",
    "has_store",
    "is_emptied",
    "keys",
    "logical_of",
    "make_folder",
    "naming",
    "note_of",
    "noted_nodes",
    "recover",
    "refuse_lost",
    "sqlite_status",
    "time_of",
    "write_whole",
    "written_rows",
]
