"""How old somebody is who is named: "Lotte is 7", "our kids Nora (11) and Bo", "Bo turned four"."""

import re

from context_graph.reading.first_names import may_be_a_first_name
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["ages", "asks_for_age", "is_older"]

READ = 400
"""Characters of a statement that are looked at."""

_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen"
).split()
_AGE = rf"(?P<age>\d{{1,2}}|{'|'.join(_WORDS)})"
_IS = (
    r"(?:,? who)?(?: (?:is|ist|tiene|wird|will be|(?:has |just |has just )?turned|turns|wurde|cumplió|cumple)|['’]s)"
    r"(?: (?:now|already|only|just|jetzt|schon|erst|ya))?"
)
_ENDS = (
    r"(?:[ -](?:years?|jahre|años)(?:[ -](?:old|alt))?)?"
    r"(?=\W*$|[.,;:!?)]|\W+(?:and|but|so|who|now|today|yesterday|tomorrow|already|on|in|this|last|next|und|y)\b)"
)
_AGED = regex(rf"\b(?P<name>[A-ZÀ-Þ][a-zà-ÿ’'-]+?)(?i:{_IS} | \(|, ){_AGE}(?i:{_ENDS})")
_HOW_OLD = regex(r"\bhow old\b|\b(?:what['’]s|what is)\b.{1,40}\bage\b|\bwie alt\b|\bcuántos años\b", re.I)


@kept_for_texts(maxsize=512)
def ages(text: str) -> dict[str, int]:
    """The ages of those whom a statement names, the last said of each.

    Examples
    --------
    >>> ages("We've got three kids: Nora (11), Emil, 8, and little Bo who's 3."), ages("Bo turned four on Thursday!")
    ({'Nora': 11, 'Emil': 8, 'Bo': 3}, {'Bo': 4})
    >>> ages("Lotte is 5 minutes late."), ages("Rent is 7 now.")
    ({}, {})
    """
    return {
        match["name"]: int(age) if (age := match["age"]).isdigit() else _WORDS.index(age) + 1
        for match in _AGED.finditer(text[:READ])
        if may_be_a_first_name(match["name"])
    }


def asks_for_age(question: str) -> bool:
    """Whether a question asks how old somebody is."""
    return bool(_HOW_OLD.search(question))


def is_older(earlier: str, later: str) -> bool:
    """Whether somebody is older in a later statement than in an earlier one.

    Examples
    --------
    >>> is_older("My daughter Lotte is 7.", "Lotte turned 8 yesterday."), is_older("Lotte is 7.", "Bo turned 8.")
    (True, False)
    """
    before, now = ages(earlier), ages(later)
    return any(now[name] > before[name] for name in before.keys() & now.keys())
