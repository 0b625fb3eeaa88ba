"""How relevant a result is, as a probability: the fused score made comparable between questions and stores."""

import numpy as np

from context_graph.embed.text_model import AS_FITTED, Scale
from context_graph.retrieval.types import CandidatePool

__all__ = ["NAMED", "answered", "in_order", "overview", "probability", "signals", "worth_telling"]

# Logistic regression; fitted by benchmarks/quality/calibrate.py, see docs/research/retrieval.md. The standardised
# fused score was tried as well and got no weight: how one memory stands out among others depends on the others.
RELEVANCE_WEIGHTS: dict[str, tuple[float, ...]] = {
    "minilm": (-7.021, 3.215, 2.891, 6.137, 5.0, 3.0),
    "base": (-5.165, 0.0, 6.848, 2.371, 2.0, 3.0),
}
"""By tier: intercept, late interaction, share of the question's rare words, cosine, share that is its time, attribute
of who asks. The last two are set by hand: the sets that the rest is fitted on ask for dates, never for "yesterday", and
nobody asks there about themselves."""


def signals(
    pool: CandidatePool, coverage: np.ndarray, timed: np.ndarray, together: np.ndarray, *, scale: Scale = AS_FITTED
) -> np.ndarray:
    """What relevance is judged by: float32 (k, 6).

    All are absolute, so that one memory in an empty store can be told relevant or not.

    Parameters
    ----------
    coverage : float32 (k,)
        Rarity-weighted share of the question's words that each memory holds.
    timed : float32 (k,)
        Share of the question that is a time in which each memory lies.
    together : float32 (k,)
        Share of the question's words that each memory and those above it hold together; only a question is judged by
        it: what it asks for may stand in two memories.
    scale : Scale
        Of the model: what it scores, as the model would that the weights were fitted to.
    """
    nothing = np.zeros(len(pool.rows), np.float32)
    late, cosine = pool.raw.get("late_rare", nothing), pool.raw.get("semantic", nothing)
    if scale != AS_FITTED:
        (a, b), (c, d) = scale
        late, cosine = a * late + b, c * cosine + d
    attribute = np.nan_to_num(pool.raw.get("attribute", nothing))
    named = IDENTIFIED * np.nan_to_num(pool.raw.get("identifier", nothing))
    columns = [np.fmax(late, 0.0), coverage, cosine, timed, np.maximum(attribute, named), together]
    return np.column_stack(columns).astype(np.float32)


def probability(signals: np.ndarray, tier: str) -> np.ndarray:
    """Calibrated probability of relevance of each result, alone: float32 (k,)."""
    intercept, *weights = RELEVANCE_WEIGHTS[tier]
    logit = intercept + signals[:, : len(weights)] @ np.array(weights, np.float32)
    return (1.0 / (1.0 + np.exp(-logit))).astype(np.float32)


IDENTIFIED = 0.6
"""What code that defines or uses a name of the question counts beside the attribute of who asks."""

ANSWERED: dict[str, tuple[float, ...]] = {
    "minilm": (-15.732, 6.761, 6.081, 10.465, 12.0, 6.0, 0.0, 0.0, 11.855, 0.0, 0.0, 0.0),
    "base": (-10.08, 0.7, 6.35, 0.0, 6.0, 6.0, 0.0, 1.22, 15.33, 0.0, 0.0, 1.63),
}
"""By tier, of a question: intercept and weights of `overview`; fitted by benchmarks/quality/gate.py against questions
about other conversations and other subjects, but for those of the time and the attribute, as in `RELEVANCE_WEIGHTS`."""

NAMED = ("link", "second", "speaker", "title")
"""Scores of what a question names: a memory that names lead to may have none of its words."""

TELLING: dict[str, tuple[float, ...]] = {
    "minilm": (4.2, 1.14, 0.228, 0.188, 0.156, 0.269, 0.285, 1.197),
    "base": (3.093, 1.12, 0.16, 0.107, 0.187, 0.279, 0.51, 1.231),
}
"""By tier: limit; what the logarithm of the rank and the distance of the fused score to the first cost; what the log
odds of a memory alone, and its scores of `NAMED`, earn. Fitted by benchmarks/quality/gate.py."""

MORE = 1.5
"""Added to the limit for what user and assistant have said: a context tells of each no more than its best passage, and
what is asked about a conversation often lies in several of its messages."""

PLAIN_STATEMENT, MIN_STATEMENT_RELEVANCE, SHARE, ALWAYS = 1.0, 0.02, 0.05, 4
"""Added to the limit for a statement that has neither speaker nor title, which earn elsewhere. Of such statements one
answers: behind the first ones, what is less likely than that, or than that share of the best, is about something
else. Chosen on the first halves of the sets of truth."""

SURE, BESIDE_SURE = 0.5, 2
"""Relevance from which the best answers for sure, and how many come first then. Chosen on the sets of truth and of
`benchmarks.quality.lives`, in view of all their totals: a quarter to a third of the lines less, and 1.5 of 100 updates
less told (docs/research/truth.md)."""

PLAINLY, MIN_BESIDE = 0.8, 0.01
"""Relevance of the best from which it alone comes first, where the second has less than that: with twice as much, three
of 130 updates are told less."""

