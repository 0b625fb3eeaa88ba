"""Whose a statement is: what another person is, has, likes or bears, ends nothing of the speaker's, nor the reverse."""

import re

from context_graph.reading import cues
from context_graph.reading.holders import (
    Holder,
    asked_holder,
    holder,
    may_be_one,
    mentions_self,
    relative_of,
    tells_of_own,
)
from context_graph.reading.subjects import content_stems
from context_graph.recall.apart.words import refers_back
from context_graph.regex import regex

__all__ = ["holders_apart", "is_of_another_than_asked", "is_of_asked"]

_WANTED = regex(r"\b(?:looking for|search(?:ing)? for|hunting for|needs?|still no|wants? (?:to|an?)|wanted)\b", re.I)
"""What somebody else may have found for the speaker."""

_MOVED = regex(r"(?: (?:has|have|is|are|just|now|finally|recently)| ?['’]s){0,3} mov(?:ed|es|ing)\b", re.I)
"""Who moved may be "us": the firm, a partner."""


def holders_apart(earlier: str, later: str) -> bool:
    """Whether two statements tell each of one holder's own, and the holders are two who cannot be the same.

    What is said of somebody whom the other statement names, or of things that both have a part in, is left to others:
    "Tom moved out" ends "I live with Tom".

    Examples
    --------
    >>> holders_apart("I drink coffee black.", "Jonas doesn't drink coffee anymore.")
    True
    >>> holders_apart("I live with Jonas.", "Jonas moved to Ulm."), holders_apart("We live in Bonn.", "My wife moved.")
    (False, False)
    >>> holders_apart("We're in Graz.", "Acme moved to Ulm."), holders_apart("We need a tent.", "Kim bought a tent.")
    (False, False)
    >>> holders_apart("My son is allergic to cats.", "Turns out I'm not allergic to cats.")
    True
    >>> holders_apart("I do the billing.", "Karim does the billing now."), holders_apart("I have it.", "Dad sold it.")
    (False, False)
    """
    of, now = holder(earlier), holder(later)
    if of is None or now is None or may_be_one(of, now):
        return False
    if not tells_of_own(later) or not (of.kind == "self" or tells_of_own(earlier)):
        return False
    if _WANTED.search(earlier) or (of.group and now.kind == "named" and _MOVED.match(now.behind)):
        return False
    if _is_named(now, of, earlier) or _is_named(of, now, later):
        return False
    others = [text for one, text in ((of, earlier), (now, later)) if one.kind != "self"]
    return not any(map(mentions_self, others)) and not (now.kind == "self" and refers_back(later))


def _is_named(who: Holder, beside: Holder, text: str) -> bool:
    """Whether a statement names the holder of another, apart from the words for its own."""
    if beside.kind == "named" and relative_of(beside) and relative_of(beside) == who.relation:
        return False
    return not who.words.isdisjoint(content_stems(text) - beside.words)


def is_of_another_than_asked(question: str, text: str) -> bool:
    """Whether a statement tells of somebody's own whom the question does not ask about.

    Examples
    --------
    >>> is_of_another_than_asked("Am I vegetarian?", "Tom's vegetarian.")
    True
    >>> is_of_another_than_asked("Is Tom vegetarian?", "Tom's vegetarian.")
    False
    >>> is_of_another_than_asked("What's my mum called?", "Kim's mum is called Brigitte.")
    True
    >>> is_of_another_than_asked("What's my mum called?", "Mum's name is Ute.")
    False
    >>> is_of_another_than_asked("Do I eat fish?", "User started eating fish again.")
    False
    >>> is_of_another_than_asked("Where does Kim live?", "Kim's sister lives in Trier.")
    True
    """
    text = cues.readable(text)
    whom, of = asked_holder(question), holder(text)
    if whom is None or of is None or of.kind == "self" or not tells_of_own(text) or mentions_self(text):
        return False
    if whom.kind == "self":
        if whom.group and of.kind == "named":
            return False  # who is one of "us" is not known
        return not may_be_one(whom, of) and of.words.isdisjoint(content_stems(question))
    relative = relative_of(of)
    if whom.kind == "relative":
        if of.kind == "named":
            return not whom.words.isdisjoint(content_stems(of.behind))
        return not may_be_one(whom, of)
    if relative and not whom.words.isdisjoint(of.words):
        return relative_of(whom) != relative
    return of.kind == "named" and whom.words.isdisjoint(content_stems(text))


def is_of_asked(question: str, text: str) -> bool:
    """Whether a statement opens with whom the question asks about.

    Examples
    --------
    >>> is_of_asked("What car do I drive?", "My car is a Fiesta."), is_of_asked("What car do I drive?", "Dad sold his.")
    (True, False)
    >>> is_of_asked("Who is my boss?", "My boss is Ines."), is_of_asked("Who is my boss?", "Tom's boss is Ines.")
    (True, False)
    """
    whom, of = asked_holder(question), holder(cues.readable(text))
    if whom is None or of is None or whom.relation != of.relation or relative_of(whom) != relative_of(of):
        return False
    return bool(whom.relation) or (whom.kind == of.kind and of.words >= whom.words)
