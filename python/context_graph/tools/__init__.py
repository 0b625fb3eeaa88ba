"""What an agent may ask of the memory: one file per tool, one folder per family.

A tool's module names its models and its function; what it needs of the memory is imported when it runs, so that
listing the tools loads neither arrays nor a store.
"""

from context_graph.tools import (
    cerebrum,
    core,
    curation,
    diagnostics,
    kg,
    learning,
    metacognition,
    navigation,
    reasoning,
)
from context_graph.tools.registry import Tool, all_tools, built, find, listed

__all__ = [
    "Tool",
    "all_tools",
    "built",
    "cerebrum",
    "core",
    "curation",
    "diagnostics",
    "find",
    "kg",
    "learning",
    "listed",
    "metacognition",
    "navigation",
    "reasoning",
]
