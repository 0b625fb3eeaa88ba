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
        self._question, self._asked, self._searched = question, _read(question), searched
        self._read = [_read(text) for text in texts]
        self._vectors = np.array([one.vector for one in self._read])
        self._words(rarest)
        self._of_text(texts, alone, ranks)
        self._likeness = self._compared(meaning)

    def of(self, pairs: np.ndarray, ruled: Sequence[Ruled | None]) -> np.ndarray:
        """The signs of some claims: places of the earlier and the later text, int (m, 2) -> float32 (m, `SIGNS`)."""
        e, n = pairs[:, 0], pairs[:, 1]
        likeness, others = self._likeness[:, e, n], self._of_others(e, n)
        beyond = likeness - np.where(np.isfinite(others), others, 0.0)
        columns = [
            *self._texts[e].T, *self._texts[n].T, *likeness, *beyond,
            (others[0] >= likeness[0]) & (others[0] > 0), others[4] > likeness[4],
            *_of_rules(ruled).T,
            *self._of_two(e, n),
        ]  # fmt: skip
        question = self._question
        kind = bool(answer_type(question))
        same = [bool(_WHETHER.search(question)), bool(_AS_IT_IS_NOW.search(question)), kind, np.log(self._searched)]
        return np.column_stack([*columns, *(np.full(len(e), value) for value in same)]).astype(np.float32)

    def _words(self, rarest: Callable[[frozenset[str]], float]) -> None:
        """Which text has which words, and how rare those are that two have."""
        statements = [one.statement for one in self._read]
        place: dict[str, int] = {}
        for one in statements:
            for stem in one.stems:
                place.setdefault(stem, len(place))
        count, self._place = len(statements), place
        self._has = np.zeros((count, len(place)), np.float32)
        self._named = np.zeros_like(self._has)
        self._rarity = np.zeros(len(place), np.float32)
        for row, one in enumerate(statements):
            for stem, rarity in one.stems.items():
                self._has[row, place[stem]] = 1.0
                self._rarity[place[stem]] = max(self._rarity[place[stem]], rarity)
            self._named[row, [place[name] for name in one.names if name in place]] = 1.0
        several = self._has.sum(axis=0) > 1
        self._rare = np.array(
            [
                rarest(frozenset((stem,))) if of_several else 0.0
                for stem, of_several in zip(place, several, strict=True)
            ],
            np.float32,
        )
        asked = sorted(self._asked.stems)
        self._of_question = np.array([[stem in one.stems for stem in asked] for one in self._read], np.float32)
        self._of_question = self._of_question.reshape(count, len(asked))

    def _of_text(self, texts: Sequence[str], alone: Sequence[float], ranks: Sequence[int]) -> None:
        """The signs of each text: float32 (n, `OF_TEXT`)."""
        question = self._question
        kind, names, asked = answer_type(question), name_stems(question), frozenset(stems(question))
        answers = [holds_answer(text, kind, asked, names) if kind else 0.5 for text in texts]
        has = self._of_question.sum(axis=1) / max(len(asked), 1)
        self._alone = np.log(np.asarray(alone, np.float32) + 1e-3)
        self._texts = np.column_stack([
            np.array([one.signs for one in self._read]), answers, has, self._vectors @ self._asked.vector, self._alone,
            np.log1p(ranks),
        ])  # fmt: skip

    def _compared(self, meaning: np.ndarray | None) -> np.ndarray:
        """`LIKENESS` of each two: float32 (7, n, n), by the earlier and the later one."""
        statements = [one.statement for one in self._read]
        weight = (self._has * self._rarity) @ self._has.T
        rarity = np.maximum(np.array([one.rarity for one in statements], np.float32), 1e-9)
        sums = np.array([one.sum for one in statements])
        units = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        nothing = np.zeros((1, DIMENSIONS), np.float32)
        words = np.concatenate([one.vectors if len(one.vectors) else nothing for one in statements])
        weights = np.concatenate([[*one.stems.values()] or [0.0] for one in statements]).astype(np.float32)
        starts = np.cumsum([0, *(max(len(one.vectors), 1) for one in statements[:-1])])
        best = np.maximum.reduceat(words @ words.T, starts, axis=0) * weights  # of each word, in each text
        each = np.add.reduceat(best, starts, axis=1) / rarity
        if meaning is None:
            meaning = self._vectors @ self._vectors.T
        return np.stack([weight, weight / rarity, weight / rarity[:, None], units @ units.T, each, each.T, meaning])

    def _of_others(self, e: np.ndarray, n: np.ndarray) -> np.ndarray:
        """The greatest `LIKENESS` that the later one of two has to another told before it: float32 (7, m)."""
        count = len(self._read)
        before = np.where(np.triu(np.ones((count, count), bool), 1), self._likeness, -np.inf)
        best = before.argmax(axis=1)
        greatest = before.max(axis=1)
        np.put_along_axis(before, best[:, None], -np.inf, axis=1)
        others: np.ndarray = np.where(best[:, n] == e, before.max(axis=1)[:, n], greatest[:, n])
        return others

    def _of_two(self, e: np.ndarray, n: np.ndarray) -> list[np.ndarray]:
        """What two texts share, in the order of `SIGNS`."""
        has, read = self._has, self._read
        count = has.sum(axis=1)
        shared = (has @ has.T)[e, n]
        names = np.array([bool(one.statement.names) for one in read])
        name_places = _places([one.statement.names for one in read])
        names_shared = (name_places @ name_places.T)[e, n] > 0
        unnamed = has * (1 - self._named)
        subjects = _places([one.statement.subject for one in read])
        of_areas = np.array([one.areas for one in read])
        roots = np.sqrt(np.array([one.attributes for one in read]))
        question = self._of_question
        question_shared = (question @ question.T)[e, n]
        size = max(question.shape[1], 1)
        firsts = np.array([self._place.get(one.first, -1) for one in read])
        padded = np.pad(has, ((0, 0), (0, 1)))  # the word at -1 no text has
        return [
            np.minimum(shared, MAX_SHARED),
            shared / np.maximum(np.minimum(count[e], count[n]), 1), shared / np.maximum(count[n], 1),
            (has[e] * has[n] * self._rare).max(axis=1, initial=0.0),
            (self._vectors @ self._vectors.T)[e, n],
            (of_areas @ of_areas.T)[e, n], (of_areas[e] * of_areas[n]).max(axis=1, initial=0.0),
            (roots @ roots.T)[e, n], ((roots * self._asked.attributes) @ roots.T)[e, n],
            names_shared, names[e] & names[n] & ~names_shared, (shared > 0) & ((unnamed @ unnamed.T)[e, n] == 0),
            (subjects @ subjects.T)[e, n] > 0,
            question_shared, (question.sum(axis=1)[n] - question_shared) / size,
            question.sum(axis=1)[e] - question_shared,
            padded[e, firsts[n]] > 0, padded[n, firsts[e]] > 0,
            (firsts[e] == firsts[n]) & (firsts[e] >= 0),
            *np.array([_same_ends(read[i].words, read[j].words) for i, j in zip(e.tolist(), n.tolist(), strict=True)])
            .reshape(-1, 2).T,
            self._alone[n] - self._alone[e],
        ]  # fmt: skip


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
