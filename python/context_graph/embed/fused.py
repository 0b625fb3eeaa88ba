"""All spaces of a text as one vector: a Laplace gate chooses experts, attention lets them hear each other."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from context_graph.embed.experts import GATED, READ, Inputs
from context_graph.embed.spaces import SPACES
from context_graph.errors import EmbeddingFailed
from context_graph.kernels import fusemoe

__all__ = ["MODEL", "TOP", "Fused", "Fusion", "attended", "attention", "fusion", "spaces_for"]

MODEL = Path(__file__).parent.parent / "data" / "fusemoe.npz"
TOP = 4
"""Spaces that a memory's vector is made of: always the same, or vectors would depend on when they were made."""

INDEX = np.array([SPACES[id].index for id in READ])
SLOT = np.full(GATED + 1, -1)
"""Place in `READ` of each of E1 to E13; the last, which -1 reads, stays -1."""
SLOT[INDEX] = np.arange(len(READ))


def spaces_for(serotonin: float) -> int:
    """How many spaces a question consults: 2 at serotonin 0, 4 at its baseline of 0.5, 8 at 1.

    Examples
    --------
    >>> [spaces_for(level) for level in (0.0, 0.5, 1.0)]
    [2, 4, 8]
    """
    return round(2 * 4**serotonin)


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """n fused texts.

    Attributes
    ----------
    vectors : float32 (n, 1536)
        Unit length; zero where no space is present.
    weights : float32 (n, 13)
        How much each of E1 to E13 counts; they add up to 1, those that were not chosen are 0.
    """

    vectors: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Fusion:
    """A trained mixture: FuseMoE (Han et al. 2024) with attention across modalities, bridge and residual (CAME-AB).

    ::

        w     = Laplace gate of x among the 13 centres, over the k nearest that are present
        z_e   = D_e s_e                                     what expert e reads in its space s_e
        m_e   = Σ_f softmax_f(<Q z_e, K z_f> / √r) V z_f     what the chosen experts tell it
        z'_e  = z_e + B tanh(m_e)                           over the bridge, beside what it read itself
        fused = Σ_e w_e (g_e s_e + U_e z'_e), unit length

    Attributes
    ----------
    centres : float32 (13, 1536)
    temperature : float
    down, up : float32 (7, r, 1536), float16 or float32 (7, 1536, r)
        D and U of the spaces of `READ`.
    query, key, value, bridge : float32 (r, r)
        Q, K, V, B.
    gain : float32 (7,)
        g.
    usual : float32 (13,)
        What each space counts on average over the questions of training that have it; 0 where none has.
    """

    centres: np.ndarray
    temperature: float
    down: np.ndarray
    up: np.ndarray
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    bridge: np.ndarray
    gain: np.ndarray
    usual: np.ndarray

    def weights(self, inputs: Inputs, k: int = TOP) -> np.ndarray:
        """What each space counts: float32 (n, 13)."""
        return self._spread(*self._gated(inputs, k))

    def __call__(self, inputs: Inputs, k: int = TOP) -> Fused:
        """Fuse n texts, each of the k present spaces whose centres are nearest to it."""
        weights, ids = self._gated(inputs, k)
        spread = self._spread(weights, ids)
        read = np.einsum("erd,ned->ner", self.down, inputs.placed)
        told = attended(read, spread[:, INDEX] > 0, self.query, self.key, self.value)
        latent = read + np.tanh(told) @ self.bridge.T
        total = fusemoe.fuse(latent.astype(np.float32), self.up, SLOT[ids], weights)
        total += np.einsum("ne,ned->nd", spread[:, INDEX] * self.gain, inputs.placed)
        return Fused(total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-9), spread)

    def _gated(self, inputs: Inputs, k: int) -> tuple[np.ndarray, np.ndarray]:
        return fusemoe.gate(inputs.gate, self.centres, k=k, temperature=self.temperature, present=inputs.present)

    @staticmethod
    def _spread(weights: np.ndarray, ids: np.ndarray) -> np.ndarray:
        spread = np.zeros((len(ids), GATED + 1), np.float32)
        np.put_along_axis(spread, ids, weights, axis=1)  # padding goes to the last column
        return spread[:, :GATED]


def attended(read: np.ndarray, chosen: np.ndarray, query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """What each expert hears from the chosen ones: (n, e, r), bool (n, e) -> (n, e, r)."""
    return attention(read, chosen, query, key) @ (read @ value.T)


def attention(read: np.ndarray, chosen: np.ndarray, query: np.ndarray, key: np.ndarray) -> np.ndarray:
    """How much each expert listens to each of the chosen: (n, e, e), rows add up to 1, or to 0 where none is chosen."""
    scores = (read @ query.T) @ (read @ key.T).swapaxes(1, 2) / np.sqrt(read.shape[2])
    scores = np.where(chosen[:, None, :], scores, -np.inf)
    highest = scores.max(axis=2, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    return powers / np.maximum(powers.sum(axis=2, keepdims=True), 1e-30)


@lru_cache(maxsize=4)
def fusion(tier: str, file: Path = MODEL) -> Fusion:
    """The fusion of a tier from its file, read at first use.

    Raises
    ------
    EmbeddingFailed
        If the file is missing or holds no fusion of this tier.
    """
    try:
        with np.load(file, allow_pickle=False) as kept:
            arrays = {name.removeprefix(f"{tier}/"): kept[name] for name in kept if name.startswith(f"{tier}/")}
    except (OSError, ValueError) as problem:
        raise EmbeddingFailed(
            f"{file} cannot be read as a fusion: {problem}; make one with context_graph.train"
        ) from None
    if not arrays:
        raise EmbeddingFailed(f"{file} holds no fusion of tier {tier!r}; make one with context_graph.train")
    up = arrays.pop("up")
    temperature = float(arrays.pop("temperature"))
    return Fusion(**{name: array.astype(np.float32) for name, array in arrays.items()}, up=up, temperature=temperature)
