"""What is only said by somebody: a rumour, a belief of a third person, a report whose teller doubts it."""

import re

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["is_hearsay"]

MAX_HEARSAY_CHARS = 300
"""Characters of a statement that are looked at."""

_TELLERS = (
    r"(?:some(?:body|one)|a (?:bloke|guy|woman|man|stranger|neighbou?r)|people|folks?|every(?:one|body)"
    r"|some(?: people)?|(?:the )?neighbou?rs|the kids|others)"
)
_SAY = (
    r"(?:says?|said|saying|reckons?|thinks?|told (?:me|us)|tells? (?:me|us)|claims?|claimed|mentioned|heard|hears?"
    r"|(?:is|are|keeps?) saying|believes?|swears?)"
)
_MAYBE = r"(?:may|might|could|would|possibly|perhaps)"
_BY_THE_WAY = r"(?:supposedly|allegedly|reportedly|purportedly|rumou?red to|said to be|they say)"
_RUMOUR = regex(
    r"^\W*(?:(?:well|so|but|and|oh)\b\W*)?"
    r"(?:(?:the |there(?:['’]s| is| are) |i(?:['’]ve)? heard? |some )?(?:a )?(?:rumou?rs?|gossip|whispers?|hearsay)\b"
    r"|there(?:['’]s| is) (?:some |a lot of )?talk (?:of|that|about)\b"
    r"|(?:the )?word (?:is|has it|on the street is|going round is)\b|legend has it\b|a little bird told\b"
    rf"|{_BY_THE_WAY}\b|{_TELLERS} (?:[\w ]{{1,30}}? )?{_SAY}\b"
    rf"|i(?:['’]ve)? (?:only )?(?:over)?heard? (?:somewhere |from \w+ )?(?:that )?[^.!?]{{1,80}}\b{_MAYBE}\b)"
    rf"|^[^.!?]{{1,80}}\b{_BY_THE_WAY}\b"
    r"|\b(?:gerüchteweise|angeblich|es heißt|man munkelt|se rumorea|dicen que|se dice que|supuestamente|al parecer)\b",
    re.I,
)
"""Nobody is answerable for it."""

_APPARENTLY = regex(r"^\W*(?:apparently|seemingly|anscheinend|por lo visto)\b", re.I)
_SETTLED = regex(
    r"\b(?:now|no longer|any ?more|from|since|instead|moved|changed|cancel\w+|jetzt|nicht mehr|ahora|ya no)\b", re.I
)
"""What is "apparently" so and tells of a change is news."""

_BELIEVES = regex(
    r"^\W*(?!(?:i|we|you|it|he|she|they|this|that|there|what|who|if)\b)(?P<who>(?:[\w'’.-]+ ){1,5}?)"
    r"(?:still |always |firmly |really )?(?:thinks?|thought|reckons?|reckoned|believes?|believed|guess(?:es|ed)|swears?"
    r"|swore|supposes?|bets?|claims?|claimed|imagines?|assumes?|assumed|suspects?|insists?|hears?|heard"
    r"|(?:is|are|was) (?:sure|convinced|certain|under the impression)"
    r"|keeps? (?:on )?(?:saying|telling (?:me|us|everyone)|claiming|insisting)|glaubt|meint|denkt|cree|piensa)"
    r" (?!of\b|about\b|from\b|back\b)",
    re.I,
)
"""Somebody is of the opinion that it is so."""

_EXPERT = regex(
    r"\b(?:doctors?|dr|gp|vet|nurse|midwife|dentist|physio\w*|surgeon|consultant|specialist|lawyer|solicitor|accountant|teacher"
    r"|head|boss|manager|landlord|landlady|plumber|electrician|mechanic|builder|garage|roofer|surveyor|engineer|bank|council"
    r"|school|office|police|hospital|airline|company|team|board|committee|coach|tutor|supervisor|professor|arzt|ärztin)\b",
    re.I,
)
"""Whose opinion is news."""

_DOUBTED = regex(
    r"\b(?:don['’]t|do not|didn['’]t|wouldn['’]t|can['’]t) (?:really |quite )?(?:believe|buy|trust)\b"
    r"|\bno idea (?:if|whether)\b|\b(?:un|not (?:so |too )?)(?:sure|certain|convinced) (?:if|whether|that|about|it)\b"
    r"|\bi (?:very much |rather |really )?doubt\b|\b(?:pinch|grain) of salt\b"
    r"|\bif (?:it|that)(?:['’]s| is) (?:even )?(?:true|right)\b|\bwho knows\b|\bbelieve it when\b"
    r"|\b(?:not (?:yet )?(?:confirmed|official)|unconfirmed)\b|\bonly (?:a )?(?:rumou?r|gossip|guess)\b"
    r"|\b(?:he|she|they)(?:['’]s| is|['’]re| are)? (?:always|often|usually|never) "
    r"(?:wrong|right|mistaken|sure|mix\w*|muddl\w*|exaggerat\w*|gets?)\b"
    r"|\b(?:he|she|they) (?:mix(?:es)?|muddles?|confuses?|makes?|gets?) (?:\w+ ){0,2}(?:up|wrong|muddled)\b"
    r"|\bcan['’]?(?:t|not) be (?:true|right)\b|\bnonsense\b|\brubbish\b"
    r"|\bkeine ahnung ob\b|\bglaube? ich nicht\b|\bno me lo creo\b",
    re.I,
)
"""Who tells it does not vouch for it."""

_REPORTS = regex(
    r"^\W*(?!(?:i|we)\b)(?:according to\b|(?:[\w'’.-]+ ){1,5}?"
    r"(?:says?|said|told|tells?|mentioned|reported|wrote|keeps?|thinks?|reckons?|heard|claims?)\b)",
    re.I,
)
_CONFIRMED = regex(
    r"\b(?<!not )(?<!not yet )(?<!n['’]t )(?:confirmed|official|officially|turns out|turned out|i checked|i rang"
    r"|(?:he|she|they)(?:['’]s| is| was|['’]re| were) right)\b"
    r"|(?<!if )\b(?:it|that|rumou?r)(?:['’]s| is| was) (?:indeed )?true\b",
    re.I,
)
"""It was found to be so."""


@kept_for_texts(maxsize=1_024)
def is_hearsay(text: str) -> bool:
    """Whether a statement tells only what somebody says or believes, for which its teller does not vouch.

    Examples
    --------
    >>> is_hearsay("Rumour has it the ferry will stop in May."), is_hearsay("The ferry will stop in May.")
    (True, False)
    >>> is_hearsay("Ole reckons the ferry leaves at six."), is_hearsay("The doctor thinks it's the knee.")
    (True, False)
    >>> is_hearsay("Ole says it leaves at six, but he's always wrong."), is_hearsay("Ole says it leaves at six.")
    (True, False)
    """
    text = text[:MAX_HEARSAY_CHARS]
    if _CONFIRMED.search(text):
        return False
    if _RUMOUR.search(text) or (_APPARENTLY.match(text) and not _SETTLED.search(text)):
        return True
    if _REPORTS.match(text) and _DOUBTED.search(text):
        return True
    believes = _BELIEVES.match(text)
    return believes is not None and not _EXPERT.search(believes["who"])
