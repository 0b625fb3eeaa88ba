"""E11: names as points and kinds of connection as steps between them, learned from the graph (TransE)."""

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from context_graph.embed.spaces import space

__all__ = ["DIMENSIONS", "Entities", "learned", "nearness"]

DIMENSIONS = 256
MARGIN, STEP, BATCH = 1.0, 0.05, 256
MAX_UPDATES = 200_000
"""Facts looked at in one training, repeats included: it takes about a second, however large the graph is."""

MAX_ROUNDS = 40


class Entities(NamedTuple):
    """Points of names and steps of relations: float32 (n, 256), (r, 256)."""

    points: np.ndarray
    steps: np.ndarray


@space(id="E11", name="entity", dim=DIMENSIONS, kind="dense", metric="translation")
def learned(
    facts: np.ndarray, names: Sequence[str], relations: Sequence[str], start_points: dict[str, np.ndarray] | None = None
) -> Entities:
    """Learn where names lie, so that head + relation comes near tail (Bordes et al. 2013).

    Equal facts in equal order give equal bits: a name starts at a place that its spelling seeds, and what is
    corrupted is drawn from a fixed seed.

    Parameters
    ----------
    facts : int64, shape (m, 3)
        Head, relation, tail.
    names, relations : sequence of str
        What the numbers stand for.
    start_points : dict, optional
        Points of an earlier training by name, where this one goes on from.

    Returns
    -------
    Entities
        Points are of unit length.
    """
    points = (
        np.stack([(start_points or {}).get(name, _start(name)) for name in names])
        if names
        else np.zeros((0, DIMENSIONS))
    )
    steps = np.stack([_start(f"step {name}") for name in relations]) if relations else np.zeros((0, DIMENSIONS))
    points, steps = points.astype(np.float32), steps.astype(np.float32)
    draws = np.random.default_rng(11)
    rounds = min(MAX_ROUNDS, max(1, MAX_UPDATES // max(len(facts), 1))) if len(names) > 2 else 0
    for _ in range(rounds):
        for start in range(0, len(facts), BATCH):
            _descend(points, steps, facts[start : start + BATCH], draws)
        points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-9)
    return Entities(points, steps)


def _descend(points: np.ndarray, steps: np.ndarray, facts: np.ndarray, draws: np.random.Generator) -> None:
    """One step down the margin between facts and facts with another head or tail."""
    head, relation, tail = facts.T
    other = draws.integers(0, len(points), len(facts))
    swap = draws.random(len(facts)) < 0.5
    false_head, false_tail = np.where(swap, other, head), np.where(swap, tail, other)
    apart = points[head] + steps[relation] - points[tail]
    false_apart = points[false_head] + steps[relation] - points[false_tail]
    far, false_far = (np.linalg.norm(part, axis=1, keepdims=True) for part in (apart, false_apart))
    wrong = (far - false_far + MARGIN > 0)[:, 0]
    if not wrong.any():
        return
    pull = STEP * apart[wrong] / np.maximum(far[wrong], 1e-9)
    push = STEP * false_apart[wrong] / np.maximum(false_far[wrong], 1e-9)
    relation = relation[wrong]
    rows = np.concatenate([part[wrong] for part in (head, tail, false_head, false_tail)])
    _add(points, rows, np.concatenate([-pull, pull, push, -push]))
    _add(steps, relation, push - pull)


def _add(to: np.ndarray, rows: np.ndarray, change: np.ndarray) -> None:
    """Add changes to rows that may repeat, in the order given: the same bits every time."""
    order = np.argsort(rows, kind="stable")
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    to[rows[order[first]]] += np.add.reduceat(change[order], first, axis=0)


def nearness(entities: Entities, name_ids: np.ndarray) -> np.ndarray:
    """How near a step leads from a name asked about to each name, or back: the best -|h + r - t|, float32 (n,).

    NaN for the names asked about: that a memory holds those, E6 knows.

    Parameters
    ----------
    name_ids : int64, shape (a,)
    """
    from context_graph.kernels import transe

    points = entities.points
    best = np.full(len(points), -np.inf if len(name_ids) and len(entities.steps) else np.nan, np.float32)
    for name in name_ids.tolist():
        own = np.repeat(points[[name]], len(points), axis=0)
        for step in entities.steps:
            steps = np.repeat(step[None], len(points), axis=0)
            for heads, tails in ((own, points), (points, own)):
                best = np.maximum(best, transe.score(heads, steps, tails))
    best[name_ids] = np.nan
    return best


def _start(name: str) -> np.ndarray:
    point = np.random.default_rng(crc32(name.encode("utf-8", "replace"))).standard_normal(DIMENSIONS)
    return (point / np.linalg.norm(point)).astype(np.float32)
