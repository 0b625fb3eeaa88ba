"""What a job of an agent is given, and what a step of it comes to."""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from context_graph.errors import InvalidInput, Refused
from context_graph.regex import regex
from context_graph.runtime.runtime import Runtime

__all__ = ["StepResult", "Work", "artefact", "bounded", "bounded_rows", "scope_in"]

_FILE_OF_PATCH = regex(r"^--- a/[^\n]*\n\+\+\+ b/[^\n]*\n@@ ", re.M)
"""Where the changes of a file begin; no line within changes begins with @@."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step came to: told in words, with findings and recommendations for the whole.

    Attributes
    ----------
    artifacts : tuple of mapping
        What it made, each with type, name, mediaType and content.
    ms : float, optional
        How long it took where it ran in another process.
    found : int, optional
        How many findings there were, where not all are here.
    """

    action: str
    outcome: str
    findings: tuple[Mapping[str, Any], ...] = ()
    recommendations: tuple[str, ...] = ()
    artifacts: tuple[Mapping[str, Any], ...] = ()
    ms: float | None = None
    found: int | None = None

    @property
    def findings_total(self) -> int:
        return len(self.findings) if self.found is None else self.found


@dataclass(frozen=True)
class Work:
    """A task, and the limits within which it is done.

    Attributes
    ----------
    over : callable
        Whether to stop: the memory is being closed, or nobody wants the result any more.
    process : dict
        What a child process says of itself: network, time and memory.
    """

    memory: Runtime
    task: str
    timeout_s: float
    over: Callable[[], bool] = lambda: False
    process: dict[str, Any] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    @property
    def left_s(self) -> float:
        """Time that is left; `Refused` where there is none."""
        left = self.timeout_s - (time.monotonic() - self.began)
        if left <= 0:
            raise self.late()
        return left

    def late(self) -> Refused:
        return Refused(f"it took longer than its timeout of {1_000 * self.timeout_s:g} ms")


def artefact(type: str, name: str, media_type: str, content: str) -> dict[str, Any]:
    """Something made, as records keep it."""
    return {"type": type, "name": name, "mediaType": media_type, "content": content}


def bounded(artifacts: Iterable[Mapping[str, Any]], *, each: int, total: int) -> list[Mapping[str, Any]]:
    """Artefacts of so many characters each and in all; one that is cut says from how many, and a patch is cut at the
    end of a file, so that it applies.

    Examples
    --------
    >>> [one["content"] for one in bounded([artefact("report", "a", "x", "12345")] * 3, each=4, total=6)]
    ['1234', '12', '']
    """
    fitted: list[Mapping[str, Any]] = []
    for one in artifacts:
        content = str(one["content"])
        text = content[: max(0, min(each, total))]
        if one["type"] == "patch" and len(text) < len(content):
            begins = [begin.start() for begin in _FILE_OF_PATCH.finditer(content)]
            text = text[: max((begin for begin in begins if begin <= len(text)), default=0)]
        total -= len(text)
        fitted.append(
            {**one, "content": text}
            | ({"cutFrom": one.get("cutFrom", len(content))} if len(text) < len(content) else {})
        )
    return fitted


def bounded_rows(rows: Iterable[Mapping[str, Any]], total: int) -> list[Mapping[str, Any]]:
    """The first rows that have so many characters as records count them."""
    fitted = []
    for row in rows:
        total -= len(repr(row)) + 2
        if total < 0:
            break
        fitted.append(row)
    return fitted


def scope_in(root: Path, task: str) -> str:
    """The folder or file below a project that a task names, by the first path in it; empty for all of it.

    A path is a word with a slash in it or one that ends in ".py". A word with a slash that is no path that there is may
    be anything ("and/or"), but for one that leads out of the project by "..".
    """
    for word in re.findall(r"[\w./~-]+", task):
        if "/" not in word and not word.rstrip(".").endswith(".py"):
            continue
        name = word.rstrip("./") if word.strip("./") else word
        try:
            place = (root / name).resolve()
            there = place.exists()
        except (OSError, RuntimeError, ValueError):
            continue
        if (there or ".." in Path(name).parts) and not place.is_relative_to(root):
            raise InvalidInput(
                f"the task names {name[:80]!r}, which does not lie in the project {root}; name a path below it",
                field="task",
            )
        if there:
            return "" if place == root else place.relative_to(root).as_posix()
        if name.endswith(".py"):
            raise InvalidInput(f"the task names {name[:80]!r}, and {root} has no such file", field="task")
    return ""
