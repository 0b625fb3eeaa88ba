"""Child processes that answer questions: what may take too long, may fall over or is done beside the rest."""

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import IO, Any, Self

__all__ = ["ChildFailed", "ChildStopped", "ChildTimedOut", "Conversation", "answer_all", "ask"]

LOOK_AGAIN_S = 0.05
"""How often a child that can be stopped is looked after."""


HEAD = struct.Struct("<QQ")
"""Before each message of a conversation: how many bytes of JSON, and how many of data."""

PIPE_BYTES = 1 << 20
"""What an answer may have so that the child need not wait until it is read; as much as Linux gives anybody."""


class ChildFailed(Exception):
    """It ended without an answer."""


class ChildTimedOut(ChildFailed):
    """Its time was over, and it was ended."""


class ChildStopped(ChildFailed):
    """Nobody wanted its answer any more, and it was ended."""


def ask(module: str, question: Any, *, timeout_s: float, stopped: Callable[[], bool] = lambda: False) -> Any:
    """What a module of this package answers on standard output to a question on standard input, both JSON.

    Parameters
    ----------
    stopped : callable
        Whether to end the child, and what it started, before its answer.
    """
    end = time.monotonic() + timeout_s
    try:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
            env=_environment(), start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise ChildFailed("the child process could not be started") from error
    try:
        # A thread puts the question: `communicate` sends no more of it once a timeout has passed.
        questions, child.stdin = child.stdin, None
        assert questions is not None
        Thread(target=_send, args=(questions, json.dumps(question)), daemon=True).start()
        answer = _answer(child, end, stopped)
        if answer is None:
            raise ChildStopped("nobody waits for the child process")
        if child.returncode:
            raise ChildFailed(f"the child process ended without an answer{_reason(child.returncode)}")
        return json.loads(answer)
    except subprocess.TimeoutExpired as error:
        raise ChildTimedOut(f"its {timeout_s:g} s were over") from error
    except (ValueError, OSError) as error:
        raise ChildFailed("the child process ended without an answer") from error
    finally:
        _end(child)


class Conversation:
    """A child that answers one question after the other, as `answer_all` does, until it is closed.

    It works on an answer while whoever asked does something else. One question is under way at a time: who asked reads
    the answer before the next one is put, or both might wait for the other to read.
    """

    def __init__(self, module: str) -> None:
        try:
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", module],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=_environment() | {"OPENBLAS_NUM_THREADS": "1"}, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ChildFailed("the child process could not be started") from error
        assert self._child.stdin is not None and self._child.stdout is not None
        self._questions, self._answers = self._child.stdin, self._child.stdout
        with suppress(OSError, AttributeError):  # a smaller pipe does, where the system gives no more
            fcntl.fcntl(self._answers, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    @property
    def pid(self) -> int:
        return self._child.pid

    def ask(self, question: Any, data: bytes = b"") -> None:
        """Put a question: JSON, and bytes beside it.

        Raises
        ------
        ChildFailed
            The child has ended.
        TypeError, ValueError or RecursionError
            JSON cannot hold the question; it was not put.
        """
        message = _message(question, data)
        try:
            self._questions.write(message)
            self._questions.flush()
        except OSError as error:
            raise ChildFailed("the child process ended before a question") from error

    def answer(self) -> tuple[Any, bytes]:
        """The answer to the last question, and the bytes beside it, once they are there.

        Raises
        ------
        ChildFailed
            The child has ended without one.
        """
        try:
            sizes = HEAD.unpack(self._answers.read(HEAD.size))
            text, data = (self._answers.read(size) for size in sizes)
            if (len(text), len(data)) == sizes:
                return json.loads(text), data
        except (OSError, ValueError, struct.error) as error:
            raise ChildFailed("the child process ended without an answer") from error
        raise ChildFailed("the child process ended within an answer")

    def close(self) -> None:
        """End the child, whatever it does."""
        _end(self._child)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def answer_all(respond: Callable[[Any, bytes], tuple[Any, bytes]]) -> None:
    """What the child of a `Conversation` does: answer each question on standard input until that ends."""
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while len(head := questions.read(HEAD.size)) == HEAD.size:
        text, data = (questions.read(size) for size in HEAD.unpack(head))
        answers.write(_message(*respond(json.loads(text), data)))
        answers.flush()


def _message(value: Any, data: bytes) -> bytes:
    text = json.dumps(value).encode()
    return b"".join((HEAD.pack(len(text), len(data)), text, data))


def _environment() -> dict[str, str]:
    """That of this process, in which a child finds this package."""
    own = str(Path(__file__).parents[1])
    path = os.pathsep.join(part for part in (own, os.environ.get("PYTHONPATH", "")) if part)
    return os.environ | {"PYTHONPATH": path}


def _send(pipe: IO[str], text: str) -> None:
    """Write all of a text to a child, as fast as it reads."""
    with suppress(OSError), pipe:  # it ended before it had read all
        pipe.write(text)


def _answer(child: "subprocess.Popen[str]", end: float, stopped: Callable[[], bool]) -> str | None:
    while True:
        left = end - time.monotonic()
        try:
            return child.communicate(timeout=max(0.0, min(LOOK_AGAIN_S, left)))[0]
        except subprocess.TimeoutExpired:
            if stopped():
                return None
            if left <= 0:
                raise


def _reason(code: int) -> str:
    return f": it was ended by {signal.Signals(-code).name}" if code < 0 else ""


def _end(child: "subprocess.Popen[Any]") -> None:
    """Let go of a child, with all that it started."""
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with suppress(OSError):  # what it did not read any more
                pipe.close()
    child.wait()
