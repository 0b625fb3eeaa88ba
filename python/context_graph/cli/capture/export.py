"""`context-graph export`."""

import argparse
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import InvalidInput

if TYPE_CHECKING:
    from context_graph.memory import Memory

EXAMPLE = "context-graph export memory.jsonl"
NAMED = 5
"""Files that are named to a person; `--json` names all."""


def parser() -> argparse.ArgumentParser:
    text = "Write all memories as JSON Lines, which import reads back exactly, or as a folder of Markdown to edit."
    found = options("export", text, example=EXAMPLE)
    found.add_argument("path", help="a file that does not exist yet, or - for standard output; a folder for markdown")
    found.add_argument("--format", choices=("jsonl", "markdown"), default="jsonl", help="markdown opens in Obsidian")
    found.add_argument("--without-vectors", action="store_true", help="a tenth of the size; import embeds anew")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.connectors.jsonl.exporter import export, write_file

    with opened(parsed) as memory:
        if parsed.format == "markdown":
            return _folder(memory, parsed)
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


def _folder(memory: "Memory", parsed: argparse.Namespace) -> int:
    from context_graph.connectors.markdown.exporter import write_folder

    if parsed.path == "-":
        raise InvalidInput("markdown is a folder, which standard output cannot hold; name one", field="path")
    done = write_folder(memory, Path(parsed.path))
    files = f"{done.written} files written, {done.unchanged} unchanged, {done.removed} removed"
    lines = [f"{done.memories} memories and {done.concepts} concepts in {done.path}: {files}"]
    if done.restored:
        files = "1 file" if len(done.restored) == 1 else f"{len(done.restored)} files"
        lines.append(f"{files} deleted here and written again, as what they say is still remembered; to forget it,")
        lines.append(f"delete them again and run context-graph import {done.path} --forget-missing")
        lines += done.restored[:NAMED]
    if len(done.restored) > NAMED:
        lines.append(f"and {len(done.restored) - NAMED} more; --json names them")
    lines += [f"{path} stays as it is: {reason}" for path, reason in done.kept[:NAMED]]
    if len(done.kept) > NAMED:
        lines.append(f"{len(done.kept) - NAMED} more files stay as they are; --json names them")
    show(parsed, done.to_dict(), "\n".join(lines))
    return 0
