"""Whether a word that opens a sentence is the name of a person, by what it is like.

"Klara sings" and "Rent rises" both begin with a capital letter. In the static table first names lie together, and far
from the nouns that open a note: the side of the plane between their means tells them apart. On words that are in
neither list: tests/reading/test_first_names.py.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from context_graph.embed.wordpiece import pieces
from context_graph.reading import attributes

__all__ = ["is_like_a_first_name", "may_be_a_first_name", "opens_as_a_name"]

_NAMES = (
    "Anna Peter Maria John Fatima Wei Olga Kofi Ingrid Carlos Yuki Amir Nadia Pierre Giulia Sven Priya Hassan Chloe "
    "Mateo Aisha Lars Elif Dmitri Rosa Noah Zoe Ravi Katrin Bob"
)
_NOUNS = (
    "Rent Dinner Lunch Traffic Money Training Parking Coffee School Practice Electricity Yoga Football Payday "
    "Breakfast Deliveries Mornings Weekends Meetings Water Heating Rehearsal Deploys Tests Bread Homework Vacation "
    "Insurance Work Music"
)


class _Plane(NamedTuple):
    """Between the means of two classes."""

    normal: np.ndarray
    offset: float


@cache
def _plane() -> _Plane:
    names, nouns = (np.mean([attributes.vector(word) for word in words.split()], axis=0) for words in (_NAMES, _NOUNS))
    normal = names - nouns
    return _Plane(normal, float(normal @ (names + nouns) / 2))


def is_like_a_first_name(word: str) -> bool:
    """Whether a capitalised word is more like a first name than like a noun that opens a note.

    Examples
    --------
    >>> is_like_a_first_name("Klara"), is_like_a_first_name("Groceries")
    (True, False)
    """
    return float(attributes.vector(word) @ _plane().normal) > _plane().offset


def may_be_a_first_name(word: str) -> bool:
    """Whether a capitalised word that stands where a name does may be one: it is like one, or no word of English, and
    so of several word pieces.

    Examples
    --------
    >>> may_be_a_first_name("Lotte"), is_like_a_first_name("Lotte"), may_be_a_first_name("Monday")
    (True, False, False)
    """
    return is_like_a_first_name(word) or len(pieces(word.lower())) > 1


def opens_as_a_name(word: str) -> bool:
    """Whether a capitalised word that opens a sentence may be a name, of a person or not, and is no plural of a word of
    English.

    Examples
    --------
    >>> opens_as_a_name("Lotte"), opens_as_a_name("Visitors"), opens_as_a_name("Interns")
    (True, False, False)
    """
    is_plural = word.endswith("s") and len(pieces(word[:-1].lower())) == 1
    return may_be_a_first_name(word) and not is_plural
