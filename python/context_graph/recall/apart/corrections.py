"""What a correction corrects: not all that was said of the person whom it names."""

import re

from context_graph.embed.stems import stem_of
from context_graph.reading import cues
from context_graph.reading.subjects import WORD, content_stems
from context_graph.recall.apart.words import OF_ANYTHING, tells_a_change
from context_graph.regex import regex

__all__ = ["correction_apart"]

READ = 240
"""Characters of the later statement that are looked at."""

_CORRECTS = regex(
    r"\b(?:i|we) (?:was|were|got (?:it|that|this)) (?:\w+ )?(?:wrong|mistaken)\b|\bmy mistake\b|\bcorrection\b"
    r"|\b(?:misremembered|mixed (?:it |that |them )?up|misspoke|false alarm)\b"
    r"|^\W*(?:actually,? no|no,? actually|no,? wait|wait,? no|scratch that|oh no wait)\b",
    re.I,
)
_WHAT = r"[\w'’-]+(?: [\w'’-]+){0,3}"
_DENIED = regex(
    rf"\bwrong about (?:[\w'’-]+ ){{1,3}}?(?:being|having|living|working|liking) (?P<of>{_WHAT})"
    r"|\bwrong about (?:his|her|their|[\w-]+['’]s) (?P<kind>[\w-]+)"
    rf"|\b(?:is|are|was|were)(?:n['’]t| not) (?P<so>{_WHAT})"
    rf"|[ ,]not (?P<value>{_WHAT})",
    re.I,
)
"""What a correction says that is not so."""

_STILL = regex(r"(?:\bis|['’]s|\bare|['’]re|\bhas|\bhave|\bdoes|\bdo|\w) still\b", re.I)
_UNDOABLE = regex(r"\b(?:lost|got|was|were|had|will|going to|about to|plans? to|wants? to|[a-z]{2,}ed)\b", re.I)
"""What was or will be, and may not have been so."""

_GOT = content_stems("got gets getting")

BEGINNING = 5
"""Letters with which two words of one family begin: "Belgium", "Belgian"."""


def correction_apart(earlier: str, later: str) -> bool:
    """Whether the later of two statements corrects something that the earlier one does not say: both share but a name,
    what is denied is not said there, or nothing has changed there that could still be as it was.

    Examples
    --------
    >>> correction_apart("Eva is my best friend.", "I got it wrong, Eva's 36, not 35.")
    True
    >>> correction_apart("Eva is 35.", "I got it wrong, Eva's 36, not 35.")
    False
    >>> correction_apart("Jan has two cats.", "Actually no, Jan's still got it, the buyer backed out.")
    True
    >>> correction_apart("Jan sold the Volvo.", "Actually no, Jan's still got it, the buyer backed out.")
    False
    """
    later = later[:READ]
    if not _CORRECTS.search(later):
        return False
    names = frozenset(stem_of(word.lower().removesuffix("'s")) for word in _capitalized(later))
    of, now = content_stems(earlier), content_stems(later)
    shared = of & now
    if not shared or shared - names - OF_ANYTHING - _GOT:
        return False
    if _STILL.search(later):
        return not (tells_a_change(earlier) or _UNDOABLE.search(earlier) or cues.NEGATED.search(earlier))
    denied = _denied(later)
    return bool(denied) and not any(_said(stem, of) for stem in denied)


def _capitalized(text: str) -> list[str]:
    words = [word.replace("’", "'") for word in WORD.findall(text)]
    return [word for word in words if word[0].isupper() and not cues.TIMED.fullmatch(word)]


def _denied(text: str) -> frozenset[str]:
    """Stems of what a correction says that is not so, but names."""
    denials = " ".join(filter(None, (part for match in _DENIED.finditer(text) for part in match.groups())))
    return content_stems(denials)


def _said(stem: str, of: frozenset[str]) -> bool:
    return stem in of or any(len(stem) >= BEGINNING and stem[:BEGINNING] == other[:BEGINNING] for other in of)
