"""Compounds that memories write as one word and a question as two, or the other way round, and initials: "notebook".

"Blood pressure" finds what was told of "BP", too. Two spellings of one word share no term, and a part of a compound
alone means something else: "sun screen" finds a cracked screen. So a question is respelled as the memories have it, and
only where these leave no doubt.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, reduce
from itertools import islice, pairwise

import numpy as np

from context_graph.embed.lexical import terms
from context_graph.embed.stems import STOP_WORDS
from context_graph.index.corpus import Corpus
from context_graph.regex import regex

__all__ = ["MAX_ASKED_WORDS", "Holders", "respelled"]

MIN_PART_LETTERS, MIN_COMPOUND_LETTERS, MAX_COMPOUND_LETTERS = 3, 6, 32
"""Letters of a part, and of a compound: shorter ones meet by chance ("car pet", "to day"), longer ones are no words."""

MAX_ASKED_WORDS = 64
"""A longer question is a text, whose words are looked for as they stand."""

MAX_READ_BESIDE = 8
"""Memories that are looked at for two words that stand together, or for initials."""

MAX_INITIALS = 3
"""Words that are looked for by their initials."""

_WORD = regex(r"[^\W\d_]+")
_BETWEEN = regex(r"[ -]")


def respelled(
    corpus: Corpus, question: str, visible: Callable[[], np.ndarray], texts: Callable[[np.ndarray], Sequence[str]]
) -> str:
    """A question with its compounds as the memories write them (decompounding, by the words of the store).

    Two words become one where some memory has them as one word and none has both apart. A word that no memory has
    becomes two where these stand side by side in a memory. Behind words that a memory has by their initials, in
    capitals, these are added.

    Parameters
    ----------
    visible : callable
        Which memories count, bool (n,); asked for once, where one may decide.
    texts : callable
        Texts of rows, int64 (r,).
    """
    words = list(islice(_WORD.finditer(question), MAX_ASKED_WORDS + 1))
    if len(words) > MAX_ASKED_WORDS:
        return question
    holders = Holders(corpus, visible)
    spelled, end, place = [], 0, 0
    while place < len(words):
        word, after = words[place], words[place + 1] if place + 1 < len(words) else None
        whole = "" if after is None else _joined(holders, question, word, after)
        last = after if whole and after is not None else word
        spelled += [question[end : word.start()], whole or _parted(holders, word[0], texts)]
        end, place = last.end(), place + (2 if whole else 1)
        if not whole and (initials := _initials(holders, question, words[max(place - MAX_INITIALS, 0) : place], texts)):
            spelled.append(f" {initials}")
    return "".join([*spelled, question[end:]])


def _initials(
    holders: "Holders", question: str, words: Sequence[re.Match[str]], texts: Callable[[np.ndarray], Sequence[str]]
) -> str:
    """The initials of most of the last words, where a memory has them in capitals and none has the words; else ""."""
    if words[-1][0].lower() in STOP_WORDS:
        return ""
    for first in range(len(words) - 1):
        run = words[first:]
        gaps = (question[one.end() : other.start()] for one, other in pairwise(run))
        if not all(map(_BETWEEN.fullmatch, gaps)) or any(word[0].lower() in STOP_WORDS for word in run):
            continue
        initials = "".join(word[0][0] for word in run).upper()
        rows = holders.rows(initials)
        if rows is None or not len(rows) or holders.has_all([word[0] for word in run]):
            continue
        capitals = [text for text in texts(rows[-MAX_READ_BESIDE:]) if initials in text]  # a pattern costs more
        if not capitals:
            continue
        written = re.compile(rf"(?<![\w/.-])(?<!\d ){initials}(?![\w/-])")
        if any(map(written.search, capitals)):
            return initials
    return ""


class Holders:
    """Which of the memories that count have a word."""

    def __init__(self, corpus: Corpus, visible: Callable[[], np.ndarray]) -> None:
        self._corpus, self._visible = corpus, cache(visible)

    def rows(self, word: str) -> np.ndarray | None:
        """Rows of the memories that have a word, int64 (r,); None for one that is not counted, as "the"."""
        counted = terms(word.lower())
        if len(counted) != 1:
            return None
        rows = self._corpus.terms.postings(next(iter(counted)))[0]
        return rows[self._visible()[rows]] if len(rows) else rows

    def has_all(self, words: Sequence[str]) -> bool:
        """Whether one of the memories has all of some words."""
        each = [rows for word in words if (rows := self.rows(word)) is not None]
        return bool(each) and len(reduce(np.intersect1d, each)) > 0


def _joined(holders: Holders, question: str, word: re.Match[str], after: re.Match[str]) -> str:
    """Two words of a question as the one that memories have; "" where they have none, or have the two apart."""
    whole = word[0] + after[0].lower()
    shortest = min(len(word[0]), len(after[0]))
    if not _may_be_compound(whole) or shortest < MIN_PART_LETTERS or whole.endswith("ing"):
        return ""  # "enjoyeating" was written without its space
    if not _BETWEEN.fullmatch(question[word.end() : after.start()]):
        return ""
    known = holders.rows(whole)
    if known is None or not len(known):
        return ""
    one, other = holders.rows(word[0]), holders.rows(after[0])
    return "" if one is None or other is None or len(np.intersect1d(one, other)) else whole


def _parted(holders: Holders, word: str, texts: Callable[[np.ndarray], Sequence[str]]) -> str:
    """A word as the two that stand side by side in a memory, where no memory has it as one; else as it is."""
    known = holders.rows(word) if _may_be_compound(word) else None
    if known is None or len(known):
        return word
    for place in range(MIN_PART_LETTERS, len(word) - MIN_PART_LETTERS + 1):
        first, second = word[:place], word[place:]
        one, other = holders.rows(first), holders.rows(second)
        if one is None or other is None or not len(both := np.intersect1d(one, other)[-MAX_READ_BESIDE:]):
            continue
        beside = re.compile(rf"(?<!\w){first}[ -]{second}", re.I)
        if any(beside.search(text) for text in texts(both)):
            return f"{first} {second}"
    return word


def _may_be_compound(word: str) -> bool:
    return MIN_COMPOUND_LETTERS <= len(word) <= MAX_COMPOUND_LETTERS
