"""What tells whether a later result of a question took the place of an earlier one: signs of both and of the others.

Two results are looked at beside the rest: what is told later is most like the one that it takes the place of, and
"Dr Lund retired" is more like "my doctor is Dr Lund" than like "my oculist is Dr Ilic".
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from context_graph.embed.languages import in_english
from context_graph.embed.static_table import DIMENSIONS
from context_graph.embed.stems import stems
from context_graph.embed.wordpiece import pieces
from context_graph.reading import areas, attributes, cues, supersession
from context_graph.reading.answer_types import answer_type, holds_answer, name_stems
from context_graph.reading.subjects import WORD, content_stems
from context_graph.reading.updates import update_odds
from context_graph.recall.current.clauses import says_several
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["SIGNS", "ClaimSigns", "Ruled"]

OF_TEXT = (
    "changed", "denied", "corrected", "words", "number", "timed", "several", "negated", "updates", "updated",
    "answers", "has of question", "like question", "alone", "rank",
)  # fmt: skip
"""What is read of one text, and of it and the question."""

LIKENESS = ("weight", "of later", "of earlier", "cosine", "each of later", "each of earlier", "meaning")
"""How much two texts have in common: the rarity of the words that both have, its share of that of the later and of the
earlier one, the cosine of the two, of each word of the one its best in the other, and the cosine of what they mean."""

SIGNS = (
    *(f"earlier {sign}" for sign in OF_TEXT),
    *(f"later {sign}" for sign in OF_TEXT),
    *LIKENESS,
    *(f"{sign} beyond others" for sign in LIKENESS),
    "another has more words", "another is more like it",
    "ruled", "odds", "unrelated", "likely",
    "shared", "share", "share of later", "rarest", "alike", "areas", "area", "attributes", "attribute asked",
    "names shared", "names differ", "only names shared", "subject shared", "question shared", "adds of question",
    "earlier alone of question", "first of later in earlier", "first of earlier in later", "same first",
    "same opening", "same ending", "relevance ratio", "whether", "as it is now", "typed", "searched",
)  # fmt: skip
"""The signs of a claim, in this order."""

UNRELATED, DECIDED = -5.0, 4.0
"""Log odds that stand for those of two statements that are not related, and from which on all count alike."""

MAX_SHARED = 4
"""Words that two statements share, from which on all count alike."""

_NUMBER = regex(r"\d")
_WHETHER = regex(r"^\W*(?:is|are|am|was|were|do|does|did|can|could|have|has|had|will|would|may|must|should)\b", re.I)
_AS_IT_IS_NOW = regex(r"\b(?:still|now|currently|these days|at the moment|at present|any ?more|yet)\b", re.I)


class Ruled(NamedTuple):
    """What a rule says of two results: log odds of the two statements, where they are related, and a probability."""

    odds: float | None
    likely: float


class _Read(NamedTuple):
    """What is read of a text, whatever the question.

    Attributes
    ----------
    signs : float32 (10,)
        The first of `OF_TEXT`.
    words : list of str
        In lower case.
    first : str
        Stem of the first content word.
    areas, attributes : float32 (a,), (k,)
        Probabilities.
    """

    statement: supersession.Statement
    stems: frozenset[str]
    words: list[str]
    first: str
    vector: np.ndarray
    areas: np.ndarray
    attributes: np.ndarray
    signs: np.ndarray


@kept_for_texts(maxsize=512)
def _read(text: str) -> _Read:
    text = text[: supersession.MAX_STATEMENT_CHARS]
    of_text = np.array(pieces(in_english(text)), np.int64)
    change = supersession.change_of(text)
    signs = (
        change.changed, change.denied, change.corrected, np.log1p(len(text.split())), bool(_NUMBER.search(text)),
        bool(cues.TIMED.search(text)), says_several(text), bool(cues.NEGATED.search(text)), *update_odds(text),
    )  # fmt: skip
    return _Read(
        supersession.statement(text),
        frozenset(stems(text)),
        WORD.findall(text.lower()),
        next((stem for word in WORD.findall(text) for stem in content_stems(word)), ""),
        attributes.vector(text),
        1 / (1 + np.exp(-areas.logits(of_text, np.array([len(of_text)]))[0])),
        attributes.of_text(text),
        np.array(signs, np.float32),
    )


class ClaimSigns:
    """Results of a question, read to be compared.

    What is read of a text alone is read of those that are claimed of; of all others it is what they share with these.

    Parameters
    ----------
    texts, alone, ranks : sequence of str, float, int (n,)
        Each result, its relevance and its place, in the order in which they were told.
    rarest : callable
        How rare a word is (`Judged.rarest`).
    meaning : float32 (n, n), optional
        The cosine of what each two mean; of their words' vectors where it is not known.
    """

    def __init__(
        self,
        question: str,
        texts: Sequence[str],
        alone: Sequence[float],
        ranks: Sequence[int],
        rarest: Callable[[frozenset[str]], float],
        searched: int,
        meaning: np.ndarray | None = None,
    ) -> None:
        self._question, self._searched, self._rarest, self._meaning = question, searched, rarest, meaning
        self._texts = texts
        self._statements = [supersession.statement(text[: supersession.MAX_STATEMENT_CHARS]) for text in texts]
        self._alone = np.log(np.asarray(alone, np.float32) + 1e-3)
        self._ranks = np.log1p(ranks)
        self._words()

    def of(self, pairs: np.ndarray, ruled: Sequence[Ruled | None]) -> np.ndarray:
        """The signs of some claims: places of the earlier and the later text, int (m, 2) -> float32 (m, `SIGNS`)."""
        e, n = pairs[:, 0], pairs[:, 1]
        later = np.unique(n)
        compared, column = self._compared(later), np.searchsorted(later, n)
        likeness, others = compared[:, e, column], self._of_others(compared, later, e, column)
        beyond = likeness - np.where(np.isfinite(others), others, 0.0)
        places = np.unique(pairs)
        earlier_row, later_row = np.searchsorted(places, e), np.searchsorted(places, n)
        of_text = self._of_text(places)
        columns = [
            *of_text[earlier_row].T, *of_text[later_row].T, *likeness, *beyond,
            (others[0] >= likeness[0]) & (others[0] > 0), others[4] > likeness[4],
            *_of_rules(ruled).T,
            *self._of_two(places, earlier_row, later_row),
        ]  # fmt: skip
        question = self._question
        kind = bool(answer_type(question))
        same = [bool(_WHETHER.search(question)), bool(_AS_IT_IS_NOW.search(question)), kind, np.log(self._searched)]
        return np.column_stack([*columns, *(np.full(len(e), value) for value in same)]).astype(np.float32)

    def _words(self) -> None:
        """Which text has which words, and how much each weighs."""
        place: dict[str, int] = {}
        for one in self._statements:
            for stem in one.stems:
                place.setdefault(stem, len(place))
        self._place = place
        self._has = np.zeros((len(self._statements), len(place)), np.float32)
        self._weight = np.zeros(len(place), np.float32)
        for row, one in enumerate(self._statements):
            for stem, weight in one.stems.items():
                self._has[row, place[stem]] = 1.0
                self._weight[place[stem]] = max(self._weight[place[stem]], weight)

    def _of_text(self, places: np.ndarray) -> np.ndarray:
        """The signs of some texts: float32 (p, `OF_TEXT`)."""
        question, texts = self._question, [self._texts[place] for place in places]
        asked = frozenset(stems(question))
        kind, names = answer_type(question), name_stems(question)
        answers = [holds_answer(text, kind, asked, names) if kind else 0.5 for text in texts]
        has = np.array([[stem in _read(text).stems for stem in asked] for text in texts], np.float32)
        has = has.reshape(len(texts), len(asked)).sum(axis=1) / max(len(asked), 1)
        vectors = np.array([_read(text).vector for text in texts])
        return np.column_stack([
            np.array([_read(text).signs for text in texts]), answers, has, vectors @ _read(question).vector,
            self._alone[places], self._ranks[places],
        ])  # fmt: skip

    def _compared(self, later: np.ndarray) -> np.ndarray:
        """`LIKENESS` of each text, as the earlier one, and some later ones: float32 (7, n, l)."""
        statements = self._statements
        weight = (self._has * self._weight) @ self._has[later].T
        rarity = np.maximum(np.array([one.rarity for one in statements], np.float32), 1e-9)
        sums = np.array([one.sum for one in statements])
        units = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        words, weights, starts = _word_vectors(statements)
        later_words, later_weights, later_starts = _word_vectors([statements[place] for place in later])
        cosines = words @ later_words.T
        of_later = np.maximum.reduceat(cosines, starts, axis=0) * later_weights  # of each word, its best in each text
        of_earlier = np.maximum.reduceat(cosines, later_starts, axis=1) * weights[:, None]
        each_of_later = np.add.reduceat(of_later, later_starts, axis=1) / rarity[later]
        each_of_earlier = np.add.reduceat(of_earlier, starts, axis=0) / rarity[:, None]
        if self._meaning is None:
            vectors = np.array([attributes.vector(text[: supersession.MAX_STATEMENT_CHARS]) for text in self._texts])
            meaning = vectors @ vectors[later].T
        else:
            meaning = self._meaning[:, later]
        return np.stack([
            weight, weight / rarity[later], weight / rarity[:, None], units @ units[later].T, each_of_later,
            each_of_earlier, meaning,
        ])  # fmt: skip

    def _of_others(self, compared: np.ndarray, later: np.ndarray, e: np.ndarray, column: np.ndarray) -> np.ndarray:
        """The greatest `LIKENESS` that the later one of two has to another told before it: float32 (7, m)."""
        before = np.where(np.arange(len(self._statements))[:, None] < later, compared, -np.inf)
        best = before.argmax(axis=1)
        greatest = before.max(axis=1)
        np.put_along_axis(before, best[:, None], -np.inf, axis=1)
        others: np.ndarray = np.where(best[:, column] == e, before.max(axis=1)[:, column], greatest[:, column])
        return others

    def _of_two(self, places: np.ndarray, e: np.ndarray, n: np.ndarray) -> list[np.ndarray]:
        """What two texts share, in the order of `SIGNS`.

        Parameters
        ----------
        places : int (p,)
            Of the texts that are claimed of.
        e, n : int (m,)
            The earlier and the later one among these.
        """
        read, has = [_read(self._texts[place]) for place in places], self._has[places]
        count = has.sum(axis=1)
        shared = (has @ has.T)[e, n]
        names = np.array([bool(one.statement.names) for one in read])
        name_places = _places([one.statement.names for one in read])
        names_shared = (name_places @ name_places.T)[e, n] > 0
        named = np.zeros_like(has)
        for row, one in enumerate(read):
            named[row, [self._place[name] for name in one.statement.names if name in self._place]] = 1.0
        unnamed = has * (1 - named)
        subjects = _places([one.statement.subject for one in read])
        of_areas = np.array([one.areas for one in read])
        roots = np.sqrt(np.array([one.attributes for one in read]))
        vectors = np.array([one.vector for one in read])
        question = sorted(_read(self._question).stems)
        size = max(len(question), 1)
        of_question = np.array([[stem in one.stems for stem in question] for one in read], np.float32)
        of_question = of_question.reshape(len(read), len(question))
        question_shared = (of_question @ of_question.T)[e, n]
        firsts = np.array([self._place.get(one.first, -1) for one in read])
        padded = np.pad(has, ((0, 0), (0, 1)))  # the word at -1 no text has
        alone = self._alone[places]
        return [
            np.minimum(shared, MAX_SHARED),
            shared / np.maximum(np.minimum(count[e], count[n]), 1), shared / np.maximum(count[n], 1),
            (has[e] * has[n] * self._rarity_of(has)).max(axis=1, initial=0.0),
            (vectors @ vectors.T)[e, n],
            (of_areas @ of_areas.T)[e, n], (of_areas[e] * of_areas[n]).max(axis=1, initial=0.0),
            (roots @ roots.T)[e, n], ((roots * _read(self._question).attributes) @ roots.T)[e, n],
            names_shared, names[e] & names[n] & ~names_shared, (shared > 0) & ((unnamed @ unnamed.T)[e, n] == 0),
            (subjects @ subjects.T)[e, n] > 0,
            question_shared, (of_question.sum(axis=1)[n] - question_shared) / size,
            of_question.sum(axis=1)[e] - question_shared,
            padded[e, firsts[n]] > 0, padded[n, firsts[e]] > 0,
            (firsts[e] == firsts[n]) & (firsts[e] >= 0),
            *np.array([_same_ends(read[i].words, read[j].words) for i, j in zip(e.tolist(), n.tolist(), strict=True)])
            .reshape(-1, 2).T,
            alone[n] - alone[e],
        ]  # fmt: skip

    def _rarity_of(self, has: np.ndarray) -> np.ndarray:
        """How rare each word is that several of some texts have: float32 (v,)."""
        several = (has.sum(axis=0) > 1).tolist()
        return np.array(
            [
                self._rarest(frozenset((stem,))) if of_several else 0.0
                for stem, of_several in zip(self._place, several, strict=True)
            ],
            np.float32,
        )


def _word_vectors(statements: Sequence[supersession.Statement]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vectors of all words, what each weighs, and where those of each text begin; one of zeros for a text without
    words: float32 (w, 256), (w,), int (n,).
    """
    nothing = np.zeros((1, DIMENSIONS), np.float32)
    words = np.concatenate([one.vectors if len(one.vectors) else nothing for one in statements])
    weights = np.concatenate([[*one.stems.values()] or [0.0] for one in statements]).astype(np.float32)
    return words, weights, np.cumsum([0, *(max(len(one.vectors), 1) for one in statements[:-1])])


