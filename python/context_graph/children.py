"""Child processes that answer one question: what may take too long, or fall over, does so there."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["ChildFailed", "ChildStopped", "ChildTimedOut", "ask"]

LOOK_AGAIN_S = 0.05
"""How often a child that can be stopped is looked after."""


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
    own = str(Path(__file__).parents[1])
    path = os.pathsep.join(part for part in (own, os.environ.get("PYTHONPATH", "")) if part)
    end = time.monotonic() + timeout_s
    try:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
            env=os.environ | {"PYTHONPATH": path}, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise ChildFailed("the child process could not be started") from error
    try:
        answer = _answer(child, json.dumps(question), end, stopped)
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


def _answer(child: "subprocess.Popen[str]", question: str, end: float, stopped: Callable[[], bool]) -> str | None:
    text: str | None = question
    while True:
        left = end - time.monotonic()
        try:
            return child.communicate(text, timeout=max(0.0, min(LOOK_AGAIN_S, left)))[0]
        except subprocess.TimeoutExpired:
            text = None  # it is being sent
            if stopped():
                return None
            if left <= 0:
                raise


def _reason(code: int) -> str:
    return f": it was ended by {signal.Signals(-code).name}" if code < 0 else ""


def _end(child: "subprocess.Popen[str]") -> None:
    """Let go of a child, with all that it started."""
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()
    child.wait()
