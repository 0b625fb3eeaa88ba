"""`context-graph serve`."""

import argparse

from context_graph.cli._run import options
from context_graph.settings import load_settings


def parser() -> argparse.ArgumentParser:
    found = options("serve", "Run the MCP server on standard input and output.", example="context-graph serve --tools all")
    found.add_argument("--tools", help="tools to list: core (default), all, or names separated by commas")
    found.add_argument("--transport", choices=("stdio",), default="stdio", help="only stdio is built")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.server import serve

    settings, _ = load_settings({"home": parsed.home, "tier": parsed.tier, "tools": parsed.tools})
    return serve(settings)
