"""Edges under neurotransmitters, as defined."""

import numpy as np

from context_graph.kernels.reference import dense

__all__ = ["effective_weight", "pagerank", "shares", "spread", "strongest_paths"]


def _unit(signal: np.ndarray) -> np.ndarray:
    return signal.astype(np.float64) / (255.0 if signal.dtype == np.uint8 else 1.0)


def effective_weight(
    base: np.ndarray, excitatory: np.ndarray, inhibitory: np.ndarray, modulatory: np.ndarray
) -> np.ndarray:
    """base (1 + excitatory - inhibitory + 0.5 modulatory); bytes stand for x / 255."""
    signals = 1 + _unit(excitatory) - _unit(inhibitory) + 0.5 * _unit(modulatory)
    found: np.ndarray = base.astype(np.float64) * signals
    return found


def shares(offsets: np.ndarray, weights: np.ndarray, *, least: float) -> tuple[np.ndarray, np.ndarray]:
    """The source of each edge, and its part of what that source sends: w / max(least, sum of w)."""
    n = len(offsets) - 1
    sources = np.repeat(np.arange(n), np.diff(offsets))
    sums = np.maximum(np.bincount(sources, weights, n), least)
    return sources, np.divide(weights, sums[sources], out=np.zeros(len(weights)), where=sums[sources] > 0)


def spread(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray, activation: np.ndarray, *, steps: int, keep: float
) -> np.ndarray:
    """steps times keep a + (1 - keep) P^T a, P the weights divided by their row's sum where that exceeds 1."""
    sources, share = shares(offsets, weights, least=1.0)
    activation = activation.astype(np.float64)
    for _ in range(steps):
        received = np.bincount(targets, share * activation[sources], len(activation))
        activation = keep * activation + (1 - keep) * received
    return activation


def pagerank(
    offsets: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
    seeds: np.ndarray,
    *,
    damping: float,
    iterations: int,
    tolerance: float,
) -> tuple[np.ndarray, int, float]:
    """Ranks, iterations done, and the sum of absolute changes in the last one."""
    sources, share = shares(offsets, weights, least=0.0)
    idle = np.bincount(sources, weights, len(seeds)) <= 0
    seeds = seeds.astype(np.float64)
    ranks, done, change = seeds, 0, 0.0
    while done < iterations:
        received = np.bincount(targets, share * ranks[sources], len(seeds))
        following = (1 - damping + damping * ranks[idle].sum()) * seeds + damping * received
        done, change, ranks = done + 1, float(abs(following - ranks).sum()), following
        if change <= tolerance:
            break
    return ranks, done, change


def strongest_paths(
    offsets: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
    seeds: np.ndarray,
    strengths: np.ndarray,
    *,
    hops: int,
    k: int,
) -> tuple[np.ndarray, np.ndarray]:
    """The k nodes with the largest product of min(1, w) along at most `hops` edges, and the way to each."""
    n = len(offsets) - 1
    ways: dict[int, tuple[float, tuple[int, ...]]] = {}
    for seed, strength in zip(seeds.tolist(), strengths.tolist(), strict=True):
        if strength > ways.get(seed, (0.0, ()))[0]:
            ways[seed] = (strength, (seed,))
    latest = dict(ways)
    for _ in range(hops):
        frontier: dict[int, tuple[float, tuple[int, ...]]] = {}
        for node in sorted(latest):
            strength, way = latest[node]
            for edge in range(offsets[node], offsets[node + 1]):
                target, reached = int(targets[edge]), strength * min(1.0, float(weights[edge]))
                known = max(ways.get(target, (0.0,))[0], frontier.get(target, (0.0,))[0])
                if reached > known:
                    frontier[target] = (reached, (*way, target))
        ways.update(frontier)
        latest = frontier
    best = np.full(n, -np.inf)
    for node, (strength, way) in ways.items():
        if len(way) > 1:
            best[node] = strength
    found_strengths, ids = dense.best(best[None], k)
    ids = np.where(np.isneginf(found_strengths), -1, ids)[0]
    nodes = np.full((k, hops + 1), -1, np.int64)
    for row, node in zip(nodes, ids.tolist(), strict=True):
        if node >= 0:
            row[: len(ways[node][1])] = ways[node][1]
    return found_strengths[0], nodes
