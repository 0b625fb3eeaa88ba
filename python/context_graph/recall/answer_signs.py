"""What speaks for and against that a result answers a question: the signs that `answer_model` judges it by."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from context_graph.embed import sentence_table, static_table
from context_graph.embed.stems import stem_of, stems, term_id, words
from context_graph.embed.word_rarity import word_rarities
from context_graph.embed.wordpiece import pieces
from context_graph.reading import attributes, cues
from context_graph.reading.acts import named_in
from context_graph.reading.answer_types import answer_type, holds_answer, name_stems
from context_graph.reading.stated_values import holds_value
from context_graph.reading.utterance import USERS
from context_graph.recall.answer import Answer, Hit
from context_graph.recall.apart.holders import is_of_another_than_asked
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["MAX_JUDGED", "MAX_JUDGED_ANSWER_CHARS", "SIGNS", "signs"]

MAX_JUDGED = 10
"""Results that are judged, the first ones."""

MAX_JUDGED_ANSWER_CHARS = 400
"""Characters of each that are read."""

RARE = 0.4
"""Rarity in English from which a word of the question has to be answered."""

PARTS = ("words", "semantic", "late_rare", "entity", "expanded", "feedback", "answer_type")

OF_REPLACED = (
    "odds alone", "near cover", "cosine", "telling near cover", "holds type", "names missing", "rank", "holds value",
)  # fmt: skip
"""Signs of what a result has taken the place of, as far as it is among those judged, that speak for the result, too: a
later value often has no word of the question."""

TYPES = ("", "somebody", "place", "time", "hour", "length", "age", "amount", "number", "reason")
"""The answer types, those that are alike next to each other."""

SIGNS = (
    "type", "holds type", "yes or no", "of user", "names", "names held", "question words", "words", "rank",
    "odds alone", "odds answered", "odds behind best", "score behind best", "score before next", "cover",
    "near cover", "worst cover", "worst rarity", "rare uncovered", "rare uncovered near", "cover of last",
    "near cover of last", "telling cover", "telling near cover", "telling cover behind best", "cover of first",
    "near cover of first", "cover behind best", "near cover behind best", "elsewhere", "cosine", "cosine behind best",
    "new words", "of another", "replaced", "spoken", "open", "best of new", "length", "self", "attribute",
    "attribute asked", "attribute behind best", "names missing", "first of new", "holds value",
    *PARTS,
    "replaced likely", "ended", "in part", "replaces likely", "replaces surely", "replaces count",
    *(f"of replaced: {sign}" for sign in OF_REPLACED),
)  # fmt: skip
"""What is judged. Cover is the share of the question's words, by rarity in English, that a result holds, and near cover
the same by the cosines of static vectors; the last word is most often the thing asked for. What is elsewhere, in
another result and not in this one, speaks of another thing: "the code of the alarm" beside "my locker's code".

