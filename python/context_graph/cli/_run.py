"""Running one command: whatever fails becomes one line, and an exit code."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from traceback import extract_tb

from context_graph.advice import COMMANDS, worded
from context_graph.cli._output import complain, show_json
from context_graph.errors import (
    ContextGraphError,
    InvalidInput,
    NameTaken,
    NotFound,
    Refused,
    ToolNotFound,
    UnusablePath,
)

__all__ = ["misused", "run"]

FAILED, MISUSED = 1, 2
PARTED = ("split it and link the parts with link_to", "split it, or write it into a file for context-graph seed")
"""What a text that is too long is advised by a program, and what a person is, whose commands link nothing."""

OF_TOOLS = ("context-graph call", "context-graph tools")
"""Commands whose errors speak of tools."""


def run(group: str, name: str, arguments: Sequence[str]) -> int:
    """Parse and run a command; whatever fails becomes one line on standard error."""
    prog = f"context-graph {name}"
    try:
        module = import_module(f"context_graph.cli.{group}.{name}")
        parsed = module.parser().parse_args(arguments)
        from context_graph.settings import calm_blas  # not for --help

        calm_blas()
        return module.run(parsed) or 0
    except SystemExit as leave:  # --help has been printed, or the server has ended
        return leave.code if isinstance(leave.code, int) else 0
    except (UnusablePath, NameTaken) as error:  # the line is right; what is there does not fit it
        return _ended(prog, _told(error, prog), arguments, error.code, FAILED)
    except (InvalidInput, ToolNotFound) as error:
        return misused(prog, _told(error, prog), arguments, error.code)
    except ContextGraphError as error:
        return _ended(prog, _told(error, prog), arguments, error.code, FAILED)
    except UnicodeEncodeError as error:
        return misused(prog, f"expected text that a file name can hold, got {ascii(error.object)[:60]}", arguments)
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


def _told(error: ContextGraphError, prog: str) -> str:
    text = f"{error}; {error.hint}" if error.hint else str(error)
    if prog in OF_TOOLS:
        return text
    return worded(text, COMMANDS) if isinstance(error, NotFound | Refused) else text.replace(*PARTED)


def _ended(prog: str, message: str, arguments: Sequence[str], code: int | str, status: int) -> int:
    if "--json" in arguments and prog != "context-graph serve":
        show_json({"error": {"code": code, "message": message}}, indent=None)
    complain(f"{prog}: {' '.join(message.split())}")
    return status
