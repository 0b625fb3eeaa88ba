"""`context-graph call`."""

import argparse
import json
import sys

from context_graph.cli._run import opened, options
from context_graph.errors import InvalidInput


def parser() -> argparse.ArgumentParser:
    found = options(
        "call", "Call a tool and print its answer.", example="""context-graph call search_graph '{"query": "clarinet"}'"""
    )
    found.add_argument("tool", help="its name; context-graph tools lists them")
    found.add_argument("arguments", nargs="?", default="{}", help="a JSON object, or - to read it from standard input")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.server.dispatch import call

    text = sys.stdin.read() if parsed.arguments == "-" else parsed.arguments
    try:
        arguments = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidInput(f"arguments must be a JSON object: {error}") from error
    if not isinstance(arguments, dict):
        raise InvalidInput(f"arguments must be a JSON object, got {type(arguments).__name__}")
    with opened(parsed) as memory:
        outcome = call(memory, parsed.tool, arguments)
    if outcome.is_error and not parsed.json:
        print(outcome.structured["error"]["message"], file=sys.stderr)
    else:
        print(json.dumps(outcome.structured, indent=1, ensure_ascii=False))
    return 1 if outcome.is_error else 0