With a word for what is asked for (`asks_for_the_untold`), plain answers, numbered labels and things that exclude each
other the trees were no better."""

_YES_OR_NO = regex(
    r"^\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|should|will|would|must|any)\b", re.I
)
_SELF = regex(r"\b(?:i|my|me|we|our|us|mine)\b", re.I)


class _Words(NamedTuple):
    """The words of a text that are no stop words: stems, rarities, unit vectors float32 (n, 128)."""

    stems: tuple[str, ...]
    rarities: np.ndarray
    vectors: np.ndarray


def signs(question: str, answer: Answer) -> np.ndarray:
    """Of the first results: float32 (k, len(SIGNS))."""
    hits = answer.hits[:MAX_JUDGED]
    if not hits:
        return np.zeros((0, len(SIGNS)), np.float32)
    question_words, texts = _words(question), [hit.node.content[:MAX_JUDGED_ANSWER_CHARS] for hit in hits]
    statements = [_words(text) for text in texts]
    exact = np.array([[stem in one.stems for stem in question_words.stems] for one in statements], bool)
    exact = exact.reshape(len(hits), len(question_words.stems))
    new = np.zeros((len(hits), max(len(one.stems) for one in statements)), bool)
    for place, one in enumerate(statements):
        new[place, : len(one.stems)] = [stem not in question_words.stems for stem in one.stems]
    near, near_new = _cosines(question_words, statements, new)
    near = np.where(exact, np.float32(1.0), near)
    of_lines = _of_lines(question, hits, texts, statements)
    scores = np.array([hit.score for hit in hits], np.float32)
    odds = _log_odds(np.array([hit.alone for hit in hits], np.float32))
    cosines = np.array([sentence_table.vector(text) for text in texts]) @ sentence_table.vector(question)
    columns = {
        **_of_question(question, question_words, len(hits)), **of_lines, **_covers(question_words, exact, near),
        "new words": new.sum(axis=1),
        "best of new": near_new.max(axis=1, initial=-1.0) if question_words.stems else np.zeros(len(hits)),
        "first of new": near_new[:, 0] if question_words.stems else np.zeros(len(hits)),
        "rank": np.arange(len(hits)),
        "odds alone": odds,
        "odds answered": np.full(len(hits), _log_odds(np.array([answer.answered]))[0]),
        "odds behind best": odds.max() - odds,
        "score behind best": scores.max() - scores,
        "score before next": scores - np.append(scores[1:], scores[-1:]),
        "cosine": cosines,
        "cosine behind best": cosines.max() - cosines,
    }  # fmt: skip
    columns |= {name: np.array([hit.parts.get(name, 0.0) for hit in hits]) for name in PARTS}
    columns |= _of_replacements(hits, {sign: np.asarray(columns[sign], np.float32) for sign in OF_REPLACED})
    return np.column_stack([np.asarray(columns[name], np.float32) for name in SIGNS])


def _of_question(question: str, question_words: _Words, count: int) -> dict[str, np.ndarray]:
    of_all = {
        "type": TYPES.index(answer_type(question)),
        "yes or no": bool(_YES_OR_NO.search(question)),
        "of user": cues.of_user(question),
        "names": len(named_in(question)),
        "question words": len(question_words.stems),
    }
    return {name: np.full(count, value) for name, value in of_all.items()}


def _of_lines(
    question: str, hits: Sequence[Hit], texts: Sequence[str], statements: Sequence[_Words]
) -> dict[str, Sequence[float]]:
    kind, names = answer_type(question), name_stems(question)
    asked_all = frozenset(stems(question))
    of_question = attributes.of_text(question)
    attribute = [float(attributes.of_text(text) @ of_question) for text in texts]
    names_held = [sum(name in one.stems for name in names) for one in statements]
    return {
        "attribute": attribute,
        "attribute asked": [float(of_question.max())] * len(hits),
        "attribute behind best": [max(attribute) - one for one in attribute],
        "names missing": [len(names) - one for one in names_held],
        "holds value": [holds_value(question, text) for text in texts],
        "holds type": [float(holds_answer(text, kind, asked_all, names)) if kind else 0.5 for text in texts],
        "names held": names_held,
        "words": [len(one.stems) for one in statements],
        "of another": [is_of_another_than_asked(question, text) for text in texts],
        "replaced": [(hit.replaced_by is not None) + (hit.until is not None) for hit in hits],
        "spoken": [0 if not hit.node.speaker else 1 if hit.node.speaker.lower() in USERS else 2 for hit in hits],
        "open": [text.rstrip().endswith("?") for text in texts],
        "length": [len(hit.node.content) for hit in hits],
        "self": [bool(_SELF.search(text)) for text in texts],
    }


def _of_replacements(hits: Sequence[Hit], of_hits: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """How likely each result is replaced by a later one, and replaces another, and the signs of the likeliest of these.

    Parameters
    ----------
    of_hits : dict of float32 (k,)
        By sign.
    """
    likely = np.array([hit.replaced_likely for hit in hits], np.float32)
    place = {hit.node.id: at for at, hit in enumerate(hits)}
    replaced: list[list[int]] = [[] for _ in hits]
    for at, hit in enumerate(hits):
        if (by := place.get(hit.replaced_by or "")) is not None:
            replaced[by].append(at)
    likeliest = [max(some, key=likely.__getitem__, default=-1) for some in replaced]
    replaces = np.array(likeliest) >= 0
    chosen = np.maximum(likeliest, 0)
    ended = np.array([hit.until is not None for hit in hits])
    columns = {
        "replaced likely": likely,
        "ended": ended,
        "in part": np.array([hit.partly for hit in hits]),
        "replaces likely": np.where(replaces, likely[chosen], np.float32(0)),
        "replaces surely": replaces & ended[chosen],
        "replaces count": np.array([len(some) for some in replaced]),
    }
    of_replaced = {f"of replaced: {sign}": np.where(replaces, each[chosen], 0) for sign, each in of_hits.items()}
    return columns | of_replaced


def _covers(question_words: _Words, exact: np.ndarray, near: np.ndarray) -> dict[str, np.ndarray]:
    """How much of the question each result covers."""
    count, size = exact.shape
    if not size:
        return {name: np.zeros(count) for name in _COVERS}
    rarities = question_words.rarities
    whole = max(float(rarities.sum()), 1e-6)
    cover, near_cover = exact @ rarities / whole, near @ rarities / whole
    missing = rarities * (1 - near)
    worst = missing.argmax(axis=1)
    rare = rarities >= RARE
    somewhere = exact.any(axis=0)
    telling = rarities * (1.02 - exact.mean(axis=0))
    telling /= max(float(telling.sum()), 1e-6)
    telling_cover, telling_near = exact @ telling, near @ telling
    return {
        "cover": cover,
        "near cover": near_cover,
        "worst cover": near[np.arange(count), worst],
        "worst rarity": missing.max(axis=1),
        "rare uncovered": (rare & ~exact).sum(axis=1),
        "rare uncovered near": (rare * (1 - near)).sum(axis=1),
        "telling cover": telling_cover,
        "telling near cover": telling_near,
        "telling cover behind best": telling_near.max() - telling_near,
        "cover of first": exact[:, 0],
        "near cover of first": near[:, 0],
        "cover of last": exact[:, -1],
        "near cover of last": near[:, -1],
        "cover behind best": cover.max() - cover,
        "near cover behind best": near_cover.max() - near_cover,
        "elsewhere": ((somewhere & ~exact) * missing).max(axis=1),
    }


_COVERS = (
    "cover", "near cover", "worst cover", "worst rarity", "rare uncovered", "rare uncovered near", "cover of last",
    "near cover of last", "telling cover", "telling near cover", "telling cover behind best", "cover of first",
    "near cover of first", "cover behind best", "near cover behind best", "elsewhere",
)  # fmt: skip


def _cosines(question_words: _Words, statements: Sequence[_Words], new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The greatest cosine of each word of the question with a word of each statement, and with one that the question
    lacks: float32 (k, q) each, 0 where a statement has none.

    Parameters
    ----------
    new : bool (k, n)
        Which words of each statement the question lacks, False behind the last.
    """
    count, size = len(statements), len(question_words.stems)
    if not size or not new.shape[1]:
        return np.zeros((count, size), np.float32), np.zeros((count, size), np.float32)
    every = question_words.vectors @ np.concatenate([one.vectors for one in statements]).T
    padded, start = np.full((count, size, new.shape[1]), -1.0, np.float32), 0
    for place, one in enumerate(statements):
        padded[place, :, : len(one.stems)] = every[:, start : start + len(one.stems)]
        start += len(one.stems)
    of_new = np.where(new[:, None], padded, np.float32(-1.0)).max(axis=2)
    of_new[~new.any(axis=1)] = 0.0
    nearest: np.ndarray = np.maximum(padded.max(axis=2), 0.0)
    return nearest, of_new


