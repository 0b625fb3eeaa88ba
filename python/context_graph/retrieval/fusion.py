"""How scores of many spaces become one: z-scores over the candidates, weighted, plus rules in their own units."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from context_graph.index.corpus import Corpus
from context_graph.reading.utterance import ASSISTANTS, USERS
from context_graph.retrieval.config import KINDS

__all__ = [
    "Scale",
    "Scales",
    "gated",
    "kinds_of",
    "leaning",
    "reciprocal_rank",
    "scale_of",
    "standardised",
    "weighted_sum",
]


APART = [KINDS.index(kind) for kind in ("request", "reply")]
"""Kinds whose scores are measured among themselves."""

LEANING = 10
"""How many rows of all a scale of some of them leans on: it is theirs where they are many more."""


class Scale(NamedTuple):
    """What a score is measured by: its mean over the candidates, and their deviation."""

    mean: float
    deviation: float


Scales = dict[tuple[str, int], Scale | None]
"""By score and group of kinds (`weighted_sum`)."""


def scale_of(scores: np.ndarray, among: np.ndarray, least: float = 1e-6) -> Scale | None:
    """Mean and deviation of the rows in `among` that have the space; None for fewer than two.

    Parameters
    ----------
    least : float
        Spread below which scores are not stretched to unit deviation.
    """
    known = scores[among & ~np.isnan(scores)].astype(np.float64)
    if len(known) < 2:
        return None
    mean = known.sum() / len(known)
    known -= mean
    return Scale(float(mean), max(float(np.sqrt(np.einsum("i,i->", known, known) / len(known))), least))


def leaning(own: Scale | None, rows: int, whole: Scale | None) -> Scale | None:
    """The scale of so many rows, blended with that of all as if `LEANING` more were drawn from there.

    A long text matches every question better than a short one, so the two sides of a conversation with a model are
    measured apart; of a few rows a mean and a deviation say little.
    """
    if own is None or whole is None:
        return whole
    share = rows / (rows + LEANING)
    mean = share * own.mean + (1 - share) * whole.mean
    around = [scale.deviation**2 + (scale.mean - mean) ** 2 for scale in (own, whole)]
    return Scale(mean, float(np.sqrt(share * around[0] + (1 - share) * around[1])))


def standardised(scores: np.ndarray, scale: Scale | None) -> np.ndarray:
    """z-scores; 0 where a memory lacks the space (NaN)."""
    if scale is None:
        return np.zeros(len(scores), np.float32)
    found = ((scores - scale.mean) / scale.deviation).astype(np.float32)
    found[np.isnan(found)] = 0.0
    return found


def kinds_of(corpus: Corpus, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    """What each row is, as its place in `config.KINDS`: int8 (m,).

    In a dialogue two speak: what somebody says in a session in which nobody else does is a note, and so is what each of
    a group reports, which hardly answers the turn before.
    """
    columns, place = corpus.columns, KINDS.index
    kinds = np.full(len(columns.dialogue[rows]), place("note"), np.int8)
    for kind in corpus.kind_of.values():
        kinds[getattr(corpus.forms, kind)[rows]] = place(kind)
    count = np.where(columns.dialogue[rows], corpus.speakers_beside[rows], 0)
    kinds[count == 2] = place("dialogue")
    speaker = columns.speaker[rows]
    for kind, names, among in (("request", USERS, count > 1), ("reply", ASSISTANTS, True)):
        for code in (corpus.speakers.known(name) for name in names):
            if code >= 0:
                kinds[(speaker == code) & among] = place(kind)
    return kinds


def gated(weights: dict[str, np.ndarray], gate_weights: Mapping[str, float], strength: float) -> dict[str, np.ndarray]:
    """Weights turned towards the spaces that a gate chose, 1 + strength (gate weight - 1), never below 0.

    Parameters
    ----------
    gate_weights : mapping
        By score; 1 where the gate has no opinion.
    strength : float
        0 changes nothing.
    """
    if not strength:
        return weights
    return {
        name: weight * np.float32(max(0.0, 1.0 + strength * (gate_weights[name] - 1.0)))
        for name, weight in weights.items()
    }


def weighted_sum(
    scores: Mapping[str, np.ndarray],
    weights: Mapping[str, np.ndarray],
    among: np.ndarray,
    scales: Scales,
    least_spread: Mapping[str, float],
    kinds: np.ndarray,
) -> dict[str, np.ndarray]:
    """Contribution of each space that has a weight: name -> float32 (m,).

    Parameters
    ----------
    least_spread : mapping
        By score: see `Score`.
    scales : dict
        By score and group; what is missing is measured here and added, so that rows which come later are measured
        alike.
    kinds : int8 (m,)
        Of the rows. Each of `APART` is a group of its own, all others are one.
    """
    groups = np.where(np.isin(kinds, APART), kinds, 0)
    several = bool(groups.any())  # else nothing has to be picked out
    each = [(group, groups == group) for group in np.unique(groups).tolist()] if several else [(0, None)]
    contributions = {}
    for name, values in scores.items():
        if name in weights and weights[name].any():
            part = np.zeros(len(values), np.float32) if several else values
            for group, rows in each:
                if (name, group) not in scales:
                    scales[name, group] = _measured(values, among, rows, least_spread[name])
                if rows is None:
                    part = standardised(values, scales[name, group])
                else:
                    part[rows] = standardised(values[rows], scales[name, group])
            contributions[name] = weights[name] * part
    return contributions


def _measured(values: np.ndarray, among: np.ndarray, rows: np.ndarray | None, least: float) -> Scale | None:
    whole = scale_of(values, among, least)
    if rows is None or rows.all():
        return whole
    own = among & rows
    return leaning(scale_of(values, own, least), int((own & ~np.isnan(values)).sum()), whole)


def reciprocal_rank(
    scores: Mapping[str, np.ndarray], weights: Mapping[str, np.ndarray], among: np.ndarray
) -> dict[str, np.ndarray]:
    """Contributions by rank, 1 / (60 + rank) (Cormack et al. 2009): an option, worse here than z-scores."""
    contributions = {}
    for name, values in scores.items():
        if name in weights and weights[name].any():
            order = np.argsort(-np.where(among, np.nan_to_num(values, nan=-np.inf), -np.inf), kind="stable")
            ranks = np.empty(len(order))
            ranks[order] = np.arange(1, len(order) + 1)
            contributions[name] = (weights[name] / (60 + ranks)).astype(np.float32)
    return contributions
