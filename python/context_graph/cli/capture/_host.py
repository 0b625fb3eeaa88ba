"""What every hook shares: its host waits for it, so it is quick, and it never fails."""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from context_graph.errors import ContextGraphError, InvalidInput

__all__ = ["event_input", "guarded", "home_and_kinds", "in_background"]

READING_SECONDS = 2.0
DEADLINE_SECONDS = 5.0
"""After which it ends whatever holds it up; the host would wait for ten."""

MAX_HOOK_BYTES = 8_388_608  # bytes
TOO_LATE = (
    f"context-graph hook: gave up after {DEADLINE_SECONDS:.0f} s; the next turn brings what the transcript holds\n"
)


def guarded(hook: Callable[[], None]) -> int:
    """Run a hook to its end or its deadline; returns 0, for 2 would block the user's prompt."""
    try:
        with _undisturbed():
            hook()
    except (ContextGraphError, OSError) as error:
        _complain(str(error))
    except Exception as error:  # a host must not suffer from a defect of its memory
        _complain(f"a defect: {type(error).__name__}: {error}; please report it")
    return 0


def in_background(action: str, home: Path, tier: str | None) -> None:
    """Run `context-graph hook ACTION` in a process of its own, which outlives the hook and whoever started it."""
    import subprocess

    command = [sys.executable, "-P", "-m", "context_graph.cli", "hook", action, "--home", str(home)]
    process = subprocess.Popen(
        command + (["--tier", tier] if tier else []),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        cwd=home, start_new_session=True,
    )  # fmt: skip
    process.returncode = 0  # nobody waits for it


def home_and_kinds(given: Path | None) -> tuple[Path, frozenset[str]]:
    """The home, whole, and the kinds of text that are replaced; a wrong config file is the worker's to tell."""
    from context_graph.settings import Settings, home_of, load_settings

    home = Path(os.path.abspath(home_of(given)))
    try:
        return home, load_settings({"home": home})[0].redacted
    except (InvalidInput, OSError):
        return home, Settings().redacted


def event_input() -> object:
    """The JSON object on standard input."""
    import json

    data = _input()
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"expected one JSON object on standard input, got {len(data)} bytes that are none"
        ) from error


def _input() -> bytes:
    """Standard input to its end, for a time and up to a size; what came until then is given back."""
    deadline, pieces, size = time.monotonic() + READING_SECONDS, [], 0
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([0], [], [], left)[0]:
            break
        piece = os.read(0, 65_536)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if size > MAX_HOOK_BYTES:
            raise InvalidInput(f"expected at most {MAX_HOOK_BYTES} bytes; the transcript brings what is longer")
    return b"".join(pieces)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No signal ends it before the notice is written, and no file system holds it for ever."""
    kinds = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGALRM)
    before = [signal.signal(kind, _give_up if kind == signal.SIGALRM else _ignore) for kind in kinds]
    signal.setitimer(signal.ITIMER_REAL, DEADLINE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for kind, usual in zip(kinds, before, strict=True):
            signal.signal(kind, usual)


def _ignore(number: int, frame: FrameType | None) -> None:
    """The host may stop its hooks early; unlike SIG_IGN, this is not handed down to the worker."""


def _give_up(number: int, frame: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, TOO_LATE.encode())
    os._exit(0)


def _complain(text: str) -> None:
    with suppress(OSError):  # standard error may be closed, and sys.stderr None
        os.write(2, f"context-graph hook: {' '.join(text.split())}\n".encode("utf-8", "replace"))
