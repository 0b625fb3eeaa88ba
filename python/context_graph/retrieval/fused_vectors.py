"""All spaces as one vector in a search: its cosine as a score, and its gate as a factor of each space in the fusion.

Both are off. With them, an answer depends on the session's serotonin too (`RankingConfig.uses_modulators`).
"""

import numpy as np

from context_graph.embed import QueryVectors
from context_graph.embed.experts import READ, Inputs, of_memories, of_questions
from context_graph.embed.fused import fusion, spaces_for
from context_graph.embed.spaces import SPACES
from context_graph.index.corpus import Corpus
from context_graph.retrieval.scores import idf_of
from context_graph.retrieval.types import Query

__all__ = ["gate_weights", "inputs_of", "question", "question_of", "scores", "vectors"]

ROWS_AT_ONCE = 256
"""Memories that are fused together: their inputs take 43 KB each."""


def inputs_of(corpus: Corpus, rows: np.ndarray) -> Inputs:
    """What the fusion reads of some memories."""
    bits = corpus.bits.rows(rows)
    semantic = corpus.semantic.rows(rows)
    optional = {id: _held(corpus, id, rows) for id in corpus.optional if id in READ}
    return of_memories(semantic, bits, [_tokens(corpus, row) for row in rows.tolist()], corpus.words(rows), optional)


def _tokens(corpus: Corpus, row: int) -> np.ndarray:
    documents = [row] if corpus.one_document_each else np.flatnonzero(corpus.owners.row == row).tolist()
    return np.concatenate([np.zeros((0, corpus.tokens.dim), np.int8), *map(corpus.tokens.codes, documents)])


def _held(corpus: Corpus, id: str, rows: np.ndarray) -> dict[int, np.ndarray]:
    part = corpus.optional[id]
    places = np.flatnonzero(np.isin(part.owners.row, rows))
    if len(places) == 0:
        return {}
    of_row = {row: i for i, row in enumerate(rows.tolist())}
    whose = [of_row[row] for row in part.owners.row[places].tolist()]
    return dict(zip(whose, part.vectors.rows(places), strict=True))


def question_of(corpus: Corpus, queries: list[QueryVectors]) -> Inputs:
    """What the fusion reads of questions to this store."""

    def idf(terms: np.ndarray) -> np.ndarray:
        return idf_of(corpus.terms.df(terms), corpus.documents)

    return of_questions(queries, idf, [id for id, part in corpus.optional.items() if len(part)])


def vectors(corpus: Corpus, rows: np.ndarray, tier: str) -> np.ndarray:
    """The fused vectors of some memories, made when they are first asked for and kept in RAM: float32 (m, 1536)."""
    kept = corpus.fused
    missing = kept.missing(rows)
    for start in range(0, len(missing), ROWS_AT_ONCE):
        part = missing[start : start + ROWS_AT_ONCE]
        kept.append(part, fusion(tier)(inputs_of(corpus, part)).vectors)
    return kept.of(rows)


def question(corpus: Corpus, query: Query) -> np.ndarray:
    """The fused vector of the question: float32 (1536,)."""
    mixture = fusion(query.tier)(question_of(corpus, [query.vectors]), spaces_for(query.serotonin))
    fused: np.ndarray = mixture.vectors[0]
    return fused


def scores(corpus: Corpus, query: Query, rows: np.ndarray) -> np.ndarray:
    """Cosine of the fused question with each memory: float32 (m,)."""
    cosines: np.ndarray = vectors(corpus, rows, query.tier) @ question(corpus, query)
    return cosines


def gate_weights(corpus: Corpus, query: Query) -> dict[str, float]:
    """How much more than usual each space counts for this question by the gate, 1 on average over those it has.

    The weights of the scores say already what a space is worth on the whole, so only the difference speaks.
    """
    model, inputs = fusion(query.tier), question_of(corpus, [query.vectors])
    weights = model.weights(inputs, spaces_for(query.serotonin))[0]
    known = {id: SPACES[id].index for id in READ if inputs.present[0, SPACES[id].index]}
    more = {id: float(weights[i] - model.usual[i]) for id, i in known.items()}
    mean = sum(more.values()) / len(more)
    return {id: 1.0 + len(more) * (value - mean) for id, value in more.items()}
