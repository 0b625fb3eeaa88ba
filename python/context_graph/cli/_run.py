"""What all commands share: options, settings, output, and errors in plain words."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_graph.errors import ContextGraphError
from context_graph.settings import Settings, load_settings

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["opened", "options", "run", "settings_of", "show"]

FAILED, MISUSED = 1, 2


def options(name: str, text: str, *, example: str) -> argparse.ArgumentParser:
    """The parser of a command, with the options that every command has."""
    parser = argparse.ArgumentParser(
        prog=f"context-graph {name}", description=text, epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--home", type=Path, help="directory of the memory (default ~/.context-graph)")
    parser.add_argument("--tier", choices=("auto", "base", "minilm"), help="embedding tier")
    return parser


def run(name: str, arguments: Sequence[str]) -> int:
    """Parse and run a command; every expected failure becomes one line on standard error."""
    module = import_module(f"context_graph.cli.{name}")
    try:
        parsed = module.parser().parse_args(arguments)
    except SystemExit as leave:  # argparse has said what was wrong
        return MISUSED if leave.code else 0
    try:
        return module.run(parsed) or 0
    except ContextGraphError as error:
        message = f"{error}; {error.hint}" if error.hint else str(error)
        if parsed.json:
            print(json.dumps({"error": {"code": error.code, "message": message}}))
        print(f"context-graph {name}: {message}", file=sys.stderr)
        return MISUSED if error.code == -32602 else FAILED
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of a pipe has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def settings_of(parsed: argparse.Namespace) -> Settings:
    return load_settings({"home": parsed.home, "tier": parsed.tier})[0]


@contextmanager
def opened(parsed: argparse.Namespace, **changes: Any) -> Iterator["Memory"]:
    """The memory of the chosen directory, for as long as the command runs."""
    from context_graph.memory import Memory

    with Memory(settings_of(parsed), **changes) as memory:
        yield memory


def show(parsed: argparse.Namespace, data: Any, text: str) -> None:
    """Print the same thing for a program or for a person."""
    print(json.dumps(data, indent=1, ensure_ascii=False) if parsed.json else text)
