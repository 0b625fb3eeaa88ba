"""How rare the words of a question are in English, for a store too young to count them."""

import re

import numpy as np

from context_graph.embed.static_table import prior_idf
from context_graph.embed.statistics import PRIOR_SCALE
from context_graph.embed.stems import stem_of, term_id, words
from context_graph.embed.wordpiece import pieces
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["CAPITALISED", "word_rarities"]

CAPITALISED = regex(r"(?<=[\w,;:] )(?!I\b)[A-ZÀ-Þ][\w’'-]+")
"""A word with a capital letter that opens no sentence: a name, most often."""

_ASKS_FOR_A_NAME = regex(r"^\W*what\b.{1,80}\b(called|named)\W*$", re.I)
"""The verb says only that a name is asked for: "call the bank" is no answer to "what is the dog called?"."""


@kept_for_texts(maxsize=256)
def word_rarities(text: str) -> dict[int, float]:
    """Rarity of each word by its rank in English, squared: term id -> [0, 1], 1 for a word that is no whole word piece,
    and for one with a capital letter that opens no sentence, which is a name ("Go").

    The rank alone is too even: the logarithm of the rank of "version" is 0.6 of the greatest. The square was chosen
    beside the first and the fourth power on the lives of `benchmarks.quality.lives` and notes of our own.

    Examples
    --------
    >>> rarity = word_rarities("Which Postgres version?")
    >>> rarity[term_id(stem_of("postgres"))] == 1.0 > rarity[term_id("version")]
    True
    """
    rarities: dict[int, float] = {}
    asks_for_a_name = _ASKS_FOR_A_NAME.match(text)
    names = {name.lower() for name in CAPITALISED.findall(text)}
    for word in words(text):
        if stem := stem_of(word):
            rows = pieces(word)
            whole = len(rows) == 1 and word not in names
            rarity = float(prior_idf(np.array(rows))[0] / PRIOR_SCALE) ** 2 if whole else 1.0
            rarities[term_id(stem)] = max(rarity, rarities.get(term_id(stem), 0.0))
    if asks_for_a_name:
        rarities[term_id(stem_of(asks_for_a_name[1].lower()))] = 0.0
    return rarities
