"""Words of a question that are typed wrong: "rehersal" is asked as "rehearsal" where the memories have that.

A word counts as misspelled where no memory that counts has it and the vocabulary does not, and where one single word
of the memories, or else of the vocabulary, is one edit away (Damerau 1964): a letter too many, too few, that of a key
beside it, or two in the wrong order; the first letter is hardly ever wrong. Words with a capital letter are left alone:
who asks for Anita does not mean Anika. So are words for the conversation itself, which no memory needs to have.
"""

from collections.abc import Callable, Iterator
from string import ascii_lowercase

import numpy as np

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.lexical import terms
from context_graph.embed.stems import stem_of, term_id
from context_graph.embed.wordpiece import vocabulary
from context_graph.index.corpus import Corpus
from context_graph.regex import regex
from context_graph.retrieval.compounds import MAX_ASKED_WORDS, Holders
from context_graph.retrieval.scores import TALK

__all__ = ["corrected"]

MIN_LETTERS, MAX_LETTERS = 5, 20
"""Of a word: shorter ones are one edit away from many, longer ones are no words."""

_WORD = regex(r"(?<![\w./@#-])[a-z]+(?![\w/@-]|\.\w)")


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_BESIDE = {
    letter: "".join(row[max(at - 1, 0) : at + 2] for row in _ROWS[max(number - 1, 0) : number + 2]).replace(letter, "")
    for number, keys in enumerate(_ROWS)
    for at, letter in enumerate(keys)
}
"""The keys around each: "kubectx" is no misspelled "kubectl"."""


def corrected(corpus: Corpus, question: str, visible: Callable[[], np.ndarray]) -> str:
    """A question in English with its misspelled words as the memories have them.

    Parameters
    ----------
    visible : callable
        Which memories count, bool (n,); asked for once, where one may decide.
    """
    candidates = [word for word in _WORD.finditer(question) if _may_be_misspelled(word[0])]
    if not candidates or len(question.split()) > MAX_ASKED_WORDS or language_of(question) != ENGLISH:
        return question
    holders = Holders(corpus, visible)
    for word in reversed(candidates):
        if meant := _meant(holders, word[0]):
            question = f"{question[: word.start()]}{meant}{question[word.end() :]}"
    return question


def _may_be_misspelled(word: str) -> bool:
    if not MIN_LETTERS <= len(word) <= MAX_LETTERS or word in vocabulary():
        return False
    return term_id(stem_of(word)) not in TALK


def _meant(holders: Holders, word: str) -> str:
    """The one word of the memories that is an edit away, or else of the vocabulary; "" where several are, or none."""
    known = holders.rows(word)
    if known is None or len(known):
        return ""
    by_term: dict[int, str] = {}
    edited = [*_edited(word)]
    for near in edited:
        term = next(iter(terms(near)), None)
        if term is not None and term not in by_term and (rows := holders.rows(near)) is not None and len(rows):
            by_term[term] = near
            if len(by_term) > 1:
                return ""
    english = {near for near in edited if near in vocabulary()}
    return next(iter(by_term.values()), english.pop() if len(english) == 1 else "")


def _edited(word: str) -> Iterator[str]:
    """Words one edit away that begin with the same letter."""
    for i in range(1, len(word)):
        head, letter, tail = word[:i], word[i], word[i + 1 :]
        yield head + tail
        if tail:
            yield head + tail[0] + letter + tail[1:]
        yield from (head + other + tail for other in _BESIDE[letter])
        yield from (head + other + word[i:] for other in ascii_lowercase)
    for other in ascii_lowercase:
        yield word + other
