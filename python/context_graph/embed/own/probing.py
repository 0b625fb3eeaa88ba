"""A model of the user's own over the probes: the vectors that its fit is made of."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import semantic
from context_graph.embed.minilm import DIMENSIONS as MINILM
from context_graph.embed.own.fit import (
    ENGLISH,
    Fit,
    Measured,
    basis_of,
    centre_of,
    late_scores,
    measured_of,
    parallel_sentences,
    probes,
    scale_of,
    short_texts,
    without_languages,
)
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.text_model import AS_FITTED
from context_graph.embed.wordpiece import pieces

if TYPE_CHECKING:
    from context_graph.embed.text_model import TextModel

__all__ = ["fitted", "measure"]


def fitted(model: "TextModel", vectors: Callable[[list[str]], np.ndarray], use: Callable[[Fit], None]) -> Fit:
    """The fit of a model.

    Parameters
    ----------
    vectors : callable
        Passages -> their vectors as the model gives them: float32 (n, width).
    use : callable
        Makes the model work under a fit: the first one has only centre and basis.
    """
    questions, passages = probes()
    own = _units(vectors([*passages]))
    centre, narrow = centre_of(own), None
    if own.shape[1] > MINILM:
        narrow = basis_of(_units(vectors([*short_texts()])) - centre, MINILM)
    tokens, basis, token_centre = [], None, None
    if model.has_tokens:
        for question, texts in ((True, questions), (False, passages)):
            tokens += _token_vectors(model, texts, question=question)
        basis = basis_of(np.concatenate(tokens))
    if model.levels_languages:
        languages = parallel_sentences()
        level = without_languages(np.array([_units(vectors([*texts])).mean(axis=0) for texts in languages]))
        narrow = level if narrow is None else level @ narrow
        if basis is not None:
            units = _units(np.concatenate(tokens))
            token_centre = units.mean(axis=0)
            means = [_units(np.concatenate(_token_vectors(model, texts))).mean(axis=0) for texts in languages]
            level = without_languages(np.array(means))
            basis = level @ basis_of((units - token_centre) @ level)
    fit = Fit(centre, narrow, basis, model.scale, (1.0, 1.0), token_centre)
    use(fit)
    scale, separation = scale_of(measure(model))
    if model.levels_languages:
        scale = (
            AS_FITTED  # levelled, its scores lie where MiniLM's do: stretched, they answer questions about other things
        )
    return fit._replace(scale=scale, separation=separation)


def _units(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def _token_vectors(model: "TextModel", texts: Sequence[str], *, question: bool = False) -> list[np.ndarray]:
    chunks = [model.chunked(text, question=question)[0] for text in texts]
    return [model.content(states) for states in model.hidden(chunks, question=question)]


def measure(model: "TextModel") -> dict[str, Measured]:
    """How a model scores the probes in E1, and by late interaction where it has token vectors."""
    statistics = PieceStatistics()
    semantics: dict[bool, list[np.ndarray]] = {}
    tokens: dict[bool, list[np.ndarray]] = {}
    idfs: list[np.ndarray] = []
    for question, every in zip((True, False), probes(), strict=True):
        texts = every[:ENGLISH]
        chunks = [model.chunked(text, question=question)[0] for text in texts]
        states = model.hidden(chunks, question=question)
        pools = [model.pooled([one]) for one in states]
        static = [semantic.static_sum(np.array(pieces(text), np.int32), statistics) for text in texts]
        pairs = zip(static, pools, strict=True)
        semantics[question] = [semantic.blocks_to_vector([own, pool, pool]) for own, pool in pairs]
        if model.has_tokens:
            tokens[question] = [model.tokens(one) for one in states]
            if question:
                idfs = [model.idf(*pair, statistics) for pair in zip(texts, chunks, strict=True)]
    measured = {"cosine": measured_of(np.array(semantics[True]) @ np.array(semantics[False]).T)}
    if model.has_tokens:
        measured["late"] = measured_of(late_scores(tokens[True], idfs, tokens[False]))
    return measured
