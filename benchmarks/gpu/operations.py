"""Public operations with a small case whose answer is checked and a large one whose time is taken."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from benchmarks.shapes import bags, ball, edges, unit_rows
from context_graph import kernels

__all__ = ["INDEXES", "OPERATIONS", "agree", "call", "filled", "search"]


def _words(n: int, seed: int) -> np.ndarray:
    return kernels.hdc.items(np.arange(n), seed=seed)


def _facts(n: int) -> tuple[np.ndarray, ...]:
    return unit_rows(n, 64, 1), unit_rows(n, 64, 2), unit_rows(n, 64, 3)


def _tokens(n: int) -> tuple[np.ndarray, ...]:
    return unit_rows(32, 128, 1), unit_rows(16 * n, 128, 2), np.arange(0, 16 * n + 1, 16)


def _signals(n: int) -> tuple[np.ndarray, ...]:
    return tuple(np.random.default_rng(4).random((4, n), dtype=np.float32))


def _learning(n: int) -> tuple[np.ndarray, ...]:
    offsets, targets, weights = edges(n, 10 * n)
    pre, post = np.random.default_rng(5).random((2, n), dtype=np.float32)
    return weights, offsets, targets, pre, post


# Name, arguments for n rows, keywords, rows of the small and of the large case.
OPERATIONS: dict[str, tuple[Callable[[int], tuple], dict[str, Any], int, int]] = {
    "dense.scores": (lambda n: (unit_rows(2, 384, 1), unit_rows(n, 384, 2)), {}, 300, 100_000),
    "dense.topk": (lambda n: (unit_rows(2, 384, 1), unit_rows(n, 384, 2), 10), {}, 300, 100_000),
    "poincare.distance": (lambda n: (ball(n, 64, 1), ball(n, 64, 2)), {}, 300, 100_000),
    "poincare.distances": (lambda n: (ball(3, 64, 1), ball(n, 64, 2)), {}, 300, 100_000),
    "poincare.nearest": (lambda n: (ball(3, 64, 1), ball(n, 64, 2), 10), {}, 300, 100_000),
    "cones.contains": (lambda n: (ball(n, 64, 1), ball(n, 64, 2)), {}, 300, 100_000),
    "cones.energy": (lambda n: (ball(n, 64, 1), ball(n, 64, 2)), {}, 300, 100_000),
    "cones.aperture": (lambda n: (ball(n, 64, 1),), {}, 300, 100_000),
    "cones.ancestors": (lambda n: (ball(3, 64, 1), ball(n, 64, 2)), {}, 300, 100_000),
    "transe.score": (_facts, {}, 300, 100_000),
    "transe.nearest": (lambda n: (*(rows[:2] for rows in _facts(n)[:2]), _facts(n)[2], 10), {}, 300, 100_000),
    "hdc.hamming": (lambda n: (_words(n, 1), _words(n, 2)), {}, 300, 20_000),
    "hdc.distances": (lambda n: (_words(3, 1), _words(n, 2)), {}, 300, 20_000),
    "hdc.bundle": (lambda n: (_words(n, 1),), {}, 300, 20_000),
    "maxsim.maxima": (_tokens, {}, 30, 2_000),
    "modulation.effective_weight": (_signals, {}, 1000, 10_000_000),
    "hebbian.update": (_learning, {"rule": "soft", "rate": 0.1}, 100, 100_000),
}


def _documents(n: int) -> tuple[np.ndarray, np.ndarray]:
    return unit_rows(16 * n, 128, 2), np.full(n, 16)


_directions, _points, _bits = cache(unit_rows), cache(ball), cache(_words)  # queries, made before a search is timed

# An index: how it is made, what is appended for n rows, its search, rows of the small and of the large case.
INDEXES: dict[str, tuple[Callable[..., Any], Callable[[int], tuple], Callable[[Any], Any], int, int]] = {
    "dense.Index float32": (
        *(lambda **o: kernels.dense.Index(384, **o), lambda n: (unit_rows(n, 384, 2),)),
        *(lambda index: index.search(_directions(1, 384, 1), 10), 300, 1_000_000),
    ),
    "dense.Index float16": (
        *(lambda **o: kernels.dense.Index(384, dtype="float16", **o), lambda n: (unit_rows(n, 384, 2),)),
        *(lambda index: index.search(_directions(1, 384, 1), 10), 300, 1_000_000),
    ),
    "hdc.Index": (
        *(lambda **o: kernels.hdc.Index(**o), lambda n: (_words(n, 1),)),
        *(lambda index: index.search(_bits(3, 2), 10), 300, 20_000),
    ),
    "maxsim.Index": (
        *(lambda **o: kernels.maxsim.Index(128, keep="float32", **o), _documents),
        *(lambda index: index.search(_directions(32, 128, 1), 10), 30, 10_000),
    ),
    "poincare.Index": (
        *(lambda **o: kernels.poincare.Index(64, **o), lambda n: (ball(n, 64, 2),)),
        *(lambda index: index.nearest(_points(3, 64, 1), 10), 300, 1_000_000),
    ),
    "sparse.Index": (
        *(lambda **o: kernels.sparse.Index(**o), lambda n: bags(n, 60, 30_000)),
        *(lambda index: index.search(np.arange(30), np.ones(30, np.float32), 10, bm25=True), 300, 100_000),
    ),
}


def filled(name: str, n: int, backend: str) -> Any:
    """An index with n rows or documents."""
    make, given, *_ = INDEXES[name]
    index = make(backend=backend)
    index.append(*given(n))
    return index


def search(name: str, index: Any) -> tuple[np.ndarray, ...]:
    return tuple(_host(part) for part in _parts(INDEXES[name][2](index)))


def call(name: str, arguments: tuple, **keywords: Any) -> tuple[np.ndarray, ...]:
    """The answer as arrays on this side, whatever the operation gives."""
    family, operation = name.split(".")
    arguments = tuple(_own(argument) for argument in arguments)  # some operations work in place
    found = getattr(getattr(kernels, family), operation)(*arguments, **OPERATIONS[name][1], **keywords)
    return tuple(_host(part) for part in _parts(found))


def agree(found: tuple[np.ndarray, ...], wanted: tuple[np.ndarray, ...]) -> bool:
    """Decisions, counts and ids are equal, numbers are near."""
    return len(found) == len(wanted) and all(
        np.allclose(a, b, rtol=2e-5, atol=2e-6) if a.dtype.kind == "f" else np.array_equal(a, b)
        for a, b in zip(found, wanted, strict=True)
    )


def _parts(found: Any) -> Iterator[Any]:
    yield from (found if isinstance(found, tuple) else (found,))


def _own(argument: Any) -> Any:
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def _host(part: Any) -> np.ndarray:
    return part.cpu().numpy() if hasattr(part, "cpu") else np.asarray(part)
