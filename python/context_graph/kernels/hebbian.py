"""Hebbian learning: edges whose ends are active together grow.

Source: Hebb, The organization of behavior, 1949; Oja, A simplified neuron model as a principal component analyzer,
Journal of Mathematical Biology 15 (1982).
"""

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import in_kind
from context_graph.kernels._dispatch import call, choose, thread_count
from context_graph.kernels._gpu import DeviceArray
from context_graph.kernels._types import Integers, Output, Vector
from context_graph.kernels.modulation import Graph
from context_graph.kernels.reference import hebbian as reference

__all__ = ["learn", "update"]

RULES = ("plain", "soft", "oja")  # as cg::hebbian::Kind numbers them


@in_kind
def update(
    weights: Output,
    offsets: Integers,
    targets: Integers,
    pre: Vector,
    post: Vector,
    *,
    rule: str = "soft",
    rate: float = 0.1,
    decay: float = 0.0,
    least: float = 0.0,
    most: float = 1.0,
    normalise: bool = False,
    backend: str | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """One step of learning, in place.

    With g = rate pre[s] post[t] on the edge from s to t::

        plain   w + g - decay w
        soft    w + g (1 - w) - decay w
        oja     w + rate post[t] (pre[s] - post[t] w) - decay w

    then clamped to [least, most].

    Parameters
    ----------
    weights : float32, shape (m,)
        Changed in place; contiguous.
    offsets : integers, shape (n + 1,)
        The edges of node s are ``offsets[s]`` to ``offsets[s + 1]``.
    targets : integers, shape (m,)
        Where each edge leads. uint32 is taken without a copy.
    pre, post : float32, shape (n,)
        How active each node was as a source and as a target.
    rule : "plain", "soft" or "oja"
    rate, decay : float
    least, most : float
        least <= most.
    normalise : bool
        Divide the weights of each source by their sum afterwards, where it is above 0.
    backend : str, optional
        Default: the fastest usable here.
    threads : int, optional
        Changes the time, never the bits.

    Returns
    -------
    float32, shape (m,)
        The same array. The same bits from every compiled backend.

    Raises
    ------
    ArrayError
        For NaN and infinity. In pre and post they are found before any weight is changed.

    Examples
    --------
    >>> weights = np.array([0.5, 0.5], np.float32)
    >>> update(weights, [0, 2, 2], [0, 1], np.float32([1, 0]), np.float32([0, 1]), rule="plain", rate=0.25)
    array([0.5 , 0.75], dtype=float32)
    """
    chosen = choose(_core.hebbian, "hebbian", "update", backend)
    weights = check.output(weights, "weights", len(weights))
    there = type(weights) is DeviceArray  # kernels look at what lies there before a weight is changed
    offsets = check.offsets(offsets, len(weights), "weights", there=there)
    n = len(offsets) - 1
    targets = check.nodes(targets, "targets", n, length=len(weights), there=there)
    pre, post = check.vector(pre, "pre", (np.float32,), length=n), check.vector(post, "post", (np.float32,), length=n)
    settings = _settings(rule, rate, decay, least, most)
    if chosen == "reference":
        weights[:] = _defined(weights, offsets, targets, pre, post, settings, normalise)
        return weights
    function = getattr(_core.hebbian, f"update_{chosen}")
    call(function, weights, offsets, targets, pre, post, *settings, normalise, thread_count(threads))
    return weights


def learn(
    graph: Graph,
    pre: Vector,
    post: Vector,
    *,
    rule: str = "soft",
    rate: float = 0.1,
    decay: float = 0.0,
    least: float = 0.0,
    most: float = 1.0,
    normalise: bool = False,
    threads: int | None = None,
) -> None:
    """`update` of the weights that a `modulation.Graph` keeps, whose layout makes it several times faster.

    Nothing else may use the graph meanwhile. Negative weights are not allowed there, so `least` must be at least 0.

    Raises
    ------
    ArrayError
        `least` is below 0.
    """
    pre = check.vector(pre, "pre", (np.float32,), length=graph.nodes)
    post = check.vector(post, "post", (np.float32,), length=graph.nodes)
    settings = _settings(rule, rate, decay, least, most)
    if least < 0:
        raise ArrayError(f"least must be at least 0 for the weights of a graph, got {least}")
    if graph.backend == "reference":
        graph._weights[:] = _defined(graph._weights, graph._offsets, graph._targets, pre, post, settings, normalise)
        return
    function = getattr(_core.hebbian, f"learn_{graph.backend}")
    call(function, graph._resident, pre, post, *settings, normalise, thread_count(threads))


def _settings(
    rule: str, rate: float, decay: float, least: float, most: float
) -> tuple[int, float, float, float, float]:
    if rule not in RULES:
        raise ArrayError(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
    for name, value in (("rate", rate), ("decay", decay), ("least", least), ("most", most)):
        if not np.isfinite(value):
            raise ArrayError(f"{name} must be finite, got {value}")
    if least > most:
        raise ArrayError(f"least must not exceed most, got {least} and {most}")
    return RULES.index(rule), float(rate), float(decay), float(least), float(most)


def _defined(
    weights: np.ndarray,
    offsets: np.ndarray,
    targets: np.ndarray,
    pre: np.ndarray,
    post: np.ndarray,
    settings: tuple[int, float, float, float, float],
    normalise: bool,
) -> np.ndarray:
    kind, rate, decay, least, most = settings
    for name, array in (("weights", weights), ("pre", pre), ("post", post)):
        check.finite(array, name)
    return reference.update(
        weights, offsets, targets, pre, post,
        rule=RULES[kind], rate=rate, decay=decay, least=least, most=most, normalise=normalise,
    )  # fmt: skip
