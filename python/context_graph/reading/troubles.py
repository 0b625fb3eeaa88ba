"""Questions for what is out of order ("what's broken?"), and statements that say so of something."""

import re

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.reading.identifiers import numbered_apart
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "asks_for_trouble",
    "may_mend",
    "mends",
    "reports_trouble",
    "tells_ailment",
    "tells_repair",
    "tells_trouble",
    "trouble_topic",
]

MAX_TROUBLE_CHARS, MAX_TROUBLE_QUESTION_CHARS = 600, 200
"""Characters of a statement that says what is out of order, and of a question for it."""

_NOUN = r"(?:problems?|troubles?|issues?|faults?|defects?|outages?|incidents?|failures?|breakdowns?|bugs?|crash(?:es)?)"
_STATE = (
    r"(?:broken|wrong|faulty|defective|out of order|not working|failing|leaking|acting up|playing up|kaputt|broke"
    r"|failed|crashed|up with)"
)
_ASKS = regex(
    rf"^\W*(?:(?:and|so|ok|okay)\W+)?(?:what|which|who|any|anything|something|how long|when"
    r"|(?:is|are) (?:there|any|anything|something)|(?:do|have) (?:i|we) (?:have|got) any)\b"
    rf"[^?]{{0,40}}?\b(?:{_STATE}|{_NOUN}|needs? (?:fixing|repair\w*|mending|attention)"
    r"|(?:has|have) to be (?:fixed|repaired)"
    r"|(?:won['’]t|does(?:n['’]t| not)|isn['’]t|is not) (?:start|work|working|run|turn on))\b",
    re.I,
)
_HELPFUL = regex(r"\b(?:how (?:do|can|should|to)|why (?:do|does|are)|should i|what (?:is|are) an?)\b", re.I)
"""Asks how to go about it, or what such a thing is."""

_TELLS = regex(
    r"\b(?:fail(?:s|ed|ing)?(?! to\b)|broken|broke(?: down)?|flaky|jam(?:s|med)|leak(?:s|ed|ing|y)?|crash(?:es|ed|ing)?"
    r"|faulty|defective|out of order|stuck|clogged|blocked|cracked|flickers?|drips?|dripping|stalls?|rattles?|rattling"
    r"|dead|kaputt|playing up|acting up|plays up|acts up|down(?! to\b| by\b|town| from\b)|outage|went wrong"
    r"|(?:raises?|throws?|gives?|returns?|shows?) (?:an? |the )?(?:\w+ )?(?:\d{3}|\w*error|\w*exception)"
    r"|exception|error"
    r"|(?:trips|tripped|blows|blew) (?:the |a )?(?:fuse|breaker)s?|grinding|squeak(?:s|ing)"
    r"|(?:strange|odd|loud|funny) noise|flat (?:tyre|tire|battery)|puncture[ds]?"
    r"|(?:tyre|tire|battery) is (?:flat|dead)|overheat(?:s|ed|ing)"
    r"|(?:won['’]t|wouldn['’]t|(?:does|do|did)(?:n['’]t| not)|can(?:['’]t|not)|refuses to|fail(?:s|ed) to)"
    r" (?:\w+ )?(?:start|work|turn on|switch on|open|close|shut|lock|charge|print|load|boot|connect|heat|drain|run|spin"
    r"|flush|build|compile|respond|sync|cool|move)"
    r"|(?:isn['’]t|is not|aren['’]t|not) (?:working|starting|heating|charging|draining|cooling|printing|loading"
    r"|responding)"
    r"|(?:keeps?|kept) (?:dropping|freezing|hanging|disconnecting|stopping|restarting|cutting out|losing|falling off)"
    r"|needs? (?:a )?(?:fixing|repair\w*|mending|new|replac\w+|fix)|stopped (?:working|heating|charging|printing))\b",
    re.I,
)
_AILS = regex(
    r"\b(?:hurts?|hurting|aches?|aching|sore|sprained|ill|sick|fever|flu|injured|swollen|limps|limping|in pain)\b", re.I
)
_MENDED = regex(
    r"\b(?:never (?:fail|broke|crash)\w*|no (?:longer|more)|not? (?:any)?more|(?:isn['’]t|not|never) broken"
    r"|fixed|repaired|solved|resolved|mended|works again|up again|back up|false alarm"
    r"|(?:bought|got|have) (?:a )?new|new one|fail-?over|fail-?safe)\b",
    re.I,
)
_IS_MENDED = regex(
    r"\b(?:fixed|repaired|mended|solved|resolved|patched|(?:works?|working|runs?|running) (?:again|fine|now)|up again"
    r"|back up|sorted out|repariert|behoben|gefixt|gefixed|gelöst|(?:läuft|geht|funktioniert|klappt) (?:jetzt )?wieder"
    r"|arreglad[oa]|reparad[oa]|solucionad[oa]|resuelt[oa]|(?:ya|vuelve a) funcionar?"
    r"|funciona (?:de nuevo|otra vez))\b",
    re.I,
)
_NOT_YET = regex(
    r"\b(?:will|should|must|needs?|ha(?:s|ve) to|to be|going to|want|hope|if|when|until|unless|not|\w+n['’]t|never"
    r"|nicht|noch|wird|muss|no|hay que)\b",
    re.I,
)
_REPORTS = regex(
    r"^\W*(?:(?:open|known|new) )?(?:bug|issue|problem|defect|incident|inc-\d+|fehler|störung|error)\b"
    r"|\b(?:wrong|bug)\b",
    re.I,
)
"""Reports something out of order."""

