"""Long-term memory for AI agents, on one machine, with the kernels it runs on."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what `import context_graph` offers, without paying for it before it is used
    from context_graph.ingest.remember import Draft as Draft
    from context_graph.memory import Memory as Memory
    from context_graph.models import Caller as Caller
    from context_graph.recall.recall import Question as Question

__version__ = "0.2.0"

__all__ = ["Caller", "Draft", "Memory", "Question", "__version__"]

_HOMES = {
    "Caller": "context_graph.models",
    "Draft": "context_graph.ingest.remember",
    "Memory": "context_graph.memory",
    "Question": "context_graph.recall.recall",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'context_graph' has no attribute {name!r}; public names: {', '.join(__all__)}")
