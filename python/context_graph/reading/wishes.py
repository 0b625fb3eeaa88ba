"""What somebody else would like to be otherwise, and that it stays as it is all the same."""

import re

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import STOP_WORDS, stem_of
from context_graph.reading import cues
from context_graph.reading.subjects import WORD, content_stems
from context_graph.reading.supersession import NUMBERS, related
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["keeps", "kept_values", "may_wish", "values_of", "wishes_of_another"]

READ = 240
"""Characters of a statement that are looked at."""

_WHO = r"^\W*(?!(?:i|we|you|it|there|that|this)\b)(?P<who>(?:[\w'’.-]+ ){1,5}?)"
_WISHES = regex(
    rf"{_WHO}(?:(?:would|['’]d) (?:much |far |really |also )?(?:rather|prefer|like|love)"
    r"|(?:hopes|wishes|is hoping|are hoping) (?:to|for|that|we)|(?:is|are) (?:lobbying|asking|pushing) (?:for|to))\b",
    re.I,
)
"""Somebody would like something, which is not so for that."""

_MAY_WISH = regex(
    rf"{_WHO}(?:wants?|wanted|wish(?:es|ed)?|asks?|asked|asking|requests?|requested|demands?|demanded|suggest(?:s|ed)?"
    r"|propos(?:es?|ed)|prefers?|preferred|thinks?|push(?:es|ed) for|lobb(?:y|ies|ied)|insist(?:s|ed)?"
    r"|vot(?:es?|ed) for|would|['’]d|hopes?)\b",
    re.I,
)
"""The same, or what they require: who reads it cannot know which, but by what comes of it."""

_UNDECIDED = regex(
    r"\b(?:think (?:about|on) it|think it over|sleep on it|thinking it over|get back to (?:them|him|her)"
    r"|we(?:['’]ll| will) see|(?:have|has|did)(?:n['’]t| not) (?:agree|decide|answer|repl|respond|said|say)\w*"
    r"|(?:not|nothing) (?:yet )?(?:agreed|decided)"
    r"|undecided|(?:said|told (?:them|him|her)) no\b|refused|declined|turned (?:it|that|them|him|her) down)",
    re.I,
)
"""Says that what somebody requires was not granted, or not yet."""

_UNWILLING = regex(rf"{_WHO}(?:does|do|did)(?:n['’]t| not) (?:want|like|feel like)\b.{{1,80}}\bbut\b", re.I)
"""Somebody would rather not, and that is not all."""

_QUESTION = regex(
    r"^\W*(?:could|should|shall|can) (?!you\b)[^?]{1,160}\?"
    r"(?:\W*(?:[A-ZÀ-Þ][\w-]+|[Hh]e|[Ss]he|[Tt]hey) (?:asks|asked|wonders|wondered|wants to know|suggested)\W*)?$",
    re.I,
)
"""Only asks whether something could be otherwise, and says who does."""

_ENDS_CLAUSE = r"[^,;.!?]{0,80}"
_VALUE = r"(?:(?:the|a|an|every|our|my) )?[\w:.-]+(?: [\w:.-]+)?"
_KEEPS = tuple(
    regex(form, re.I)
    for form in (
        rf"\b(?P<what>{_VALUE}) (?:it )?(?:stays?|remains?|stands|holds)(?= *$|[.,;!]| (?:then|as|put|after all)\b)",
        rf"\b(?:[\w'’]+) (?:still )?(?:stays?|remains?|will (?:stay|remain)|is staying) (?P<what>{_ENDS_CLAUSE})",
        r"\b(?:we|i|they|he|she|(?-i:[A-ZÀ-Þ])[\w-]+)(?:['’](?:re|m|ll)| are| am| will| is)? "
        r"(?:keep(?:s|ing)?|stick(?:s|ing)? (?:to|with)|stay(?:s|ing)? (?:with|on|at|in)"
        r"|leav(?:e|es|ing) (?:it|them|that|things|the|our)\b)"
        rf" (?P<what>{_ENDS_CLAUSE})",
    )
)
"""Says that something is as it was: "Tuesday stays", "it remains at six", "we're keeping the 5th"."""

_ORDINALS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())
_NUMBER = regex(r"\d+")


