"""The order in which versions of a statement are told: what holds now first, or what held before."""

import re
from typing import NamedTuple

from context_graph.reading import cues
from context_graph.reading.asked_time import asked_time
from context_graph.reading.validity import beginning, coming_change
from context_graph.recall.answer import Hit
from context_graph.regex import regex

__all__ = [
    "Replacement", "announced_behind", "asks_for_now", "asks_for_the_past", "asks_for_then", "asks_how_it_was",
    "current_first", "former_first", "state_until",
]  # fmt: skip

_STATE = regex(
    r"^(?!\W*(?:when|why|wann|warum|wieso|cuándo|por qué)\b).*\b(?:was(?! (?:ist|hat|sind|kostet|macht)\b)|were|had"
    r"|war|waren|hatten?|wohnten?|lebten?|arbeiteten?|kosteten?|hieß(?:en)?|galten?|lief(?:en)?|benutzten?|nutzten?"
    r"|estaban?|eran?|tenían?|vivían?|costaban?|trabajaban?|usaban?"
    r"|did .{1,40}\b(?:have|use|live|cost|pay|charge|earn|run|work|drive|own|rent|take|listen|go by))\b",
    re.I,
)


_WILL = regex(
    r"\b(?:will|['’]ll|going to|gonna|shall|wird|werde[nt]?|wirst|será[ns]?|van? a|(?:from|starting|as of|ab|desde) \w+"
    r"|next|nächste[nrs]?|próxim[ao]s?)\b",
    re.I,
)


ANNOUNCED = 3
"""First results of which those that announce something come last where a question is for what is so now."""

_NOW = regex(
    r"\b(?:now|currently|presently|at the moment|at present|these days|as of today|gerade|zurzeit|zur zeit|derzeit"
    r"|momentan|im moment|aktuell\w{0,2}|jetzt|ahora|actualmente|en este momento|en ce moment|actuellement|maintenant"
    r"|adesso|attualmente|in questo momento|agora|atualmente|neste momento|nu|momenteel|teraz|obecnie)\b",
    re.I,
)


class Replacement(NamedTuple):
    """A result of which a later one says how it is now."""

    by: int
    """Place of the later one."""

    likely: float
    sure: bool = True
    """What the two say is enough; else the question makes it likely, and only their order is told."""

    partly: bool = False
    """The earlier one says more than the later one changes."""


def current_first(count: int, replaced: dict[int, Replacement]) -> list[int]:
    """Places in the order in which they are told: what holds now directly before the first that it replaces, with all
    versions between.

    Examples
    --------
    >>> current_first(4, {1: Replacement(3, 0.9)})
    [0, 3, 1, 2]
    """
    order: list[int] = []
    for place in range(count):
        versions = [place]
        while versions[-1] in replaced:  # each is later than the one before: this ends
            versions.append(replaced[versions[-1]].by)
        order += [each for each in reversed(versions) if each not in order]
    return order


def former_first(count: int, replaced: dict[int, Replacement]) -> list[int]:
    """Places in the order in which a question for the past is told: before what holds now, what it took the place of.

    Examples
    --------
    >>> former_first(4, {3: Replacement(0, 0.9)})
    [3, 0, 1, 2]
    """
    order: list[int] = []
    for place in range(count):
        former = [each for each in range(count) if each in replaced and replaced[each].by == place]
        versions = [place] if place in replaced else [*former, place]
        order += [each for each in versions if each not in order]
    return order


def asks_for_now(question: str) -> bool:
    """Whether a question says that it is for what is so at present.

    Examples
    --------
    >>> asks_for_now("Where do I work at the moment?"), asks_for_now("Who leads the team?")
    (True, False)
    """
    return bool(_NOW.search(question))


def announced_behind(hits: list[Hit], present: int) -> list[Hit]:
    """The hits with those of the first that announce what is to come behind the others of these."""

    def is_to_come(hit: Hit) -> bool:
        starts = (says(hit.node.content, hit.node.occurred_at) for says in (beginning, coming_change))
        return any(start is not None and start > present for start in starts)

    return [*sorted(hits[:ANNOUNCED], key=is_to_come), *hits[ANNOUNCED:]]


def asks_for_then(question: str, now: int) -> bool:
    """Whether a question is for what will be: "What will the rent be?", "Who leads the team in May?"."""
    return bool(_WILL.search(question)) or any(span.start > now for span in asked_time(question, now).spans[:1])


def state_until(question: str, now: int) -> int | None:
    """End of the past time for whose state a question asks: "Which port did the API use on 12 November?"; None for what
    happened then ("What did I do on 12 November?").
    """
    if not _STATE.search(question):
        return None
    spans = asked_time(question, now).spans
    return spans[0].end if spans and spans[0].end <= now else None


def asks_for_the_past(question: str) -> bool:
    """Whether a question wants to know how things were.

    Examples
    --------
    >>> asks_for_the_past("Where did I live before?"), asks_for_the_past("Which pill do I take before breakfast?")
    (True, False)
    >>> asks_for_the_past("What did a ten-pass use to cost?"), asks_for_the_past("Which bank do we use to pay?")
    (True, False)
    """
    if cues.PAST.search(question):
        return True
    return bool(cues.BEFORE.search(question)) and not cues.AT_PRESENT.search(question)


def asks_how_it_was(question: str, now: int) -> bool:
    """Whether a question asks how something was before, or at a past time: then what was closed since may answer."""
    return asks_for_the_past(cues.readable(question)) or state_until(question, now) is not None
