"""In how many words two texts differ at least, however they are phrased: a bound that needs no rewording."""

import unicodedata
from typing import NamedTuple

from context_graph.ingest.phrasing import REPHRASED
from context_graph.reading.preamble import without_preamble
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["least_difference"]

_RUN = regex(r"[^\W_]+")
_AROUND = ".,;:!?…\"'“”‘’„«»()[]{}<>*_/\\|–—-"
"""Signs that stand before and after words; none is a letter or a digit."""

GROWTH = 3
"""Words and signs that phrasing makes of one at most."""


class _Words(NamedTuple):
    """Words of a text, without case.

    Attributes
    ----------
    lone : frozenset of str
        Those that have blanks and signs alone around them and that no wording takes out or puts in: each stays a word
        by itself, whatever `phrasing.reworded` makes of the text around it.
    every : frozenset of str
        All of them, parts of compounds included.
    most : int
        How many words and signs the text has at most, once it is reworded.
    """

    lone: frozenset[str]
    every: frozenset[str]
    most: int


def least_difference(text: str, stored: str) -> tuple[int, int]:
    """In how many words two texts differ at least once they are reworded, and the most words of the shorter one.

    Examples
    --------
    >>> least_difference("The cellar floods each spring.", "Could you note that Ana's flight leaves at noon?")[0]
    6
    >>> least_difference("Ana wants a boat.", "Please note that Ana wants a boat!")[0]
    0
    """
    one, other = _words(text), _words(stored)
    if one is None or other is None:
        return 0, 0
    # What both have is less than what one has, and quicker collected.
    apart = len(one.lone) - len(one.lone & other.every) + len(other.lone) - len(other.lone & one.every)
    return apart, min(one.most, other.most)


@kept_for_texts(maxsize=1_024)
def _words(text: str) -> _Words | None:
    """None where letters are spelled in a way that changes what a word is: taken apart, or the dotted I."""
    plain = without_preamble(text)
    if not plain.isascii() and ("\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}" in plain or _taken_apart(plain)):
        return None
    blocks = plain.split()
    lone = {word.casefold() for block in blocks if (word := block.strip(_AROUND)).isalnum()}
    runs = _RUN.findall(plain)
    signs = sum(map(len, blocks)) - sum(map(len, runs))
    return _Words(frozenset(lone - REPHRASED), frozenset(map(str.casefold, runs)), GROWTH * (len(runs) + signs))


def _taken_apart(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)
