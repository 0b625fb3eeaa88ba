"""Of several things told apart by a number, the one that a question names comes first."""

from collections.abc import Mapping, Sequence

from context_graph.recall.apart.words import asks_of_one, numbered_in_words
from context_graph.recall.current.comparable import MAX_COMPARED
from context_graph.recall.current.order import Replacement

__all__ = ["asked_number_first"]


def asked_number_first(
    question: str, texts: Sequence[str], order: Sequence[int], replaced: Mapping[int, Replacement]
) -> list[int]:
    """Places in the order in which they are told, but what names the numbered thing of the question, "sprint 2", before
    what names but others of its kind, unless one of these took its place.

    Parameters
    ----------
    texts : sequence of str
        At each place.
    order : sequence of int
        Places.
    replaced : dict of int to Replacement
        Which of them another one took the place of.

    Examples
    --------
    >>> sprints = "Sprint 3 is off.", "Sprint two had nine testers."
    >>> asked_number_first("How many testers had the second sprint?", sprints, [0, 1], {})
    [1, 0]
    >>> asked_number_first("What runs on 80?", ["The API is on 81.", "The web is on 80."], [0, 1], {})
    [0, 1]
    """
    things = _asked_things(question)
    first = list(order[:MAX_COMPARED])
    answering = [place for place in first if things & numbered_in_words(texts[place])]
    if not answering:
        return list(order)
    newer = {by for place in answering for by in _newer(place, replaced)}
    beside = {
        place for place in first if place not in newer and place not in answering and _is_beside(things, texts[place])
    }
    last = max(first.index(place) for place in answering)
    head = [place for place in first[: last + 1] if place not in beside]
    return [*head, *(place for place in first if place not in head), *order[MAX_COMPARED:]]


def _asked_things(question: str) -> frozenset[tuple[str, str]]:
    """What numbered things a question names; small words before a number, "on 8400", have no stem."""
    if not asks_of_one(question):
        return frozenset()
    return frozenset(thing for thing in numbered_in_words(question) if thing[0])


def _is_beside(things: frozenset[tuple[str, str]], text: str) -> bool:
    """Whether a text names another one of the kind of some things."""
    kinds = {kind for kind, _ in things}
    return any(kind in kinds for kind, _ in numbered_in_words(text))


def _newer(place: int, replaced: Mapping[int, Replacement]) -> list[int]:
    """What took the place of a result, and of that, and so on."""
    newer: list[int] = []
    while place in replaced and replaced[place].by not in newer:
        place = replaced[place].by
        newer.append(place)
    return newer
