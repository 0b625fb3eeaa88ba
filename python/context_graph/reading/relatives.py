"""What those close to who speaks are called: "my sister Klara", "Rex is our dog"."""

import re

from context_graph.graph.entities import NO_NAMES
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.regex import regex

__all__ = ["CLOSE", "Relative", "relatives"]

Relative = tuple[str, str]
"""How who speaks names somebody, and what that one is called: ("my sister", "Klara")."""

CLOSE = (
    "sister brother mother father mom mum dad wife husband partner son daughter cousin uncle aunt grandma grandpa "
    "grandmother grandfather girlfriend boyfriend fiancé fiancée nephew niece grandson granddaughter "
    "godson goddaughter stepson stepdaughter stepsister stepbrother flatmate roommate dog cat horse puppy kitten "
    "schwester bruder mutter vater frau mann sohn tochter oma opa neffe nichte enkel enkelin freundin freund hund "
    "katze hermana hermano madre padre hijo hija prima primo perro gato"
).split()
"""Whom one rarely has twice, and who does not change as a landlord does."""

_WHOSE = r"my|our|mein(?:e[rnm]?)?|unser(?:e[rnm]?)?|mi|nuestr[ao]"
_WHO = rf"(?P<whose>{_WHOSE})\s+(?:[a-zäöüß]+[\s-]){{0,2}}(?P<who>{'|'.join(CLOSE)})"
_NAME = r"(?P<name>[A-ZÀ-Þ][a-zà-ÿ’'-]+(?:\s[A-ZÀ-Þ][a-zà-ÿ’'-]+)?)"
_PATTERNS = (
    regex(rf"\b(?i:{_WHO})(?:,?\s+(?i:is\s+called|is\s+named|named|called|heißt|ist|se\s+llama))?,?\s+{_NAME}"),
    regex(rf"\b{_NAME},?\s+(?:(?i:is|ist|es)\s+)?(?i:{_WHO})\b"),
)


def _first_form(whose: str) -> str:
    """Without the ending of a German case."""
    return re.sub(r"^(mein|unser)e?[rnm]$", r"\1e", whose)


def relatives(text: str) -> list[Relative]:
    """The relatives and animals of who speaks that a text names, each once.

    Examples
    --------
    >>> relatives("I run a bakery with my little sister Klara, and Rex, our dog.")
    [('my sister', 'Klara'), ('our dog', 'Rex')]
    """
    pairs: dict[Relative, None] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            name = re.sub(r"['’]s$", "", match["name"])
            first = name.split()[0]
            if first.lower() not in NO_NAMES and may_be_a_first_name(first):
                pairs[f"{_first_form(match['whose'].lower())} {match['who'].lower()}", name] = None
    return [*pairs]
