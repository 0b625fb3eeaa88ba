"""Edges under neurotransmitters: what each weighs now, and what flows along them.

Source: Page et al., The PageRank citation ranking, 1999, for `pagerank`; the weights are the specification's.
"""

from typing import Any, NamedTuple

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import in_kind
from context_graph.kernels._dispatch import CPU_BACKENDS, call, choose, thread_count
from context_graph.kernels._gpu import room
from context_graph.kernels._types import Ids, Integers, Output, Vector
from context_graph.kernels.reference import modulation as reference

__all__ = ["Graph", "Paths", "Ranks", "effective_weight"]


class Ranks(NamedTuple):
    """What `Graph.pagerank` found."""

    ranks: np.ndarray
    """float32, shape (n,); at least 0, their sum 1 up to rounding."""

    iterations: int
    """How many were done."""

    change: float
    """Sum of absolute changes in the last one."""


class Paths(NamedTuple):
    """What `Graph.strongest_paths` found, the strongest first."""

    strengths: np.ndarray
    """float32, shape (k,); padded with -inf."""

    nodes: np.ndarray
    """int64, shape (k, hops + 1): from a seed to the node reached; padded with -1."""


@in_kind
def effective_weight(
    base: Vector,
    excitatory: Vector,
    inhibitory: Vector,
    modulatory: Vector,
    *,
    out: Output | None = None,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """What edges weigh under their neurotransmitters.

    ::

        w_eff = base (1 + excitatory - inhibitory + 0.5 modulatory)

    Parameters
    ----------
    base : float32, shape (n,)
    excitatory, inhibitory, modulatory : float32 or uint8, shape (n,)
        Signals in [0, 1], all of one dtype; bytes stand for x / 255 and cost a quarter of the memory traffic.
    out : float32, shape (n,), optional
        Written and returned instead of a new array, whose pages would cost more than the arithmetic.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    float32, shape (n,)
        Inside [0, 2.5 base] for signals in range. The same bits from every compiled backend.

    Examples
    --------
    >>> signals = np.array([[1.0], [0.25], [0.5]], np.float32)
    >>> effective_weight(np.array([0.8], np.float32), *signals)
    array([1.6], dtype=float32)
    """
    chosen = choose(_core.modulation, "modulation", "effective_weight", backend)
    base = check.vector(base, "base", (np.float32,))
    excitatory = check.vector(excitatory, "excitatory", (np.float32, np.uint8), length=len(base))
    inhibitory = check.vector(inhibitory, "inhibitory", (excitatory.dtype,), length=len(base))
    modulatory = check.vector(modulatory, "modulatory", (excitatory.dtype,), length=len(base))
    out = room(base, len(base)) if out is None else check.output(out, "out", len(base))
    if chosen == "reference":
        for name, array in (("base", base), ("excitatory", excitatory), ("inhibitory", inhibitory)):
            check.finite(array, name)
        found = reference.effective_weight(base, excitatory, inhibitory, check.finite(modulatory, "modulatory"))
        out[:] = check.scores(found, "an effective weight", "an input")
        return out
    function = getattr(_core.modulation, f"effective_weight_{chosen}")
    call(function, base, excitatory, inhibitory, modulatory, out, thread_count(threads))
    return out


class Graph:
    """A directed graph that stays in memory, laid out for passes over all edges and for walks along a few.

    The effective weight of an edge is computed where it is used and never stored.

    Parameters
    ----------
    offsets : integers, shape (n + 1,)
        The edges of node s are ``offsets[s]`` to ``offsets[s + 1]``.
    targets : integers, shape (m,)
        Where each edge leads; two edges may join the same nodes.
    weights : float32, shape (m,)
        At least 0.
    excitatory, inhibitory, modulatory : uint8, shape (m,), optional
        As in `effective_weight`; all three or none. Float signals belong into the weights: pass what
        `effective_weight` gives.
    backend : str, optional
        Default: the fastest usable here.

    Examples
    --------
    >>> graph = Graph([0, 2, 3, 3], [1, 2, 2], np.array([0.5, 0.2, 0.9], np.float32))
    >>> graph.strongest_paths([0], hops=2, k=2).nodes
    array([[ 0,  1, -1],
           [ 0,  1,  2]])
    """

    def __init__(
        self,
        offsets: Integers,
        targets: Integers,
        weights: Vector,
        *,
        excitatory: Vector | None = None,
        inhibitory: Vector | None = None,
        modulatory: Vector | None = None,
        backend: str | None = None,
    ) -> None:
        self.backend = choose(_core.modulation, "modulation", "spread", backend)
        weights = check.finite(check.vector(weights, "weights", (np.float32,)), "weights")
        if (weights < 0).any():
            raise ArrayError(f"weights must be at least 0, got {weights.min()}")
        self._offsets = check.offsets(offsets, len(weights), "weights")
        self._targets = check.nodes(targets, "targets", len(self._offsets) - 1, length=len(weights))
        gains = _gains(excitatory, inhibitory, modulatory, len(weights))
        self._gains = gains
        if self.backend == "reference":
            self._weights = weights.copy()
        else:
            self._resident = call(_core.modulation.Graph, self._offsets, self._targets, weights, gains)

    @property
    def nodes(self) -> int:
        return len(self._offsets) - 1

    @property
    def edges(self) -> int:
        return len(self._targets)

    @property
    def nbytes(self) -> int:
        """Bytes it keeps in memory."""
        if self.backend != "reference":
            return self._resident.nbytes
        return sum(array.nbytes for array in (self._offsets, self._targets, self._weights))

    @property
    def weights(self) -> np.ndarray:
        """A copy of the weights without neurotransmitters, float32, shape (m,), in the order they were given."""
        return self._weights.copy() if self.backend == "reference" else self._resident.weights()

    @in_kind
    def spread(
        self, activation: Vector, *, steps: int = 1, keep: float = 0.5, threads: int | None = None
    ) -> np.ndarray:
        """Activation after some steps along the edges.

        Each step, a node keeps a part of what it has and gives the rest away::

            a <- keep a + (1 - keep) P^T a        P_ij = w_eff_ij / max(1, sum_j w_eff_ij)

        so no node gives more than it has and the total never rises.

        Parameters
        ----------
        activation : float32, shape (n,)
        steps : int
            0 or more.
        keep : float
            In [0, 1].
        threads : int, optional
            Changes the time, never the bits.

        Returns
        -------
        float32, shape (n,)
            The same bits from every compiled backend.
        """
        activation = check.vector(activation, "activation", (np.float32,), length=self.nodes)
        steps, keep = check.count(steps, "steps"), check.unit(keep, "keep")
        if self.backend == "reference":
            check.finite(activation, "activation")
            found = reference.spread(*self._plain(), activation, steps=steps, keep=keep)
            return found.astype(np.float32)
        spread: np.ndarray = self._call("spread", activation, steps, keep, thread_count(threads))
        return spread

    @in_kind
    def pagerank(
        self,
        seeds: Vector,
        *,
        damping: float = 0.85,
        iterations: int = 100,
        tolerance: float = 1e-6,
        threads: int | None = None,
    ) -> Ranks:
        """Personalised PageRank: how often a walk is at each node that returns to the seeds now and then.

        ::

            r <- (1 - damping) s + damping P^T r        P_ij = w_eff_ij / sum_j w_eff_ij

        Nodes without outgoing weight send what they hold back to the seeds.

        Parameters
        ----------
        seeds : float32, shape (n,)
            At least 0, not all 0; scaled to the sum 1.
        damping : float
            In [0, 1]: how likely the walk goes on.
        iterations : int
            At most so many.
        tolerance : float
            Ends sooner, once the sum of absolute changes is at most this.
        threads : int, optional
            Changes the time, never the bits.

        Raises
        ------
        ArrayError
            A seed is below 0, or all are 0.
        """
        seeds = check.finite(check.vector(seeds, "seeds", (np.float32,), length=self.nodes), "seeds")
        total = seeds.sum(dtype=np.float64)
        if self.nodes and ((seeds < 0).any() or total <= 0):
            raise ArrayError("seeds must be at least 0 and not all 0; give the nodes to start from a positive number")
        seeds = (seeds / total).astype(np.float32) if self.nodes else seeds
        damping, iterations = check.unit(damping, "damping"), check.count(iterations, "iterations")
        if self.backend == "reference":
            ranks, done, change = reference.pagerank(
                *self._plain(), seeds, damping=damping, iterations=iterations, tolerance=tolerance
            )
            return Ranks(ranks.astype(np.float32), done, change)
        return Ranks(*self._call("pagerank", seeds, damping, iterations, float(tolerance), thread_count(threads)))

    def strongest_paths(self, seeds: Ids, *, strengths: Vector | None = None, hops: int = 4, k: int = 10) -> Paths:
        """The k nodes with the strongest way from a seed.

        A way is worth its seed's strength times the product of min(1, w_eff) along it. Of equal ways the shorter
        counts, then the one whose last but one node is lowest.

        Parameters
        ----------
        seeds : integers, shape (s,)
            Nodes to start from. One is listed only if another reaches it with more strength than its own.
        strengths : float32, shape (s,), optional
            Above 0; default 1.
        hops : int
            Most edges of a way.
        k : int
            May exceed what can be reached; an answer padded to more than 2^24 entries, by k or hops, is refused.

        Returns
        -------
        Paths
            The strongest first, ties to the lowest node. The same bits from every compiled backend.
        """
        if self.backend in CPU_BACKENDS:
            found = _core.modulation.strongest_paths_fast(self._resident, seeds, strengths, hops, k, self.backend, None)
            if found is not NotImplemented:
                return Paths(*found)
        return self._strongest_paths(seeds, strengths, hops, k)

    @in_kind
    def _strongest_paths(self, seeds: Ids, strengths: Vector | None, hops: int, k: int) -> Paths:
        seeds = check.nodes(seeds, "seeds", self.nodes, dtype=np.int64)
        if strengths is None:
            strengths = np.ones(len(seeds), np.float32)
        strengths = check.finite(check.vector(strengths, "strengths", (np.float32,), length=len(seeds)), "strengths")
        if (strengths <= 0).any():
            raise ArrayError(f"strengths must be above 0, got {strengths.min()}")
        k = check.chosen(k, self.nodes, check.count(hops, "hops") + 1)
        hops = check.chosen(hops, self.nodes, k, "hops")
        if self.backend == "reference":
            found, nodes = reference.strongest_paths(*self._plain(), seeds, strengths, hops=hops, k=k)
            return Paths(found.astype(np.float32), nodes)
        return Paths(*self._call("strongest_paths", seeds, strengths, hops, k))

    def _call(self, operation: str, *arguments: Any) -> Any:
        return call(getattr(_core.modulation, f"{operation}_{self.backend}"), self._resident, *arguments)

    def _plain(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Offsets, targets and effective weights in float64."""
        factor = 1.0 if self._gains is None else self._gains / 510.0
        return self._offsets, self._targets, self._weights.astype(np.float64) * factor


def _gains(
    excitatory: Vector | None, inhibitory: Vector | None, modulatory: Vector | None, edges: int
) -> np.ndarray | None:
    """510 + 2 excitatory - 2 inhibitory + modulatory, exactly: 510 is 1."""
    signals = {"excitatory": excitatory, "inhibitory": inhibitory, "modulatory": modulatory}
    if all(signal is None for signal in signals.values()):
        return None
    for name, signal in signals.items():
        if signal is None:
            raise ArrayError(f"{name} is missing; give all three signals or none")
    e, i, m = (
        check.vector(signal, name, (np.uint8,), length=edges).astype(np.int16) for name, signal in signals.items()
    )
    return 510 + 2 * e - 2 * i + m
