"""A memory tests itself: it asks for memories by a part of what they say, and looks whether they come back."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from context_graph.embed.causal import causes
from context_graph.embed.lexical import cues
from context_graph.embed.stems import STOP_WORDS, stem_of, term_id, words
from context_graph.evaluation import variants
from context_graph.index.corpus import Corpus
from context_graph.memory import Memory
from context_graph.models import Node
from context_graph.progress import stage
from context_graph.recall.query import question_vectors

__all__ = ["NEEDLE_K", "Kind", "Needle", "Outcome", "interval", "needles", "outcome"]

NEEDLE_K = 10
RAREST = 4
MIN_QUESTION_WORDS = 4
SHARING = NEEDLE_K // 2
"""A rationale whose rarest word more memories than this have says of none of them why it was kept."""

Kind = Literal["needle_haystack", "semantic_similarity", "causal_inference"]


@dataclass(frozen=True, slots=True)
class Needle:
    """A memory, by its row, and the question that it should answer."""

    row: int
    question: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one needle was found.

    Attributes
    ----------
    rank, baseline : int
        Place from 1, by the whole pipeline and by the cosine of E1 alone; 0 where it is not among the best `NEEDLE_K`.
    drift : float
        1 minus the cosine of question and memory in E1.
    ms : float
        Reading the question and searching.
    """

    rank: int
    baseline: int
    drift: float
    ms: float


def needles(
    memory: Memory, corpus: Corpus, mask: np.ndarray, kind: Kind, count: int, dice: np.random.Generator
) -> list[Needle]:
    """At most `count` memories that a question of this kind can be made of, drawn from those in `mask`."""
    sample: list[Needle] = []
    rows = dice.permutation(np.flatnonzero(mask))
    for start in range(0, len(rows), 256):
        stage("choosing what to ask for")
        part = rows[start : start + 256]
        nodes = {node.id: node for node in memory.store.nodes(corpus.ids[row] for row in part)}
        for row in part.tolist():
            node = nodes.get(corpus.ids[row])
            question = None if node is None else _question(corpus, node, kind)
            if question:
                sample.append(Needle(row, question))
                if len(sample) == count:
                    return sample
    return sample


def _question(corpus: Corpus, node: Node, kind: Kind) -> str | None:
    if kind == "causal_inference":
        return _why(node.content)
    text = node.content if kind == "needle_haystack" else node.rationale
    plain = list(dict.fromkeys(word for word in words(text) if word not in STOP_WORDS))
    if len(plain) < (MIN_QUESTION_WORDS if kind == "needle_haystack" else 2):
        return None
    if kind == "semantic_similarity":
        sharing = corpus.terms.df(list(cues(text)))
        return text if len(sharing) and sharing.min() <= SHARING else None
    holding = corpus.terms.df([term_id(stem_of(word)) for word in plain])
    rarest = set(np.lexsort((np.arange(len(plain)), holding))[: min(RAREST, len(plain) // 2)].tolist())
    return " ".join(word for i, word in enumerate(plain) if i in rarest)


def _why(content: str) -> str | None:
    """A question for the first cause that a text states; it does not hold the cause."""
    for clauses in causes(content):
        effect = " ".join(content[slice(*clauses.effect)].split())
        if clauses.stated and any(word not in STOP_WORDS for word in words(effect)):
            return f"What caused this: {effect}?"
    return None


def outcome(memory: Memory, corpus: Corpus, needle: Needle, mask: np.ndarray) -> Outcome:
    """Ask for one needle among the memories in `mask`."""
    started = time.perf_counter()
    vectors = question_vectors(memory, corpus, needle.question)
    with corpus.lock:
        found = variants.whole(memory, corpus, vectors, mask, NEEDLE_K).rows
        ms = 1000 * (time.perf_counter() - started)
        alone, _ = variants.by_meaning(corpus, vectors, mask, NEEDLE_K)
        cosine = float(corpus.semantic.scores(vectors.semantic[None], ids=np.array([needle.row]))[0, 0])
    return Outcome(_rank(found, needle.row), _rank(alone, needle.row), 1.0 - cosine, ms)


def _rank(rows: np.ndarray, row: int) -> int:
    place = np.flatnonzero(rows == row)
    return int(place[0]) + 1 if len(place) else 0


def interval(successes: Sequence[bool]) -> tuple[float, float]:
    """95 % Wilson interval of a share."""
    n = len(successes)
    if n == 0:
        return 0.0, 1.0
    z, p = 1.96, sum(successes) / n
    centre, half = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return max(0.0, (centre - half) / (1 + z * z / n)), min(1.0, (centre + half) / (1 + z * z / n))
