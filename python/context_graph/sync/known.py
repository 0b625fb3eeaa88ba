"""What of a batch is here already, word for word: it needs no cleaning, no reading and no place in a transaction."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from context_graph.store import KINDS
from context_graph.sync.batch import Batch, Entry
from context_graph.sync.outgoing import Shared

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["unknown"]


def unknown(memory: "Runtime", batch: Batch, key: str, scopes: Collection[str]) -> list[Entry]:
    """The entries of a batch that this home would not tell in the same words, in their order.

    What it would tell so changes nothing here, whatever the limits on a peer say: the write of each register is known,
    and its value is the same. So is what a peer tells back of what it was told.

    Parameters
    ----------
    key : str
        The public key of this home.
    scopes : collection of str
        Those that are shared with the peer.
    """
    with memory.store.registers.opened() as rows, memory.store.snapshot() as snapshot:
        rows.catch_up(snapshot)
        same = {}
        for table in KINDS:
            stamps = {entry.id: entry for entry in batch.entries if entry.table == table}
            for id, registers in rows.registers(table, stamps).items():
                same[table, id] = registers
        here = {(entry.table, entry.id): entry for entry in Shared(snapshot, rows, key, scopes).entries(same)}
    return [entry for entry in batch.entries if (row := here.get((entry.table, entry.id))) is None or row != entry]
