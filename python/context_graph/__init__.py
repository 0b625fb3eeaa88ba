"""Long-term memory for AI agents, on one machine, with the kernels it runs on."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what `import context_graph` offers, without paying for it before it is used
    from context_graph.async_memory import AsyncMemory as AsyncMemory
    from context_graph.bm25 import Bm25 as Bm25
    from context_graph.ingest.remember import Draft as Draft
    from context_graph.memory import Memory as Memory
    from context_graph.models import Caller as Caller
    from context_graph.native_library import get_cmake_dir as get_cmake_dir
    from context_graph.native_library import get_include as get_include
    from context_graph.native_library import get_library_dir as get_library_dir
    from context_graph.recall.question import Question as Question
    from context_graph.settings import Settings as Settings

__version__ = "0.2.0"

__all__ = [
    "AsyncMemory",
    "Bm25",
    "Caller",
    "Draft",
    "Memory",
    "Question",
    "Settings",
    "__version__",
    "get_cmake_dir",
    "get_include",
    "get_library_dir",
]

_HOMES = {
    "AsyncMemory": "context_graph.async_memory",
    "Bm25": "context_graph.bm25",
    "Caller": "context_graph.models",
    "Draft": "context_graph.ingest.remember",
    "Memory": "context_graph.memory",
    "Question": "context_graph.recall.question",
    "Settings": "context_graph.settings",
    "get_cmake_dir": "context_graph.native_library",
    "get_include": "context_graph.native_library",
    "get_library_dir": "context_graph.native_library",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(_import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'context_graph' has no attribute {name!r}; public names: {', '.join(__all__)}")


def __dir__() -> list[str]:
    return __all__