_LOST = regex(
    r"\b(?:(?:was|is|are|were|got|been|gone|went) (?:\w+ )?(?:stolen|lost|missing)"
    r"|(?:can['’]?t|cannot|couldn['’]t) find"
    r"|(?:i|we|she|he|they)(?:['’]ve| have)? (?:lost|misplaced|mislaid)|have lose"
    r"|verloren|verlegt|gestohlen|geklaut|nicht (?:mehr )?finden|perdí|perdimos|h(?:e|emos) perdido"
    r"|robaron|robado)\b",
    re.I,
)
_SENTENCE_END = regex(r"[.!?;\n]+")
_FOUND = regex(
    r"\b(?:found (?:it|him|her|them|my|the|our|his|their)|(?:was|were|been|is|are) found"
    r"|turned up|gefunden|wiedergefunden|wieder da|(?:wieder )?aufgetaucht"
    r"|encontr[éó]|(?:he|ha|hemos|han) (?:encontrado|aparecido)|apareció|aparecieron)\b",
    re.I,
)
_ABOUT_TROUBLE = frozenset(
    content_stems(
        "problem problems trouble troubles issue issues fault defect outage outages incident incidents "
        "failure failures breakdown bug bugs crash crashes broken broke wrong faulty defective order working "
        "work failing failed leaking acting playing kaputt crashed need needs fixing repair repairing mending "
        "attention fixed repaired last latest start run turn currently right now long have has still anything "
        "something thing things with up got matter any open known there one ones "
    )
)


@kept_for_texts(maxsize=256)
def asks_for_trouble(question: str) -> bool:
    """Whether a question is for what is out of order.

    Examples
    --------
    >>> asks_for_trouble("What's wrong with the boiler?"), asks_for_trouble("Which tap needs fixing?")
    (True, True)
    >>> asks_for_trouble("How do I fix a broken tap?"), asks_for_trouble("Who fixed the tap?")
    (False, False)
    """
    question = question[:MAX_TROUBLE_QUESTION_CHARS]
    return bool(_ASKS.search(question)) and not _HELPFUL.search(question) and language_of(question) == ENGLISH


