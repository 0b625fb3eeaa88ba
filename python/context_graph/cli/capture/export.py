"""`context-graph export`."""

import argparse
import sys
from io import TextIOWrapper
from pathlib import Path

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import InvalidInput

EXAMPLE = "context-graph export memory.jsonl"


def parser() -> argparse.ArgumentParser:
    found = options("export", "Write all memories as JSON Lines, which import reads back exactly.", example=EXAMPLE)
    found.add_argument("path", help="a file that does not exist yet, or - for standard output")
    found.add_argument("--without-vectors", action="store_true", help="a tenth of the size; import embeds anew")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.connectors.jsonl.exporter import export, write_file

    with opened(parsed) as memory:
        if parsed.path == "-":
            if parsed.json:
                raise InvalidInput("standard output can hold the export or --json, not both", field="path")
            if isinstance(sys.stdout, TextIOWrapper):
                sys.stdout.reconfigure(encoding="utf-8", newline="\n")
            sys.stdout.writelines(export(memory, vectors=not parsed.without_vectors))
            return 0
        done = write_file(memory, Path(parsed.path), vectors=not parsed.without_vectors)
    show(parsed, done.to_dict(), f"wrote {done.lines} lines, {done.bytes:,} bytes, to {done.path}")
    return 0
