"""Taking back what was written: by its hash, by the memory that it changed, or the last thing that somebody wrote."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from context_graph.access import shown
from context_graph.citations import is_tag
from context_graph.errors import ReversalNotFound
from context_graph.ingest.forget import Restored, restore
from context_graph.models import Caller, Event
from context_graph.store import note_of, noted_nodes

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["undo"]

NEVER_UNDONE = ("effects", "checkpoint", "purge", "restored")
UNASKED = ("read", "embedded")
"""What the background writes in the name of whoever opened the memory."""

EVENTS_AT_ONCE = 100
MAX_WRITES = 1_000


def undo(memory: "Runtime", what: str | None, caller: Caller, *, preview: bool = False) -> Restored:
    """Take back one write, by a write of its own.

    Parameters
    ----------
    what : str, optional
        The hash of a write, or the id or tag of a memory: the last write about it that stands, and with it all that
        was written together. Without, the last write of the caller that stands: another call takes back the one before.
    """
    if what is None:
        event = _standing(event for event in _events(memory) if _wrote(memory, caller, event))
        if event is None:
            raise ReversalNotFound(
                "this session wrote nothing that could be taken back; undo(hash) takes back any write, and "
                "history(id) names the writes of a memory"
            )
    elif is_tag(what) or "-" in what:
        node = shown(memory, what, caller, field="what", forgotten=True)
        event = _standing(one for one in reversed(memory.store.lineage(node.id, MAX_WRITES)) if _about(one, node.id))
        if event is None:
            raise ReversalNotFound(
                f"no write about {node.id} stands; history(id) names every write, and undo takes a hash of it"
            )
    else:
        event = memory.store.event(what)  # an unknown hash is told in the words of the log
    return restore(memory, event.hash, preview=preview, only=None, caller=caller)


def _events(memory: "Runtime") -> Iterator[Event]:
    """The log, newest first."""
    before = None
    while page := memory.store.events(EVENTS_AT_ONCE, before):
        yield from page
        before = page[-1].seq


def _wrote(memory: "Runtime", caller: Caller, event: Event) -> bool:
    author = memory.author(caller)
    return author.context_id == event.author.context_id or author.session_id == event.author.session_id


def _about(event: Event, node_id: str) -> bool:
    """Whether an event is about a node, not about another that it was linked with; undos are all looked at."""
    return event.type == "undo" or node_id in {*noted_nodes(event), *noted_nodes(event, "sources")}


def _standing(newest_first: Iterable[Event]) -> Event | None:
    """The first that is no undo and was not undone itself."""
    undone: set[str] = set()
    for event in newest_first:
        if event.type in (*NEVER_UNDONE, *UNASKED) or event.id in undone:
            continue
        if event.type != "undo":
            return event
        undone.add(str(note_of(event).get("undoes")))
    return None
