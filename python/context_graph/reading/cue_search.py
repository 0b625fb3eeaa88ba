"""Which of many cues a short text has, in a fraction of the time that a search for each takes.

A cue is a list of phrases, and most texts have none of its words. So each cue is searched for only where the text has a
word that begins like one of its phrases.
"""

import re
from collections.abc import Iterator, Sequence

from context_graph.regex import regex
from context_graph.texts import caseless

__all__ = ["CueSearch"]

OPENING_LETTERS = 3
"""First letters of a word by which phrases are told apart."""

_OPENINGS = regex(rf"(?<!\w)\w{{1,{OPENING_LETTERS}}}")
_PHRASES = regex(r"\(\?<!\\w\)\(\?:(.*)\)\(\?!\\w\)", re.S)
_LETTERS = regex(r"[^\W_]+")


class CueSearch:
    r"""The cues that a text has, of some that are given.

    Parameters
    ----------
    cues : sequence of re.Pattern
        Each without letters of the upper case. One of the form `(?<!\w)(?:...|...)(?!\w)` is looked for by the words
        that its phrases begin with, any other in every text.

    Examples
    --------
    >>> search = CueSearch([re.compile(rf"(?<!\w)(?:{phrases})(?!\w)", re.I) for phrases in ("no longer|ended", "now")])
    >>> search.flags("It has ENDED."), search.flags("Nowhere, no longer now")
    ((1.0, 0.0), (1.0, 1.0))
    """

    def __init__(self, cues: Sequence[re.Pattern[str]]) -> None:
        # a `caseless` text needs no pattern for letters of both cases, with which a search takes twice as long
        self._cues = [regex(cue.pattern, cue.flags & ~re.IGNORECASE) for cue in cues]
        self._always, self._by_opening = 0, dict[str, int]()
        for place, cue in enumerate(self._cues):
            phrases = _PHRASES.fullmatch(cue.pattern)
            openings = [""] if phrases is None else [*_openings(phrases[1])]
            if "" in openings:
                self._always |= 1 << place
            for opening in openings:
                self._by_opening[opening] = self._by_opening.get(opening, 0) | 1 << place

    def flags(self, text: str) -> tuple[float, ...]:
        """Which cues a text has, 1 or 0 for each."""
        plain, by_opening = caseless(text), self._by_opening
        likely = self._always
        for opening in {*_OPENINGS.findall(plain)}:
            for length in range(1, len(opening) + 1):
                likely |= by_opening.get(opening[:length], 0)
        return tuple(
            float(bool(likely >> place & 1 and cue.search(plain))) for place, cue in enumerate(self._cues)
        )  # fmt: skip


def _openings(phrases: str) -> Iterator[str]:
    """The letters with which each of some phrases begins for sure, at most three; empty where none does."""
    for phrase in _alternatives(phrases):
        if group := _leading_group(phrase):
            yield from _openings(group)
            continue
        letters = _LETTERS.match(phrase)
        opening = letters[0] if letters else ""
        if phrase[len(opening) :].startswith(("?", "*", "{")):
            opening = opening[:-1]  # the last letter may be missing
        yield opening[:OPENING_LETTERS]


def _leading_group(phrase: str) -> str:
    """What stands in the group that a phrase must begin with; empty where it begins with something else."""
    if not phrase.startswith("(?:"):
        return ""
    depth = 0
    for place, letter in enumerate(phrase):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            optional = phrase[place + 1 :].startswith(("?", "*", "{"))
            return "" if optional else phrase[3:place]
    raise ValueError(f"the group that {phrase[:40]!r} begins with has no end")


def _alternatives(phrases: str) -> Iterator[str]:
    """Parts between the bars that stand in no group."""
    depth, start = 0, 0
    for place, letter in enumerate(phrases):
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and not depth:
            yield phrases[start:place]
            start = place + 1
    yield phrases[start:]
