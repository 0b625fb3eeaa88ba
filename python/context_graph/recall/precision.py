"""Which of what would be told is likely to answer the question, beside the best of it; and whether any of it is."""

from collections.abc import Mapping, Sequence

from context_graph.models import Node
from context_graph.presentation.addresses import is_of_file
from context_graph.reading.fingerprints import given_name
from context_graph.reading.updates import update_odds
from context_graph.recall.answer import Answer, Hit
from context_graph.recall.answer_signs import MAX_JUDGED_CHARS

__all__ = ["likely_ones", "may_answer_none"]

MIN_ANSWER_SHARE = 0.05
"""Share of the probability of the best from which another statement is told beside it."""

MIN_CHANGING, MAX_CHANGING_PLACE = -2.0, 2
"""Log odds, by its wording, that a statement changes what was told before, from which it stays behind an earlier one,
if it is one of so many first: it may end that in other words than the question has. Chosen on the updates of truth."""

MIN_ADDED = 0.1
"""Probability from which a statement is told that would not have been."""

MIN_ANSWERING = 0.2
"""Probability of the best below which what is told is told with a doubt."""


def likely_ones(hits: Sequence[Hit], answer: Answer, probabilities: Mapping[str, float]) -> tuple[Hit, ...]:
    """The hits of a telling without the statements that are much less likely to answer than the best, and with those
    that are likely to, in the order of their ranks where these stand behind.

    What is no short statement, or was not judged, stays.
    """
    judged = {hit.node.id: probabilities[hit.node.id] for hit in answer.hits if _is_judged(hit.node, probabilities)}
    if not judged:
        return tuple(hits)
    told = {hit.node.id for hit in hits}
    added = [hit for hit in answer.hits if hit.node.id not in told and judged.get(hit.node.id, 0.0) >= MIN_ADDED]
    some = (*hits, *added)
    best = max(some, key=lambda hit: judged.get(hit.node.id, 0.0), default=None)
    if best is None:
        return ()
    least = MIN_ANSWER_SHARE * judged.get(best.node.id, 0.0)
    return tuple(
        hit
        for place, hit in enumerate(some, 1)
        if judged.get(hit.node.id, 1.0) >= least or (place <= MAX_CHANGING_PLACE and _may_change(hit.node, best.node))
    )


def _may_change(node: Node, earlier: Node) -> bool:
    """Whether a later statement may take the place of an earlier one."""
    if node.occurred_at <= earlier.occurred_at:
        return False
    return update_odds(node.content)[0] >= MIN_CHANGING


def may_answer_none(hits: Sequence[Hit], probabilities: Mapping[str, float]) -> bool | None:
    """Whether none of some hits is likely to answer; None where one of them was not judged, or there are none."""
    if not hits or not all(_is_judged(hit.node, probabilities) for hit in hits[:1]):
        return None
    return max(probabilities.get(hit.node.id, 0.0) for hit in hits) < MIN_ANSWERING


def _is_judged(node: Node, probabilities: Mapping[str, float]) -> bool:
    """Whether it is a short statement that was judged: no entry with a title, no part of a file, no code."""
    return (
        node.id in probabilities
        and len(node.content) <= MAX_JUDGED_CHARS
        and not given_name(node)
        and not is_of_file(node)
        and node.metadata.get("kind") != "code"
    )
