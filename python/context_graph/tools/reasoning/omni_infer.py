"""omni_infer: conclusions forwards, backwards, both ways, across, or to the best explanation."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, PrivateAttr

from context_graph.access import shown
from context_graph.errors import InvalidInput
from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.safety.quoting import inline
from context_graph.tools.base import Id, Maybe, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.reasoning.steps import CausalPath, called
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.inference.causal import Clamp, Inference, Inferred
    from context_graph.memory import Memory

__all__ = ["omni_infer"]

MAX_GIVEN = 16
"""Start nodes and clamped variables of one call."""

MAX_TIES = 3
"""Other explanations that are as likely and are named."""


class ClampedVariable(WireModel):
    node_id: NodeRef
    """Node to hold."""

    value: Any = None
    """hard: true or false; soft: how much speaks for it, from 0 to 1."""

    mode: Literal["hard", "soft"]
    """hard: known to be so or not; soft: evidence of some weight."""


class OmniInferInput(ToolInput):
    query: str = Field(min_length=1)
    """Question or concept."""

    direction: Literal["forward", "backward", "bidirectional", "bridge", "abduction"] = "forward"
    """Direction of inference; left out, forward or backward, whichever teaches more."""

    start_nodes: Maybe[list[NodeRef]] = None
    """Where to start, instead of what the query names."""

    clamped_variables: Maybe[list[ClampedVariable]] = None
    """Variables held during inference."""

    max_hops: int = Field(4, ge=1, le=6)
    """Most edges to follow."""


class InferenceView(WireModel):
    node_id: Id | None = None
    statement: str
    confidence: float = Field(ge=0, le=1)
    """Probability given what is known; of a bridge, the confidence of its path."""

    path: CausalPath | None = None


class OmniInferOutput(ToolOutput):
    direction: str
    """The one taken."""

    inferences: list[InferenceView]
    """The surest first; of an abduction the explanation comes before the single causes."""

    narrative: str
    expected_free_energy: float | None = None
    """Minus the bits that the inferences gain over what was likely before; absent where nothing follows."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="reasoning", title="Omni infer", tier=2, read_only=True)
def omni_infer(memory: "Memory", args: OmniInferInput, caller: Caller) -> OmniInferOutput:
    """Reason from a concept taken as being so: what follows, what caused it, both, what lies between two, or its best
    explanation, each with probability, path and sources. All but bridge need the optional extra [causal].
    """
    from context_graph.inference.causal import infer

    for field, given in (("start_nodes", args.start_nodes), ("clamped_variables", args.clamped_variables)):
        if given is not None and len(given) > MAX_GIVEN:
            raise InvalidInput(f"{field} takes at most {MAX_GIVEN}, got {len(given)}; ask in parts", field=field)
    starts = [shown(memory, ref, caller, field="start_nodes") for ref in args.start_nodes or ()]
    inference = infer(
        memory, args.query, caller,
        direction=args.direction if "direction" in args.model_fields_set else None,
        starts=starts, clamps=[_clamp(memory, one, caller) for one in args.clamped_variables or ()], hops=args.max_hops,
    )  # fmt: skip
    views = [_view(inference, one) for one in inference.inferred]
    output = OmniInferOutput(
        direction=inference.direction,
        inferences=fitting(views, ANSWER_BYTES),
        narrative=_told(inference),
        expected_free_energy=None if inference.free_energy is None else round(inference.free_energy, 4),
    )
    output._notes = _limits(inference)
    return output


def _clamp(memory: "Memory", one: ClampedVariable, caller: Caller) -> "Clamp":
    from context_graph.inference.causal import Clamp

    node = shown(memory, one.node_id, caller, field="clamped_variables")
    value = True if one.mode == "hard" and one.value is None else one.value
    if one.mode == "hard" and value not in (True, False):
        raise InvalidInput(
            f"a hard clamp takes the value true or false, got {value!r:.60}; for evidence of some weight use mode soft",
            field="clamped_variables",
        )
    if not isinstance(value, bool | int | float) or not 0 <= value <= 1:
        raise InvalidInput(
            f"a soft clamp takes a value from 0 to 1, how much speaks for it, got {value!r:.60}",
            field="clamped_variables",
        )
    return Clamp(node, float(value))


def _view(inference: "Inference", one: "Inferred") -> InferenceView:
    return InferenceView(
        node_id=one.node.id if one.node else None,
        statement=_statement(inference, one),
        confidence=round(min(1.0, one.confidence), 4),
        path=CausalPath.of(inference.evidence, one.path) if one.path else None,
    )


def _statement(inference: "Inference", one: "Inferred") -> str:
    starts = _starts(inference)
    name = called(one.node) if one.node else ""
    if one.statement == "explanation":
        causes, *ties = [" with ".join(called(node) for node in nodes) for nodes in (one.together, *one.ties)]
        if ties:
            more = f" or {len(ties) - MAX_TIES} more" if len(ties) > MAX_TIES else ""
            alike = " or ".join((causes, *ties[:MAX_TIES])) + more
            return f"No best explanation of {starts}: as likely are {alike}, just one of them each {one.confidence:.0%}"
        return f"Best explanation of {starts}: {causes}, just this with {one.confidence:.0%}"
    if one.statement == "bridge":
        return f"{name} lies between {starts}"
    what = "follows from" if one.statement == "effect" else "led to"
    return f"{name} {what} {starts} with {one.confidence:.0%} ({one.before:.0%} without knowing of it)"


def _starts(inference: "Inference") -> str:
    starts = " and ".join(called(node) for node in inference.starts[:3])
    return f"the absence of {starts}" if inference.absent else starts


def _told(inference: "Inference") -> str:
    starts = _starts(inference)
    if not inference.inferred and inference.held:
        held = " and ".join(called(node) for node in inference.held[:3])
        return f"Of {starts} nothing is left to conclude: what is stored of it is held, {held}."
    if not inference.inferred:
        nothing = {
            "forward": "what it leads to", "backward": "what causes it", "bidirectional": "what causes it or follows",
            "bridge": "anything that lies between", "abduction": "what could explain it",
        }  # fmt: skip
        return f"Of {starts} nothing stored says {nothing[inference.direction]}."
    told = "; ".join(_statement(inference, one) for one in inference.inferred[:3])
    if inference.unexplained is not None:
        told += f"; that none of the stated causes is there: {inference.unexplained:.0%}"
    return f"{told}."


def _limits(inference: "Inference") -> list[str]:
    notes = []
    for node in inference.unused:
        notes.append(f"{inline(node.name)!r} was clamped, but no causal statement around the start speaks of it.")
    if inference.network is not None and inference.network.cut:
        notes.append(f"Causes left out, because they close circles at the weakest place: {len(inference.network.cut)}.")
    if inference.network is not None and not inference.network.complete:
        notes.append("There are more causal statements around this than one network holds; the strongest were taken.")
    return notes
