"""What has a date to come: deadlines, appointments, what expires or was promised by a day."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.index.batch import ASKS
from context_graph.index.corpus import Corpus
from context_graph.instants import DAY_US
from context_graph.models import Node
from context_graph.reading import cues
from context_graph.reading.calendar_spans import Span
from context_graph.reading.single_days import is_regular
from context_graph.reading.subjects import content_stems
from context_graph.reading.time_expressions import expressions
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["asks_for_duties", "asks_for_handing_in", "deadlines", "duties", "of_topic"]

READ = 2_000
"""The last memories that are read."""

AHEAD = 400 * DAY_US
"""How far ahead a date may lie."""

EXACT = 12 * DAY_US
"""The longest span that is a date: "the end of May", but not "in autumn"."""

MEANINGS = 2
"""Of what an expression may mean, the likeliest that are tried where the question says when."""

AHEAD_RATHER = 10
"""How many times as far ahead a date may lie as back and is meant: "has to be done by 30 September" in January."""

DATED_CHARS = 600
"""Of a memory whose dates are its own: a longer one tells of many things."""


_WAS = regex(r"\b(?:was|were|had|went|did|got|came|visited|celebrated|took|happened|war|waren|fue|fueron)\b", re.I)
"""Tells of what is over: its dates lie back."""


_WEEKDAYS = regex(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b ?(?:to|till?|through|and|-|–|,) ?"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b"
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s? ?(?:bis|und|-|–) ?\w+tags?\b",
    re.I,
)
"""Days of every week: "Tuesday to Friday"."""


_DUTY = regex(
    r"\b(?:due|gets?|promised|deadlines?|cut-?off|ha(?:s|ve|d) to|needs? to|must|submit\w*|hand(?:ed)? in"
    r"|expires?|runs? out|renew\w*"
    r"|(?:by|before|no later than) (?:the |next |this |noon|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)|fällig|frist|plazo)\b",
    re.I,
)
"""Says that something is to be done by its date, as an appointment does not."""

_ASKS_DUTIES = regex(r"\b(?:to do|to-?dos?|tasks|duties|get done|take care of|do next)\b", re.I)


def asks_for_duties(question: str) -> bool:
    """Whether a question is for what one has to do, and not for what is undecided.

    Examples
    --------
    >>> asks_for_duties("What do I have to do?"), asks_for_duties("What is undecided?")
    (True, False)
    """
    return _ASKS_DUTIES.search(question) is not None


_ASKS_HANDED_IN = regex(r"\b(?:hand(?:ed)? in|submit\w*|pa(?:y|id)|file[ds]?)\b", re.I)


def asks_for_handing_in(question: str) -> bool:
    """Whether a question for dates is for what is to be handed in or paid by them, and for nothing else.

    Examples
    --------
    >>> asks_for_handing_in("What do I have to hand in, and by when?"), asks_for_handing_in("What is due this week?")
    (True, False)
    """
    return _ASKS_HANDED_IN.search(question) is not None


def duties(coming: Sequence[Node]) -> list[Node]:
    """Of memories that name a date, those that say that something is to be done by it."""
    return [node for node in coming if _DUTY.search(node.content)]


def of_topic(coming: Sequence[Node], topic: Iterable[str]) -> list[Node]:
    """Of memories that name a date, those that have most of the stems of a topic; all where none has one."""
    wanted = frozenset(topic)
    shared = [len(wanted & content_stems(f"{node.speaker} {node.content}")) for node in coming]
    most = max(shared, default=0)
    return [node for node, number in zip(coming, shared, strict=True) if number == most]


def deadlines(memory: "Runtime", corpus: Corpus, visible: np.ndarray, within: Sequence[Span] = ()) -> list[Node]:
    """Memories that name a date to come, the soonest first; those that say what is so week by week do not.

    Parameters
    ----------
    within : sequence of Span
        When the date lies; any time from now on where there is none.
    visible : bool (n,)
        What who asks may see, of a corpus whose lock is held.
    """
    rows = np.flatnonzero(visible)
    telling = rows[corpus.has(ASKS, rows) == 0][-READ:]
    now = memory.present()
    nodes = memory.store.nodes(corpus.ids[row] for row in telling)
    coming = [(begin, node) for node in nodes if (begin := _next(node, now, within)) is not None]
    return [node for _, node in sorted(coming, key=lambda one: (one[0], one[1].id))]


def _next(node: Node, now: int, within: Sequence[Span]) -> int | None:
    """When the next date begins that a memory names, in microseconds."""
    text = node.content
    if len(text) > DATED_CHARS or _WEEKDAYS.search(text):
        return None
    read = expressions(text, node.occurred_at, lean=None if _WAS.search(text) else 1, firm=AHEAD_RATHER)
    dates = [span for one in read for span in (one.spans[:MEANINGS] if within else one.spans[:1])]
    coming = [date for date in dates if date.end - date.start <= EXACT and date.end > now and date.start < now + AHEAD]
    starts = [date.start for date in coming if not within or any(_overlaps(date, one) for one in within)]
    return min(starts) if starts and not is_regular(cues.readable(text)) else None


def _overlaps(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
