"""Questions for what happened once, or why: what was told later of something else takes the place of no answer."""

import re

from context_graph.embed.chunks import clauses
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["asks_what_happened", "asks_whether_it_happened", "is_record", "tells_one_act", "tells_what_happened"]

READ = 600
"""Characters of a statement that are looked at."""

_WHY = regex(r"^\W*(?:(?:and|so|but) )?(?:why|how come|for what reason|warum|wieso|weshalb|por qué|pourquoi)\b", re.I)

_LASTS = (
    r"(?:decid|agree|choos|chose|pick|settl|select|put|leav|left|park|stor|keep|kept|hid|say|said|tell|told|call|nam"
    r"|plan|go\b|going|end up|set|mov|mean|want|have\b|need|use|live|work|get\b|become"
    r"|replac|happen|cost|charge|weigh|pay\b)"
)
"""Begins a verb whose result may be another one by now: "Where did I put the key?", "What did we decide?"."""

_DID = regex(
    r"^\W*(?:(?:and|so|but) )?(?:what|which|who|whom|when|where|how)\b(?! \w+ (?:times|many))"
    rf"(?: (?!did\b)[\w'’.-]+){{0,5}} did\b(?!.*\b{_LASTS})",
    re.I,
)
"""Asks what somebody did: "What did I think of the film?"."""

_PAST = (
    r"(?!(?:need|feed|breed|speed|bleed|seed|shed|embed|red|bed)\b)[a-z]{2,}ed|won|lost|found|built|wrote|made|sent|gave"
    r"|took|broke|brought|bought|caught|taught|sold|told|met|came|fell|began|drew|spoke|stole|paid|ran|read"
    r"|swam|went|chose|had|was|were|did|hit|cut|left|got|gotten"
)
_HAPPENED = regex(
    rf"(?<!\bis )(?<!\bare )(?<!\bam )(?<!['’]s )\b(?!(?:based|called|named|used to)\b)(?:{_PAST})\b", re.I
)

_WHO_DID = regex(
    r"^\W*(?:who|what)(?: (?:originally|first|then|actually))? "
    rf"(?!(?:used|called|named|based|had|was|were|did|happened|changed)\b)(?:{_PAST})\b",
    re.I,
)
"""Asks who did something, or what did: "Who fixed the kiln?", "What caused the outage?"."""

_WAS_DONE = regex(
    r"^\W*(?:when|where|how|by whom)\b(?: long ago)? (?:was|were)"
    r"(?: (?!(?:located|based|stored|kept)\b)[\w'’.-]+){1,5}?"
    rf" (?!(?:located|based|stored|kept|called|used)\b)(?:{_PAST}|[a-z]{{2,}}en|born|done|held|cut|put)\W*$",
    re.I,
)
"""Asks when, where or how something was done: "When was I diagnosed?"."""

_WHETHER = regex(r"^\W*(?:(?:and|so|but) )?(?:did|have|has|was|were)\b", re.I)

_ACT = (
    r"(?:sent|mailed|e-?mailed|posted|submitted|delivered|handed (?:in|over)|invoiced|forwarded|uploaded|presented"
    r"|shipped|returned|published|filed|billed|paid|signed|called|phoned|rang|visited|interviewed)"
)
_ONE_ACT = regex(
    r"^\W*(?:(?:i|we|they|he|she|(?-i:[A-ZÀ-Þ])[\w'’-]+)(?:['’]ve| have| has)? )?"
    rf"(?:(?:just|already|finally|today|yesterday|also) ){{0,2}}{_ACT}\b(?! off\b)"
    r"|^\W*(?:[\w'’.#-]+ ){1,5}?(?:(?:was|were|got|has been|have been) )?(?:(?:just|already|finally) )?"
    rf"(?<!is )(?<!are )(?<!be ){_ACT}(?= *$|[.,;!]| (?:to|today|yesterday|on|by|this|last|via)\b)",
    re.I,
)
"""Opens with what somebody did once: "Sent Ida the form", "the form was delivered today"."""

_RECORD = regex(
    r"^\W*(?:[\w'’-]+ ){0,3}?(?:(?:notes|minutes|recap|summary|debrief|retrospective|results)"
    r" (?:from|of|on|after|with)\b|(?:notes|minutes|recap|summary|debrief|retrospective)\b(?= *(?:[:(\n]|$))"
    r"|(?:invoice|receipt)\b[^.:\n]{0,40}(?:[:\n]|$))",
    re.I,
)
"""Opens as what was written down of an event: "Minutes of the board meeting", "Sprint 4 recap"."""


@kept_for_texts(maxsize=64)
def asks_what_happened(question: str) -> bool:
    """Whether a question asks what happened, when, by whom or why, and not what came of it.

    Examples
    --------
    >>> what_happened = "Why did we choose SQLite?", "Who fixed the kiln?", "When was I diagnosed?"
    >>> [asks_what_happened(question) for question in what_happened]
    [True, True, True]
    >>> what_is = "Where did I put the key?", "Who leads the team?", "What was the code?"
    >>> [asks_what_happened(question) for question in what_is]
    [False, False, False]
    """
    return any(form.search(question) for form in (_WHY, _DID, _WHO_DID, _WAS_DONE))


@kept_for_texts(maxsize=512)
def tells_what_happened(text: str) -> bool:
    """Whether a statement has a word for what was or happened.

    Examples
    --------
    >>> tells_what_happened("Pieter fitted the new burner."), tells_what_happened("I sow beans in May.")
    (True, False)
    """
    return bool(_HAPPENED.search(text[:READ]))


@kept_for_texts(maxsize=64)
def asks_whether_it_happened(question: str) -> bool:
    """Whether a question asks whether something was done.

    Examples
    --------
    >>> asks_whether_it_happened("Did I send the form?"), asks_whether_it_happened("Is the form here?")
    (True, False)
    """
    return bool(_WHETHER.match(question))


@kept_for_texts(maxsize=512)
def tells_one_act(text: str) -> bool:
    """Whether a statement tells only what somebody did once, which has no end.

    Examples
    --------
    >>> tells_one_act("Sent Ida the form."), tells_one_act("The form was delivered to Ida.")
    (True, True)
    >>> tells_one_act("Forms are sent to Ida."), tells_one_act("Sent Ida the form, it is due on Monday.")
    (False, False)
    """
    return len(text) <= READ and bool(_ONE_ACT.match(text)) and len(clauses(text)) < 2 and ":" not in text


@kept_for_texts(maxsize=512)
def is_record(text: str) -> bool:
    """Whether a text is what was written down of an event, or opens with what somebody did once.

    Examples
    --------
    >>> is_record("Notes from lunch with Ida: two bakeries."), is_record("Sent Ida the offer: 900 for two days.")
    (True, True)
    >>> [is_record(text) for text in ("The notes are in the attic.", "Standup: at ten.", "Invoice 7 is open.")]
    [False, False, False]
    """
    text = text[:READ]
    return bool(_RECORD.match(text) or _ONE_ACT.match(text))
