"""The Laplace gate and its experts, as defined (FuseMoE, Han et al. 2024)."""

import numpy as np

__all__ = ["fuse", "gate", "outputs", "scores"]


def scores(x: np.ndarray, experts: np.ndarray, *, kind: str = "laplace") -> np.ndarray:
    """laplace: -|x - w|, softmax: <x, w>, cosine: <x, w> / (|x| |w|) or 0; (n, e)."""
    x, experts = x.astype(np.float64), experts.astype(np.float64)
    if kind == "laplace":
        return np.array([-np.linalg.norm(row - experts, axis=1) for row in x]).reshape(len(x), len(experts))
    products: np.ndarray = x @ experts.T
    if kind == "softmax":
        return products
    lengths = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(experts, axis=1))
    cosines: np.ndarray = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return cosines


def gate(
    x: np.ndarray,
    experts: np.ndarray,
    *,
    k: int = 4,
    kind: str = "laplace",
    temperature: float = 1.0,
    present: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """softmax(score / temperature) over the k best present experts: weights and ids, padded with 0 and -1."""
    found = scores(x, experts, kind=kind)
    weights, ids = np.zeros((len(x), k)), np.full((len(x), k), -1)
    seen = np.ones(found.shape, bool) if present is None else np.broadcast_to(present.astype(bool), found.shape)
    for i, row in enumerate(found):
        candidates = np.flatnonzero(seen[i])
        best = candidates[np.argsort(-row[candidates], kind="stable")[:k]]
        if len(best):
            powers = np.exp((row[best] - row[best[0]]) / temperature)
            weights[i, : len(best)], ids[i, : len(best)] = powers / powers.sum(), best
    return weights, ids


def outputs(
    inputs: np.ndarray, projections: np.ndarray, ids: np.ndarray, *, bias: np.ndarray | None = None
) -> np.ndarray:
    """P x_i + b of the expert in each slot, (n, k, dout); 0 where the id is -1."""
    out = np.zeros((*ids.shape, projections.shape[1]))
    for i, j in np.argwhere(ids >= 0):
        expert = ids[i, j]
        x = inputs[i] if inputs.ndim == 2 else inputs[i, expert]
        out[i, j] = projections[expert].astype(np.float64) @ x.astype(np.float64) + (
            0 if bias is None else bias[expert]
        )
    return out


def fuse(
    inputs: np.ndarray,
    projections: np.ndarray,
    ids: np.ndarray,
    weights: np.ndarray,
    *,
    bias: np.ndarray | None = None,
) -> np.ndarray:
    """Row i: the sum over slots j of weights[i, j] (P x_i + b) of expert ids[i, j]; -1 is nothing."""
    sums: np.ndarray = np.einsum("nk,nkd->nd", weights.astype(np.float64), outputs(inputs, projections, ids, bias=bias))
    return sums
