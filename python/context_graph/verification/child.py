"""The process that proves: reads code and conditions as JSON, writes what holds, and may be killed at any time."""

import ast
import json
import resource
import sys
from typing import Any

from context_graph.verification.subset import Function, OutsideSubset, functions, statement_in

__all__ = ["answer"]

MAX_BYTES = 2 << 30
"""Of address space: a proof that takes more ends without an answer."""


Line = dict[str, str]


def answer(question: dict[str, Any]) -> list[Line]:
    """What holds of the functions of a text, a line for each condition and function.

    Assertions of the caller that no proof is about leave the other conditions alone.
    """
    conditions = question["conditions"]
    try:
        read = functions(question["code"])
    except (OutsideSubset, RecursionError) as error:
        return _not_applicable(conditions, _reason(error))
    try:
        return _proved(read, [(text, statement_in(text)) for text in question["assertions"]], conditions)
    except (OutsideSubset, RecursionError) as error:
        reason = _reason(error)
    others = [one for one in conditions if one != "custom_assertions"]
    if not question["assertions"] or not others:
        return _not_applicable(conditions, reason)
    try:
        lines = _proved(read, [], others)
    except (OutsideSubset, RecursionError) as error:
        return _not_applicable(conditions, _reason(error))
    return lines + _not_applicable([one for one in conditions if one not in others], f"among the assertions: {reason}")


def _proved(read: list[Function], assertions: list[tuple[str, ast.expr]], conditions: list[str]) -> list[Line]:
    from context_graph.verification.symbolic import prove

    proofs = [proof for function in read for proof in prove(function, assertions, conditions)]
    return [{"condition": one.condition, "status": one.status, "detail": one.detail} for one in proofs]


def _not_applicable(conditions: list[str], reason: str) -> list[Line]:
    return [{"condition": one, "status": "NotApplicable", "detail": reason} for one in conditions]


def _reason(error: OutsideSubset | RecursionError) -> str:
    return str(error) if isinstance(error, OutsideSubset) else "its expressions are nested too deep"


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
