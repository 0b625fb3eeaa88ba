"""Which of what would be told is likely to answer the question, beside the best of it; and whether any of it is."""

from collections.abc import Mapping, Sequence

from context_graph.models import Node
from context_graph.presentation.addresses import is_of_file
from context_graph.reading.exceptions import exempts
from context_graph.reading.fingerprints import given_name
from context_graph.reading.identifiers import numbered_apart
from context_graph.reading.passages import is_passage
from context_graph.reading.utterance import ASSISTANTS, USERS
from context_graph.recall.answer import Answer, Hit
from context_graph.recall.answer_signs import MAX_JUDGED_ANSWER_CHARS
from context_graph.recall.current.likelihood import SURELY

__all__ = ["is_judged", "is_of_notes", "likeliest_first", "likely_ones", "may_answer_none"]

MIN_ANSWER_SHARE = 0.05
"""Share of the probability of the best from which another statement is told beside it."""

ALWAYS = 2
"""Lines of a telling that stay whatever they answer: the second may say, in other words, what became of the first."""

MIN_ADDED = 1 / 3
"""Share of the setting `abstain_below`, as a probability, from which a statement is told that would not have been."""

MUCH_LIKELIER, MUCH_LIKELIER_THAN_LATER = 2.0, 4.0
"""How many times likelier to answer than the first a result is that is told before it, as a rule, and where the first
may have taken its place."""

MIN_ANSWERING, MIN_ANSWERING_DOUBTED = 0.2, 0.33
"""Probability of the best below which what is told is told with a doubt, as a rule, and where hardly anything here is
about the question."""


def likely_ones(
    hits: Sequence[Hit], answer: Answer, probabilities: Mapping[str, float], abstain_below: float
) -> tuple[Hit, ...]:
    """The hits of a telling without the statements that are much less likely to answer than the best, and with those
    that are likely to, in the order of their ranks where these stand behind.

    What is no short statement, or was not judged, stays.
    """
    known = [hit.node for hit in answer.hits if hit.node.id in probabilities]
    judged = {node.id: probabilities[node.id] for node in known if is_judged(node)}
    if not judged:
        return tuple(hits)
    ids = {hit.node.id for hit in hits}
    bar = MIN_ADDED * abstain_below if abstain_below < 1 else 1.0
    added = [hit for hit in answer.hits if hit.node.id not in ids and judged.get(hit.node.id, 0.0) >= bar]
    some = (*hits, *added)
    best = max(some, key=lambda hit: judged.get(hit.node.id, 0.0), default=None)
    if best is None:
        return ()
    least = MIN_ANSWER_SHARE * judged.get(best.node.id, 0.0)
    return tuple(hit for place, hit in enumerate(some) if place < ALWAYS or judged.get(hit.node.id, 1.0) >= least)


def likeliest_first(hits: Sequence[Hit], probabilities: Mapping[str, float]) -> list[Hit]:
    """The hits, the likeliest to answer first where the one that stands there is much less likely to: what is told
    first may have nothing of the question and only stand for what it is taken to have replaced.

    What has surely taken the place of the likeliest, a rule beside its exception, and one of several numbered things
    stay where they are.
    """
    order = list(hits)
    if not order or order[0].node.id not in probabilities:
        return order
    first, likeliest = order[0], max(order, key=lambda hit: probabilities.get(hit.node.id, 0.0))
    least = MUCH_LIKELIER_THAN_LATER if likeliest.replaced_by == first.node.id else MUCH_LIKELIER
    if probabilities.get(likeliest.node.id, 0.0) <= least * probabilities[first.node.id]:
        return order
    contents = first.node.content, likeliest.node.content
    if _surely_replaced(likeliest, first, order) or exempts(*contents) or numbered_apart(*contents):
        return order
    order.remove(likeliest)
    return [likeliest, *order]


def _surely_replaced(hit: Hit, by: Hit, hits: Sequence[Hit]) -> bool:
    """Whether one hit has taken the place of another, directly or by way of others, each of which surely has."""
    by_id = {one.node.id: one for one in hits}
    while hit.replaced_by is not None and (hit.until is not None or hit.replaced_likely >= SURELY):
        if hit.replaced_by == by.node.id:
            return True
        later = by_id.get(hit.replaced_by)
        if later is None:
            return False
        hit = later
    return False


def may_answer_none(hits: Sequence[Hit], probabilities: Mapping[str, float], *, doubtful: bool) -> bool | None:
    """Whether none of some hits is likely to answer; None where the first was not judged, or there are none.

    Parameters
    ----------
    doubtful : bool
        Hardly anything here is about the question.
    """
    if not hits or hits[0].node.id not in probabilities or not is_judged(hits[0].node):
        return None
    best = max(probabilities.get(hit.node.id, 0.0) for hit in hits)
    return best < (MIN_ANSWERING_DOUBTED if doubtful else MIN_ANSWERING)


def is_of_notes(hits: Sequence[Hit]) -> bool:
    """Whether none of some hits is of a conversation with an assistant, where an answer often lies in several turns: by
    the assistant, or a longer message of the user.
    """
    speakers = [(hit.node.speaker or "").lower() for hit in hits]
    return not any(
        speaker in ASSISTANTS or (speaker in USERS and len(hit.node.content) > MAX_JUDGED_ANSWER_CHARS)
        for hit, speaker in zip(hits, speakers, strict=True)
    )


def is_judged(node: Node) -> bool:
    """Whether it is a short statement, of which the trees know how it answers: no article, no entry with a title, no
    part of a file, no code, no turn of a talk of several people.
    """
    return (
        len(node.content) <= MAX_JUDGED_ANSWER_CHARS
        and (not node.speaker or node.speaker.lower() in USERS)
        and not given_name(node)
        and not is_of_file(node)
        and node.metadata.get("kind") != "code"
        and not is_passage(node.content)
    )
