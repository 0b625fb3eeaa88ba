"""What a model of the user's own is measured by once: where its vectors lie, and how its scores compare."""

import io
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from context_graph.embed import late
from context_graph.embed.text_model import AS_FITTED, Scale
from context_graph.embed.wordpiece import VOCABULARY
from context_graph.errors import EmbeddingFailed

__all__ = [
    "ENGLISH",
    "VERSION",
    "Fit",
    "Measured",
    "basis_of",
    "centre_of",
    "probes",
    "scale_of",
    "short_texts",
    "stored",
    "without_languages",
]

VERSION = "fit-1"
PROBES = VOCABULARY.parent.parent / "probes.tsv"
PARALLEL = VOCABULARY.parent.parent / "parallel_sentences.tsv"
WORDS = VOCABULARY.parent.parent / "everyday_words.tsv"

ENGLISH = 48
"""So many of the probes are English; the others show other scripts to the basis, and judge nothing."""

MAX_MEAN_COSINE = 0.2
"""Mean cosine of passages about different things from which their common direction is taken away: all-MiniLM has 0.04,
models that were trained with a low temperature have 0.7 and more."""

RELATED = {"late": 0.537, "cosine": 0.491}
FOREIGN = {"late": 0.371, "cosine": 0.306}
"""Of the package's model over the English probes: its mean for a question with the passage that answers it, and with
the best of the others; a test holds them to it."""

MIN_SEPARATION = 0.25
"""Share of the distance between the two from which a model counts as telling them apart; below, its scores say nothing
of relevance."""

MAX_FACTOR = 3.0


class Measured(NamedTuple):
    """Means over the probes: `related` of a question with its passage, `foreign` with the best of the others."""

    related: float
    foreign: float


class Fit(NamedTuple):
    """What is known of a model besides its files.

    Attributes
    ----------
    centre : float32 (width,)
        Taken from unit vectors of texts; zero where they have no common direction.
    narrow : float32 (width, 384), optional
        What narrows vectors of texts; None where they are no wider.
    basis : float32 (width, 128), optional
        What narrows token vectors; None where the model has none.
    scale : Scale
    separation : (float, float)
        Of late interaction and of E1: the distance of related from foreign, 1 for the package's model; 0 says that a
        model does not tell them apart.
    token_centre : float32 (width,), optional
        Taken from unit token vectors; None where they stay as they are.
    """

    centre: np.ndarray
    narrow: np.ndarray | None
    basis: np.ndarray | None
    scale: Scale
    separation: tuple[float, float]
    token_centre: np.ndarray | None = None


