"""The names of a program that a question has, and whether it asks where they are used."""

import re
from typing import NamedTuple

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["AskedName", "asked_names"]

MAX_NAMING_CHARS = 400
"""Characters of a question that are looked at."""

MAX_ASKED_NAMES = 4
"""Names of one question that are looked for."""

_WRITTEN = regex(
    r"`(?P<quoted>[A-Za-z_][\w.]{0,80})(?:\(\))?`|(?<![\w/@.-])(?:[A-Za-z_]\w{0,40}\.){0,3}"
    r"(?:(?P<name>_{0,2}[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}_{0,2}|_{1,2}[A-Za-z]\w{0,40}"
    r"|[A-Za-z]{0,20}[a-z][A-Z][A-Za-z0-9]{0,40})(?:\(\))?|(?P<called>[A-Za-z_]\w{0,40})\(\))(?![\w/-])"
)
"""As only programs write: with an underscore, with capitals inside, with brackets, or quoted as code."""

_CAPITAL = regex(r"(?<=\w )(?P<name>[A-Z]\w{2,40})(?![\w-])")
"""A word with a capital that opens no sentence: the name of a type, where code defines it."""

_OTHER_END = r"(?![\w-])"
_PLAIN = regex(
    rf"\b(?i:what (?:does|is in)|who calls|what calls|where is|how does) (?!(?:the|this|that|our|your|his|her)\b)"
    rf"(?P<name>[a-z]\w{{2,40}}){_OTHER_END}"
    rf"|\b(?i:callers?|usages?|definition|source) of (?!the\b)(?P<of>[a-z]\w{{2,40}}){_OTHER_END}"
)
"""A word where a question about code has the name of a function, where code defines it."""

_VERB = (
    "(?:us(?:es?|ing)|calls?|rais(?:es?|ing)|throws?|catch(?:es)?|handles?|referenc(?:es?|ing)|imports?|reads?|sets?"
    "|subclass(?:es)?|inherits?(?: from)?|extends?|invokes?|instantiates?|depends? on|returns?|needs?|checks?)"
)
_USERS = regex(
    rf"\b(?:who|what|which(?: \w{{1,20}}){{0,4}}) (?:all |else |still |actually )?"
    rf"{_VERB} (?:the )?(?:\w{{1,20}} )?[`\w.]*$",
    re.I,
)
"""What stands before a name whose users are asked for, up to it."""

_USED = regex(
    r"^(?:\(\))?`? (?:\w{1,15} ){0,2}?(?:used|called|raised|thrown|caught|handled|referenced|imported|read|needed"
    r"|invoked|instantiated|checked)\b(?! (?:for|to|as)\b)",
    re.I,
)
_WHERE = regex(r"\b(?:where|is|are|from which|in which)\b[^?]{0,40}$", re.I)
_WHERE_WE = regex(r"\bwhere (?:do|does|are) (?:we|they|you|it|i) (?:\w{1,12} )?" + _VERB + r" (?:the )?[`\w.]*$", re.I)
_USES_OF = regex(
    r"\b(?:usages?|uses|callers?|calls|call sites?|references|subclasses|users) (?:of|to) (?:the )?[`\w.]*$",
    re.I,
)


class AskedName(NamedTuple):
    """A name in a question.

    Attributes
    ----------
    certain : bool
        It is written as only programs write names; else it is one where code defines it.
    uses : bool
        What uses it is asked for.
    """

    name: str
    certain: bool
    uses: bool


@kept_for_texts(maxsize=256)
def asked_names(question: str) -> tuple[AskedName, ...]:
    """The names that code may have, in the order of a question; of "Session.get" the last part.

    Examples
    --------
    >>> asked_names("What is MAX_TRIES?")
    (AskedName(name='MAX_TRIES', certain=True, uses=False),)
    >>> asked_names("Who calls parse_row()?"), asked_names("What does the Pump do?")
    ((AskedName(name='parse_row', certain=True, uses=True),), (AskedName(name='Pump', certain=False, uses=False),))
    >>> asked_names("Where do I live?")
    ()
    """
    text = question[:MAX_NAMING_CHARS]
    name_at: dict[int, tuple[str, bool]] = {}
    for pattern in (_PLAIN, _CAPITAL, _WRITTEN):
        for match in pattern.finditer(text):
            group = match.lastgroup or "name"
            name = match[group].rpartition(".")[2]
            name_at[match.end(group) - len(name)] = (name, pattern is _WRITTEN)
    return tuple(
        AskedName(name, certain, _asks_for_uses(text[:start], text[start + len(name) :]))
        for start, (name, certain) in sorted(name_at.items())[:MAX_ASKED_NAMES]
    )


def _asks_for_uses(before: str, behind: str) -> bool:
    """Whether what stands before and behind a name asks for what uses it."""
    if _USERS.search(before) or _USES_OF.search(before) or _WHERE_WE.search(before):
        return True
    return _WHERE.search(before) is not None and _USED.match(behind) is not None
