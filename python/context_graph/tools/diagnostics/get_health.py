"""get_health: whether the memory and its parts work."""

from typing import TYPE_CHECKING, Literal

from context_graph import __version__
from context_graph.errors import StoreError
from context_graph.instants import SECOND_US
from context_graph.models import Caller
from context_graph.presentation.counts import memories_in_words
from context_graph.tools.base import ToolInput, ToolOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_health"]


class GetHealthInput(ToolInput):
    pass


class GetHealthOutput(ToolOutput):
    status: Literal["healthy", "degraded", "unhealthy"]
    """degraded where the memory answers and cannot keep anything new, as on a full disk, or lacks its model; unhealthy
    where its store cannot be read, or is gone."""

    components: dict[str, str]
    """Each part and its state."""

    version: str
    uptime_s: float
    backend: str
    """cpu or the GPU in use."""

    node_count: int
    """Memories and concepts; forgotten ones are not counted."""

    edge_count: int


@tool(family="diagnostics", title="Get health", tier=3, read_only=True)
def get_health(memory: "Memory", args: GetHealthInput, caller: Caller) -> GetHealthOutput:
    """Whether the server and its parts work: store, models, kernels, and how much they hold."""
    from context_graph import kernels

    usable = [name for name, found in kernels.backends().items() if found["usable"] and name != "reference"]
    components = {"kernels": f"usable: {', '.join(usable)}", **memory.store.engine}
    counts = {"memories": 0, "concepts": 0, "edges": 0}
    status: Literal["healthy", "degraded", "unhealthy"] = "healthy"
    try:
        components["embedder"] = _embedder(memory)
        counts = memory.store.counts()
        components["store"] = (
            f"{memories_in_words(counts)}, {counts['concepts']} concepts, {counts['events']} events, "
            f"{counts['bytes_on_disk']} bytes"
        )
        problem = memory.store.write_problem
        components["writing"] = problem or "nothing speaks against it"
        if problem:
            status = "unhealthy" if memory.store.lost else "degraded"
    except StoreError as error:
        status = "unhealthy"
        components["store"] = str(error)
    if status == "healthy" and memory.settings.tier == "minilm" and memory.embedder.tier != "minilm":
        status = "degraded"
    return GetHealthOutput(
        status=status,
        components=components,
        version=__version__,
        uptime_s=round((memory.clock() - memory.started_at) / SECOND_US, 3),
        backend="cpu",
        node_count=counts["memories"] + counts["concepts"],
        edge_count=counts["edges"],
    )


def _embedder(memory: "Memory") -> str:
    loaded = "ready" if memory.embedder.loaded else "loads at first use"
    of_store = (memory.store.note, memory.store.write_problem)  # told as a part of its own
    notice = "".join(f"; {note}" for note in memory.notices() if note not in of_store)
    waiting = "".join(f", {count} {what}" for what, count in memory.background.waiting().items())
    return f"{memory.embedder.label}, {loaded}{waiting}{notice}"