FULLY_TOLD, FURTHER_SHARE = 6, 0.1
"""First statements, also of a user among brief ones, behind which one must have such a share of the best: of the memory
of a family, every third has the name that is asked of. Chosen on the lives that are not held."""

MIN_CODE_SHARE = 0.2
"""Share of the relevance of the best from which code is told where the first result is none. Chosen on 24 questions
about the notes of a company beside which a program was read."""

JUDGED_RESULTS, FIRST = 10, 3


def overview(signals: np.ndarray) -> np.ndarray:
    """What a question is judged by: float32 (11,), of the best ten the highest of each signal, of three the mean, and
    what these hold together.
    """
    if len(signals) == 0:
        return np.zeros(11, np.float32)
    each, together = signals[:, :-1], signals[:, -1]
    return np.concatenate(
        [each[:JUDGED_RESULTS].max(axis=0), each[:FIRST].mean(axis=0), together[:FIRST].max(keepdims=True)]
    )


def answered(signals: np.ndarray, tier: str) -> float:
    """Probability that anything found is about the question, in [0, 1]: of a question of this memory among as many of
    others.

    Parameters
    ----------
    signals : float32 (k, 6)
        Of the results in the order of their ranks.
    """
    intercept, *weights = ANSWERED[tier]
    return float(1.0 / (1.0 + np.exp(-(intercept + overview(signals) @ np.array(weights, np.float32)))))


def worth_telling(
    scores: np.ndarray,
    alone: np.ndarray,
    name_evidence: np.ndarray,
    tier: str,
    *,
    exchanged: np.ndarray | bool = False,
    plain: np.ndarray | bool = False,
    standing: np.ndarray | bool = False,
    brief: np.ndarray | bool = False,
    code: np.ndarray | bool = False,
) -> np.ndarray:
    """Which results to tell, by rank, fused score, relevance and names: bool (k,).

    Parameters
    ----------
    scores : float32 (k,)
        Fused sums, in the order of the ranks.
    alone : float32 (k,)
        `probability` of each.
    name_evidence : float32 (k, 4)
        The scores of `NAMED` of each.
    exchanged, plain : bool (k,)
        Whether a user or an assistant said it; whether it has neither speaker nor title.
    standing : bool (k,)
        Whether it says how to answer whatever is asked. It stands beside an answer, and takes no place of it.
    brief : bool (k,)
        Whether it is no longer than a plain statement. What user and assistant say in a few words is told as such a
        statement is, where the best answers for sure.
    code : bool (k,)
        Whether it is a part of a program.
    """
    limit, by_rank, by_distance, by_odds, *by_name = TELLING[tier]
    answers = ~np.broadcast_to(np.asarray(standing, bool), scores.shape)
    ranks, p = np.where(answers, np.cumsum(answers), np.arange(1, len(scores) + 1)), np.clip(alone, 1e-4, 1 - 1e-4)
    best = np.where(answers, scores[answers].max(initial=-np.inf), scores.max(initial=-np.inf))
    cost = by_rank * np.log(ranks) + by_distance * (best - scores)
    earned = by_odds * np.log(p / (1 - p)) + np.nan_to_num(name_evidence).reshape(-1, len(NAMED)) @ np.array(by_name)
    near: np.ndarray = cost - earned <= limit + MORE * exchanged + PLAIN_STATEMENT * plain
    likeliest = alone.max(initial=0.0)
    about = alone >= max(MIN_STATEMENT_RELEVANCE, SHARE * likeliest)
    first = ranks <= (BESIDE_SURE if likeliest >= SURE else ALWAYS)
    if likeliest >= PLAINLY:
        first &= (ranks <= 1) | (alone >= MIN_BESIDE)
    single = np.logical_or(plain, np.logical_and(exchanged, brief) & (likeliest >= SURE))
    statements = np.logical_or(plain, np.logical_and(exchanged, np.all(brief)))
    further = (ranks > FULLY_TOLD) & (alone < FURTHER_SHARE * likeliest)
    kept: np.ndarray = near & (np.logical_not(single) | first | about) & np.logical_not(statements & further)
    code = np.broadcast_to(code, scores.shape)
    if len(scores) and not code[0]:
        kept &= ~code | (alone >= MIN_CODE_SHARE * likeliest)
    return kept


def in_order(probabilities: np.ndarray) -> np.ndarray:
    """The nearest probabilities that never rise from one rank to the next: float32 (k,).

    Order and probability come from different signals, and both tell of relevance. Isotonic regression (pool adjacent
    violators) joins them: where a lower rank has the higher probability, the ranks between share their mean.

    Examples
    --------
    >>> in_order(np.array([0.5, 0.2, 0.4, 0.1], np.float32)).round(2).tolist()
    [0.5, 0.3, 0.3, 0.1]
    """
    blocks: list[tuple[float, int]] = []
    for value in probabilities.tolist():
        total, count = value, 1
        while blocks and blocks[-1][0] * count < total * blocks[-1][1]:
            above, ranks = blocks.pop()
            total, count = total + above, count + ranks
        blocks.append((total, count))
    means = [total / count for total, count in blocks]
    return np.repeat(np.array(means, np.float32), [count for _, count in blocks]) if blocks else probabilities
