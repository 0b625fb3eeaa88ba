"""Storing what waits in the spool: one process at a time, every event until it is stored or moved aside."""

import os
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, BinaryIO

from context_graph.connectors.claude_code import spool
from context_graph.connectors.claude_code.hook_event import HookEvent
from context_graph.connectors.claude_code.ingest import Origin, keep
from context_graph.connectors.claude_code.ledger import Ledger, ledger_of
from context_graph.connectors.claude_code.transcript import Transcript, Turn, read
from context_graph.errors import ContextGraphError, InvalidInput, Refused
from context_graph.safety.pii import ALL_KINDS

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Drained", "drain"]

LARGEST_NOTICE = 4_194_304  # bytes; what is larger was not written by a hook
MAX_TRANSCRIPT_BYTES = (
    67_108_864  # read of a transcript at once, from its end: months of talk, or minutes of tool output
)
SLACK_US = 2_000_000  # the host may date its last line after it has called the hook
PATIENCE_US = 2_000_000
"""How long after the end of an answer its last message may take to reach the transcript."""


@dataclass(slots=True)
class Drained:
    """What became of the notices that waited.

    Attributes
    ----------
    counts : Counter
        As of `keep`, and the notices themselves.
    rejected : list of (Path, str)
        Moved aside, and why.
    busy : bool
        Another process is at it, and takes what waits.
    """

    counts: Counter[str] = field(default_factory=Counter)
    rejected: list[tuple[Path, str]] = field(default_factory=list)
    busy: bool = False


def drain(home: Path, memory_of: Callable[[], "Runtime"], *, kinds: Set[str] = ALL_KINDS) -> Drained:
    """Store all that waits, then look again: what came before the lease was let go belongs to this process.

    Parameters
    ----------
    memory_of : callable
        Opens the memory; not called where nothing new is said.
    kinds : set of str
        Sensitive text that is replaced, as the setting `redact` says.
    """
    done, stems = Drained(), set()

    def news() -> list[Path]:
        return [path for path in spool.waiting(home) if spool.stem_of(path) not in stems]

    while news() and not done.busy:
        with spool.lease(home) as held:
            done.busy = not held
            spool.sweep(home)
            while held and (found := news()):
                for path in found:
                    stems.add(spool.stem_of(path))
                    _take(home, path, memory_of, kinds, done)
    return done


def _take(home: Path, path: Path, memory_of: Callable[[], "Runtime"], kinds: Set[str], done: Drained) -> None:
    """Store one event and remove it; one that cannot be stored is moved aside, never tried for ever."""

    def reject(reason: str) -> None:
        done.rejected.append((spool.reject(path, reason), reason))

    try:
        path, attempt = spool.attempted(path)
    except FileNotFoundError:  # a person has removed it
        return None
    if attempt > spool.ATTEMPTS:
        return reject(f"{spool.ATTEMPTS} workers ended while they had it in hand")
    try:
        done.counts += _stored(home, _event_in(path), memory_of, kinds)
    except (InvalidInput, Refused) as error:
        reject(str(error))
    except (ContextGraphError, OSError, KeyboardInterrupt):  # the store, the model, the disk: not its fault
        spool.released(path)
        raise
    except Exception as error:  # the worker has no other edge, and the notices behind this one wait
        frame = extract_tb(error.__traceback__)[-1]
        reject(f"a defect at {Path(frame.filename).name}:{frame.lineno}: {type(error).__name__}: {error}")
    else:
        done.counts["notices"] += 1
        path.unlink()


def _event_in(path: Path) -> HookEvent:
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_NOTICE:
        raise InvalidInput(f"expected a file of at most {LARGEST_NOTICE} bytes")
    try:
        return HookEvent.from_json(path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidInput("expected UTF-8") from error


def _stored(home: Path, hook_event: HookEvent, memory_of: Callable[[], "Runtime"], kinds: Set[str]) -> Counter[str]:
    """Store the turns that an event tells of."""
    ledger = ledger_of(home, hook_event.session)
    origin = Origin(
        session=hook_event.session,
        source=hook_event.agent,
        event=hook_event.event,
        agent=hook_event.agent,
        project=hook_event.project,
        repository=hook_event.repository,
    )
    if hook_event.event == "UserPromptSubmit":
        prompt = Turn(
            "user", (hook_event.text,) if hook_event.text else (), hook_event.private, hook_event.cut, hook_event.at
        )
        before = ledger.private
        counts = keep(memory_of, [prompt], ledger, origin)
        if ledger.private != before:
            ledger.save()
        return counts
    if ledger.transcript != hook_event.transcript:
        ledger.transcript, ledger.offset = hook_event.transcript, 0
    found = _read(hook_event, ledger, kinds)
    counts = keep(memory_of, _with_last(found.turns, hook_event), ledger, origin, follow=True)
    ledger.offset = found.end
    ledger.save()
    return counts


def _read(hook_event: HookEvent, ledger: Ledger, kinds: Set[str]) -> Transcript:
    """What the transcript tells up to the moment of the event; nothing where it cannot be read.

    The host calls the hook before it has written the last message: that is waited for, as nobody waits for us.
    """
    while True:
        try:
            with _opened(hook_event.transcript, ledger.offset) as (file, start):
                lines = iter(file.readline, b"")
                found = read(lines, "claude-code", kinds=kinds, start=start, until=hook_event.at + SLACK_US)
        except OSError:
            return Transcript(end=ledger.offset)
        late = time.time_ns() // 1_000 - hook_event.at > PATIENCE_US
        if late or hook_event.event != "Stop" or not hook_event.text or _holds(found.turns, hook_event.text):
            return found
        time.sleep(0.1)


@contextmanager
def _opened(path: str, offset: int) -> Iterator[tuple[BinaryIO, int]]:
    """A transcript at the byte from which it is new: a regular file only, never written to."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # before it is opened: opening a device may have effects
        raise OSError(f"{path} is no regular file")
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(f"{path} is no regular file")
        start = offset if 0 < offset <= status.st_size else 0
        if start:  # a line must end here, or the file is not the one that was read
            file.seek(start - 1)
            around = file.read(2)
            start = start if b"\n" in around or len(around) == 1 else 0
        if status.st_size - start > MAX_TRANSCRIPT_BYTES:
            file.seek(status.st_size - MAX_TRANSCRIPT_BYTES)
            file.readline()
            start = file.tell()
        file.seek(start)
        yield file, start


def _holds(turns: list[Turn], text: str) -> bool:
    """Whether the end of some turns says a text, in however many messages."""
    last = turns[-1].text if turns else ""
    return "".join(last.split()).endswith("".join(text.split()))


def _with_last(turns: list[Turn], hook_event: HookEvent) -> list[Turn]:
    """The turns, and the last message of the answer where the transcript does not hold it yet."""
    if hook_event.event != "Stop" or not hook_event.text or _holds(turns, hook_event.text):
        return turns
    last = turns[-1] if turns else Turn("user", ())
    if last.speaker != "assistant":
        return [
            *turns,
            Turn("assistant", (hook_event.text,), hook_event.private, hook_event.cut, hook_event.at, "", last.end),
        ]
    private, cut = last.private or hook_event.private, last.cut or hook_event.cut
    return [*turns[:-1], replace(last, texts=(*last.texts, hook_event.text), private=private, cut=cut)]
