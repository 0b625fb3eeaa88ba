"""Folders of documents that a process watches: a changed file is in the graph within a second."""

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from context_graph.connectors.folder.documents import MARKDOWN
from context_graph.connectors.folder.graph import generate
from context_graph.connectors.folder.watching import changed_paths
from context_graph.errors import ContextGraphError, InvalidInput
from context_graph.knowledge.project import folder_in, project_root
from context_graph.models import Microseconds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_graph.knowledge.running import Workflow
    from context_graph.runtime import Runtime

__all__ = ["Watched", "last_activity", "stop_watching", "watch_documents", "watched"]

MAX_WATCHED_FOLDERS = 8
BY_THE_SYSTEM = "the system tells of changes"


@dataclass(slots=True)
class Watched:
    """A folder that is watched, and what came of it.

    Attributes
    ----------
    how : str
        Whether the system tells of changes, or why all files are looked at instead.
    runs : int
        Times that changed documents were read.
    problem : str
        Why the last changes were not read; empty where they were.
    """

    path: str
    how: str = BY_THE_SYSTEM
    runs: int = 0
    added: int = 0
    updated: int = 0
    removed: int = 0
    last_change: Microseconds = 0
    problem: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)


_watched: "WeakKeyDictionary[Runtime, dict[str, Watched]]" = WeakKeyDictionary()
_starting = threading.Lock()
"""Held while a folder is added to those that are watched, or taken off."""


def watched(memory: "Runtime") -> list[Watched]:
    """The folders that this process watches."""
    return sorted(_watched.get(memory, {}).values(), key=lambda one: one.path)


def last_activity(memory: "Runtime", runs: "Iterable[Workflow]") -> Microseconds:
    """When a workflow or a watched folder last did something; else since when the memory is open."""
    moments = (*(one.last_event_at for one in runs), *(one.last_change for one in watched(memory)))
    return max((memory.started_at, *moments))


def watch_documents(memory: "Runtime", paths: tuple[str, ...], *, polling: bool = False) -> None:
    """Watch folders of the project until the memory is closed; those that are watched already go on."""
    root = project_root(memory)
    with _starting:
        folders = _watched.setdefault(memory, {})
        for path in paths:
            name = folder_in(root, path, field="watchPaths").relative_to(root).as_posix()
            if name in folders:
                continue
            if len(folders) >= MAX_WATCHED_FOLDERS:
                raise InvalidInput(
                    f"at most {MAX_WATCHED_FOLDERS} folders are watched at once: {', '.join(folders)}; sync with an "
                    "empty watchPaths ends that",
                    field="watchPaths",
                )
            folders[name] = Watched(name)
            arguments = (memory, folders[name], polling)
            threading.Thread(target=_follow, args=arguments, name=f"context-graph-watch {name}", daemon=True).start()


def stop_watching(memory: "Runtime") -> None:
    """Watch nothing any more."""
    with _starting:
        for one in _watched.pop(memory, {}).values():
            one.stop.set()


def _follow(memory: "Runtime", one: Watched, polling: bool) -> None:
    """Read what changes, until the folder is watched no longer."""

    def told(text: str) -> None:
        one.how = text

    if polling:
        told("all files are looked at several times a second, as was asked for")
    folder = project_root(memory) / one.path
    waits = False
    for paths in changed_paths(folder, folder, one.stop, polling, told):
        if one.stop.is_set():
            break
        if waits or not one.begun.is_set() or any(_may_be_read(path) for path in paths):
            waits = not _read(memory, one)
        one.begun.set()
    one.begun.set()


def _may_be_read(path: str) -> bool:
    """Whether a change of a path may change the graph: a document, a folder, or the rules of what is left out."""
    name = path.rpartition("/")[2]
    return "." not in name[1:] or name == ".gitignore" or any(name.lower().endswith(suffix) for suffix in MARKDOWN)


def _read(memory: "Runtime", one: Watched) -> bool:
    """Bring the graph up to date; False where it could not be, and is tried again with the next look."""
    try:
        run = generate(memory, one.path, incremental=True)
    except ContextGraphError as error:
        one.problem = str(error)
        return False
    one.problem = ""
    if run.added or run.updated or run.removed:
        one.runs += 1
        one.added, one.updated, one.removed = (
            one.added + run.added,
            one.updated + run.updated,
            one.removed + run.removed,
        )
        one.last_change = memory.clock()
    return True
