"""What is allowed to, or ruled for, somebody who has a name, beside a rule that is for everybody: both hold."""

import re

from context_graph.embed.stems import STOP_WORDS
from context_graph.reading import cues
from context_graph.reading.first_names import opens_as_a_name
from context_graph.reading.subjects import WORD, content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["excepted", "exempts", "is_for_everybody", "names_in"]

READ = 240
"""Characters of a statement that are looked at: a longer text says more than a rule."""

_LABEL = r"^\W*(?:(?:[\w'’-]+ ){0,4}[\w'’-]+: ?)?(?:please,? )?"
_RULE = regex(
    rf"{_LABEL}(?:never|always|do not|don['’]t|no|only|all|every|each|any|everyone|everybody|nobody|no one)\b"
    r"|\b(?:always|never|in general|as a rule|generally|by default|on principle)\b"
    r"|\b(?:must|may|should|can|shall)(?:n['’]t| not)\b|\bcannot\b|\b(?:not allowed|forbidden|prohibited|banned)\b",
    re.I,
)
"""Says what is done, or must not be done, whoever it is for."""

_NAME = r"(?P<who>[A-ZÀ-Þ][\w-]*[a-zß-ÿ][\w-]*(?: [A-ZÀ-Þ][\w-]*[a-zß-ÿ][\w-]*)?)"
_OPENING = r"^\W*(?:(?:[\w'’-]+ ){0,4}[\w'’-]+: ?)?(?:(?:[Ss]o|[Bb]ut|[Oo]nly|[Jj]ust|[Ee]xception:?|[Hh]owever,?) )?"
_ALLOWED = (
    r"(?:may|can|could|need not|needn['’]t|(?:do|does)(?:n['’]t| not) (?:need|have) to|(?:is|are)(?: an)? "
    r"(?:fine|ok|okay|allowed|permitted|welcome|exempt|exception))\b"
)
_EXCEPTIONS = tuple(
    regex(form)
    for form in (
        rf"{_OPENING}(?:[Ff]or|[Ww]ith|[Oo]n|[Aa]t|[Ii]n) (?:(?:the|my|our|this) )?{_NAME}\b",
        rf"{_OPENING}{_NAME} (?:{_ALLOWED}|gets?\b)",
        rf"{_OPENING}{_NAME}['’]s? (?:[\w-]+ ){{1,3}}?(?:{_ALLOWED}|gets?\b|go(?:es)?\b)",
        rf"{_OPENING}(?:[\w'’-]+ ){{1,3}}?(?:for|with|to|from) {_NAME} (?:{_ALLOWED}|gets?\b|go(?:es)?\b)",
        rf"{_OPENING}(?:[Yy]ou|[Ii]|[Ww]e) (?:may|can|could) [a-z-]+ (?:(?:[a-z-]+ )?(?:to|with|for) )?{_NAME}\b",
        r"\b(?:fine|ok|okay|allowed|permitted|no more|no longer|does(?:n['’]t| not) (?:apply|hold|count)|exception)\b"
        rf"(?: [a-z'’-]+){{0,5}}? (?:for|to) {_NAME}(?= *$|[.,;!])",
        rf"\b(?:except|apart from)(?: for)? {_NAME}\b",
    )
)
"""What somebody may, or how it is for them."""

_DAYS = regex(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days")
"""What is so on some days is an exception, too."""

_FOR_ALL = regex(r"\b(?:everyone|everybody|anyone|anybody|nobody|no one)\b", re.I)

_CAPITAL = regex(r"(?<=[\w,;] )[A-ZÀ-Þ][\w-]*[a-zß-ÿ][\w-]*")
"""A word with a capital letter, and small ones, that opens no sentence."""


@kept_for_texts(maxsize=1_024)
def names_in(text: str) -> frozenset[str]:
    """Words of a statement that are written as names are, in lower case, but for times and what opens a sentence.

    Examples
    --------
    >>> sorted(names_in("Ask Ida Bruhn on Friday, never the PDF team."))
    ['bruhn', 'ida']
    """
    words = (word for word in _CAPITAL.findall(text[:READ]) if not cues.TIMED.fullmatch(word))
    return frozenset(word.lower() for word in words) - STOP_WORDS - cues.SELF


@kept_for_texts(maxsize=1_024)
def is_for_everybody(text: str) -> bool:
    """Whether a statement is a rule that names nobody.

    Examples
    --------
    >>> is_for_everybody("No visitors after ten."), is_for_everybody("Reports always go out as PDF.")
    (True, True)
    >>> is_for_everybody("Never call Ida."), is_for_everybody("The gate is open.")
    (False, False)
    """
    return len(text) <= READ and bool(_RULE.search(text)) and not names_in(text)


@kept_for_texts(maxsize=1_024)
def excepted(text: str) -> frozenset[str]:
    """For whom, in lower case, a statement allows or rules something; empty where for nobody who has a name.

    Examples
    --------
    >>> sorted(excepted("For Ida visits at eleven are fine.")), sorted(excepted("You may quote Ida Bruhn."))
    (['ida'], ['bruhn', 'ida'])
    >>> sorted(excepted("On Fridays visits at eleven are fine."))
    ['fridays']
    >>> excepted("Visits at eleven are fine now."), excepted("Visitors may stay now."), excepted("Ida runs the ward.")
    (frozenset(), frozenset(), frozenset())
    """
    text = text[:READ]
    if _FOR_ALL.search(text):
        return frozenset()
    matches = (match for form in _EXCEPTIONS if (match := form.search(text)))
    return next((who for match in matches if (who := _named(text, match))), frozenset())


def _named(text: str, match: re.Match[str]) -> frozenset[str]:
    """Words of a name, none where it may be any word that opens a sentence."""
    words = [word for word in match["who"].split() if not cues.TIMED.fullmatch(word) or _DAYS.fullmatch(word)]
    if (
        words
        and not _DAYS.fullmatch(words[0])
        and not _CAPITAL.match(text, match.start("who"))
        and not opens_as_a_name(words[0])
    ):
        return frozenset()
    return frozenset(word.lower() for word in words) - STOP_WORDS - cues.SELF


def exempts(rule: str, later: str) -> frozenset[str]:
    """For whom, in lower case, a later statement makes an exception from a rule of whose words it has one; empty where
    for nobody.

    Examples
    --------
    >>> sorted(exempts("No visitors after ten.", "For Ida visitors after ten are fine."))
    ['ida']
    >>> exempts("No visitors at ten.", "Visitors may come."), exempts("No visitors at ten.", "Ida may bring tea.")
    (frozenset(), frozenset())
    """
    if not is_for_everybody(rule) or not (who := excepted(later)):
        return frozenset()
    if not content_stems(rule) & content_stems(later):
        return frozenset()
    return who.difference(word.lower() for word in WORD.findall(rule))