@kept_for_texts(maxsize=1_024)
def may_wish(text: str) -> bool:
    """Whether a statement tells what somebody else would like, requires or proposes, or asks whether it could be so.

    Examples
    --------
    >>> may_wish("Ida wants the blinds down."), may_wish("The blinds are down.")
    (True, False)
    """
    text = text[:READ]
    return bool(_MAY_WISH.match(text) or _QUESTION.match(text))


def wishes_of_another(earlier: str, later: str) -> bool:
    """Whether the later statement tells only what somebody would like whom the earlier one is not about, or asks
    whether something could be otherwise.

    Examples
    --------
    >>> wishes_of_another("We open at nine.", "The porter would rather open at ten.")
    True
    >>> wishes_of_another("We open at nine.", "Should we open at ten? Ida asked.")
    True
    >>> wishes_of_another("Ida drinks tea.", "Ida would rather have coffee.")
    False
    >>> wishes_of_another("Ida swims on Mondays.", "Ida doesn't want to swim any more, but she'll finish the term.")
    True
    >>> wishes_of_another("Ida charges 40 an hour.", "Ida wants 50 from May, I said I'd sleep on it.")
    True
    """
    if _UNWILLING.match(later[:READ]):
        return True
    if may_wish(later) and _UNDECIDED.search(later[:READ]):
        return not may_wish(earlier)
    wish = _WISHES.match(later[:READ])
    if wish is None:
        return bool(_QUESTION.match(later[:READ])) and not _QUESTION.match(earlier[:READ])
    who = next(iter(content_stems(wish["who"])), "")
    alone = len(clauses(later[:READ])) < 2  # "Ida would rather have ten, so we do"
    return alone and not may_wish(earlier) and who not in content_stems(earlier)


@kept_for_texts(maxsize=1_024)
def kept_values(text: str) -> frozenset[str]:
    """Stems of the times, numbers and names of which a statement says that they stay as they are.

    Examples
    --------
    >>> sorted(kept_values("The boss said no, so Tuesday stays.")), sorted(kept_values("We're keeping the 5th."))
    (['tuesdai'], ['5'])
    >>> kept_values("Ida keeps the dog."), kept_values("We keep the notes in the attic.")
    (frozenset(), frozenset())
    """
    text = text[:READ]
    spans = [match.span("what") for form in _KEEPS for match in form.finditer(text)]
    return frozenset[str]().union(*(_values(text, *span) for span in spans))


def keeps(earlier: str, wish: str, later: str) -> bool:
    """Whether the latest of three statements says that what the first says stays, which the one between wishes to be
    otherwise.

    Examples
    --------
    >>> shop = "The shop opens at 9.", "Ida wants the shop to open at 10."
    >>> keeps(*shop, "Ida lost, it stays at 9."), keeps(*shop, "The bell stays at 9 decibels.")
    (True, False)
    """
    if not (values := kept_values(later)) or not may_wish(wish) or may_wish(earlier):
        return False
    stated, topic = values_of(earlier), content_stems(earlier)
    if not values <= stated or values_of(wish) <= stated or not (topic & content_stems(wish) or related(earlier, wish)):
        return False
    return bool(content_stems(later) & (topic | content_stems(wish)) - values)


@kept_for_texts(maxsize=1_024)
def values_of(text: str) -> frozenset[str]:
    """Stems of the times, numbers and names of a statement: "5" of "the 5th".

    Examples
    --------
    >>> sorted(values_of("Ask Ida on Fridays at ten, or on 5 June."))
    ['5', 'fridai', 'ida', 'june', 'ten']
    """
    return _values(text[:READ], 0, READ)


def _values(text: str, start: int, end: int) -> frozenset[str]:
    words = [word for word in WORD.finditer(text) if start <= word.start() < end]
    values = (_value(word[0], opens=not word.start()) for word in words)
    return frozenset(values) - {""}


def _value(word: str, *, opens: bool) -> str:
    """What a word names, if it is a time, a number, or has a capital letter and opens no text; else empty."""
    if number := _NUMBER.search(word):
        return number[0]
    word, lower = word.removesuffix("'s").removesuffix("’s"), word.lower()
    if cues.TIMED.fullmatch(word):
        return stem_of(lower)
    if stem_of(lower) in NUMBERS or lower in _ORDINALS:
        return lower
    return stem_of(lower) if word[0].isupper() and not opens and lower not in STOP_WORDS | cues.SELF else ""
