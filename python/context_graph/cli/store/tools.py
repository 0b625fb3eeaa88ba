"""`context-graph tools`."""

import argparse
from typing import Any

from context_graph.cli._options import options
from context_graph.cli._output import show


def parser() -> argparse.ArgumentParser:
    text = "List the tools that agents can call; --json adds their schemas."
    return options("tools", text, example="context-graph tools --json")


def run(parsed: argparse.Namespace) -> int:
    from context_graph.tools.registry import all_tools

    entries: list[dict[str, Any]] = [
        {"name": tool.name, "title": tool.title, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in all_tools()
    ]
    show(parsed, entries, "\n".join(f"{entry['name']:<26} {entry['description'].splitlines()[0]}" for entry in entries))
    return 0
