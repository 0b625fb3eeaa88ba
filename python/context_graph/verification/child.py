"""The process that proves: reads code and conditions as JSON, writes what holds, and may be killed at any time."""

import json
import resource
import sys
from typing import Any

from context_graph.verification.subset import OutsideSubset, functions, statement_in

__all__ = ["answer"]

MAX_BYTES = 2 << 30
"""Of address space: a proof that takes more ends without an answer."""


def answer(question: dict[str, Any]) -> list[dict[str, str]]:
    """What holds of the functions of a text, a line for each condition and function."""
    conditions = question["conditions"]
    try:
        read = functions(question["code"])
        assertions = [(text, statement_in(text)) for text in question["assertions"]]
        from context_graph.verification.symbolic import prove

        proofs = [proof for function in read for proof in prove(function, assertions, conditions)]
    except (OutsideSubset, RecursionError) as error:
        reason = str(error) if isinstance(error, OutsideSubset) else "its expressions are nested too deep"
        return [{"condition": one, "status": "NotApplicable", "detail": reason} for one in conditions]
    return [{"condition": one.condition, "status": one.status, "detail": one.detail} for one in proofs]


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
