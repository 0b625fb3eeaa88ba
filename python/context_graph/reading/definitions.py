"""Who or what somebody or something with a name is: "Who is Klara?", "my sister Klara"."""

import re

from context_graph.regex import regex

__all__ = ["defines", "name_asked_for"]

READ = 400
"""Characters of a statement that are looked at."""

_NAME = r"[A-ZÀ-Þ][\w’'-]*(?: [A-ZÀ-Þ][\w’'-]*){0,2}"
_ASKS = regex(
    rf"^\W*(?:(?i:who|what|wer|was|qui[eé]n|qu[eé])(?:['’]s| (?i:is|was|are|ist|war|es|era)) )(?P<name>{_NAME})"
    r"(?: (?:again|exactly|anyway|then|nochmal))?[?.! ]*$"
)
_OWNER = (
    r"(?:my|our|his|her|their|the|an?|mein\w*|unser\w*|sein\w*|ihre?\w*|der|die|das|eine?|mi|nuestr[oa]|su|el|la"
    r"|una?)"
)
_ROLE = r"(?!(?:about|and|at|by|for|from|in|like|of|on|or|than|to|with)\b)[a-zà-ÿ][\w’'-]*"


def name_asked_for(question: str) -> str:
    """The name of which a question asks who or what it is; empty for another question.

    Examples
    --------
    >>> name_asked_for("Who is Klara?"), name_asked_for("What's Project Atlas again?"), name_asked_for("Who is late?")
    ('Klara', 'Project Atlas', '')
    >>> name_asked_for("Who is Klara's boss?"), name_asked_for("Who is Klara married to?")
    ('', '')
    """
    match = _ASKS.match(question)
    return match["name"] if match and not match["name"].endswith(("'s", "’s", "s'", "s’")) else ""


def defines(text: str, name: str) -> bool:
    """Whether a text says who or what a name is.

    Examples
    --------
    >>> [defines(text, "Klara") for text in ("My sister Klara lives in Rome.", "Klara is a vet.", "Our vet is Klara.")]
    [True, True, True]
    >>> defines("Ada, Klara and I swim.", "Klara"), defines("Buy a present for Klara.", "Klara")
    (False, False)
    """
    return bool(_forms(name).search(text[:READ]))


def _forms(name: str) -> re.Pattern[str]:
    called = re.escape(name)
    return regex(
        rf"\b(?i:{_OWNER}) (?:{_ROLE} ){{1,3}}?(?:(?:is|was|ist|war|es|called|named|heißt|llama) ){{0,2}}{called}\b"
        rf"|\b{_ROLE} is {called}\b|\b{called}(?: {_NAME})?(?:,| is| was| ist| war| es)"
        rf" (?i:{_OWNER}|one of|responsible|in charge|head|co-\w+) \w"
        rf"|\b{called}(?: {_NAME})? \((?!\d)"
    )
