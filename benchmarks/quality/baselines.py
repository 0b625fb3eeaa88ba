"""Rivals in the same harness: each opens a conversation and answers questions by turn ids."""

import re
from collections.abc import Callable, Sequence

import numpy as np

Opened = tuple[Callable[[str], Sequence[str]], Callable[[], None]]
STOP = frozenset(
    "a an and are as at be by did do does for from has have he her his how in is it of on or she that the their they "
    "to was were what when where which who why will with".split()
)


def _nothing() -> None:
    pass


def _spoken(conversation) -> list[str]:
    """What a baseline indexes: date, speaker and text, as our memory does."""
    return [f"{t.date.day} {t.date:%B} {t.date.year}. {t.speaker}: {t.text}" for t in conversation.turns]


def _ids(conversation) -> np.ndarray:
    return np.array([turn.id for turn in conversation.turns])


def random_order(conversation) -> Opened:
    """Twenty turns drawn by chance."""
    ids, random = _ids(conversation), np.random.default_rng(0)
    return lambda question: random.permutation(ids)[:20].tolist(), _nothing


def grep(conversation) -> Opened:
    """Turns that hold the most words of the question, the latest first among equals."""
    ids = _ids(conversation)
    texts = [set(re.findall(r"\w+", text.lower())) for text in _spoken(conversation)]

    def find(question: str) -> list[str]:
        asked = set(re.findall(r"\w+", question.lower())) - STOP
        counts = np.array([len(asked & text) for text in texts])
        return ids[np.lexsort((-np.arange(len(ids)), -counts))[:20]].tolist()

    return find, _nothing


def bm25(conversation) -> Opened:
    """bm25s with Porter stems and a long list of stop words, Lucene's formula, k1 1.2, b 0.75: its best settings here.

    Its default pattern drops words of one letter, days of the month among them, and costs it five points.
    """
    import bm25s
    import Stemmer

    from context_graph.embed.stems import STOP_WORDS

    ids, stemmer = _ids(conversation), Stemmer.Stemmer("porter")

    def tokenise(texts):
        return bm25s.tokenize(
            texts, stopwords=list(STOP_WORDS), stemmer=stemmer, token_pattern=r"(?u)\b\w+\b", show_progress=False
        )

    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(tokenise(_spoken(conversation)), show_progress=False)

    def find(question: str) -> list[str]:
        rows, _ = index.retrieve(tokenise([question]), k=min(20, len(ids)), show_progress=False)
        return ids[rows[0]].tolist()

    return find, _nothing


def pooled_minilm(conversation) -> Opened:
    """One MiniLM vector a turn, the usual vector memory."""
    from context_graph.embed.chunks import chunked
    from context_graph.embed.minilm import MiniLM, model_file
    from context_graph.embed.semantic import pooled

    model, ids = MiniLM(model_file()), _ids(conversation)
    embed = lambda text: pooled(model.hidden([chunked(text)[0]]))  # noqa: E731
    vectors = np.stack([embed(text) for text in _spoken(conversation)])

    def find(question: str) -> list[str]:
        return ids[np.argsort(-(vectors @ embed(question)), kind="stable")[:20]].tolist()

    return find, _nothing
