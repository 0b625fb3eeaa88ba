"""homeostatic_status: how balanced the graph is."""

from typing import TYPE_CHECKING

from context_graph.errors import NotMeasuredYet
from context_graph.models import Caller, to_iso
from context_graph.tools.base import Id, Moment, ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["homeostatic_status"]

MAX_SUSPECTS = 20


class HomeostaticStatusInput(ToolInput):
    pass


class HomeostaticStatusOutput(ToolOutput):
    mean_importance: float
    """Of all live memories."""

    importance_variance: float
    quarantined_nodes: int
    semantic_cancer_suspects: int
    """Importance above 0.9 that nobody gave, 8 neighbours or more, and their clusters have an entropy above 0.8."""

    last_scaling_time: Moment
    """Since when importances are as they are: no scaling is built, so it is when the memory began."""

    health_score: float
    """(1 - |mean - 0.5|) times the share outside quarantine times the share that is no suspect."""

    scaled: bool
    """Whether importances were ever scaled."""

    suspects: list[Id]
    """Those of the suspects that you may see, at most 20."""

    memories: int
    """Live or in quarantine: what the score is measured over."""

    def notes(self) -> list[str]:
        return [
            f"Measured over {self.memories} memories. Importances were never scaled, for scaling is not built yet; "
            "last_scaling_time is when this memory began."
        ]


@tool(family="learning", title="Homeostatic status", tier=3, read_only=True)
def homeostatic_status(memory: "Memory", args: HomeostaticStatusInput, caller: Caller) -> HomeostaticStatusOutput:
    """Health of the graph: how importance is distributed, what is in quarantine, which memories look like semantic
    cancer. Use when rankings seem off.
    """
    from context_graph.access import visible_nodes
    from context_graph.recall.balance import balance
    from context_graph.store import time_of

    result = balance(memory)
    if result is None:
        raise NotMeasuredYet("there is no live memory, so nothing has an importance yet; store_memory makes the first")
    measured, suspects = result
    visible = visible_nodes(memory, memory.store.nodes(suspects[:MAX_SUSPECTS]), caller)
    first = memory.store.events(1, 2, parsed=False)
    return HomeostaticStatusOutput(
        mean_importance=round(measured.mean, 4),
        importance_variance=round(measured.variance, 6),
        quarantined_nodes=measured.quarantined,
        semantic_cancer_suspects=measured.suspects,
        last_scaling_time=to_iso(time_of(first[0].hlc) if first else memory.started_at),
        health_score=round(measured.health, 4),
        scaled=False,
        suspects=[node.id for node in visible],
        memories=measured.count,
    )
