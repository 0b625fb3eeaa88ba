"""How likely a later result has taken the place of an earlier one: regressions over both and the question."""

from collections.abc import Callable, Sequence
from functools import cache
from math import log
from typing import NamedTuple

import numpy as np

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stems
from context_graph.reading import attributes, cues, supersession
from context_graph.reading.intent import parse
from context_graph.recall import notes
from context_graph.recall.apart import SURE

__all__ = [
    "ASKED",
    "ATTRIBUTE",
    "LIKELY",
    "MIN_LOG_ODDS",
    "PLAIN",
    "SURELY",
    "Joined",
    "Judged",
    "asked_features",
    "likely_replaced",
    "probability",
    "rareness",
]

LIKELY = 0.06
"""Probability from which a result counts as replaced by a related one: to tell the later first where both hold does
little harm, to tell first what holds no more does much."""

SURELY = 0.5
"""Probability from which the earlier of two statements that surely contradict is told with its end."""

PLAIN, MIN_LOG_ODDS = -1.0, -2.5
"""Log odds of the two statements from which on the earlier one is told after the later one, as earlier; and from which
on so where the later one has a word of the question or its attribute."""

ATTRIBUTE = 0.15
"""Probability that a question of the user and two statements are about one attribute of which a person has one value,
from which these are compared as if they had a word of the question."""

ASKED = ("statements", "several", "rank", "alone", "asked", "attribute")
"""What a judgement rests on: the log odds of the two statements; whether several answers are expected; the logarithm of
the lower rank; that of the lower relevance; the share of the question's words that the earlier statement has; and
`_one_attribute`."""


YOUNG = 24
"""Memories below which a word that two of them share is taken to be as rare as among so many."""


class Judged(NamedTuple):
    """How the results of a question were judged.

    Attributes
    ----------
    alone : sequence of float
        Relevance of each by itself.
    answered : float
        How likely the question is to be answered at all.
    timed : bool
        It asks for a time, which orders its results.
    searched : int
        Memories that were searched.
    rarest : callable
        How rare the rarest of some stems is among all memories, in [0, 1]: 0 for what stands in each, or for none.
    stored : sequence of int
        The place of each among all memories, in the order in which they were stored; empty where it is not known.
    elliptic : frozenset of (str, str)
        Ids of a statement and a later one that names nothing and completes it.
    completing : frozenset of str
        Ids of the later ones.
    meaning : callable
        The cosine of what each two mean, float32 (k, k); None where it is not known.
    """

    alone: Sequence[float]
    answered: float
    tier: str
    timed: bool = False
    searched: int = 0
    rarest: Callable[[frozenset[str]], float] = lambda stems: float(bool(stems))
    stored: Sequence[int] = ()
    elliptic: frozenset[tuple[str, str]] = frozenset()
    completing: frozenset[str] = frozenset()
    meaning: Callable[[], np.ndarray | None] = lambda: None

    def of(self, places: Sequence[int]) -> "Judged":
        """Some of the results alone, as if no others had been found."""

        def meaning() -> np.ndarray | None:
            cosines = self.meaning()
            return None if cosines is None else cosines[np.ix_(places, places)]

        stored = [self.stored[place] for place in places] if self.stored else ()
        return self._replace(alone=[self.alone[place] for place in places], stored=stored, meaning=meaning)


def likely_replaced(
    question: str,
    pair: tuple[str, str],
    odds: float,
    ranks: tuple[int, int],
    judged: Judged,
    supported: bool,
    whole: bool,
) -> float:
    """Probability that the later of two related statements has taken the place of the earlier one; 0 for too little.

    Parameters
    ----------
    pair, ranks : (str, str), (int, int)
        Of the earlier and the later one.
    supported : bool
        Both are of a language whose words of change are known.
    """
    if odds < min(MIN_LOG_ODDS, PLAIN):
        return 0.0
    values = asked_features(question, pair, odds, ranks, (judged.alone[ranks[0]], judged.alone[ranks[1]]))
    names_it = bool({*stems(question)} & {*stems(pair[1])}) or values[ASKED.index("attribute")] >= ATTRIBUTE
    if odds < (MIN_LOG_ODDS if supported and names_it else PLAIN):
        return 0.0
    if whole and language_of(pair[1]) != ENGLISH and odds < SURE:
        return 0.0  # the weights were fitted on English: what joins nothing else must be sure
    return probability(odds if whole else _asked_logit(values))


def asked_features(
    question: str, pair: Sequence[str], statements: float, ranks: Sequence[int], alone: Sequence[float]
) -> np.ndarray:
    """What a judgement rests on, in the order of `ASKED`: float64 (6,).

    Parameters
    ----------
    pair, ranks, alone : (str, str), (int, int), (float, float)
        Of the earlier and the later one.
    statements : float
        `supersession.logit` of the two.
    """
    asked = set(stems(question))
    share = len(asked.intersection(stems(pair[0]))) / max(len(asked), 1)
    several, rank, least = parse(question).several, np.log1p(max(ranks)), np.log(min(alone) + 1e-3)
    return np.array([statements, several, rank, least, share, _one_attribute(question, *pair)])


def _one_attribute(question: str, earlier: str, later: str) -> float:
    """Probability that a question of the user and two statements are about one attribute that has one value."""
    if not cues.of_user(question):
        return 0.0
    asked, o, n = (attributes.of_text(text) for text in (question, earlier, later))
    return float((asked * np.sqrt(o * n))[attributes.model().values == "one"].sum())


class Joined:
    """Notes of one person that a question found, each read when it is compared."""

    def __init__(self, question: str, text: Callable[[int], str], judged: Judged) -> None:
        self._question, self._judged = notes.question_features(question), judged
        self._note = cache(lambda place: notes.note(text(place), place, judged.alone[place]))

    def likely(self, i: int, j: int, odds: float | None, less: float) -> float:
        """Probability that the note at j has taken the place of the one at i, whose statements have these odds; at
        log odds that are so much less.
        """
        answerable = notes.Answerability(self._judged.answered, self._judged.searched)
        given = notes.features(self._question, self._note(i), self._note(j), answerable, odds)
        return probability(notes.logit(given, self._judged.tier) - less)


def rareness(holding: int, documents: int) -> float:
    """How rare a word is that so many of the memories hold, from 1 for one alone of endlessly many down to 0 for all.

    Of two that share a word, either may be about any other that has it: one of two is as rare as it can be.
    """
    return 1.0 - log(max(holding, 2) + 0.5) / log(max(documents, YOUNG, holding) + 1)


def _asked_logit(features: np.ndarray) -> float:
    intercept, weights = supersession.fitted(ASKED, "asked")
    return float(intercept + features @ weights)


def probability(logit: float) -> float:
    return float(1.0 / (1.0 + np.exp(-logit)))
