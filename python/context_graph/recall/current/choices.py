"""Alternatives: what a question or a statement leaves to choose, and the statement that settles it."""

from collections.abc import Callable
from functools import cache

from context_graph.reading import cues
from context_graph.reading.acts import acts_of
from context_graph.reading.alternatives import Offer, chosen, offer
from context_graph.reading.subjects import of_another

__all__ = ["Choices"]

MAX_OFFER_CHARS = 200
"""Characters of a statement that leaves a choice open; in a longer one "or" stands for many things."""


class Choices:
    """Which result settles what another one, or the question, leaves to choose."""

    def __init__(self, question: str, text: Callable[[int], str]) -> None:
        asked = offer(question)
        self._text, self._asked = text, asked is not None
        self._named = cache(lambda place: None if asked is None else chosen(asked, text(place)))
        self._open = leaves_open = cache(lambda place: _leaves_open(text(place)))
        self._offer = cache(lambda place: _offer_of(text(place)) if leaves_open(place) else None)

    def offered(self, i: int) -> bool:
        """Whether there is anything to choose: the question offers it, or what is said at i leaves it open."""
        return self._asked or self._offer(i) is not None

    def settled(self, i: int, j: int) -> bool:
        """Whether the question offers what is said at i or what is said later at j; or i leaves a choice open, and j
        names one of the two alone.
        """
        offered, named = self._offer(i), (self._named(i), self._named(j))
        if None not in named and named[0] != named[1] and not self._open(j):
            return of_another(self._text(i)) == of_another(self._text(j))
        return offered is not None and chosen(offered, self._text(j)) is not None and not self._open(j)


def _offer_of(text: str) -> Offer | None:
    return offer(text) if len(text) <= MAX_OFFER_CHARS else None


def _leaves_open(text: str) -> bool:
    return bool(cues.OPEN.search(text)) or "open" in acts_of(text)