def trouble_topic(question: str) -> frozenset[str]:
    """Stems of what a question for troubles is about; empty where it is for any.

    Examples
    --------
    >>> sorted(trouble_topic("What's wrong with the boiler?")), sorted(trouble_topic("What is broken?"))
    (['boiler'], [])
    >>> asks_for_trouble("Any open bugs?"), trouble_topic("Any open bugs?")
    (True, frozenset())
    """
    return content_stems(question[:MAX_TROUBLE_QUESTION_CHARS]) - _ABOUT_TROUBLE


def mends(trouble: str, later: str) -> bool:
    """Whether a later statement says that what an earlier one calls out of order is so no more.

    Examples
    --------
    >>> mends("The tap is leaking.", "Tap is repaired."), mends("Bug: a day is wrong in Edge.", "Edge day is fixed.")
    (True, True)
    >>> mends("Bug A-1: it crashes.", "A-2 is fixed."), mends("Bug A-1: it crashes.", "A-1 is fixed.")
    (False, True)
    >>> mends("The tap is leaking.", "The door is repaired."), mends("The tap leaks.", "The tap will be fixed soon.")
    (False, False)
    >>> mends("The bike was stolen.", "I found the bike!"), mends("I lost my keys.", "I lost the keys again.")
    (True, False)
    >>> mends("The fax is dead, use the one in room 2.", "They mended mine, so I've got the old one back.")
    False
    """
    is_mended = tells_repair(later) and reports_trouble(trouble) and not numbered_apart(trouble, later)
    if not is_mended and not (_tells_found(later) and _LOST.search(trouble[:MAX_TROUBLE_CHARS])):
        return False
    return bool((content_stems(trouble) & content_stems(later)) - _ABOUT_TROUBLE)


@kept_for_texts(maxsize=512)
def may_mend(text: str) -> bool:
    """Whether a text has any of the words with which `mends` says that something is in order, or was found.

    Examples
    --------
    >>> may_mend("The door is repaired."), may_mend("The door is red.")
    (True, False)
    """
    return bool(_IS_MENDED.search(text) or _FOUND.search(text))


@kept_for_texts(maxsize=1_024)  # one text is compared with many
def _tells_found(text: str) -> bool:
    """Whether a sentence says that something was found."""
    sentences = _SENTENCE_END.split(text[:MAX_TROUBLE_CHARS])
    return any(_FOUND.search(sentence) and not _NOT_YET.search(sentence) for sentence in sentences)


@kept_for_texts(maxsize=1_024)
def tells_repair(text: str) -> bool:
    """Whether a statement says that something is out of order no more.

    Examples
    --------
    >>> tells_repair("Tap is repaired."), tells_repair("The tap will be fixed soon.")
    (True, False)
    """
    return bool(_IS_MENDED.search(text)) and not _NOT_YET.search(text)


@kept_for_texts(maxsize=1_024)
def tells_trouble(text: str) -> bool:
    """Whether a statement says that something is out of order.

    Examples
    --------
    >>> tells_trouble("The Fiat won't start."), tells_trouble("The dishwasher is leaking.")
    (True, True)
    >>> tells_trouble("The tap no longer drips."), tells_trouble("The Honda runs fine.")
    (False, False)
    """
    text = text[:MAX_TROUBLE_CHARS]
    return bool(_TELLS.search(text)) and not _MENDED.search(text) and language_of(text) == ENGLISH


def reports_trouble(text: str) -> bool:
    """Whether a statement says that something is out of order, or is a report of it by its form.

    Examples
    --------
    >>> reports_trouble("Bug: the export drops umlauts."), reports_trouble("The export is a CSV file.")
    (True, False)
    """
    return tells_trouble(text) or bool(_REPORTS.search(text[:MAX_TROUBLE_CHARS]) and not _MENDED.search(text))


def tells_ailment(text: str) -> bool:
    """Whether a statement says that somebody is ill, which nobody asks for as "what's broken?".

    Examples
    --------
    >>> tells_ailment("Gran's hip hurts."), tells_ailment("Gran lives in Leeds.")
    (True, False)
    """
    text = text[:MAX_TROUBLE_CHARS]
    return bool(_AILS.search(text)) and not _MENDED.search(text)
