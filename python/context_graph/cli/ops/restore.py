"""`context-graph restore`."""

import argparse
from pathlib import Path

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import UnusablePath

EXAMPLE = "context-graph restore ~/.context-graph/backups/20261121T120000Z-backup.sqlite3"


def parser() -> argparse.ArgumentParser:
    text = "Put a backup in the place of the store, which is kept as a backup; servers may go on."
    found = options("restore", text, example=EXAMPLE)
    found.add_argument("path", type=Path, help="a file made by context-graph backup")
    return found


def run(parsed: argparse.Namespace) -> int:
    if not parsed.path.exists():
        raise UnusablePath(f"expected a file made by context-graph backup, {parsed.path} does not exist", field="path")
    with opened(parsed, make=True) as memory:
        done = memory.store.restore(parsed.path, memory.author(memory.caller))
        memories = memory.store.counts()["memories"]
    data = {"events": done.events, "memories": memories, "before": str(done.kept) if done.kept else None}
    text = f"restored {memories} memories, {done.events} events"
    if done.kept:
        text += f"; what was there before is {done.kept}"
    show(parsed, data, text)
    return 0
