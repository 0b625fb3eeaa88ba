"""verify_code_node: proofs about the functions of a memory that holds code."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.access import shown
from context_graph.citations import tag_of
from context_graph.errors import InvalidInput, Refused
from context_graph.models import Caller, NodeState
from context_graph.tools.base import Id, Maybe, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["verify_code_node"]

ConditionName = Literal["bounds", "null_safety", "type_invariants", "loop_termination", "custom_assertions"]
StatusName = Literal["Verified", "Failed", "Timeout", "NotApplicable"]
MAX_ASSERTIONS, MAX_ASSERTION_CHARS = 16, 300


class VerifyCodeNodeInput(ToolInput):
    node_id: NodeRef
    """Node to act on."""

    conditions: Maybe[list[ConditionName]] = None
    """What to check; all by default."""

    assertions: Maybe[list[str]] = None
    """Custom assertions: Python expressions over the arguments and `result`, to hold at every return."""

    timeout_ms: int = Field(5_000, ge=1, le=60_000)
    """Time limit."""


class ConditionView(WireModel):
    condition: str
    status: StatusName
    detail: str
    """How many checks hold, the arguments for which one does not, or why it cannot be said."""


class VerifyCodeNodeOutput(ToolOutput):
    node_id: Id
    status: StatusName
    """The gravest of the conditions."""

    conditions: list[ConditionView]
    cached: bool
    duration_ms: int


@tool(family="reasoning", title="Verify code node", tier=2, read_only=True)
def verify_code_node(memory: "Memory", args: VerifyCodeNodeInput, caller: Caller) -> VerifyCodeNodeOutput:
    """Prove that small typed Python functions in a memory keep to bounds, None, types and asserts and end their loops,
    or give arguments for which they do not. The code is never run. Needs the optional extra [verify].
    """
    from context_graph.verification import CONDITIONS, verify

    node = shown(memory, args.node_id, caller)
    if node.state == NodeState.QUARANTINED:
        raise Refused(f"{tag_of(node.id)} is in quarantine ({node.state_reason}): it is not opened")
    assertions = args.assertions or []
    if len(assertions) > MAX_ASSERTIONS or any(len(one) > MAX_ASSERTION_CHARS for one in assertions):
        raise InvalidInput(
            f"assertions takes at most {MAX_ASSERTIONS} expressions of at most {MAX_ASSERTION_CHARS} characters",
            field="assertions",
        )
    for one in assertions:
        _check(one)
    wanted = [one for one in CONDITIONS if args.conditions is None or one in args.conditions] or list(CONDITIONS)
    verdict = verify(node.content, wanted, assertions, timeout_ms=args.timeout_ms)
    return VerifyCodeNodeOutput(
        node_id=node.id,
        status=verdict.status,
        conditions=[
            ConditionView(condition=one.condition, status=one.status, detail=one.detail) for one in verdict.conditions
        ],
        cached=verdict.cached,
        duration_ms=verdict.duration_ms,
    )


def _check(assertion: str) -> None:
    """Raise `InvalidInput` for an assertion that is no expression; what proofs are about is for the proof to say."""
    from context_graph.verification.subset import OutsideSubset, statement_in

    try:
        statement_in(assertion)
    except OutsideSubset as error:
        raise InvalidInput(
            f"{error}; write one over the arguments and result, such as 'result >= 0'", field="assertions"
        ) from None
