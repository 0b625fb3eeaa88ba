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
    from context_graph.presentation.counts import memories_in_words

    if not parsed.path.exists():
        raise UnusablePath(f"expected a file made by context-graph backup, {parsed.path} does not exist", field="path")
    with opened(parsed, make=True) as memory:
        done = memory.store.restore(parsed.path, memory.author(memory.caller))
        counts = memory.store.counts()
    data = {
        "events": done.events, "memories": counts["memories"], "forgotten": counts["forgotten"],
        "before": str(done.kept) if done.kept else None,
    }  # fmt: skip
    text = f"restored {memories_in_words(counts)}, {done.events} events"
    if done.kept:
        text += f"; what was there before is {done.kept}"
    show(parsed, data, text)
    return 0
