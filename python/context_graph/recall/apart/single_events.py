"""What happened once ends nothing that lasts: an accident no allergy, a day without it no habit."""

import re

from context_graph.reading.aversions import avoided, tells_diet, tells_exposure
from context_graph.reading.past_events import asks_what_happened
from context_graph.reading.single_days import is_of_single_day, is_regular, tells_exception
from context_graph.reading.subjects import content_stems
from context_graph.reading.tense import lean_of
from context_graph.recall.apart.words import tells_a_change
from context_graph.regex import regex

__all__ = ["acts_apart", "aversion_apart", "exception_apart", "next_time_apart", "once_apart"]

_NEXT_TIME = regex(
    r"\b(?:again|next (?:visit|time|one|appointment|meeting|session|check-?up|delivery))\b[^.!?]{0,20}?"
    r"(?:\b(?:on|in|at|next|by)\b|\d|: )|\b(?:is|are|['’]s) (?:back|coming (?:back|again)|due again)\b",
    re.I,
)
"""Says when something is once more."""


_ONCE = regex(
    r"\b(?:for once|just (?:this|that) once|only (?:this|that) once|as an exception|exceptionally)\b"
    r"|\b(?:and|but|,|then|afterwards) (?:(?:then|was|were|is|are) )*(?:put|set|switched|turned|changed|brought|moved)"
    r" back\b|\bback to (?:normal|the old \w+|what it was)\b"
    r"|\b(?:went|came|did|had|took|ate|played|worked|met|drove|used) [^.;,]{1,40}(?<!at )\bonce\b"
    r"(?! (?:an?|per|more|again|every|the|we|i|he|she|it|they)\b)"
    r"|\b(?:even though|although|though) (?:it|that|he|she|they) (?:was|were|is|are)(?:n['’]t| not)"
    r" (?:yet )?(?:due|time|supposed|meant|(?:his|her|my|our|their|the|a) (?:\w+ )?(?:day|turn|time|shift|slot))\b"
    r"|\bfor (?:one|a single) (?!(?:more|of|month|year|thing)\b)[\w-]+(?: [\w-]+)?(?: on (?:\w+day|the \d+))?,? "
    r"(?:the|we|i|he|she|they|it)\b",
    re.I,
)
"""Tells of what was otherwise once and is so no more."""

_THAT_DAY = regex(
    r"\b(?:yesterday|last night|the other day|earlier today|this morning"
    r"|(?:on|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.I,
)
_FAILED_THEN = regex(
    r"\b(?:was|were) (?:(?:a bit|quite|off) )?"
    r"(?:ill|sick|late|away|out|busy|stuck|tired|hungover|unwell|held up|closed)\b"
    r"|\b(?:overslept|missed (?:the|it|his|her|my)|forgot|called in sick|stayed at home|fell through)\b"
    r"|\b(?:couldn['’]t|could not|didn['’]t|did not) (?:make it|come|turn up|show up|play|work|go|join)\b",
    re.I,
)
"""Tells why somebody or something was not as usual on a day that is over."""

_LASTS = regex(
    r"\b(?:from (?:now|then|today|that day) on|since then|ever since|any ?more|no longer|for good|until|till|every"
    r"|always|never again|as of|permanently|from next)\b",
    re.I,
)
_STAYS_PUT = regex(
    r"\b(?:stay(?:s|ing)?|remain(?:s|ing)?) (?:put|where (?:she|he|they|it|we|i)\b|as (?:it is|they are|before))"
    r"|(?:\bnot|n['’]t) (?:going anywhere|moving|leaving)\b",
    re.I,
)
"""Says that nothing changes."""


_ACT = regex(
    r"^\W*(?P<who>[A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)?) (?:has |have |just |also ){0,2}"
    r"(?P<verb>[a-z]{2,}ed|bought|brought|built|caught|chose|drew|found|gave|got|lent|lost|made|met|paid|read|rode|sang"
    r"|saw|sent|sold|spent|taught|told|took|won|wore|wrote)"
    r" (?P<new>(?:an?|one|two|three|four|five|six|some|another|\d+) )?"
)
"""Opens with what somebody, by name, did: "Hugo Moreno lent a lamp"."""

