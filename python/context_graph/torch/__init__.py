"""The kernels as torch operators: gradients, and graphs that torch.compile does not break at.

Where no gradient is wanted and nothing is being compiled, a call goes straight to `context_graph.kernels`. float64
tensors are computed by the definitions, so that gradients can be checked.

>>> import torch
>>> from context_graph.torch import poincare
>>> x = torch.tensor([[0.0, 0.0]], requires_grad=True)
>>> poincare.distance(x, torch.tensor([[0.5, 0.0]])).backward()
>>> x.grad
tensor([[-2., 0.]])
"""

from importlib import import_module
from typing import Any

from context_graph.errors import BackendUnavailable

try:
    import torch as _torch  # noqa: F401
except ImportError:
    raise BackendUnavailable("context_graph.torch needs torch; pip install 'ultimate-context-graph[torch]'") from None

__all__ = ["cones", "fusemoe", "hopfield", "maxsim", "poincare", "transe"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"context_graph.torch.{name}")
    raise AttributeError(f"module 'context_graph.torch' has no attribute {name!r}; families: {', '.join(__all__)}")
