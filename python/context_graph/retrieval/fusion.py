"""How scores of many spaces become one: z-scores over the candidates, weighted, plus rules in their own units."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from context_graph.index.corpus import Corpus

__all__ = [
    "GATE", "KINDS", "LEAST_SPREAD", "RULES", "TABLES", "VOICE", "WEIGHTS", "Scale", "felt", "gated", "kinds_of",
    "reciprocal_rank", "scale_of", "standardised", "tables_of", "weighted_sum", "weights_of",
]  # fmt: skip

KINDS = ("note", "dialogue", "code")
"""What a memory is; the turn of a dialogue has a speaker. What counts for one may mislead about the others."""

WEIGHTS: dict[str, dict[str, dict[str, float]]] = {
    "minilm": {
        "note": {"words": 1.0, "late_rare": 0.75},
        "topic": {"words": 1.0, "late_rare": 0.75, "semantic": 0.5, "feedback": 0.5},
        "dialogue": {
            "words_near": 0.75,
            "words_session": 0.5,
            "late_rare": 1.0,
            "late_pair": 0.5,
            "late_near": 1.0,
            "code": 1.0,
        },
        "several": {"words_near": 0.5, "late_rare": 1.0, "late_pair": 0.5, "late_near": 0.5, "code": 1.0},
        "code": {"words": 1.0, "late_rare": 1.0, "code": 3.0},
    },
    "base": {
        "note": {"words": 1.0, "late_rare": 0.5},
        "topic": {"words": 1.0, "late_rare": 0.5, "semantic": 0.5, "feedback": 0.5},
        "dialogue": {
            "words_pair": 0.5,
            "words_near": 0.5,
            "words_session": 1.0,
            "window": 1.0,
            "window_near": 0.5,
            "late_rare": 1.0,
            "late_near": 1.0,
            "code": 1.0,
        },
        "several": {
            "words_pair": 0.5,
            "words_near": 0.5,
            "window": 1.0,
            "window_near": 0.5,
            "late_rare": 1.0,
            "late_near": 1.0,
            "code": 1.0,
        },
        "code": {"words": 1.0, "words_like": 0.5, "window": 1.0, "late_rare": 0.5, "code": 1.0},
    },
}
"""Weight of each z-score, by tier and kind; set by hand, see docs/research/retrieval.md for what each is worth.

A note is weighed as "topic" where the question names nothing: among notes about one subject likeness tells more than
it misleads. A turn is weighed as "several" where the question expects more than one answer: they lie in several
sessions, so what else a session says tells less."""

TABLES = {"note": ("note", "topic"), "dialogue": ("dialogue", "several"), "code": ("code", "code")}
"""By kind: the table of most questions, and that of questions for a topic, or for several things."""

GATE = {"base": 0.0, "minilm": 0.0}
"""How far the learned gate turns the weights of each space for a question: 0 not at all, 1 in full proportion."""

VOICE = {"base": 0.0, "minilm": 1.0}
"""Whether late interaction asks the turns of a dialogue in the voice of the speaker whom the question names: 1 yes.
Vectors of the base tier know no sentence, and so no voice."""

RULES = {
    "title": 4.0, "speaker": 2.0, "date": 6.0, "asks": -2.5, "answers": 1.0, "information": 1.0, "when": 1.0,
    "how_many": 0.0,
}  # fmt: skip
"""Weight of each rule, in units of a z-sum whose standard deviation over a dialogue is about 4."""

LEAST_SPREAD = {
    "words": 0.5, "words_pair": 0.5, "words_near": 0.5, "words_session": 0.5,
    "window": 0.04, "window_near": 0.04, "semantic": 0.04, "completion": 0.04, "spelling": 0.01,
    "late_rare": 0.03, "late_pair": 0.03, "late_near": 0.03,
    "words_like": 0.5, "entity": 0.1, "cause": 0.04, "code": 0.04, "fused": 0.01,
    "graph": 0.01, "facts": 0.05, "feedback": 0.5,
}  # fmt: skip
"""A third or less of the usual standard deviation over a dialogue. Scores that vary less than this tell the
candidates apart by noise, and a space loses its weight in proportion."""


class Scale(NamedTuple):
    """What a score is measured by: its mean over the candidates, and their deviation."""

    mean: float
    deviation: float


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
    return Scale(float(mean), max(float(np.sqrt(known @ known / len(known))), least))


def standardised(scores: np.ndarray, scale: Scale | None) -> np.ndarray:
    """z-scores; 0 where a memory lacks the space (NaN)."""
    if scale is None:
        return np.zeros(len(scores), np.float32)
    found = ((scores - scale.mean) / scale.deviation).astype(np.float32)
    found[np.isnan(found)] = 0.0
    return found


def kinds_of(corpus: "Corpus", rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    """What each row is, as its place in `KINDS`: int8 (m,)."""
    return np.where(corpus.columns.dialogue[rows], 1, np.where(corpus.forms.code[rows], 2, 0)).astype(np.int8)


def tables_of(tier: str, kind: str) -> list[dict[str, float]]:
    """The tables of `WEIGHTS` that memories of a kind are weighed by."""
    return [WEIGHTS[tier][name] for name in dict.fromkeys(TABLES[kind])]


def weights_of(tier: str, kinds: np.ndarray, *, topical: bool = False, several: bool = False) -> dict[str, np.ndarray]:
    """What each score weighs for memories of these kinds: int (m,) -> name -> float32 (m,).

    Parameters
    ----------
    topical : bool
        The question names nothing that the store has a name for.
    several : bool
        The question expects more than one answer.
    """
    special = {"note": topical, "dialogue": several, "code": False}
    tables = [WEIGHTS[tier][TABLES[kind][special[kind]]] for kind in KINDS]
    names = dict.fromkeys(name for table in tables for name in table)
    weights = np.array([[table.get(name, 0.0) for table in tables] for name in names], np.float32)[:, kinds]
    return dict(zip(names, weights, strict=True))


def felt(tier: str) -> bool:
    """Whether an answer depends on the modulators of the session: by a score that is off here, or by the gate."""
    scores = ("completion", "fused", "graph")
    return bool(GATE[tier]) or any(table.get(name) for table in WEIGHTS[tier].values() for name in scores)


def gated(weights: dict[str, np.ndarray], say: Mapping[str, float], strength: float) -> dict[str, np.ndarray]:
    """Weights turned towards the spaces that a gate chose for the question, 1 + strength (say - 1), never below 0.

    Parameters
    ----------
    say : mapping
        By score; 1 where the gate has no opinion.
    strength : float
        0 changes nothing.
    """
    if not strength:
        return weights
    return {name: weight * np.float32(max(0.0, 1.0 + strength * (say[name] - 1.0))) for name, weight in weights.items()}


def weighted_sum(
    scores: Mapping[str, np.ndarray],
    weights: Mapping[str, np.ndarray],
    among: np.ndarray,
    scales: dict[str, Scale | None],
) -> dict[str, np.ndarray]:
    """Contribution of each space that has a weight: name -> float32 (m,).

    Parameters
    ----------
    scales : dict
        By score; what is missing is measured here and added, so that rows which come later are measured alike.
    """
    found = {}
    for name, values in scores.items():
        if name in weights and weights[name].any():
            if name not in scales:
                scales[name] = scale_of(values, among, LEAST_SPREAD[name])
            found[name] = weights[name] * standardised(values, scales[name])
    return found


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
