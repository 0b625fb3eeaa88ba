"""Child processes that answer one question: what may take too long, or fall over, does so there."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["ChildFailed", "ChildTimedOut", "ask"]


class ChildFailed(Exception):
    """It ended without an answer."""


class ChildTimedOut(ChildFailed):
    """Its time was over, and it was ended."""


def ask(module: str, question: Any, *, timeout_s: float) -> Any:
    """What a module of this package answers on standard output to a question on standard input, both JSON."""
    own = str(Path(__file__).parents[1])
    path = os.pathsep.join(part for part in (own, os.environ.get("PYTHONPATH", "")) if part)
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", module],
            input=json.dumps(question), capture_output=True, encoding="utf-8", timeout=timeout_s,
            env=os.environ | {"PYTHONPATH": path}, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise ChildTimedOut(f"its {timeout_s:g} s were over") from error
    except (subprocess.CalledProcessError, ValueError, OSError) as error:
        raise ChildFailed("the child process ended without an answer") from error