_NO_NAMES = frozenset("the we he she it they my our his her their this that these those yesterday today".split())
_TAKES_PLACE = regex(
    r"\b(?:instead|new|replac\w+|swap\w*|switch\w*|exchang\w+|rather|now|not|took over|return\w*|correction|sorry"
    r"|actually)\b|n['’]t\b",
    re.I,
)


def acts_apart(question: str, earlier: str, later: str) -> bool:
    """Whether two statements tell what two people did, or where that is asked what one did, and the later one is about
    another thing: neither act ends the other.

    Examples
    --------
    >>> acts_apart("Who has the lamp?", "Hugo Moreno lent a lamp.", "Ida Moreno sold a lamp.")
    True
    >>> did = "Hugo Moreno lent a lamp.", "Hugo Moreno sold a bike."
    >>> acts_apart("What did Hugo lend?", *did), acts_apart("What does Hugo own?", *did)
    (True, False)
    >>> acts_apart("Who has the lamp?", "Hugo bought a lamp.", "Ida sold the lamp.")
    False
    """
    one, other = _ACT.match(earlier), _ACT.match(later)
    if one is None or other is None or other["new"] is None or _TAKES_PLACE.search(later):
        return False
    who, another = (match["who"].lower().split() for match in (one, other))
    if not _NO_NAMES.isdisjoint((*who, *another)):
        return False
    return not ({*who} <= {*another} or {*another} <= {*who}) or asks_what_happened(question)


def once_apart(earlier: str, later: str) -> bool:
    """Whether the later statement tells how something was otherwise on one day, or for one time, that is over, or that
    nothing changes.

    Examples
    --------
    >>> once_apart("Abdul drives the van.", "Yesterday Abdul was ill, so Kirsty took the van round.")
    True
    >>> once_apart("The rate limit is 60.", "For one load test the rate limit was set to 1000 and then put back.")
    True
    >>> once_apart("Lotte lives in Bristol.", "Lotte's friend moved to Lisbon; she stays put for now.")
    True
    >>> once_apart("The bins go out every second week.", "Put the bins out today, though it wasn't our turn.")
    True
    >>> once_apart("Abdul drives the van.", "Abdul was ill on Friday and hasn't driven since then.")
    False
    """
    if _STAYS_PUT.search(later):
        return True
    if _LASTS.search(later):
        return False
    return bool(_ONCE.search(later) or (_THAT_DAY.search(later) and _FAILED_THEN.search(later)))


def aversion_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement tells what somebody does not bear, or fears, and the later one that they met it, or
    how they eat in general.

    Examples
    --------
    >>> aversion_apart("Rosa's allergic to kiwis.", "Rosa ate a kiwi and got a rash.")
    True
    >>> aversion_apart("Rosa can't have lactose.", "Rosa is vegetarian now.")
    True
    >>> aversion_apart("Rosa's allergic to kiwis.", "Rosa isn't allergic to kiwis after all.")
    False
    """
    shared = avoided(earlier) & content_stems(later)
    return bool(shared and tells_exposure(later)) or bool(avoided(earlier) and not shared and tells_diet(later))


def exception_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement tells what is so regularly, and the later one how one day is otherwise.

    Examples
    --------
    >>> exception_apart("We have pizza every Friday.", "No pizza this Friday, we're away.")
    True
    >>> exception_apart("We have pizza every Friday.", "No pizza from this Friday on.")
    False
    """
    exceptional = tells_exception(later) or (is_of_single_day(later) and not tells_a_change(later))
    return exceptional and is_regular(earlier)


def next_time_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks how something was, which the earlier statement tells, and the later one when it is again.

    Examples
    --------
    >>> visit = "The vet came by, the mare was fine.", "The vet again on 3 May."
    >>> next_time_apart("What did the vet say?", *visit), next_time_apart("When does the vet come?", *visit)
    (True, False)
    """
    if lean_of(question) >= 0 or not _NEXT_TIME.search(later):
        return False
    return lean_of(earlier) < 0 <= lean_of(later)
