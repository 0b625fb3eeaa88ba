"""Rivals in the same harness: each opens a set of memories and answers questions by their places."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from context_graph.embed.lexical import date_words
from context_graph.evaluation.sets import QuestionSet

Find = Callable[[str], Sequence[int]]
STOP = frozenset(
    "a an and are as at be by did do does for from has have he her his how in is it of on or she that the their they "
    "to was were what when where which who why will with".split()
)

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where an identifier in camel case is parted."""


def texts_of(part: QuestionSet) -> list[str]:
    """What a baseline indexes: date, speaker or title, and text, as our memory does."""
    found = []
    for draft in part.memories:
        head = "" if draft.occurred_at is None else f"{date_words(draft.occurred_at)}. "
        head += f"{draft.speaker}: " if draft.speaker else f"{draft.name}. " if draft.name else ""
        found.append(head + draft.content)
    return found


def random_order(part: QuestionSet) -> Find:
    """Twenty memories drawn by chance."""
    random, n = np.random.default_rng(0), len(part.memories)
    return lambda question: random.permutation(n)[:20].tolist()


def grep(part: QuestionSet) -> Find:
    """Memories that hold the most words of the question, the latest first among equals."""
    texts = [set(re.findall(r"\w+", text.lower())) for text in texts_of(part)]

    def find(question: str) -> list[int]:
        asked = set(re.findall(r"\w+", question.lower())) - STOP
        counts = np.array([len(asked & text) for text in texts])
        return np.lexsort((-np.arange(len(texts)), -counts))[:20].tolist()

    return find


def bm25(part: QuestionSet, depth: int = 20) -> Find:
    """bm25s with Porter stems and a long list of stop words, Lucene's formula, k1 1.2, b 0.75: its best settings here.

    Its default pattern drops words of one letter, days of the month among them, and costs it five points on LoCoMo;
    whole identifiers in place of their parts would cost it four on CoSQA.
    """
    import bm25s
    import Stemmer

    from context_graph.embed.stems import STOP_WORDS

    stemmer = Stemmer.Stemmer("porter")

    def tokenise(texts):
        parted = [CAMEL.sub(" ", text) for text in texts]
        return bm25s.tokenize(
            parted, stopwords=list(STOP_WORDS), stemmer=stemmer, token_pattern=r"(?u)[^\W_]+", show_progress=False
        )

    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(tokenise(texts_of(part)), show_progress=False)

    def find(question: str) -> list[int]:
        rows, _ = index.retrieve(tokenise([question]), k=min(depth, len(part.memories)), show_progress=False)
        return rows[0].tolist()

    return find


def _minilm() -> Callable[[str], np.ndarray]:
    from context_graph.embed.chunks import chunked
    from context_graph.embed.encoder import Encoder
    from context_graph.embed.minilm import model_file

    model = Encoder(model_file())
    return lambda text: model.pooled(model.hidden([chunked(text)[0]]))


def pooled_minilm(part: QuestionSet) -> Find:
    """One MiniLM vector a memory, the usual vector memory."""
    embed = _minilm()
    vectors = np.stack([embed(text) for text in texts_of(part)])
    return lambda question: np.argsort(-(vectors @ embed(question)), kind="stable")[:20].tolist()


def chromadb(part: QuestionSet) -> Find:
    """Chroma, a vector store that memory servers build on, with the same MiniLM vectors."""
    import chromadb as chroma

    embed = _minilm()
    store = chroma.EphemeralClient(settings=chroma.Settings(anonymized_telemetry=False))
    collection = store.create_collection(part.name, metadata={"hnsw:space": "cosine", "hnsw:search_ef": 200})
    texts = texts_of(part)
    for first in range(0, len(texts), 1_000):
        rows = range(first, min(first + 1_000, len(texts)))
        collection.add(ids=[str(i) for i in rows], embeddings=[embed(texts[i]).tolist() for i in rows])

    def find(question: str) -> list[int]:
        found = collection.query(query_embeddings=[embed(question).tolist()], n_results=min(20, len(texts)))
        return [int(id) for id in found["ids"][0]]

    return find
