"""Phrases for the absence of something: "no rain", "stop the rain", "prevent flooding"."""

import re

from context_graph.regex import regex

__all__ = ["absent_thing"]

MAX_ABSENCE_CHARS = 200
"""Characters of a phrase that is looked at."""

_ABSENCE = regex(
    r"\W*(?:if (?:we|i|you|they) )?(?:no(?:t| more| longer)?|never|without|(?:the )?(?:absence|lack|prevention) of"
    r"|(?:stop|prevent|avoid|eliminat|remov|suppress|abolish|ban)(?:p?ing|e|n?ing)?|stopp?(?:s|ed)|end(?:ing)?(?! of\b)"
    r"|kein(?:e|en|er|em|es)?|ohne|sin|evitar|impedir|eliminar)\s+(?:(?:the|any|all|der|die|das|den|el|la|los|las) )?"
    r"(?P<thing>\S.*)",
    re.I,
)


def absent_thing(phrase: str) -> str | None:
    """The thing of whose absence a phrase speaks; None where it names what is there.

    Examples
    --------
    >>> absent_thing("stop heavy rain"), absent_thing("absence of flooding"), absent_thing("no more noise")
    ('heavy rain', 'flooding', 'noise')
    >>> absent_thing("heavy rain"), absent_thing("notes"), absent_thing("stopover")
    (None, None, None)
    """
    match = _ABSENCE.fullmatch(phrase.strip()[:MAX_ABSENCE_CHARS])
    return match["thing"] if match else None
