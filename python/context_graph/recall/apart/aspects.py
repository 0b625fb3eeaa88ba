"""What is told of another aspect of a thing ends nothing: "cleaned the oven" leaves the oven a Bosch."""

import re
from collections.abc import Iterable

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stems
from context_graph.reading import attributes, cues
from context_graph.reading.answer_types import answer_type, holds_answer, name_stems
from context_graph.reading.subjects import WORD, content_stems
from context_graph.reading.tense import lean_of
from context_graph.recall.apart.words import ENDINGS, number_kinds, refers
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["aspect_apart"]

MAX_ASPECT_CHARS = 240
"""Characters of a statement that are looked at: of a longer one more than one thing is told."""

MIN_ALIKE_VALUES = 0.3
"""Cosine of a word of the answer and one of the later statement from which the one may stand for the other. Of 1,131
pairs of a statement and what took its place, of the lives and of `truth` that are looked at, none is told apart with
it, and one with 0.35."""

_ASKS_FOR_VALUE = regex(
    r"^\W*(?:and |so )?(?:what|where|which|who|whose|when|how (?:much|many|old|long|far|big))\b", re.I
)
_MAY_CHANGE = regex(
    r"\b(?:now|finally|these days|at the moment|by now|since|back|instead|paid|over|out|off|gone|done|happened|is|are"
    r"|so|only|started|joined|began|became|chose|picked|put|set|got|gets|will|for the)\b",
    re.I,
)
"""Words of a later statement that may tell a new state or an end, however seldom they do."""


_THIS_TIME = regex(r"\b(?:this|that) (?:morning|afternoon|evening|night|week|weekend|month|year|time)\b", re.I)


def aspect_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for a value of something that the earlier of two statements gives, and the later one, of
    the same thing, has no word of an end or change, no name, number or time, and no word like that value.

    Examples
    --------
    >>> oven = "The oven is a Bosch from 2011."
    >>> aspect_apart("What make is the oven?", oven, "Cleaned the oven today.")
    True
    >>> aspect_apart("What make is the oven?", oven, "The oven is a Siemens.")
    False
    >>> aspect_apart("Where is my desk?", "My desk is on the second floor.", "They moved my desk to the attic.")
    False
    >>> aspect_apart("Does the oven work?", "The oven does not work.", "Fixed the oven.")
    False
    """
    texts = question, earlier, later
    if not _ASKS_FOR_VALUE.match(question) or max(map(len, texts)) > MAX_ASPECT_CHARS:
        return False
    of_question, then, now = map(content_stems, texts)
    if (
        not of_question & then & now
        or not now.isdisjoint(then - of_question)
        or _may_change(later)
        or lean_of(earlier) < 0
    ):
        return False
    if any(language_of(text) != ENGLISH for text in texts) or _is_of_one_form(earlier, later):
        return False
    if number_kinds(earlier) & number_kinds(later) or (cues.TIMED.search(earlier) and cues.TIMED.search(later)):
        return False
    kind = answer_type(question)
    if kind and holds_answer(later, kind, frozenset(stems(question)), name_stems(question)):
        return False
    value, others = _beside(earlier, of_question), _beside(later, of_question | then)
    if not value or any(word[0].isupper() and not later.startswith(word) for word in others):
        return False
    return not any(any(letter.isdigit() for letter in word) for word in others) and not _alike(value, others)


@kept_for_texts(maxsize=512)
def _may_change(text: str) -> bool:
    text = _THIS_TIME.sub("", text)
    return refers(text) or bool(_MAY_CHANGE.search(text)) or any(cue.search(text) for cue in ENDINGS)


def _is_of_one_form(earlier: str, later: str) -> bool:
    """Whether both open alike: "Oskar's favourite tea is ..."."""
    one, other = ([word.lower() for word in WORD.findall(text)[:3]] for text in (earlier, later))
    return one == other


def _beside(text: str, some: frozenset[str]) -> list[str]:
    """The content words of a text that have none of some stems."""
    return [word for word in WORD.findall(text) if (own := content_stems(word)) and own.isdisjoint(some)]


def _alike(value: Iterable[str], others: Iterable[str]) -> bool:
    rest = [attributes.vector(word.lower()) for word in others]
    vectors = (attributes.vector(word.lower()) for word in value)
    return any(float(one @ other) >= MIN_ALIKE_VALUES for one in vectors for other in rest)
