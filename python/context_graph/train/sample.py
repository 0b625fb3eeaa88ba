"""A part of a question set that embeds in minutes: every memory that answers a question, and some of the others."""

from dataclasses import replace

import numpy as np

from context_graph.evaluation.sets import QuestionSet

__all__ = ["sampled"]


def sampled(whole: QuestionSet, memories: int, seed: int) -> QuestionSet:
    """At most so many memories of a set, in their order, and all of its questions.

    Parameters
    ----------
    memories : int
        More are kept where more than this answer questions. 0 keeps all.
    """
    if not 0 < memories < len(whole.memories):
        return whole
    answering = sorted(frozenset().union(*(question.gold for question in whole.questions)))
    others = np.setdiff1d(np.arange(len(whole.memories)), answering)
    room = max(0, memories - len(answering))
    drawn = np.random.default_rng(seed).permutation(others)[:room].tolist()
    kept = sorted([*answering, *drawn])
    place = {old: new for new, old in enumerate(kept)}
    questions = tuple(replace(q, gold=frozenset(place[i] for i in q.gold)) for q in whole.questions)
    return QuestionSet(f"{whole.name}-{len(kept)}-{seed}", tuple(whole.memories[i] for i in kept), questions)
