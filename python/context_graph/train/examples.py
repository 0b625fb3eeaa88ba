"""What a fusion learns from: questions, the memories that answer them, and memories that only look as if they did."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.embed.experts import Inputs
from context_graph.evaluation.stores import Asked
from context_graph.index.corpus import Corpus
from context_graph.retrieval.fused_vectors import ROWS_AT_ONCE, inputs_of, question_of
from context_graph.retrieval.scores import QueryTerms

__all__ = ["LOOKALIKES", "Examples", "examples_of", "inputs_of_all"]

LOOKALIKES = 24
"""Best memories by words that do not answer the question: the hard negatives."""


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """q questions of one store, and those of its memories that are learned from.

    Attributes
    ----------
    gold, lookalikes : list of int64 arrays
        Places in `memories`, for each question.
    """

    questions: Inputs
    memories: Inputs
    gold: list[np.ndarray]
    lookalikes: list[np.ndarray]

    def __len__(self) -> int:
        return len(self.gold)


def examples_of(queries: Sequence[Asked]) -> Examples:
    """Learn from these questions of one store."""
    corpus = queries[0].memory.corpus
    gold = [np.array(sorted(one.gold), np.int64) for one in queries]
    alike = [_by_words(one) for one in queries]
    rows = np.unique(np.concatenate([*gold, *alike]))
    return Examples(
        question_of(corpus, [one.vectors for one in queries]),
        inputs_of_all(corpus, rows),
        [np.searchsorted(rows, part) for part in gold],
        [np.searchsorted(rows, part) for part in alike],
    )


def inputs_of_all(corpus: Corpus, rows: np.ndarray) -> Inputs:
    """Inputs of many memories, a part at a time."""
    return Inputs.joined([inputs_of(corpus, rows[i : i + ROWS_AT_ONCE]) for i in range(0, len(rows), ROWS_AT_ONCE)])


def _by_words(question: Asked) -> np.ndarray:
    corpus, terms = question.memory.corpus, QueryTerms.of(question.vectors)
    most = LOOKALIKES + len(question.gold)
    rows = corpus.terms.search(terms.ids, terms.weights(corpus), most, mask=corpus.columns.live, bm25=True)[1]
    return rows[(rows >= 0) & ~np.isin(rows, list(question.gold))][:LOOKALIKES].astype(np.int64)
