"""`context-graph backup`."""

import argparse
from pathlib import Path

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import UnusablePath


def parser() -> argparse.ArgumentParser:
    found = options("backup", "Copy the store while servers go on writing.", example="context-graph backup")
    meaning = "a file that does not exist yet (default: one in the backups folder of the home)"
    found.add_argument("path", nargs="?", type=Path, help=meaning)
    return found


def run(parsed: argparse.Namespace) -> int:
    if parsed.path is not None and not parsed.path.absolute().parent.is_dir():
        raise UnusablePath(
            f"expected a file in a folder that is there, got {parsed.path}; make its folder first, or name another",
            field="path",
        )
    with opened(parsed) as memory:
        path = memory.store.backup(parsed.path)
    size = path.stat().st_size
    show(parsed, {"path": str(path), "bytes": size}, f"{path} holds the store, {size:,} bytes")
    return 0
