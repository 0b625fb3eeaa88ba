"""Verdicts on code: asked of a child process within a time limit, and kept by the hash of what was asked."""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

from context_graph.children import ChildFailed, ChildTimedOut, ask
from context_graph.texts import kept_for_texts

__all__ = ["CONDITIONS", "Condition", "Status", "Verdict", "verify"]

Status = Literal["Verified", "Failed", "Timeout", "NotApplicable"]
CONDITIONS = ("bounds", "null_safety", "type_invariants", "loop_termination", "custom_assertions")
GRAVEST: tuple[Status, ...] = ("Failed", "Timeout", "NotApplicable", "Verified")
MAX_DETAIL_CHARS = 600
INSTALL = (
    "proofs need the package z3-solver, which is not installed: pip install 'ultimate-context-graph[verify]', then "
    "start the server anew"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """What holds of one condition, over all functions of the code."""

    condition: str
    status: Status
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What holds of a code, the gravest of its conditions first."""

    status: Status
    conditions: tuple[Condition, ...]
    cached: bool
    duration_ms: int


def verify(code: str, conditions: Sequence[str], assertions: Sequence[str], *, timeout_ms: int = 5_000) -> Verdict:
    """Prove conditions of the functions in a text, in a child process that is killed when the time is over.

    A verdict is kept by the hash of code, conditions and assertions; one that ran out of time is not.
    """
    question = {"code": code, "conditions": list(conditions), "assertions": list(assertions)}
    started = time.monotonic()
    if find_spec("z3") is None:
        return _verdict([Condition(one, "NotApplicable", INSTALL) for one in conditions], False, started)
    kept = _cell(hashlib.sha256(json.dumps(question).encode()).hexdigest())
    if "proofs" in kept:
        return _verdict(kept["proofs"], True, started)
    proofs = _asked(question, timeout_ms)
    if all(one.status != "Timeout" for one in proofs):
        kept["proofs"] = proofs
    return _verdict(proofs, False, started)


@kept_for_texts(maxsize=256)
def _cell(hash: str) -> dict[str, Any]:
    """Where the verdict on a question is kept; emptied with all that is made of texts."""
    return {}


def _asked(question: dict[str, Any], timeout_ms: int) -> list[Condition]:
    try:
        lines = ask("context_graph.verification.child", question, timeout_s=timeout_ms / 1_000)
    except ChildTimedOut:
        told = f"the limit of {timeout_ms} ms was over; give more with timeout_ms, or fewer conditions"
        return [Condition(one, "Timeout", told) for one in question["conditions"]]
    except ChildFailed:
        told = "the child process that proves ended without an answer; the code is too large or too deep for it"
        return [Condition(one, "NotApplicable", told) for one in question["conditions"]]
    return [_joined(one, [line for line in lines if line["condition"] == one]) for one in question["conditions"]]


def _joined(condition: str, lines: Sequence[dict[str, str]]) -> Condition:
    """The gravest of what holds of several functions."""
    status = next(one for one in GRAVEST if any(line["status"] == one for line in lines))
    details = dict.fromkeys(line["detail"] for line in lines if line["status"] == status)
    return Condition(condition, status, "; ".join(details)[:MAX_DETAIL_CHARS])


def _verdict(conditions: Sequence[Condition], cached: bool, started: float) -> Verdict:
    status = next(one for one in GRAVEST if any(line.status == one for line in conditions))
    return Verdict(status, tuple(conditions), cached, round(1_000 * (time.monotonic() - started)))
