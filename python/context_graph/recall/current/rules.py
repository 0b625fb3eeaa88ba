"""A rule for everybody and an exception for somebody both hold: which of them a question is told first."""

from collections.abc import Sequence

from context_graph.reading.exceptions import excepted, exempts, names_in
from context_graph.reading.subjects import WORD
from context_graph.recall.current.comparable import MAX_COMPARED

__all__ = ["asks_for_one", "rules_first"]


def asks_for_one(question: str, who: frozenset[str]) -> bool:
    """Whether a question names one of some people, in lower case.

    Examples
    --------
    >>> asks_for_one("May Ida's sister come?", frozenset({"ida"})), asks_for_one("Who may come?", frozenset({"ida"}))
    (True, False)
    """
    question_words = {word.lower().replace("’", "'").removesuffix("'s") for word in WORD.findall(question)}
    return any(
        one in question_words or one.removesuffix("s") in question_words for one in who
    )  # "on Fridays", "this Friday"


def rules_first(question: str, texts: Sequence[str], order: Sequence[int]) -> list[int]:
    """Places in the order in which they are told, but a rule before what makes an exception for somebody whom the
    question does not name.

    Parameters
    ----------
    texts : sequence of str
        At each place.
    order : sequence of int
        Places.

    Examples
    --------
    >>> rules = "No visitors after ten.", "For Ida visitors until eleven are fine."
    >>> rules_first("May Bo come at eleven?", rules, [1, 0]), rules_first("May Ida come at eleven?", rules, [1, 0])
    ([0, 1], [1, 0])
    """
    places = list(order)
    for place in order[:MAX_COMPARED]:
        behind = places[places.index(place) + 1 : MAX_COMPARED]
        rule = next((other for other in behind if exempts(texts[other], texts[place])), None)
        if rule is not None and not asks_for_one(question, excepted(texts[place]) | names_in(texts[place])):
            places.remove(rule)
            places.insert(places.index(place), rule)
    return places
