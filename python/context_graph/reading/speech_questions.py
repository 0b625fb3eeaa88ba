"""Questions for what somebody said, whatever it was: "What did Bob say?", "What does Anna think of the new office?"."""

import re
from typing import NamedTuple

from context_graph.regex import regex

__all__ = ["SpeechAsked", "reports_speech", "speech_asked"]

READ = 300
"""Characters of a question that are looked at."""

READ_REPORT = 600
"""Characters of a statement that are looked at."""

_NOBODY = frozenset(
    "i you we they he she it one who everybody everyone anybody anyone somebody someone nobody people the my our your"
    " his her their this that there things me us them ich du wir sie er es man ihr yo tú él ella ellos nosotros usted"
    " everything anything nothing all".split()
)
"""Words in the place of a name that are none."""

_NAME = r"(?:(?:my|our|the|meine?|unsere?|der|die|mi|el|la) )?(?P<who>[^\W\d_][\w'-]{1,24}?)"
_TIME = r"(?: (?:yesterday|today|last \w+|this \w+|recently|lately|so far|just now|gestern|heute|ayer|hoy))?"
_ABOUT = (
    r"(?: (?:to |with )?(?:me|us|you|the team|everybody))?(?: (?:about|on|of|regarding|concerning|with)"
    rf" (?P<about>.{{2,120}}?))?{_TIME}"
)
_SAYS = r"(?:say|said|tell|told|mention(?:ed)?|write|wrote|written|report(?:ed)?|remark(?:ed)?|note|noted|add|added)"
_THINKS = (
    r"(?:thinks?|thought|suggest(?:ed|s)?|recommend(?:ed|s)?|propose[ds]?|advise[ds]?|says?|said|tells?|told"
    r"|argues?|argued|claims?|claimed|reckons?|mentions?|mentioned|complain(?:ed|s)?|comment(?:ed|s)?)"
)
_VIEW = (
    r"(?:opinions?|views?|takes?|position|stance|ideas?|thoughts?|comments?|advice|suggestions?|complaints?"
    r"|objections?|remarks?|feedback|messages?|notes?|reports?|input)"
)
_OPENS = r"^\W*(?:(?:and|so|ok|okay|please|hey)\W+)*"
_ASKED = tuple(
    regex(rf"{_OPENS}(?:{form})\W*$", re.I)
    for form in (
        rf"what (?:did|does|has|had|have) {_NAME} (?:just |ever |already |last )?(?:{_SAYS}|{_THINKS}){_ABOUT}",
        rf"what(?: was| were| is| are|'s) {_NAME}'s? {_VIEW}{_ABOUT}",
        rf"(?:did|does|has|had) {_NAME} (?:ever |already )?{_SAYS}(?: (?:to )?(?:me|us))? (?:anything|something)"
        rf"(?: new)?{_ABOUT}",
        r"(?:(?:is there|do we have|have we got|was there|what(?:'s| is)) )?"
        rf"(?:anything|something|any news|news|any word|what(?:'s| is) new|new)(?: new)? from {_NAME}{_ABOUT}",
        rf"(?:(?:show|tell|give) (?:me|us) )?(?:all |everything |what )(?:that )?{_NAME} (?:has |had )?{_SAYS}{_ABOUT}",
        rf"was (?:hat|hatte) {_NAME} (?:mir |uns |dir )?(?:(?:über|zu|zum|zur|von) (?P<about>.{{2,80}}?) )?"
        r"(?:gesagt|erzählt|geschrieben|gemeint|berichtet|vorgeschlagen)",
        rf"was (?:sagte?|meinte?|denkt|hält|schrieb) {_NAME}(?: (?:über|zu|zum|zur|von) (?P<about>.{{2,80}}?))?",
        rf"qué (?:(?:me|nos) )?(?:dijo|dice|piensa|opina|contó|ha dicho|escribió|propuso) {_NAME}"
        r"(?: (?:sobre|de|del|acerca de) (?P<about>.{2,80}?))?",
    )
)

_REPORTING = (
    r"(?:says?|said|tells?|told|thinks?|thought|mentioned|suggest(?:s|ed)|recommend(?:s|ed)|propos(?:es|ed)|wrote|writes"
    r"|reported|claims?|claimed|reckons|complain(?:s|ed)|insists?|insisted|argues?|argued|sagt(?:e)?|meint(?:e)?"
    r"|schreibt|schrieb|dijo|dice|opina|escribió)"
)


class SpeechAsked(NamedTuple):
    """
    Attributes
    ----------
    who : str
        The one word that names who spoke, as the question spells it.
    about : str
        What it was about; empty where the question does not say.
    """

    who: str
    about: str


def speech_asked(question: str) -> SpeechAsked | None:
    """Whose statements a question asks for, and about what; None where it asks for something else.

    Examples
    --------
    >>> speech_asked("What did Bob say about the lease?")
    SpeechAsked(who='Bob', about='the lease')
    >>> speech_asked("What's Anna's opinion on it?"), speech_asked("anything new from Carla?")
    (SpeechAsked(who='Anna', about='it'), SpeechAsked(who='Carla', about=''))
    >>> speech_asked("What did I say?"), speech_asked("What did Bob buy?"), speech_asked("What does Bob think he is?")
    (None, None, None)
    """
    question = question.strip()[:READ].replace("’", "'")
    match = next((match for form in _ASKED if (match := form.match(question))), None)
    if match is None or match["who"].lower() in _NOBODY:
        return None
    return SpeechAsked(match["who"].removesuffix("'s"), match["about"] or "")


def reports_speech(text: str, name: str) -> bool:
    """Whether a statement tells what somebody said: "Bob says the lease ends in May".

    Examples
    --------
    >>> reports_speech("Bob says the lease ends in May.", "Bob"), reports_speech("Bob drives a van.", "Bob")
    (True, False)
    >>> reports_speech("According to Bob, it ends in May.", "Bob")
    True
    """
    text = text[:READ_REPORT]
    if name.lower() not in text.lower():
        return False
    spelled = re.escape(name)
    return bool(
        re.search(rf"\b{spelled} (?:\w+ )?{_REPORTING}\b|\baccording to {spelled}\b|\blaut {spelled}\b"
                  rf"|\bsegún {spelled}\b|\b{spelled}['’]s {_VIEW}\b", text, re.I)
    )  # fmt: skip
