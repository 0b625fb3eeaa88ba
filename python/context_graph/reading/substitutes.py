"""Who does for a while, or from now on, what somebody else did: "Inês is on leave, Duarte is covering for her"."""

import re
from typing import NamedTuple

from context_graph.embed.stems import STOP_WORDS
from context_graph.reading import cues
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Substitute", "asks_for_somebody", "substitute", "takes_the_place"]

READ = 300
"""Characters of a statement that are looked at."""

_NAME = r"[A-ZÀ-Þ][\w’'-]+"
_WHO = rf"(?P<who>{_NAME}(?: {_NAME})?|(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur) [a-z]+(?: {_NAME})?)"
_STANDS_IN = regex(
    rf"{_WHO} (?:(?:is|will be|has been|now|is now|will|can|wird) )?"
    r"(?:(?:(?:stand|fill|step|sit)(?:s|ting|ping|ing)? in|(?:cover|sub|deputis|deputiz)(?:s|es|bing|ing)?)\b"
    r"(?: (?:for|on|until|till|now|meanwhile|instead)\b|(?=\W*$))"
    r"|(?:do|does|doing|handl(?:es?|ing)|run(?:s|ning)?|cover(?:s|ing)) (?:it|that|this|them|(?:his|her|their) \w+)\b"
    r"|(?:replac(?:es|ed|ing)|succeed(?:s|ed|ing)) (?:him|her|them)\b"
    r"|tak(?:es?|ing) (?:it |that |this )?over\b|took (?:it |that |this )?over\b|vertritt|übernimmt|springt ein"
    r"|(?:l[aoe]s? )?(?:sustituye|reemplaza|cubre)\b)"
)
_WHILE_AWAY = regex(
    r"\b(?:on (?:[a-z]+ )?leave|off sick|on (?:holiday|vacation)|away|retired|has left|quit|resigned)\b"
    rf"[^.;]{{0,40}}[,.;] (?:(?:so|and|now|meanwhile) )*{_WHO} (?:now )?"
    r"(?:runs?|does|leads?|handles?|takes?|covers?|manages?|chairs?|hosts?|deals with|looks after|answers)\b"
)
"""Somebody is not there, and another does what is not said to be theirs."""

_NAMES = regex(_NAME)
_RELATIVES = cues.KIN - frozenset(
    "boss manager colleague neighbour neighbor intern client chef kollegin kollege".split()
)
"""Whose place nobody takes for a while."""

_NO_NAMES = STOP_WORDS | {"mr", "mrs", "ms", "dr", "prof", "herr", "frau", "i'm", "i’m"}

_SOMEBODY = regex(r"^\W*(?:who\b|who['’]s\b|whom\b|whose\b|(?:to|with|by|for) whom\b|wer\b|wem\b|wen\b|qui[eé]n)", re.I)


class Substitute(NamedTuple):
    """Somebody who stands in, and whom the rest of the statement names."""

    who: str
    others: frozenset[str]


@kept_for_texts(maxsize=512)
def substitute(text: str) -> Substitute | None:
    """Who stands in for somebody whom a statement names first; None where it tells of nobody.

    Examples
    --------
    >>> substitute("Inês went on leave, Duarte is covering for her.")
    Substitute(who='Duarte', others=frozenset({'Inês'}))
    >>> substitute("Havel didn't show up, his brother Petr is doing it now").who
    'his brother Petr'
    >>> substitute("Priya's on parental leave, Tom runs the dailies.").who
    'Tom'
    >>> substitute("Duarte is covering the costs."), substitute("The rain is over, Ida runs.")
    (None, None)
    """
    text = text[:READ]
    match = _STANDS_IN.search(text) or _WHILE_AWAY.search(text)
    if match is None:
        return None
    others = _names(text[: match.start("who")]) - {*match["who"].split()}
    return Substitute(match["who"], others) if others else None


def _names(text: str) -> frozenset[str]:
    """Words with a capital letter that are no small words, no times and no way to address somebody."""
    capitals = [re.sub(r"['’]s?$", "", name) for name in _NAMES.findall(text)]
    return frozenset(word for word in capitals if word.lower() not in _NO_NAMES and not cues.TIMED.fullmatch(word))


def takes_the_place(earlier: str, later: str) -> bool:
    """Whether a later statement tells who stands in for somebody whom an earlier one names, and who is no relative.

    Examples
    --------
    >>> takes_the_place("My manager is Inês.", "Inês is on leave, Duarte is covering for her.")
    True
    >>> takes_the_place("My sister is Inês.", "Inês is on leave, Duarte is covering for her.")
    False
    """
    stand_in = substitute(later)
    if stand_in is None or not _RELATIVES.isdisjoint(earlier.lower().split()):
        return False
    return not stand_in.others.isdisjoint(_names(earlier))


def asks_for_somebody(question: str) -> bool:
    """Whether a question asks who.

    Examples
    --------
    >>> asks_for_somebody("Who's my manager?"), asks_for_somebody("Where is my manager?")
    (True, False)
    """
    return bool(_SOMEBODY.match(question))
