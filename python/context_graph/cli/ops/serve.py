"""`context-graph serve`."""

import argparse

from context_graph.cli._opening import settings_of
from context_graph.cli._options import options


def parser() -> argparse.ArgumentParser:
    text = "Run the MCP server on standard input and output."
    found = options("serve", text, example="context-graph serve --tools all")
    found.add_argument("--tools", help="tools to list: core (default), all, or names separated by commas")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.server import serve

    serve(settings_of(parsed, tools=parsed.tools))
    return 0
