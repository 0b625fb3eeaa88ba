"""Which backend answers a call, and with how many threads."""

import operator
import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeVar

from context_graph import _core
from context_graph.errors import ArrayError, BackendUnavailable

__all__ = ["asked_for", "backends", "call", "choose", "processor_count", "thread_count", "why_not"]

CPU_BACKENDS = ("avx512", "avx2", "scalar")  # fastest first
NAMES = ("reference", "scalar", "avx2", "avx512", "cuda", "triton")

MAX_THREADS = 2**31 - 1  # of an int in C++, where fewer are woken

Answer = TypeVar("Answer")


def _why_not_triton() -> str | None:
    missing = [name for name in ("torch", "triton") if find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed; pip install 'ultimate-context-graph[cuda]'"
    if _core.devices() > 0 or os.environ.get("TRITON_INTERPRET") == "1":  # it compiles for whatever device there is
        return None
    return f"{why_not('cuda')}; with TRITON_INTERPRET=1 it runs on the CPU, slowly"


def backends() -> dict[str, dict[str, Any]]:
    """Every backend with whether it is usable here, and why not.

    Returns
    -------
    dict
        ``{"avx2": {"usable": True, "reason": ""}, "cuda": {"usable": False, "reason": "..."}, ...}``
    """
    return {name: {"usable": why_not(name) is None, "reason": why_not(name) or ""} for name in NAMES}


@cache
def why_not(backend: str) -> str | None:
    """What keeps a backend from being used here; None where it can be."""
    if backend == "cuda":
        return _core.why_not_cuda()  # loads a kernel: no call on the CPU asks
    if backend == "triton":
        return _why_not_triton()
    return None if backend == "reference" else _core.usable().get(backend, "no such backend")


def asked_for(backend: str | None) -> str | None:
    """The backend by argument or CONTEXT_GRAPH_BACKEND; None where nobody asks."""
    return backend or os.environ.get("CONTEXT_GRAPH_BACKEND") or None


def choose(family: object, name: str, operation: str, backend: str | None) -> str:
    """The backend asked for by argument or CONTEXT_GRAPH_BACKEND, else the fastest; an impossible one raises."""
    requested = asked_for(backend)
    if requested is None:
        return _fastest(family, operation)
    reason = why_not(requested)
    if reason is None and requested == "triton":
        reason = "it takes torch tensors"  # those have gone another way
    if reason is None and requested != "reference" and not hasattr(family, f"{operation}_{requested}"):
        reason = f"{name} is not built for it"
    if reason is not None:
        raise BackendUnavailable(
            f"{name}.{operation} has no backend {requested!r} on this machine ({reason}); "
            f"usable: {', '.join(_usable(family, operation))}"
        )
    return requested


@cache
def _fastest(family: object, operation: str) -> str:
    return _usable(family, operation)[0]


def _usable(family: object, operation: str) -> list[str]:
    compiled = [b for b in CPU_BACKENDS if why_not(b) is None and hasattr(family, f"{operation}_{b}")]
    return [*compiled, "reference"]


def call(function: Callable[..., Answer], *arguments: Any) -> Answer:
    """The compiled function; what it finds wrong with the numbers is an ArrayError."""
    try:
        return function(*arguments)
    except ValueError as error:
        raise ArrayError(str(error)) from None


def thread_count(threads: int | None) -> int:
    """The argument, else CONTEXT_GRAPH_THREADS, else the processors this process may use.

    Small work wakes fewer, and no result depends on it.
    """
    if threads is not None:
        return _count_of(threads, "threads")
    text = os.environ.get("CONTEXT_GRAPH_THREADS")
    return _count_of(int(text) if text.isdecimal() else text, "CONTEXT_GRAPH_THREADS") if text else processor_count()


def _count_of(value: Any, name: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ArrayError(f"{name} must be an integer, got {value!r}; leave it out to use every processor") from None
    if number < 1:
        raise ArrayError(f"{name} must be at least 1, got {number}")
    return min(number, MAX_THREADS)


def processor_count() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
