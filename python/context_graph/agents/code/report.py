"""What a step of an agent over code came to, and the Markdown that tells it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MAX_ARTEFACT_CHARS", "MAX_STEP_FINDINGS", "NO_MODEL", "Artefact", "Outcome", "escaped", "found", "listing"]

NO_MODEL = "Found by fixed rules; no language model is behind it."
MAX_STEP_FINDINGS = 500
"""Of one step, that are kept; its outcome counts all, and the report lists more."""

MAX_ARTEFACT_CHARS = 150_000
MAX_REPORTED = 1_000
"""Findings of a report; how many there are beyond them is told."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """Something made: a report, a diagram, tests or a patch."""

    type: str
    name: str
    media_type: str
    content: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step came to; each finding names its path and line."""

    action: str
    outcome: str
    findings: Sequence[Mapping[str, Any]] = ()
    recommendations: Sequence[str] = ()
    artefacts: Sequence[Artefact] = field(default_factory=tuple)


def found(finding: Mapping[str, Any]) -> str:
    """A finding in one line."""
    return f"{finding['path']}:{finding['line']}: {finding['message']}"


def escaped(text: str) -> str:
    """A text of a project in a line of Markdown: neither markup nor a link of its own."""
    line = " ".join(text.split())
    for mark in "\\`*_[]<>#|":
        line = line.replace(mark, f"\\{mark}")
    return line


def listing(title: str, *, outcome: str, findings: Sequence[Mapping[str, Any]]) -> str:
    """A report of findings by kind, each with its path and line."""
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for one in findings[:MAX_REPORTED]:
        kinds.setdefault(str(one["kind"]), []).append(one)
    lines = [f"# {title}", "", outcome, NO_MODEL]
    for kind, rows in kinds.items():
        lines += ["", f"## {escaped(kind)}: {len(rows)}", ""]
        lines += [f"- {escaped(str(row['path']))}:{row['line']} {escaped(str(row['message']))}" for row in rows]
    if len(findings) > MAX_REPORTED:
        lines += ["", f"{len(findings) - MAX_REPORTED} more are not listed."]
    return "\n".join([*lines, ""])