def _same_ends(one: Sequence[str], other: Sequence[str]) -> tuple[float, float]:
    """The share of the shorter of two texts that both open with, and that both end with after it.

    Examples
    --------
    >>> _same_ends(["i", "live", "in", "oslo", "now"], ["i", "live", "in", "graz", "now"])
    (0.6, 0.2)
    """
    length = min(len(one), len(other))
    opening = next((place for place in range(length) if one[place] != other[place]), length)
    rest = length - opening
    ending = next((place for place in range(rest) if one[-1 - place] != other[-1 - place]), rest)
    return opening / max(length, 1), ending / max(length, 1)


def _of_rules(ruled: Sequence[Ruled | None]) -> np.ndarray:
    """Whether a rule says it, the log odds of the two statements, whether there are none, and how likely it says it is:
    float32 (m, 4).
    """
    rows: np.ndarray = np.array([[0.0, UNRELATED, 1.0, -DECIDED]] * len(ruled), np.float32).reshape(-1, 4)
    for row, rule in enumerate(ruled):
        if rule is not None:
            odds = UNRELATED if rule.odds is None else rule.odds
            certain = min(max(rule.likely, 1e-9), 1 - 1e-9)
            rows[row] = 1.0, odds, rule.odds is None, np.log(certain) - np.log1p(-certain)
    np.clip(rows[:, 1], UNRELATED, -UNRELATED, out=rows[:, 1])
    np.clip(rows[:, 3], -DECIDED, DECIDED, out=rows[:, 3])
    return rows


def _places(sets: Sequence[frozenset[str]]) -> np.ndarray:
    """Which has which: float32 (n, v)."""
    place = {one: number for number, one in enumerate(sorted(frozenset().union(*sets)))}
    has = np.zeros((len(sets), len(place)), np.float32)
    for row, some in enumerate(sets):
        has[row, [place[one] for one in some]] = 1.0
    return has
