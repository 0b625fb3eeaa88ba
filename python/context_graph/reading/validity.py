"""Until when a statement holds by its own words: "on call this week", "on leave until January"."""

import re
from typing import NamedTuple

from context_graph.embed.chunks import clauses
from context_graph.reading.past_events import tells_what_happened
from context_graph.reading.tense import lean_of
from context_graph.reading.time_expressions import Expression, expressions
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Validity", "validity"]

READ = 240
"""Characters of a statement that are looked at: a longer text says more than how long one thing holds."""

MIN_SPAN_US = 12 * 3_600_000_000
"""A statement about a part of a day is about every day ("until noon"), and not about this one."""

_BOUND = regex(r"\b(?:until|till?|through|this|next|bis|diese[rsnm]?|nächsten|hasta|est[ea])\b", re.I)
"""A word that every bound has, and few statements."""

FIRM = 1_000
"""What holds until a day holds until one to come (`expressions`)."""

_UNTIL = regex(
    r"\b(?:until|till|til|through|bis(?:\s+einschließlich)?|hasta)\s+(?:(?:the\s+)?(?:end|start|middle)\s+of\s+|the\s+"
    r"|ende\s+|anfang\s+|mitte\s+|zum\s+|el\s+|finales\s+de\s+)?\Z",
    re.I,
)
_THIS = regex(
    r"(?:this|diese[rsnm]?|est[ea])\s+(?:coming\s+)?(?:week|month|quarter|term|semester|season|year|woche|monat|jahr"
    r"|quartal|semana|mes|año)\Z",
    re.I,
)
_FROM = regex(r"\b(?:from|since|as of|starting|beginning|ab|seit|desde)\s+\Z", re.I)
_NEXT = regex(r"(?:the\s+)?next\s+\w+(?:\s+\w+)?\Z|(?:die\s+)?nächsten\s+\w+\s+\w+\Z", re.I)
_FOR = regex(r"\b(?:for|für|por|durante)\s+\Z", re.I)


class Validity(NamedTuple):
    """
    Attributes
    ----------
    end : int
        The last microsecond at which the statement holds.
    partly : bool
        It says more than what holds until then.
    """

    end: int
    partly: bool


@kept_for_texts(maxsize=1_024)
def validity(text: str, moment: int) -> Validity | None:
    """How long a statement of one moment (microseconds) holds by its own words; None where it does not say.

    What is to be done, what happened, and what is so at an hour of every day has no end of this kind.

    Examples
    --------
    >>> monday = 1_793_577_600_000_000  # 2026-11-02
    >>> days = 86_400_000_000
    >>> [(validity(text, monday).end - monday) // days for text in ("On call this week: Arjun", "Away until Friday")]
    [6, 4]
    >>> validity("I must call Bo this week", monday), validity("We moved the wiki this week", monday)
    (None, None)
    """
    if len(text) > READ or not _BOUND.search(text):
        return None
    parts = clauses(text)
    ends = [end for part in parts if (end := _end(part, moment)) is not None]
    return Validity(max(ends), len(parts) > 1) if ends else None


def _end(clause: str, moment: int) -> int | None:
    if tells_what_happened(clause) or lean_of(clause):
        return None
    spans = [
        span
        for one in expressions(clause, moment, lean=1, firm=FIRM)
        if _is_bound(clause, one)
        for span in one.spans[:1]
    ]
    ends = [span.end - 1 for span in spans if span.end - span.start >= MIN_SPAN_US and span.end > moment]
    return max(ends, default=None)


def _is_bound(clause: str, one: Expression) -> bool:
    """Whether an expression of time says until when something holds."""
    before, words = clause[: one.begin], clause[one.begin : one.end]
    if _THIS.match(words):
        return not _FROM.search(before)
    return bool(_UNTIL.search(before) or (_NEXT.match(words) and _FOR.search(before)))
