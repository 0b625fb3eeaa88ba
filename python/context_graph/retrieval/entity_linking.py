"""What a text names: titles of memories, and names that few memories hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from context_graph.embed.lexical import name_term, phrase_terms, word_ids
from context_graph.index.corpus import Corpus
from context_graph.regex import regex

__all__ = ["Named", "Title", "Words", "common", "titles_in"]

MAX_LINKED_NAME_WORDS = 8
"""Words of a name."""

SHARED = 0.01
"""A name in more than this share of the memories, and in more than 20, links nothing."""

_WORD = regex(r"[\w./]+")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of a text, as numbers that phrases are made from."""

    ids: np.ndarray
    capital: np.ndarray
    """bool (w,): where a name may begin."""

    @classmethod
    def of(cls, text: str) -> "Words":
        said = _WORD.findall(text)
        capital = np.array([not word[0].islower() for word in said], bool)
        return cls(word_ids([word.lower() for word in said]), capital)


class Title(NamedTuple):
    """A title that stands in a text."""

    words: int
    holders: np.ndarray
    """Memories of that title."""

    common: int
    """How many memories mention it."""

    proper: bool
    """A word of it is written with a capital."""


def titles_in(corpus: Corpus, texts: Sequence[Words], *, capital: bool) -> list[list[Title]]:
    """The titles that each text names, but for those within a longer one; with `capital`, of phrases that begin so.

    The phrases of all texts are looked up together: a search asks for few texts, and each look has its price.
    """
    titles: list[list[Title]] = [[] for _ in texts]
    lengths = [len(words.ids) for words in texts]
    if not sum(lengths):
        return titles
    ids, text_of = np.concatenate([words.ids for words in texts]), np.repeat(np.arange(len(texts)), lengths)
    terms = phrase_terms("title", ids, MAX_LINKED_NAME_WORDS)
    for extra in range(1, min(MAX_LINKED_NAME_WORDS, len(ids))):  # no phrase goes on into the next text
        terms[extra, :-extra][text_of[extra:] != text_of[:-extra]] = -1
    capitals = np.concatenate([words.capital for words in texts])
    if capital:
        terms = np.where(capitals, terms, -1)
    extras, starts = np.nonzero(terms >= 0)
    terms = terms[extras, starts]
    held = np.flatnonzero(corpus.named.df(terms))
    extras, starts, terms = extras[held], starts[held], terms[held]
    mentioned = corpus.named.df(phrase_terms("name", ids, MAX_LINKED_NAME_WORDS)[extras, starts]) if len(held) else held
    ends = np.zeros(len(ids) + MAX_LINKED_NAME_WORDS, np.int64)  # of the titles that begin at a word
    linked_pairs: set[tuple[int, int]] = set()
    for i in reversed(range(len(terms))):  # the longest first
        start, words, text, term = int(starts[i]), int(extras[i]) + 1, int(text_of[starts[i]]), int(terms[i])
        if ends[max(0, start - MAX_LINKED_NAME_WORDS) : start + 1].max() >= start + words:
            continue
        ends[start] = start + words
        if (text, term) not in linked_pairs:  # named again, it links no stronger
            linked_pairs.add((text, term))
            proper = bool(capitals[start : start + words].any())
            titles[text].append(Title(words, corpus.named.postings(term)[0], int(mentioned[i]), proper))
    return titles


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """What a question names.

    Attributes
    ----------
    names : int64 (n,)
        Terms of every phrase, as the name it may be, ascending.
    something : bool
        A name that few memories hold is among them, or a title; with a capital, where the question has any.
    """

    titles: list[Title]
    names: np.ndarray
    something: bool

    @classmethod
    def of(cls, corpus: Corpus, question: str, called: Sequence[tuple[int, str]] = ()) -> "Named":
        """Read a question.

        Parameters
        ----------
        called : sequence of (int, str)
            Rows that the question names by aliases, and the words that do so: titles, though the index may not know.
        """
        words = Words.of(question)
        titles = titles_in(corpus, [words], capital=False)[0]
        names = phrase_terms("name", words.ids, MAX_LINKED_NAME_WORDS)
        capital = names[:, words.capital]
        holding = corpus.named.df(capital[capital >= 0])
        rare = bool(np.any((holding > 0) & (holding <= common(corpus))))
        for row, said in called:
            if not any(row in title.holders for title in titles):
                common_to = int(corpus.named.df(np.array([name_term(said)], np.int64))[0])
                titles.append(Title(len(said.split()), np.array([row], np.int64), common_to, True))
        proper = [title for title in titles if title.proper or not words.capital.any()]
        something = rare or bool(proper)
        return cls(titles, np.unique(names[names >= 0]), something)


def common(corpus: Corpus) -> float:
    """How many memories may share a name before it links nothing."""
    return max(20, SHARED * corpus.documents)
