"""`context-graph hook capture`: the host waits for it, so it is quick, prints nothing, and never fails."""

import os
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from context_graph.errors import ContextGraphError, InvalidInput

__all__ = ["captured", "start_worker"]

READING_SECONDS = 2.0
DEADLINE_SECONDS = 5.0
"""After which it ends whatever holds it up; the host would wait for ten."""

MAX_HOOK_BYTES = 8_388_608  # bytes
TOO_LATE = (
    f"context-graph hook: gave up after {DEADLINE_SECONDS:.0f} s; the next turn brings what the transcript holds\n"
)


def captured(arguments: Sequence[str]) -> int:
    """Put what the host tells into the spool and start a worker; returns 0, for 2 would block the user's prompt."""
    try:
        with _undisturbed():
            _capture(arguments)
    except (ContextGraphError, OSError) as error:
        _complain(str(error))
    except Exception as error:  # a host must not suffer from a defect of its memory
        _complain(f"a defect: {type(error).__name__}: {error}; please report it")
    return 0


def _capture(arguments: Sequence[str]) -> None:
    from context_graph.cli.capture.hook import parser
    from context_graph.connectors.claude_code.hook_event import noticed
    from context_graph.connectors.claude_code.spool import put

    parsed = parser().parse_args(["capture", *arguments])
    home, kinds = _home(parsed.home)
    notice = noticed(_told(), at=time.time_ns() // 1_000, agent=parsed.agent, kinds=kinds)
    if notice is not None:
        put(home, notice.to_json())
        os.nice(10)  # nobody waits for the worker, which inherits it
        start_worker(home, parsed.tier)


def start_worker(home: Path, tier: str | None) -> None:
    """Store what waits in a process of its own, unless one is at it; it outlives the host and whoever started it."""
    from context_graph.connectors.claude_code.spool import busy

    if busy(home):
        return
    import subprocess

    command = [sys.executable, "-P", "-m", "context_graph.cli", "hook", "drain", "--home", str(home)]
    worker = subprocess.Popen(
        command + (["--tier", tier] if tier else []),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        cwd=home, start_new_session=True,
    )  # fmt: skip
    worker.returncode = 0  # nobody waits for it


def _home(given: Path | None) -> tuple[Path, frozenset[str]]:
    """The home, whole, and the kinds of text that are replaced; a wrong config file is the worker's to tell."""
    from context_graph.settings import Settings, home_of, load_settings

    home = Path(os.path.abspath(home_of(given)))
    try:
        return home, load_settings({"home": home})[0].redacted
    except (InvalidInput, OSError):
        return home, Settings().redacted


def _told() -> object:
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
