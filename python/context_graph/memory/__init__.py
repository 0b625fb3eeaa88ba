"""The memory: remember, recall, forget; where the parts below meet."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a hook imports capture from here while its host waits: nothing heavy comes with it
    from context_graph.memory.memory import Memory as Memory

__all__ = ["Memory"]


def __getattr__(name: str) -> Any:
    if name == "Memory":
        from context_graph.memory.memory import Memory

        return Memory
    raise AttributeError(f"module 'context_graph.memory' has no attribute {name!r}")
