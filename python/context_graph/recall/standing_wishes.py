"""Where a context tells how the user wants to be answered: first for what is to be done, else behind the facts."""

from collections.abc import Collection, Sequence

from context_graph.reading.fact_questions import asks_for_fact, is_of_answers
from context_graph.reading.requests import wishes
from context_graph.reading.subjects import content_stems
from context_graph.reading.utterance import USERS
from context_graph.recall.answer import Hit
from context_graph.recall.apart.words import OF_ANYTHING

__all__ = ["with_wishes_behind"]


def with_wishes_behind(question: str, hits: Sequence[Hit], called: Collection[str] = ()) -> list[Hit]:
    """The hits; for a question for a fact, standing wishes that share no word with it behind what answers it, and those
    that are not about answers not at all: "never use axios" has nothing to do with "when do backups run?".

    Parameters
    ----------
    called : collection of str
        Ids of what the question asks for by name or as a whole, which stays.
    """
    if not asks_for_fact(question):
        return list(hits)
    topic = content_stems(question) - OF_ANYTHING
    beside = [
        hit
        for hit in hits
        if hit.node.id not in called
        and (hit.node.speaker or "").lower() in USERS
        and wishes(hit.node.content)
        and topic.isdisjoint(content_stems(hit.node.content))
    ]
    if not beside or len(beside) == len(hits):
        return list(hits)
    ids = {hit.node.id for hit in beside}
    behind = [hit for hit in beside if is_of_answers(hit.node.content)]
    return [*(hit for hit in hits if hit.node.id not in ids), *behind]
