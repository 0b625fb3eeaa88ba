"""`context-graph restore`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.cli._opening import opened, settings_of
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import StoreCorrupt, UnusablePath
from context_graph.instants import to_iso

if TYPE_CHECKING:
    from context_graph.store import Restored

EXAMPLE = "context-graph restore ~/.context-graph/backups/20261121T120000Z-backup.sqlite3"


def parser() -> argparse.ArgumentParser:
    text = (
        "Put a backup in the place of the store, which is kept as a backup; servers may go on. A store that is damaged "
        "is kept beside it, and servers must be started anew."
    )
    found = options("restore", text, example=EXAMPLE)
    meaning = "a file made by context-graph backup; without one, the backups of this home are listed"
    found.add_argument("path", type=Path, nargs="?", help=meaning)
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.presentation.counts import memories_in_words

    if parsed.path is None:
        return _list(parsed)
    if not parsed.path.exists():
        raise UnusablePath(f"expected a file made by context-graph backup, {parsed.path} does not exist", field="path")
    anew = ""
    try:
        with opened(parsed, make=True) as memory:
            done = memory.store.restore(parsed.path, memory.author(memory.caller))
    except StoreCorrupt:  # of the store, or of the backup: the second is checked again before anything is moved
        done = _recovered(parsed)
        anew = "; start servers of this home anew"
    with opened(parsed) as memory:
        counts = memory.store.counts()
    data = {
        "events": done.events, "memories": counts["memories"], "forgotten": counts["forgotten"],
        "before": str(done.kept) if done.kept else None,
    }  # fmt: skip
    text = f"restored {memories_in_words(counts)}, {done.events} events"
    if done.kept:
        text += f"; what was there before is {done.kept}"
    show(parsed, data, text + anew)
    return 0


def _recovered(parsed: argparse.Namespace) -> "Restored":
    """The backup in the place of a store that does not open."""
    from context_graph.models import Author
    from context_graph.runtime.runtime import new_id, now
    from context_graph.store import recover

    return recover(settings_of(parsed).home, parsed.path, Author(new_id()), clock=now, new_id=new_id)


def _list(parsed: argparse.Namespace) -> int:
    """The backups of the home, the newest first; the store is not opened, for it may be damaged."""
    from context_graph.store import backups

    home = settings_of(parsed).home
    entries = []
    for path in reversed(backups(home)):
        status = path.stat()
        entries.append({"path": str(path), "bytes": status.st_size, "at": to_iso(status.st_mtime_ns // 1_000)})
    lines = [f"{entry['at']}  {entry['bytes']:>13,} bytes  {entry['path']}" for entry in entries]
    if entries:
        lines.append(f"context-graph restore {entries[0]['path']} puts the newest in the place of the store")
    else:
        lines.append(
            f"no backup lies in {home / 'backups'}; context-graph restore FILE takes one from elsewhere, and where "
            "there is only an export, move graph.sqlite3 and last-write away and run context-graph import FILE"
        )
    show(parsed, entries, "\n".join(lines))
    return 0
