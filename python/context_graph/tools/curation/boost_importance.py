"""boost_importance: how much a node matters."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.base import Maybe, NodeRef, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["boost_importance"]


class BoostImportanceInput(ToolInput):
    node_id: NodeRef
    """Node to act on."""

    boost_factor: float = Field(1.5, ge=0.1, le=2.0)
    """Importance is multiplied by this, then clamped to [0,1]."""

    reason: Maybe[str] = Field(None, max_length=256)
    """Why it matters."""


class BoostImportanceOutput(ToolOutput):
    new_importance: float
    previous_importance: float
    reversal_hash: str | None = None
    """restore_from_hash takes it back; absent where nothing changed."""

    def notes(self) -> list[str]:
        return [] if self.reversal_hash else ["Nothing was written: the importance is as high, or as low, as before."]


@tool(family="curation", title="Boost importance", tier=2, read_only=False)
def boost_importance(memory: "Memory", args: BoostImportanceInput, caller: Caller) -> BoostImportanceOutput:
    """Mark a node as more important, or with a factor below 1 as less. Searches with min_importance follow it; use it
    when something captured in passing turns out to matter.
    """
    from context_graph.ingest.curation import boost

    done = boost(memory, args.node_id, args.boost_factor, args.reason or "", caller=caller)
    return BoostImportanceOutput(
        new_importance=done.importance, previous_importance=done.previous, reversal_hash=done.reversal_hash
    )
