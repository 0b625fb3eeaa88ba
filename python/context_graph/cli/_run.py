"""What all commands share: options, the memory they open, output, and errors in plain words."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, NoReturn

from context_graph.errors import ContextGraphError, InvalidInput, NodeNotFound, ToolNotFound

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.models import Node
    from context_graph.settings import Settings

__all__ = ["all_cores", "misused", "node_named", "opened", "options", "run", "settings_of", "show", "whole_number"]

FAILED, MISUSED = 1, 2


class Options(argparse.ArgumentParser):
    """A parser whose complaints are errors of ours: one line for a person, JSON for a program."""

    def error(self, message: str) -> NoReturn:
        raise InvalidInput(message, hint=f"{self.prog} --help explains it")


def options(name: str, text: str, *, example: str) -> Options:
    """The parser of a command, with the options that every command has."""
    parser = Options(
        prog=f"context-graph {name}", description=text, epilog=f"example: {example}", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    if name != "serve":  # whose standard output belongs to the protocol
        parser.add_argument("--json", action="store_true", help="print JSON, also for an error")
    parser.add_argument("--home", type=Path, help="directory of the memory (default ~/.context-graph)")
    parser.add_argument("--tier", choices=("auto", "base", "minilm"), help="embedding tier")
    return parser


def whole_number(least: int, most: int):
    """An argument type: a whole number between two bounds."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got {text[:20]!r}")
        return int(text)

    return read


def run(name: str, arguments: Sequence[str]) -> int:
    """Parse and run a command; whatever fails becomes one line on standard error."""
    prog = f"context-graph {name}"
    try:
        module = import_module(f"context_graph.cli.{name}")
        return module.run(module.parser().parse_args(arguments)) or 0
    except SystemExit as leave:  # --help has been printed, or the server has ended
        return leave.code if isinstance(leave.code, int) else 0
    except (InvalidInput, ToolNotFound) as error:
        return misused(prog, _told(error), arguments, error.code)
    except ContextGraphError as error:
        return _ended(prog, _told(error), arguments, error.code, FAILED)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _ended(prog, f"{where}{error.strerror or error}", arguments, "OS_ERROR", FAILED)
    except Exception as error:  # a defect: its place is worth more to a person than forty lines of frames
        frame = extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        text = f"a defect at {where}: {type(error).__name__}: {error}; please report it"
        return _ended(prog, text, arguments, "DEFECT", FAILED)


def misused(prog: str, message: str, arguments: Sequence[str], code: int | str = InvalidInput.code) -> int:
    """Say how a command was misused."""
    return _ended(prog, message, arguments, code, MISUSED)


def _told(error: ContextGraphError) -> str:
    return f"{error}; {error.hint}" if error.hint else str(error)


def _ended(prog: str, message: str, arguments: Sequence[str], code: int | str, status: int) -> int:
    if "--json" in arguments and "serve" not in prog:
        print(json.dumps({"error": {"code": code, "message": message}}, ensure_ascii=False))
    print(f"{prog}: {' '.join(message.split())}", file=sys.stderr)
    return status


def settings_of(parsed: argparse.Namespace, **flags: Any) -> "Settings":
    """The settings, where options beat the environment and the file."""
    from context_graph.settings import load_settings

    return load_settings({"home": parsed.home, "tier": parsed.tier, **flags})[0]


def all_cores(parsed: argparse.Namespace) -> int | None:
    """Threads for work that a person waits for: all cores, or None where a setting says how many."""
    from context_graph.settings import load_settings

    origin = load_settings({"home": parsed.home, "tier": parsed.tier})[1]["threads"]
    return min(8, os.cpu_count() or 1) if origin == "default" else None


@contextmanager
def opened(parsed: argparse.Namespace, **flags: Any) -> Iterator["Memory"]:
    """The memory of the chosen directory, for as long as the command runs."""
    from context_graph.memory import Memory

    with Memory(settings_of(parsed, **flags)) as memory:
        yield memory


def node_named(memory: "Memory", text: str) -> "Node":
    """The node whose id, or citation tag, begins so; forgotten ones too."""
    digits = text.strip().strip("[]").removeprefix("node_").replace("-", "").lower()
    if not 6 <= len(digits) <= 32 or digits.strip("0123456789abcdef"):
        raise InvalidInput(
            f"expected the id of a memory or a tag such as node_0193a4b2c1, got {text[:60]!r}", field="node",
            hint="context-graph search shows tags",
        )  # fmt: skip
    found = memory.store.find_by_prefix(digits, limit=3)
    if not found:
        raise NodeNotFound(f"no memory has an id that begins with {digits}; context-graph search shows tags")
    if len(found) > 1:
        raise InvalidInput(f"several ids begin with {digits}: {', '.join(node.id for node in found)}; give more digits")
    return found[0]


def show(parsed: argparse.Namespace, data: Any, text: str) -> None:
    """Print the same thing for a program or for a person."""
    print(json.dumps(data, indent=1, ensure_ascii=False) if parsed.json else text)
