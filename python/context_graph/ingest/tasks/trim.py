"""Memory that work has freed goes back to the system."""

from typing import TYPE_CHECKING

from context_graph import heap
from context_graph.runtime.tasks import Every, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["trim"]

TRIMMED_EVERY_S = 60.0


@task("trim", trigger=Every(TRIMMED_EVERY_S), slow=True)
def trim(memory: "Runtime", round: Round) -> None:
    """Give back what a permanent deletion, a long import or a dream has freed."""
    heap.trim()
