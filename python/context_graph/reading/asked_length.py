"""What a question asks the length of: the time from one event to another, from one until now, or from now until one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["NOW", "AskedLength", "asked_length", "asks_since_when"]

READ = 400  # characters of a question that are looked at

NOW = ""
"""Stands for the moment at which it is asked."""

_OPENS = regex(
    r"\bhow (?:(?:many|much) (?:more |full |whole )?(?:days|nights|weeks|months|years|time)|long|(?P<old>old))\b\s*"
    r"(?P<rest>[^?]*)",
    re.I,
)
_IDLE = regex(
    r"^(?:(?:have |had )?(?:passed|elapsed|gone by|went by|lay|lie|lies)"
    r"|(?:was|were|is|are|will) (?:(?:it|there)(?: be)?|(?=between\b))"
    r"|(?:do|did|does|will) (?:i|we) (?:still )?have|(?:do|did) (?:i|we) (?:have to )?wait|(?:is|are)? ?left)\b[\s,]*",
    re.I,
)
"""Says that time passes, which is what is asked."""

_BETWEEN = regex(r"^(?:in )?between (?P<both>.+)$", re.I)
_FROM = regex(r"^from (?P<first>.+?) (?:to|till|until|up to) (?P<second>.+)$", re.I)
_AFTER = regex(r"^(?:(?P<before>before)|after|since|from) (?P<both>.+)$", re.I)
_HAD_BEEN = regex(
    r"^(?:had|have|has) (?P<first>.+?) (?:when|before|until|(?:by|at) the time(?: that)?) (?P<second>.+)$",
    re.I,
)
_TOOK = regex(
    r"^(?:did|has|will|does) it (?:take|took|taken?)(?: (?:me|us|him|her|them|for))* (?:to )?(?P<second>.+?)"
    r" (?:after|from|since) (?P<first>.+)$",
    re.I,
)
_AUXILIARY = regex(r"\s(?:did|do|does|was|were|will|is|are|had|have|has|can|should)\s", re.I)
_AND = regex(r",? and ", re.I)
_AGO = regex(r"^ago (?:did|was|were|have|has) (?P<first>.+)$|^(?:is it |has it been )?since (?P<since>.+)$", re.I)
_HAVE = regex(r"^(?:have|has) (?P<first>(?:i|we|my|our|the|he|she|they|[A-Z][\w'’-]*) .+)$", re.I)
_SINCE_WHEN = regex(
    r"^\W*(?:(?:and|so|but) )?since when (?:have|has|had|am|is|are|do|does|did|was|were)\b|\bseit wann\b"
    r"|\bdesde cuándo\b",
    re.I,
)
_SINCE_WHEN_OF = regex(
    r"^\W*(?:(?:and|so|but) )?since when "
    r"(?:(?:have|has|do|does) (?P<has>(?:i|we|my|our|the|he|she|they|[A-Z][\w'’-]*) [^?]+)"
    r"|(?:am|is|are) (?P<is>(?:(?:my|our|the) [\w'’-]+|[\w'’-]+ and (?:i|[A-Z][\w'’-]*)|[\w'’-]+)) (?P<what>[^?]+))",
    re.I,
)
"""A question for the day from which on something is so is one for how long it has been."""

_UNTIL = regex(r"^(?:(?:left|remain\w*|more) )*(?:until|till|before|to|for) (?P<second>.+)$", re.I)
_OLD = regex(r"^(?:is|are|am) (?P<first>.+)$", re.I)
_WHEN = regex(r"^(?:(?:when|that|the (?:date|day|time|moment)(?: (?:when|that|of|on which))?)\s+)+|[\s,.]+$", re.I)


@dataclass(frozen=True, slots=True)
class AskedLength:
    """The two ends of the time that a question asks for.

    Attributes
    ----------
    first, second : str
        The events in the question's words; `NOW` for the moment at which it is asked.
    since : bool
        It asks for how long something has been so: `first` is what began.
    age : bool
        It asks how old somebody is: `first` is who was born.
    """

    first: str
    second: str
    since: bool = False
    age: bool = False


@kept_for_texts(maxsize=64)
def asked_length(question: str) -> tuple[AskedLength, ...]:
    """What a question may ask the length of, each way in which its words can be parted; empty where it asks for none.

    Examples
    --------
    >>> asked_length("How many days are there between my birthday and the trip?")[0]
    AskedLength(first='my birthday', second='the trip', since=False, age=False)
    >>> asked_length("How long have I been at Acme?"), asked_length("How long is the table?")
    ((AskedLength(first='I been at Acme', second='', since=True, age=False),), ())
    >>> asked_length("How many days until the flight?")
    (AskedLength(first='', second='the flight', since=False, age=False),)
    >>> asked_length("Since when am I at Acme?")
    (AskedLength(first='I been at Acme', second='', since=True, age=False),)
    """
    if since := _SINCE_WHEN_OF.match(question[:READ]):
        state = since["has"] or f"{since['is']} been {since['what']}"
        return (AskedLength(_event(state), NOW, since=True),)
    match = _OPENS.search(question[:READ])
    if match is None:
        return ()
    rest = match["rest"].strip(" ,.")
    if match["old"]:
        old = _OLD.match(rest)
        return (AskedLength(_event(old["first"]), NOW, age=True),) if old else ()
    return tuple(one for one in _ends(rest) if one.first or one.second)


def asks_since_when(question: str) -> bool:
    """Whether a question asks since when something is so, which is asked of what holds now.

    Examples
    --------
    >>> asks_since_when("Since when do I play chess?"), asks_since_when("How long ago did I learn chess?")
    (True, False)
    """
    return bool(_SINCE_WHEN.search(question[:READ]))


def _ends(rest: str) -> Iterator[AskedLength]:
    if match := _AGO.match(rest):
        yield AskedLength(_event(match["first"] or match["since"]), NOW)
        return
    if (match := _HAD_BEEN.match(rest)) or (match := _TOOK.match(rest)):
        yield AskedLength(_event(match["first"]), _event(match["second"]))
        return
    if match := _HAVE.match(rest):
        yield AskedLength(_event(match["first"]), NOW, since=True)
        return
    rest = _IDLE.sub("", rest)
    if match := _BETWEEN.match(rest):
        for one in _AND.finditer(match["both"]):
            yield AskedLength(_event(match["both"][: one.start()]), _event(match["both"][one.end() :]))
    elif match := _FROM.match(rest):
        yield AskedLength(_event(match["first"]), _event(match["second"]))
    elif match := _AFTER.match(rest):
        both = match["both"]
        for one in _AUXILIARY.finditer(both):
            ends = _event(both[: one.start()]), _event(both[one.end() :])
            yield AskedLength(*(reversed(ends) if match["before"] else ends))
        if match["before"] and not _AUXILIARY.search(both):
            yield AskedLength(NOW, _event(both))
    elif match := _UNTIL.match(rest):
        yield AskedLength(NOW, _event(match["second"]))


def _event(words: str) -> str:
    return _WHEN.sub("", words).strip()
