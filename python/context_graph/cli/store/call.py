"""`context-graph call`."""

import argparse
import json
import sys
from typing import Any

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import complain, show_json
from context_graph.errors import InvalidInput

EXAMPLE = """context-graph call search_graph '{"query": "clarinet"}'"""


def parser() -> argparse.ArgumentParser:
    found = options("call", "Call a tool and print its answer as JSON.", example=EXAMPLE)
    found.add_argument("tool", help="its name; context-graph tools lists them")
    found.add_argument("arguments", nargs="?", default="{}", help="a JSON object, or - to read it from standard input")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.server.dispatch import call

    arguments = _object(sys.stdin.read() if parsed.arguments == "-" else parsed.arguments)
    with opened(parsed, make=True) as memory:
        outcome = call(memory, parsed.tool, arguments)
    if not outcome.is_error or parsed.json:
        show_json(outcome.structured)
    if not outcome.is_error:
        return 0
    error = outcome.structured["error"]
    if isinstance(error, str):  # of a tool whose answers have a status
        error = outcome.structured["details"]
    told = "; ".join(text for text in (error["message"], error["hint"]) if text)
    complain(f"context-graph call: {told}")
    return 2 if error["code"] == InvalidInput.code else 1


def _object(text: str) -> dict[str, Any]:
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"arguments must be a JSON object: {error}") from error
    if not isinstance(arguments, dict):
        raise InvalidInput(f"arguments must be a JSON object, got {type(arguments).__name__}")
    return arguments
