"""A folder that is watched: each change of it is brought to the memory when it happens."""

import os
import time
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.listing import is_hidden
from context_graph.connectors.folder.parts import Survey
from context_graph.connectors.folder.readings import Readings
from context_graph.connectors.folder.seeding import Step, seed
from context_graph.errors import ContextGraphError

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Refresh", "changed_paths", "watch"]

DEBOUNCE_MS, STEP_MS, WAIT_MS = 200, 40, 500
"""How long changes are gathered at most, how long none must come, how often it is looked whether to stop."""

POLL_S = 0.4
"""Between two looks at all files, where the system tells of no changes."""

LOOKING = "all files are looked at several times a second"

RULES = ".gitignore"
"""A file whose change may change what is read of all others."""

Batches = Iterator[Set[str]]
"""Paths that changed, again and again; an empty set where none did for a while."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """What became of some changes.

    Attributes
    ----------
    problem : str
        Why nothing was done; empty where it was.
    """

    inventory: Survey
    steps: tuple[Step, ...]
    seconds: float
    problem: str = ""


def watch(
    memory: "Runtime",
    source: Path,
    *,
    stop: Event,
    polling: bool = False,
    notice: Callable[[str], None] = lambda text: None,
) -> Iterator[Refresh]:
    """Follow a folder or file until `stop` is set or Ctrl-C is pressed; yields what changed in the memory.

    It begins with what changed before it watched. Of later changes only the files concerned are read.

    Parameters
    ----------
    polling : bool
        Look at all files several times a second, where the system tells of no changes, as on some network disks.
    notice : callable
        Takes a line for the user: that it looks at all files, and why.
    """
    root = source.resolve()
    folder = root if root.is_dir() else root.parent
    begun, young = False, set[str]()
    for paths in changed_paths(root, folder, stop, polling, notice):
        if young or paths or not begun:
            yield from _refreshed(memory, root, folder, paths | young if begun else None)
        # A folder that appeared is looked at twice: what came into it before it was watched is told by nobody.
        begun, young = True, {path for path in paths if (folder / path).is_dir()}


def changed_paths(root: Path, folder: Path, stop: Event, polling: bool, notice: Callable[[str], None]) -> Batches:
    """The paths below a folder that change, as the system tells of them, else as a look at all files shows."""
    if not polling and root == folder and (link := _link_out(folder)):
        notice(f"{LOOKING}: {link} leads out of the folder, and the system would follow it")
        polling = True
    if not polling:
        try:
            yield from _told(root, folder, stop)
            return
        except ImportError:
            notice(f"{LOOKING}; the extra [watch] hears of changes instead")
        except (OSError, RuntimeError) as error:  # the limit of watches is reached, or there is no such service
            notice(f"{LOOKING}: the system tells of no changes here ({error})")
    known = _stamps(root, folder)
    yield set()
    while not stop.wait(POLL_S):
        before, known = known, _stamps(root, folder)
        yield {path for path in before.keys() | known.keys() if before.get(path) != known.get(path)}


def _link_out(folder: Path) -> str:
    """A link of a folder to one outside it; empty where there is none."""
    inside = os.path.join(os.path.realpath(folder), "")
    for top, names, _ in os.walk(folder):
        for name in names:
            place = os.path.join(top, name)
            if os.path.islink(place) and not os.path.realpath(place).startswith(inside):
                return os.path.relpath(place, folder)
    return ""


def _told(root: Path, folder: Path, stop: Event) -> Batches:
    from watchfiles import watch as changes_of

    def wanted(_: object, path: str) -> bool:
        place = Path(path)
        if root != folder:
            return place == root
        inner = place.relative_to(folder).parts if place.is_relative_to(folder) else ()
        return bool(inner) and not any(is_hidden(name) for name in inner if name != RULES)

    for batch in changes_of(
        folder, watch_filter=wanted, debounce=DEBOUNCE_MS, step=STEP_MS, stop_event=stop, rust_timeout=WAIT_MS,
        yield_on_timeout=True, force_polling=False, recursive=root == folder,
    ):  # fmt: skip
        yield {Path(path).relative_to(folder).as_posix() for _, path in batch}


def _stamps(root: Path, folder: Path) -> dict[str, tuple[int, int]]:
    """When each file changed last, and its size."""
    stamps = {}
    for top, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if root == folder and not is_hidden(name)]
        for name in files:
            place = Path(top, name)
            if (is_hidden(name) and name != RULES) or root not in (folder, place):
                continue
            try:
                status = place.stat()
            except OSError:
                continue
            stamps[place.relative_to(folder).as_posix()] = (status.st_mtime_ns, status.st_size)
    return stamps


def _refreshed(memory: "Runtime", root: Path, folder: Path, paths: Set[str] | None) -> Iterator[Refresh]:
    """One refresh, where anything changed."""
    started = time.perf_counter()
    whole = paths is None or root != folder or any(Path(path).name == RULES for path in paths)
    try:
        if whole:
            inventory = survey(root, missing=True, readings=Readings.of(memory.settings))
        else:
            inventory = survey(root, missing=True, only=_files(folder, paths or set()))
        steps = tuple(step for step in seed(memory, inventory) if step.change != "unchanged")
    except ContextGraphError as error:
        yield Refresh(Survey(root, folder), (), time.perf_counter() - started, str(error))
        return
    if steps:
        yield Refresh(inventory, steps, time.perf_counter() - started)


def _files(folder: Path, paths: Set[str]) -> set[str]:
    """Changed files; of a folder that appeared, those in it."""
    files: set[str] = set()
    for path in paths:
        place = folder / path
        if place.is_dir() and not place.is_symlink():
            files |= {each.relative_to(folder).as_posix() for each in place.rglob("*")}
        files.add(path)
    return files