@kept_for_texts(maxsize=512)
def _words(text: str) -> _Words:
    rarity_of = word_rarities(text)
    word_of: dict[str, str] = {}
    for word in words(text):
        if stem := stem_of(word):
            word_of.setdefault(stem, word)
    rarities = np.array([rarity_of.get(term_id(stem), 1.0) for stem in word_of], np.float32)
    vectors = np.array([_vector(word) for word in word_of.values()], np.float32)
    vectors = vectors.reshape(len(word_of), static_table.TOKEN_DIMENSIONS)
    return _Words(tuple(word_of), rarities, vectors)


@kept_for_texts(maxsize=8_192)
def _vector(word: str) -> np.ndarray:
    """The first dimensions of the static vector of a word, of length 1."""
    rows = np.array(pieces(word), np.int64)
    if not len(rows):
        return np.zeros(static_table.TOKEN_DIMENSIONS, np.float32)
    vector = static_table.weighted_sum(rows, np.ones(len(rows), np.float32))[: static_table.TOKEN_DIMENSIONS]
    unit: np.ndarray = vector / max(float(np.linalg.norm(vector)), 1e-9)
    return unit


def _log_odds(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, 1e-5, 1 - 1e-5)
    odds: np.ndarray = np.log(p / (1 - p))
    return odds
