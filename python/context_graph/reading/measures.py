"""Numbers with what they count, times and shares of a sentence, and which of these a question asks for."""

import re
from typing import NamedTuple

from context_graph.embed.stems import STOP_WORDS, stem_of, stems

__all__ = ["Measure", "asked_units", "measures"]

SHARE, MONEY, DATE, CLOCK = "%", "$", "date", "clock"
"""Units that are no nouns."""

_MONTHS = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(rf"\b((?:{_MONTHS})[a-z]*\.? \d{{1,2}}|\d{{1,2}}\.? (?:{_MONTHS})[a-z]*|\d{{4}}-\d\d-\d\d)\b", re.I)
_CLOCK = re.compile(r"\b(\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\d{1,2}:\d\d|noon|midnight)", re.I)
_NUMBER = re.compile(r"(?<![\w.])([$€£]?)(\d[\d,]*(?:\.\d+)?)( ?%|(?=\W|$))((?:[ -][^\W\d_]+){0,3})")

_ASKS_SHARE = re.compile(r"\b(?:percent\w*|coverage|accuracy|rate|share|ratio|proportion)\b", re.I)
_ASKS_MONEY = re.compile(r"\b(?:costs?|price\w*|budget|rent|salary|fee|pay|paid|earn\w*|spend\w*|how much)\b", re.I)
_ASKS_TIME = re.compile(r"\b(?:when|deadline|date|what (?:time|day)|schedule\w*|due)\b", re.I)
_ASKS_COUNT = re.compile(r"\bhow (?:many|much|long|often|old|far)\b|\bwhat(?:'s| is| are| was)\b", re.I)


class Measure(NamedTuple):
    unit: str
    """What is counted, as a stem; or one of `SHARE`, `MONEY`, `DATE`, `CLOCK`."""

    value: str


def measures(text: str) -> frozenset[Measure]:
    """What a text says of how many, how much, which share, and when; a number stands once for each word behind it.

    Examples
    --------
    >>> sorted(measures("I write 1,200 words a week, 78% of them by 9 am."))
    [Measure(unit='%', value='78'), Measure(unit='clock', value='9 am'), Measure(unit='week', value='1200'), \
Measure(unit='word', value='1200')]
    """
    found = {Measure(DATE, match[1].lower()) for match in _DATE.finditer(text)}
    found |= {Measure(CLOCK, match[1].lower()) for match in _CLOCK.finditer(text)}
    rest = _CLOCK.sub(" ; ", _DATE.sub(" ; ", text))
    for sign, number, share, behind in _NUMBER.findall(rest):
        value = number.replace(",", "")
        if sign:
            found.add(Measure(MONEY, value))
        elif share.strip():
            found.add(Measure(SHARE, value))
        else:
            words = [word for word in re.split(r"[ -]", behind.lower()) if word and word not in STOP_WORDS]
            found |= {Measure(stem_of(word), value) for word in words}
    return frozenset(found)


def asked_units(question: str) -> frozenset[str]:
    """Of which units the answer to a question may be; empty where it asks for no measure.

    Examples
    --------
    >>> sorted(asked_units("How many interviews have I secured?"))
    ['interview', 'secur']
    """
    units: set[str] = set()
    if _ASKS_TIME.search(question):
        units |= {DATE, CLOCK}
    if _ASKS_SHARE.search(question):
        units.add(SHARE)
    if _ASKS_MONEY.search(question):
        units.add(MONEY)
    if _ASKS_COUNT.search(question):
        units |= {*stems(question)}
    return frozenset(units)
