"""Kernels in Triton, for torch tensors on a GPU; with TRITON_INTERPRET=1 Triton runs them on the CPU, slowly.

One module a family, with the names and answers of `context_graph.kernels`. A public function is led here by where its
first tensor lies.
"""

from importlib import import_module
from typing import Any

__all__ = [
    "cones", "dense", "fusemoe", "hdc", "hebbian", "hopfield", "maxsim", "modulation", "poincare", "sparse", "transe",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"context_graph.kernels.triton.{name}")
    raise AttributeError(
        f"module 'context_graph.kernels.triton' has no attribute {name!r}; families: {', '.join(__all__)}"
    )
