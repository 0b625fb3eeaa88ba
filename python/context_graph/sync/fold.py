"""Taking a batch in: all of it by one event of the log, or nothing."""

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from context_graph.ingest.forget import forget
from context_graph.models import Caller, NodeKind
from context_graph.store import Position, first_stamp
from context_graph.sync import deletions
from context_graph.sync.batch import Batch, check_time
from context_graph.sync.cleaning import Cleaner
from context_graph.sync.known import unknown
from context_graph.sync.limits import Limits
from context_graph.sync.merge import Folded, Merge
from context_graph.sync.vectors import embedded

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import RegisterRows

__all__ = ["finish_purges", "fold"]


def fold(
    memory: "Runtime",
    batch: Batch,
    key: str,
    name: str,
    scopes: Collection[str],
    *,
    limits: Limits | None = None,
    follow: bool = True,
) -> Folded:
    """Take a batch of a known peer in, all of it or nothing.

    Parameters
    ----------
    key : str
        The public key of this home.
    name : str
        The peer's, for messages.
    scopes : collection of str
        Those that are shared with the peer: nothing else comes in, and nothing else here is changed.
    follow : bool
        Whether it continues the batches before it, so that the next one is asked for from its end.

    Raises
    ------
    InvalidInput
        It holds what no row can, or a write that lies too far in the future.
    SyncStopped
        It would take away more memories than a peer may.
    """
    limits = limits or Limits()
    latest = check_time(batch.stamps(), memory.clock(), limits.ahead)
    received = batch.size
    cleaner = Cleaner(memory)
    batch = replace(batch, entries=tuple(cleaner.cleaned(entry) for entry in unknown(memory, batch, key, scopes)))
    vectors = embedded(memory, (entry for entry in batch.entries if entry.whole and entry.table == "nodes"))
    author = memory.author(_caller(memory))
    with memory.writing:
        with memory.store.write("sync", author) as tx, memory.store.registers.opened() as rows:
            rows.catch_up(tx)
            cursor = rows.cursor(batch.sender)
            if follow and cursor is not None and batch.after != Position(*cursor[:3]):
                rows.tell_back(batch.sender)  # before anything is told: kept whatever comes of the exchange
            since = int(rows.state(batch.sender).get("met", 0))
            merge = Merge(memory, tx, rows, batch, key, scopes, vectors, since, follow)
            merge.run()
            merge.done.received = received
            _count(memory, rows, name, merge, limits)
            if merge.changed:
                tx.follows = latest
                tx.receive(merge.received())
                tx.note.update(operation="synchronised", peer=batch.sender, nodes=sorted(merge.nodes))
            elif follow:
                rows.set_cursor(batch.sender, batch.cursor)
            if not batch.more:
                met = max(latest, first_stamp(memory.clock()))
                rows.set_state(batch.sender, rows.state(batch.sender) | {"met": met})
        memory.committed(tx.committed)
    merge.done.purged = finish_purges(memory)
    return merge.done


def _caller(memory: "Runtime") -> Caller:
    return memory.caller.within("sync", "sync")


def _count(memory: "Runtime", rows: "RegisterRows", name: str, merge: Merge, limits: Limits) -> None:
    """Count what a peer brought and took away, and stop it where that is too much."""
    state, now, sender = rows.state(merge.batch.sender), memory.clock(), merge.batch.sender
    if merge.gone:
        live = memory.store.counts()["live_memories"]
        deletions.check(name, state, now, len(merge.gone), live, limits)
        deletions.count(state, "deleted", now, len(merge.gone))
    if merge.brought:
        deletions.count(state, "brought", now, merge.brought)
    if merge.gone or merge.brought:
        rows.set_state(sender, state)


def finish_purges(memory: "Runtime") -> int:
    """Delete for good what was so elsewhere and is still here, as after a batch, or a kill in the middle of one."""
    with memory.store.registers.opened() as rows, memory.store.snapshot() as seen:
        rows.catch_up(seen)
        left = seen.nodes(seen.existing(rows.all_purged()))
    count = 0
    for node in sorted(left, key=lambda node: (node.kind != NodeKind.MEMORY, node.id)):
        if memory.store.existing([node.id]):  # else it went with another
            forget(memory, node.id, "user_requested", soft=False, caller=_caller(memory))
            count += node.kind == NodeKind.MEMORY
    return count
