"""get_neighborhood: the graph around a node or the session's focus."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.access import shown
from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.presentation.nodes import EdgeSummary, NodeSummary, neighborhood
from context_graph.tools.base import Id, Maybe, NodeRef, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_neighborhood"]


class GetNeighborhoodInput(ToolInput):
    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""

    focal_node_id: Maybe[NodeRef] = None
    """Centre on this node instead of the session's context."""

    max_hops: int = Field(2, ge=1, le=3)
    """Most edges to follow."""

    max_nodes: int = Field(20, ge=5, le=50)
    """Most nodes to return."""

    include_edges: bool = True
    """Also return the edges."""


class GetNeighborhoodOutput(ToolOutput):
    nodes: list[NodeSummary]
    """The strongest connected first."""

    edges: list[EdgeSummary]
    """The strongest first, as many as one answer holds."""

    focal_point: list[Id]
    edges_omitted: int
    """Weaker edges that had no room."""

    def notes(self) -> list[str]:
        if self.nodes:
            return []
        return ["This session has nothing in focus yet. Name a focal_node_id, or search first with search_graph."]


@tool(family="navigation", title="Get neighborhood", tier=2, read_only=True)
def get_neighborhood(memory: "Memory", args: GetNeighborhoodInput, caller: Caller) -> GetNeighborhoodOutput:
    """Browse the graph around a node, or around what this session last stored or found: what is linked to what, and how
    strongly. Use when results seem isolated or contradictory.
    """
    if args.focal_node_id is not None:
        focus = [shown(memory, args.focal_node_id, caller, field="focal_node_id").id]
    else:
        focus = memory.session(caller.session_id).focus
    neighbourhood = neighborhood(memory, focus, caller, hops=args.max_hops, limit=args.max_nodes)
    nodes = fitting(neighbourhood.nodes, ANSWER_BYTES)
    node_ids = {node.node_id for node in nodes}
    left = ANSWER_BYTES - sum(len(node.model_dump_json(exclude_none=True).encode()) + 1 for node in nodes)
    between = [edge for edge in neighbourhood.edges if edge.source in node_ids and edge.target in node_ids]
    edges = fitting(between, left) if args.include_edges else []
    return GetNeighborhoodOutput(
        nodes=nodes,
        edges=edges,
        focal_point=[node_id for node_id in neighbourhood.focal_point if node_id in node_ids],
        edges_omitted=len(neighbourhood.edges) - len(edges),
    )
