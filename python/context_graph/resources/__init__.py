"""What a host may read of the memory by its URI: one file a resource.

A resource's module names its template and its function; what it needs of the memory is imported when it is read, so
that listing the resources loads neither arrays nor a store.
"""

from context_graph.resources import context, graph, manifest, pulse, state, visualize
from context_graph.resources.registry import (
    Content,
    Resource,
    Target,
    all_resources,
    described,
    find,
    of_template,
)  # fmt: skip

__all__ = [
    "Content",
    "Resource",
    "Target",
    "all_resources",
    "context",
    "described",
    "find",
    "graph",
    "manifest",
    "of_template",
    "pulse",
    "state",
    "visualize",
]
