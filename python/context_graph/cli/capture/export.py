"""`context-graph export`."""

import argparse
import os
import secrets
import sys
from collections.abc import Iterable
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
    from context_graph.connectors.jsonl.exporter import export

    with opened(parsed) as memory:
        lines = export(memory, vectors=not parsed.without_vectors)
        if parsed.path == "-":
            if parsed.json:
                raise InvalidInput("standard output can hold the export or --json, not both", field="path")
            if isinstance(sys.stdout, TextIOWrapper):
                sys.stdout.reconfigure(encoding="utf-8", newline="\n")
            sys.stdout.writelines(lines)
            return 0
        path = Path(parsed.path)
        count = _write(path, lines)
    data = {"path": str(path), "lines": count, "bytes": path.stat().st_size}
    show(parsed, data, f"wrote {count} lines, {data['bytes']:,} bytes, to {path}")
    return 0


def _write(path: Path, lines: Iterable[str]) -> int:
    """Write a file whole or not at all, never over another one, readable by its owner alone."""
    if path.exists():
        raise InvalidInput(f"{path} exists already, and an export replaces no file; choose another name", field="path")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(
            os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8", newline="\n"
        ) as file:
            count = 0
            for line in lines:
                file.write(line)
                count += 1
            file.flush()
            os.fsync(file.fileno())
        os.link(partial, path)
        return count
    finally:
        partial.unlink(missing_ok=True)