@lru_cache(maxsize=1)
def probes() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Questions, and for each the passage that answers it."""
    lines = [line for line in PROBES.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    questions, passages = zip(*(line.split("\t") for line in lines), strict=True)
    return tuple(questions), tuple(passages)


def centre_of(vectors: np.ndarray) -> np.ndarray:
    """The common direction of unit vectors of different texts, zero where there is none: (n, width) -> (width,)."""
    gram = vectors @ vectors.T
    n = len(vectors)
    mean = (gram.sum() - np.trace(gram)) / max(n * (n - 1), 1)
    return (vectors.mean(axis=0) if mean > MAX_MEAN_COSINE else np.zeros(vectors.shape[1])).astype(np.float32)


@lru_cache(maxsize=1)
def parallel_sentences() -> tuple[tuple[str, ...], ...]:
    """The same sentences in many languages: for each language its own."""
    lines = [line for line in PARALLEL.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return tuple(zip(*(line.split("\t") for line in lines[1:]), strict=True))


def without_languages(means: np.ndarray) -> np.ndarray:
    """What takes away the directions in which the means of languages lie apart: (n, width) -> float32 (width, width).

    Where the same was said in each, what is left of a vector says more of the meaning and less of the language.
    """
    _, lengths, directions = np.linalg.svd((means - means.mean(axis=0)).astype(np.float64), full_matrices=False)
    directions = directions[lengths > 1e-6 * max(lengths[0], 1e-9)]
    return (np.eye(means.shape[1]) - directions.T @ directions).astype(np.float32)


@lru_cache(maxsize=1)
def short_texts() -> tuple[str, ...]:
    """A thousand words and sentences, in whose principal components a wide vector is kept."""
    lines = [line for line in WORDS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    words = dict.fromkeys(line.split("\t")[1].replace("_", " ").strip() for line in lines)
    return (*filter(None, words), *probes()[0], *probes()[1])


def basis_of(vectors: np.ndarray, to: int = late.DIMENSIONS) -> np.ndarray:
    """The directions in which vectors are longest: float32 (n, width) -> orthonormal columns (width, to).

    Their mean is kept: cosines compare directions as they are. Each column points to where its largest number is
    positive, so that two machines agree.
    """
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    values, components = np.linalg.eigh(unit.T.astype(np.float64) @ unit)
    columns = components[:, np.argsort(-values, kind="stable")[:to]]
    signs = np.sign(columns[np.abs(columns).argmax(axis=0), np.arange(columns.shape[1])])
    basis = np.zeros((vectors.shape[1], to), np.float32)
    basis[:, : columns.shape[1]] = columns * signs
    return basis


def scale_of(measured: dict[str, Measured]) -> tuple[Scale, tuple[float, float]]:
    """The scale that puts related and foreign where the package's model has them, and how far apart they are."""
    parts, apart = [], []
    for name in ("late", "cosine"):
        if name not in measured:  # it keeps the static form, which relevance has no share of in E12
            parts.append((0.0, FOREIGN[name]))
            apart.append(0.0)
            continue
        wanted, own = RELATED[name] - FOREIGN[name], measured[name].related - measured[name].foreign
        factor = min(wanted / own, MAX_FACTOR) if own >= MIN_SEPARATION * wanted else 0.0
        parts.append((factor, FOREIGN[name] - factor * measured[name].foreign))
        apart.append(max(own, 0.0) / wanted)
    return Scale(*parts), (apart[0], apart[1])


def measured_of(scores: np.ndarray) -> Measured:
    """Of the scores of questions with passages, float32 (n, n), where passage i answers question i."""
    others = scores.copy()
    np.fill_diagonal(others, -np.inf)
    return Measured(float(np.diag(scores).mean()), float(others.max(axis=1).mean()))


def late_scores(
    questions: Sequence[np.ndarray], idfs: Sequence[np.ndarray], passages: Sequence[np.ndarray]
) -> np.ndarray:
    """Late interaction of all with all, as a search scores it: float32 (n, m)."""
    scores = np.zeros((len(questions), len(passages)), np.float32)
    for i, (question, idf) in enumerate(zip(questions, idfs, strict=True)):
        share = idf / max(float(idf.sum()), 1e-9)
        for j, passage in enumerate(passages):
            if len(question) and len(passage):
                scores[i, j] = (question @ passage.T).max(axis=1) @ share
    return scores


def stored(file: Path | None, make: Callable[[], Fit]) -> Fit:
    """A fit from its file; made, and written there, where there is none."""
    if file is None:
        return make()
    if file.is_file():
        return _read(file)
    fit, data, none = make(), io.BytesIO(), np.zeros((0, 0), np.float32)
    arrays: dict[str, Any] = {
        "centre": fit.centre,
        "narrow": none if fit.narrow is None else fit.narrow,
        "basis": none if fit.basis is None else fit.basis,
        "scale": np.array(fit.scale, np.float64),
        "separation": np.array(fit.separation, np.float64),
    }
    if fit.token_centre is not None:
        arrays["token_centre"] = fit.token_centre
    np.savez(data, **arrays)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_bytes(data.getvalue())
    os.replace(part, file)
    return fit


def _read(file: Path) -> Fit:
    try:
        with np.load(file, allow_pickle=False) as arrays:
            scale, basis, narrow = arrays["scale"], arrays["basis"], arrays["narrow"]
            (a, b), (c, d) = scale.tolist()
            first, second = arrays["separation"].tolist()
            narrow, basis = narrow if narrow.size else None, basis if basis.size else None
            token_centre = arrays.get("token_centre")
            return Fit(arrays["centre"], narrow, basis, Scale((a, b), (c, d)), (first, second), token_centre)
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise EmbeddingFailed(f"{file} cannot be read: {error}; remove it, and it is made anew") from error


def neutral(width: int) -> Fit:
    """A fit that changes nothing: what a model is measured under."""
    return Fit(np.zeros(width, np.float32), None, None, AS_FITTED, (1.0, 1.0))
