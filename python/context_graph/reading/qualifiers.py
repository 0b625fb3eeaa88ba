"""Words of which one excludes the others: what is said of staging is not said of production."""

import re

from context_graph.embed.stems import words
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["qualified_alike"]

MAX_QUALIFIED_CHARS = 1_000
"""Characters that are looked at."""

_EXCLUSIVE = tuple(
    tuple(frozenset(one.split("/")) for one in group.split())
    for group in (
        "production/prod/produktion staging/stg dev/development sandbox preview qa", "upstairs downstairs",
        "mobile/cell landline",
        "morning/mornings/breakfast evening/evenings/dinner/bedtime", "summer/summers winter/winters",
        "inbound/incoming outbound/outgoing", "minimum maximum", "check-in check-out/checkout",
        "departure/departs arrival/arrives", "male female", "public private", "primary secondary",
        "frontend/front-end backend/back-end", "indoor/indoors outdoor/outdoors", "credit debit",
        "gas electricity/electric", "android ios/iphone", "linux macos windows", "ipv4 ipv6",
        "weekday/weekdays weekend/weekends",
    )
)  # fmt: skip
"""Words that name the same stand behind a stroke, words that exclude each other in one line."""

_EXCLUSIVE_BEHIND_THE = tuple(
    tuple(frozenset(one.split("/")) for one in group.split())
    for group in (
        "left right",
        "old new",
        "front back rear",
        "home/private/personal work/business/company",
        "upper lower",
        "first second third",
        "big small",
    )
)
_BEHIND_THE = regex(
    r"\b(?:(?:the|my|our|his|her|their|your|['’]s) (?=\w+ [a-z])|for (?=work\b))(left|right|old|new|front|back|rear"
    r"|home|private|personal|work|business|company|upper|lower|first|second|third|big|small)\b",
    re.I,
)
"""Words that qualify a thing where they stand before it, and say something else elsewhere."""

_FOR_SEVERAL = regex(r"\b(?:which|either|both|all|every|each|compare\w*|difference|versus|vs|or)\b", re.I)
"""A question for several of them."""


@kept_for_texts(maxsize=4_096)
def qualified_alike(question: str, text: str) -> bool | None:
    """Whether a statement names the same as a question of things that exclude each other; None where one names none.

    Examples
    --------
    >>> qualified_alike("What is the prod host?", "staging host: db-2")
    False
    >>> qualified_alike("What is the prod host?", "hosts: db-1 (prod), db-2 (staging)")
    True
    >>> qualified_alike("What's my private number?", "Got a phone for work, it ends in 118.")
    False
    >>> qualified_alike("Which host is it?", "staging host: db-2") is None
    True
    """
    question, text = question[:MAX_QUALIFIED_CHARS], text[:MAX_QUALIFIED_CHARS]
    if _FOR_SEVERAL.search(question):
        return None
    alike = _alike(frozenset(words(question)), frozenset(words(text)), _EXCLUSIVE)
    if alike is not None:
        return alike
    of_question, of_text = (frozenset(map(str.lower, _BEHIND_THE.findall(one))) for one in (question, text))
    return _alike(of_question, of_text, _EXCLUSIVE_BEHIND_THE)


def _alike(
    asked_words: frozenset[str], told_words: frozenset[str], exclusive: tuple[tuple[frozenset[str], ...], ...]
) -> bool | None:
    """Whether what is told names the one that is asked for, or but others; None where one of the two names none."""
    for group in exclusive:
        named = [one for one in group if one & asked_words]
        if len(named) == 1 and any(one & told_words for one in group):
            return bool(named[0] & told_words)
    return None
