"""get_node_lineage: what happened to a node, and by whom."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.access import shown
from context_graph.models import Caller, to_iso
from context_graph.presentation.history import Operation, history
from context_graph.tools.base import Id, Moment, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_node_lineage"]


class GetNodeLineageInput(ToolInput):
    node_id: NodeRef
    """Node to act on."""

    limit: int = Field(50, ge=1, le=100)
    """Most items to return, the latest."""


class Version(WireModel):
    version: int
    timestamp: Moment
    operation: Operation
    agent_id: str | None = None
    summary: str
    reversal_hash: str | None = None
    """restore_from_hash takes a removal, merge, replacement or other curation back."""


class GetNodeLineageOutput(ToolOutput):
    node_id: Id
    versions: list[Version]
    """Oldest first."""


@tool(family="metacognition", title="Get node lineage", tier=2, read_only=True)
def get_node_lineage(memory: "Memory", args: GetNodeLineageInput, caller: Caller) -> GetNodeLineageOutput:
    """How a node changed over time: created, annotated, linked, superseded, forgotten, restored; when and by which
    agent. Use to judge how far a memory can be trusted.
    """
    id = shown(memory, args.node_id, caller, forgotten=True).id
    versions = [
        Version(
            version=version.number,
            timestamp=to_iso(version.at),
            operation=version.operation,
            agent_id=version.agent_id,
            summary=version.summary,
            reversal_hash=version.hash[:16] if version.curated else None,
        )
        for version in history(memory, id, caller=caller)
    ]
    return GetNodeLineageOutput(node_id=id, versions=versions[-args.limit :])
