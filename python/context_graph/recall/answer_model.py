"""How likely each of the first results answers the question: boosted trees over `answer_signs.SIGNS`.

Fitted by benchmarks/quality/answers.py on questions that are asked twice: when their answer is known, and when it
was forgotten.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.recall.answer import Answer
from context_graph.recall.answer_signs import signs
from context_graph.recall.current.claim_model import Trees

__all__ = ["ANSWER_TREES", "answer_probabilities"]

ANSWER_TREES = Path(__file__).parents[1] / "data" / "answers.npz"


@lru_cache(maxsize=2)
def _trees(tier: str) -> Trees:
    """Those of the package for a tier, read once."""
    with np.load(ANSWER_TREES, allow_pickle=False) as read:
        fields = {name: read[f"{tier}.{name}"] for name in Trees._fields}
    return Trees(**fields | {"start": float(fields["start"]), "depth": int(fields["depth"])})


def answer_probabilities(question: str, answer: Answer, tier: str) -> Mapping[str, float]:
    """By the id of each of the first results: the probability that it answers a question in English; empty where the
    question is in another language.
    """
    if not answer.hits or language_of(question) != ENGLISH:
        return {}
    odds = _trees(tier).log_odds(signs(question, answer))
    each = (1.0 / (1.0 + np.exp(-odds))).tolist()
    return {hit.node.id: p for hit, p in zip(answer.hits, each, strict=False)}
