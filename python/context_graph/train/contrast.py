"""Contrastive training: a question is pulled towards a memory that answers it, away from those that do not."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from context_graph.embed.experts import Inputs
from context_graph.embed.fused import TOP, Fusion
from context_graph.train.examples import Examples
from context_graph.train.mixture import LEARNED, backward, forward

__all__ = ["Adam", "contrast", "epochs"]

SHARPNESS = 20.0
"""Inverse temperature of the softmax over cosines."""

QUESTIONS, HARD = 24, 6
"""Questions of a step, and the lookalikes of each that are drawn."""

RATES = {
    "centres": 0.002, "gain": 0.02, "down": 5e-4, "up": 3e-5, "query": 2e-3, "key": 2e-3, "value": 2e-3, "bridge": 2e-3,
}  # fmt: skip
"""Steps of Adam. A few hundred questions must not bend the projections far: faster, they are learned by heart while
questions kept apart gain nothing."""

DECAY = {"down": 0.02, "up": 0.02, "query": 0.02, "key": 0.02, "value": 0.02, "bridge": 0.02}


def contrast(cosines: np.ndarray, positive: np.ndarray, left_out: np.ndarray) -> tuple[float, np.ndarray]:
    """InfoNCE (van den Oord et al. 2018): mean loss, and its gradient for each cosine.

    Parameters
    ----------
    cosines : float (q, m)
    positive : int (q,)
        The memory that answers each question.
    left_out : bool (q, m)
        Memories that answer it too, and so are no negatives.
    """
    logits = np.where(left_out, -np.inf, SHARPNESS * cosines)
    logits -= logits.max(axis=1, keepdims=True)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    q = np.arange(len(positive))
    loss = -np.log(np.maximum(shares[q, positive], 1e-30)).mean()
    shares[q, positive] -= 1.0
    return float(loss), SHARPNESS * shares / len(positive)


class Adam:
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019)."""

    def __init__(self, model: Fusion) -> None:
        self.step = 0
        self.mean = {name: np.zeros_like(getattr(model, name)) for name in LEARNED}
        self.square = {name: np.zeros_like(getattr(model, name)) for name in LEARNED}

    def update(self, model: Fusion, slopes: dict[str, np.ndarray], share: float) -> Fusion:
        """The model a step further; `share` of the full rates."""
        self.step += 1
        changed = {}
        for name, slope in slopes.items():
            self.mean[name] += 0.1 * (slope - self.mean[name])
            self.square[name] += 0.001 * (slope * slope - self.square[name])
            mean, square = self.mean[name] / (1 - 0.9**self.step), self.square[name] / (1 - 0.999**self.step)
            value, rate = getattr(model, name), share * RATES[name]
            step = mean / (np.sqrt(square) + 1e-8) + DECAY.get(name, 0.0) * value
            changed[name] = (value - rate * step).astype(value.dtype)
        return replace(model, **changed)


def epochs(
    model: Fusion, sets: Sequence[Examples], count: int, dice: np.random.Generator
) -> Iterator[tuple[Fusion, float]]:
    """Train; after each epoch the model and its mean loss. A step takes questions of one set."""
    adam = Adam(model)
    steps = [which for which, part in enumerate(sets) for _ in range(-(-len(part) // QUESTIONS))]
    for epoch in range(count):
        losses = []
        orders = [dice.permutation(len(part)) for part in sets]
        begun = [0] * len(sets)
        for which in dice.permutation(steps).tolist():
            chosen = orders[which][begun[which] : begun[which] + QUESTIONS]
            begun[which] += QUESTIONS
            loss, slopes = _step(model, sets[which], chosen, dice)
            model = adam.update(model, slopes, 1.0 - epoch / count)
            losses.append(loss)
        yield model, float(np.mean(losses))


def _step(
    model: Fusion, part: Examples, chosen: np.ndarray, dice: np.random.Generator
) -> tuple[float, dict[str, np.ndarray]]:
    positive = np.array([dice.choice(part.gold[i]) for i in chosen])
    hard = [dice.permutation(part.lookalikes[i])[:HARD] for i in chosen]
    rows, place = np.unique(np.concatenate([positive, *hard]), return_inverse=True)
    place = place[: len(chosen)]
    left_out = np.array([np.isin(rows, part.gold[i]) for i in chosen])
    left_out[np.arange(len(chosen)), place] = False
    both = Inputs.joined([part.questions[chosen], part.memories[rows]])
    done = forward(model, both, TOP)
    asked, told = done.vectors[: len(chosen)], done.vectors[len(chosen) :]
    loss, slope = contrast(asked @ told.T, place, left_out)
    return loss, backward(model, both, done, np.concatenate([slope @ told, slope.T @ asked]))
