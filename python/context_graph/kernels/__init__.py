"""Arithmetic on arrays: families of kernels, each on every backend this machine has.

>>> from context_graph import kernels
>>> kernels.backends()["scalar"]["usable"]
True
"""

from importlib import import_module
from typing import Any

from context_graph.kernels._dispatch import backends
from context_graph.kernels._streams import cuda_stream

__all__ = [
    "backends", "cones", "cuda_stream", "dense", "fusemoe", "hdc", "hebbian", "hopfield", "maxsim", "modulation",
    "poincare", "sparse", "transe",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__ or name == "reference":
        return import_module(f"context_graph.kernels.{name}")
    raise AttributeError(f"module 'context_graph.kernels' has no attribute {name!r}; families: {', '.join(__all__)}")
