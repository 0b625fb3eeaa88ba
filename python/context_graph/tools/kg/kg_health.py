"""kg_health: whether the store and the cache answer."""

from typing import TYPE_CHECKING

from context_graph.models import Caller
from context_graph.tools.kg.envelope import KgInput, KgModel, KgOutput
from context_graph.tools.registry import all_tools, tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_health"]


class KgHealthInput(KgInput):
    pass


class HealthData(KgModel):
    database: bool
    """Whether the store answers and documents were read."""

    cache: bool
    project_root: str
    tool_count: int
    """Tools of this family."""

    probe_ms: dict[str, float]
    """How long each probe took."""


class KgHealthOutput(KgOutput):
    data: HealthData


@tool(family="kg", title="Kg health", tier=2, read_only=True)
def kg_health(memory: "Memory", args: KgHealthInput, caller: Caller) -> KgHealthOutput:
    """Whether the store and the cache of the documents answer now, and which project this is."""
    from context_graph.knowledge.health import probe
    from context_graph.knowledge.project import project_root

    probes = {name: probe(memory, name) for name in ("database", "cache")}
    return KgHealthOutput(
        success=True,
        data=HealthData(
            database=probes["database"].health == "healthy",
            cache=probes["cache"].health == "healthy",
            project_root=project_root(memory).as_posix(),
            tool_count=sum(tool.family == "kg" for tool in all_tools()),
            probe_ms={name: one.ms for name, one in probes.items()},
        ),
    )
