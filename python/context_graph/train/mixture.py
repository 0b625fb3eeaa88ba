"""The fusion as a function of its parameters, with the gradient of each."""

from dataclasses import dataclass

import numpy as np

from context_graph.embed.experts import READ, WIDTH, Inputs
from context_graph.embed.fused import INDEX, SLOT, Fusion, attention
from context_graph.kernels import fusemoe

__all__ = ["LEARNED", "Pass", "backward", "forward", "initial"]

LEARNED = ("centres", "down", "up", "query", "key", "value", "bridge", "gain")
"""What is trained; the temperature of the gate is given, and what is usual is counted afterwards."""


def initial(rank: int, temperature: float, dice: np.random.Generator) -> Fusion:
    """A fusion that adds up the spaces it chooses as they are: what experts project and tell each other starts at 0."""

    def drawn(*shape: int, scale: float) -> np.ndarray:
        return (scale * dice.standard_normal(shape)).astype(np.float32)

    e = len(READ)
    return Fusion(
        centres=drawn(13, WIDTH, scale=0.005),
        temperature=temperature,
        down=drawn(e, rank, WIDTH, scale=1.0),  # s_e has length 1, so z_e has entries of about 1 / √1536 times √1536
        up=np.zeros((e, WIDTH, rank), np.float32),
        query=drawn(rank, rank, scale=rank**-0.5),
        key=drawn(rank, rank, scale=rank**-0.5),
        value=drawn(rank, rank, scale=rank**-0.5),
        bridge=np.zeros((rank, rank), np.float32),
        gain=np.ones(e, np.float32),
        usual=np.zeros(13, np.float32),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """A forward pass: the vectors, and what the way back needs."""

    vectors: np.ndarray
    length: np.ndarray
    weights: np.ndarray
    """float (n, 7)."""

    read: np.ndarray
    listens: np.ndarray
    bridged: np.ndarray
    latent: np.ndarray


def forward(model: Fusion, inputs: Inputs, k: int) -> Pass:
    """The fused vectors of n texts; what `Fusion` computes, but every expert by every row."""
    kept, ids = fusemoe.gate(
        inputs.gate, model.centres.astype(np.float32), k=k, temperature=model.temperature, present=inputs.present
    )
    spread = np.zeros((len(inputs), len(READ) + 1), model.down.dtype)
    np.put_along_axis(spread, SLOT[ids], kept.astype(spread.dtype), axis=1)
    weights = spread[:, : len(READ)]
    read = np.einsum("ned,erd->ner", inputs.placed, model.down, optimize=True)
    listens = attention(read, weights > 0, model.query, model.key)
    bridged = np.tanh(listens @ (read @ model.value.T))
    latent = read + bridged @ model.bridge.T
    total = np.einsum("ner,edr->nd", weights[:, :, None] * latent, model.up, optimize=True)
    total += np.einsum("ne,ned->nd", weights * model.gain, inputs.placed, optimize=True)
    length = np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-9)
    return Pass(total / length, length, weights, read, listens, bridged, latent)


def backward(model: Fusion, inputs: Inputs, done: Pass, slope: np.ndarray) -> dict[str, np.ndarray]:
    """Gradients of the learned parameters, from those of the vectors: float (n, 1536).

    The choice of experts has none; how much the chosen ones weigh has.
    """
    root = np.sqrt(done.read.shape[2])
    to_total = (slope - done.vectors * (slope * done.vectors).sum(axis=1, keepdims=True)) / done.length
    to_sent = np.einsum("nd,edr->ner", to_total, model.up, optimize=True)  # before the weight
    along = np.einsum("nd,ned->ne", to_total, inputs.placed, optimize=True)
    to_weights = along * model.gain + (to_sent * done.latent).sum(axis=2)
    weighed = done.weights[:, :, None] * done.latent
    to_latent = done.weights[:, :, None] * to_sent
    to_heard = (to_latent @ model.bridge) * (1 - done.bridged**2)
    value = done.read @ model.value.T
    to_listens = to_heard @ value.swapaxes(1, 2)
    to_value = done.listens.swapaxes(1, 2) @ to_heard
    to_scores = done.listens * (to_listens - (done.listens * to_listens).sum(axis=2, keepdims=True)) / root
    query, key = done.read @ model.query.T, done.read @ model.key.T
    to_query, to_key = to_scores @ key, to_scores.swapaxes(1, 2) @ query
    to_read = to_latent + to_value @ model.value + to_query @ model.query + to_key @ model.key
    to_logits = done.weights * (to_weights - (done.weights * to_weights).sum(axis=1, keepdims=True))
    return {
        "centres": _to_centres(model, inputs, to_logits / model.temperature),
        "down": np.einsum("ner,ned->erd", to_read, inputs.placed, optimize=True),
        "up": np.einsum("nd,ner->edr", to_total, weighed, optimize=True),
        "query": np.einsum("nei,nej->ij", to_query, done.read, optimize=True),
        "key": np.einsum("nei,nej->ij", to_key, done.read, optimize=True),
        "value": np.einsum("nei,nej->ij", to_value, done.read, optimize=True),
        "bridge": np.einsum("nei,nej->ij", to_latent, done.bridged, optimize=True),
        "gain": (done.weights * along).sum(axis=0),
    }


def _to_centres(model: Fusion, inputs: Inputs, to_scores: np.ndarray) -> np.ndarray:
    """The score is minus the distance to a centre: its gradient is the direction towards x."""
    found = np.zeros(model.centres.shape, model.down.dtype)
    for slot, expert in enumerate(INDEX.tolist()):
        gap = inputs.gate - model.centres[expert]
        gap /= np.maximum(np.linalg.norm(gap, axis=1, keepdims=True), 1e-9)
        found[expert] = to_scores[:, slot] @ gap
    return found
