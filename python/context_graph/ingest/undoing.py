"""Taking back what was written: by its hash, by the memory that it changed, or the last thing that somebody wrote."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from context_graph.access import shown
from context_graph.citations import is_tag
from context_graph.errors import Refused, ReversalNotFound
from context_graph.ingest.forget import Restored, restore
from context_graph.instants import DAY_US
from context_graph.models import Author, Caller, Event
from context_graph.store import note_of, noted_nodes, time_of

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["undo"]

NEVER_UNDONE = ("effects", "checkpoint", "purge", "restored")
UNASKED = ("read", "embedded", "calls")
"""What the background writes in the name of whoever opened the memory."""

EVENTS_AT_ONCE = 100
MAX_WRITES = 1_000
MILLISECOND = 1_000  # the log keeps its times in whole ones


def undo(memory: "Runtime", what: str | None, caller: Caller, *, preview: bool = False) -> Restored:
    """Take back one write, by a write of its own.

    Parameters
    ----------
    what : str, optional
        The hash of a write, or the id or tag of a memory: the last write about it that stands, and with it all that
        was written together. Without, the last write of the caller that stands: another call takes back the one before.
        One that leaves nothing to take back, as telling again what is known does, is passed over, and so is one whose
        content was permanently deleted since.
    """

    def back(event: Event) -> Restored:
        return restore(memory, event.hash, preview=preview, only=None, caller=caller)

    if what is None:
        author = memory.author(caller)
        standing = _standing(
            _events(memory, author), lambda event: event.type != "extracted" and (
                author.session_id == event.author.session_id or author.context_id == event.author.context_id
            ),
        )  # fmt: skip
        nothing = (
            "this session wrote nothing that could be taken back; undo(hash) takes back any write, and "
            "history(id) names the writes of a memory"
        )
    elif is_tag(what) or "-" in what:
        node = shown(memory, what, caller, field="what", forgotten=True)
        lineage = reversed(memory.store.lineage(node.id, MAX_WRITES))
        standing = _standing(lineage, lambda event: node.id in {*noted_nodes(event), *noted_nodes(event, "sources")})
        nothing = f"no write about {node.id} stands; history(id) names every write, and undo takes a hash of it"
    else:
        return back(memory.store.event(what))  # an unknown hash is told in the words of the log
    for event in standing:
        try:
            restored = back(event)
        except Refused:
            if note_of(event):
                raise
            continue  # its content was permanently deleted; what was written before it can still be taken back
        if restored.changed or restored.conflicts:
            return restored
    raise ReversalNotFound(nothing)


def _events(memory: "Runtime", author: Author) -> Iterator[Event]:
    """The log, newest first, as far back as this author may have written what can still be taken back."""
    since = memory.started_at - MILLISECOND
    if memory.store.session(author.session_id) is not None:  # one that goes on
        since = min(since, memory.clock() - memory.settings.undo_retention_days * DAY_US)
    before = None
    while page := memory.store.events(EVENTS_AT_ONCE, before):
        yield from (event for event in page if time_of(event.hlc) >= since)
        before = page[-1].seq
        if time_of(page[-1].hlc) < since:
            return


def _standing(newest_first: Iterable[Event], wanted: Callable[[Event], bool]) -> Iterator[Event]:
    """The wanted ones that are no undo and that nobody has undone."""
    undone: set[str] = set()
    for event in newest_first:
        if event.id in undone:
            continue
        if event.type == "undo":
            undone.add(str(note_of(event).get("undoes")))
        elif event.type not in (*NEVER_UNDONE, *UNASKED) and wanted(event):
            yield event
