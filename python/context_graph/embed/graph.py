"""E8: what a memory and those it is joined to say together, the fused vectors spread along the edges (APPNP)."""

import numpy as np

from context_graph.embed.experts import WIDTH
from context_graph.embed.spaces import space

__all__ = ["MAX_EDGES_PER_NODE", "RESTART", "STEPS", "propagated", "stepped", "unit"]

STEPS = 2
"""The second reaches memories that name the same thing: a name lies between them."""

RESTART = 0.2
"""alpha: the share of every step that a memory keeps for its own vector."""

MAX_EDGES_PER_NODE = 16
"""Edges of a node that are used, the strongest; an edge is used where both of its ends choose it."""


@space(id="E8", name="graph", dim=WIDTH, kind="dense", metric="cosine")
def propagated(
    own: np.ndarray, neighbours: np.ndarray, weights: np.ndarray, *, steps: int = STEPS, restart: float = RESTART
) -> np.ndarray:
    """Spread vectors along edges, back towards their own at each step (Gasteiger et al. 2019).

    ::

        H_0 = Z        H_k = (1 - alpha) A H_(k-1) + alpha Z        A_ij = w_ij / (1 + sum_j w_ij), A_ii = 1 / (1 + ...)

    Rows of A add up to 1, so each row of H is a weighted mean, and what changes at a node changes no weight of its
    neighbours: with the symmetric normalisation of the paper it would, and a leaf would fade beside a hub.

    Parameters
    ----------
    own : float32, shape (n, d)
        Z; zero for a node that has no text of its own, a name.
    neighbours : int64, shape (n, e)
        Nodes that each is joined to, of any value where the weight is 0.
    weights : float32, shape (n, e)
        w_eff, at least 0.

    Returns
    -------
    float32, shape (n, d)
        Unit rows, or zero where nothing reaches; a node without edges has its own vector.

    Examples
    --------
    >>> own = np.eye(3, dtype=np.float32)
    >>> joined = np.array([[1], [0], [0]]), np.array([[1.0], [1.0], [0.0]], np.float32)
    >>> propagated(own, *joined, steps=1, restart=0.0).round(2)
    array([[0.71, 0.71, 0.  ],
           [0.71, 0.71, 0.  ],
           [0.  , 0.  , 1.  ]], dtype=float32)
    """
    found = np.asarray(own, np.float32)
    rows = np.arange(len(own))
    for _ in range(steps):
        found = stepped(found, rows, own, neighbours, weights, restart=restart)
    return unit(found)


def stepped(
    before: np.ndarray,
    rows: np.ndarray,
    own: np.ndarray,
    neighbours: np.ndarray,
    weights: np.ndarray,
    *,
    restart: float = RESTART,
) -> np.ndarray:
    """One step of some nodes.

    Parameters
    ----------
    before : float32, shape (n, d)
        What nodes had before it.
    rows : int64, shape (m,)
        Places in `before` of the nodes that take the step.
    own : float32, shape (m, d)
    neighbours : int64, shape (m, e)
        Places in `before`.
    weights : float32, shape (m, e)
    """
    heard = before[rows]
    for neighbour, weight in zip(neighbours.T, weights.T, strict=True):
        has = np.flatnonzero(weight)  # most nodes have few edges
        heard[has] += weight[has, None] * before[neighbour[has]]
    heard *= np.float32(1 - restart) / (1 + weights.sum(axis=1, keepdims=True))
    return heard + np.float32(restart) * own


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows of unit length; zero stays zero."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
