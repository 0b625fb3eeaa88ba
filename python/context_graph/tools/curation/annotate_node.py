"""annotate_node: a note in the margin of a node."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.citations import tag_of
from context_graph.errors import InvalidInput
from context_graph.models import Caller
from context_graph.tools.base import Id, Maybe, NodeRef, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["annotate_node"]


class AnnotateNodeInput(ToolInput):
    node_id: NodeRef
    """Node to act on."""

    annotation: str = Field(max_length=1024)
    """Note to attach; answers tell it beside the node."""

    annotation_type: Literal["correction", "reference", "deprecation", "user_note"] = "user_note"
    """Kind of note; a deprecation also ends the validity of a memory."""

    reference_node_id: Maybe[NodeRef] = None
    """Node the note points to (reference, deprecation)."""


class AnnotateNodeOutput(ToolOutput):
    annotation_id: Id
    node_id: Id
    """Node to act on."""

    redactions: list[str]
    """Kinds of sensitive text that were replaced by [REDACTED:type]."""

    reversal_hash: str
    """restore_from_hash takes the note back."""

    _closed: bool = PrivateAttr(False)
    _instead: str | None = PrivateAttr(None)

    def notes(self) -> list[str]:
        told = [f"Replaced before storing: {', '.join(self.redactions)}."] if self.redactions else []
        if self._closed:
            instead = f" in favour of {self._instead}" if self._instead else ""
            told.append(f"The memory holds no more from now on{instead}: only questions for the past find it.")
        return told


@tool(family="curation", title="Annotate node", tier=2, read_only=False)
def annotate_node(memory: "Memory", args: AnnotateNodeInput, caller: Caller) -> AnnotateNodeOutput:
    """Attach a correction, reference, deprecation or remark to a node; its text stays as it is, and answers tell the
    note beside it. Use for what is right but needs a remark; forget_concept is for what is wrong.
    """
    from context_graph.ingest.curation import annotate

    if args.annotation_type == "reference" and args.reference_node_id is None:
        raise InvalidInput(
            "annotation_type reference needs reference_node_id, the node that the note points to; user_note needs none",
            field="reference_node_id",
        )
    done = annotate(
        memory, args.node_id, args.annotation, args.annotation_type, reference=args.reference_node_id, caller=caller
    )
    output = AnnotateNodeOutput(
        annotation_id=done.annotation.id,
        node_id=done.node.id,
        redactions=list(done.redactions),
        reversal_hash=done.reversal_hash,
    )
    output._closed = done.closed
    output._instead = tag_of(done.annotation.reference) if done.annotation.reference else None
    return output
