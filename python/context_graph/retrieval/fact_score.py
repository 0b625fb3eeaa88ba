"""The score of facts: how well what a speaker has told of themselves fits a question about them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.semantic import unit
from context_graph.embed.stems import stems
from context_graph.embed.wordpiece import pieces
from context_graph.extraction import Fact
from context_graph.index.corpus import Corpus
from context_graph.retrieval.rules import named_speakers
from context_graph.retrieval.view import View
from context_graph.texts import kept_for_texts

__all__ = ["MIN_FACT_FIT", "Meant", "scores"]

MIN_FACT_FIT = 0.3
"""Fit below which a fact says nothing of a question."""


def scores(
    corpus: Corpus, question: str, view: View, facts: Callable[[np.ndarray], Sequence[tuple[int, Fact]]]
) -> np.ndarray:
    """Fit of the best fact in each row of a view: float32 (m,), NaN where the question names no speaker.

    Only what a speaker whom the question names has told counts, so no other memory need be read. The fit of a fact is
    the cosine of its relation and value with the question, or of its relation with all values that this speaker gives
    it if that is nearer ("instruments" is near "play clarinet, violin"), and the share of the question's words in it.
    """
    row_scores = np.full(len(view), np.nan, np.float32)
    speakers = named_speakers(corpus, question)
    if not speakers:
        return row_scores
    row_scores[:] = 0.0
    rows = view.rows[np.isin(corpus.columns.speaker[view.rows], speakers) & view.context]
    meant = Meant.of(question, [corpus.speakers.texts[code] for code in speakers])
    entries: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for row, fact in facts(rows):
        entries.setdefault((fact.subject, fact.relation), []).append((row, fact.value))
    for (subject, relation), values in entries.items():
        fits = meant.fits(subject, relation, [value for _, value in values])
        for (row, _), fit in zip(values, fits, strict=True):
            place = view.place[row]
            row_scores[place] = max(row_scores[place], fit - MIN_FACT_FIT)
    return row_scores


@dataclass(frozen=True, slots=True, eq=False)
class Meant:
    """What a question asks of those whom it names: its words without their names."""

    names: frozenset[str]
    stems: tuple[str, ...]
    vector: np.ndarray

    @classmethod
    def of(cls, question: str, names: Iterable[str]) -> "Meant":
        left_out = frozenset(stem for name in names for stem in stems(name))
        asked = tuple(stem for stem in stems(question) if stem not in left_out)
        said = " ".join(word for word in question.split() if not left_out & set(stems(word)))
        return cls(left_out, asked, unit(_sum_of(said)))

    def fits(self, subject: str, relation: str, values: Sequence[str]) -> list[float]:
        """How well each value of a relation answers: its cosine or that of all together, and the share of words."""
        whose = " ".join(word for word in subject.split() if not self.names & set(stems(word)))
        relating = _vector(f"{whose} {relation}")
        vectors = [_vector(value) for value in values]
        together = float(unit(relating + sum(vectors)) @ self.vector)
        found = []
        for value, vector in zip(values, vectors, strict=True):
            held = set(stems(f"{whose} {relation} {value}"))
            share = sum(stem in held for stem in self.stems) / max(len(self.stems), 1)
            found.append(max(float(unit(relating + vector) @ self.vector), together) + share)
        return found


@kept_for_texts(maxsize=16_384)
def _vector(text: str) -> np.ndarray:
    return _sum_of(text)


def _sum_of(text: str) -> np.ndarray:
    """The static vectors of a text, by how rare its words are in English, summed: float32 (256,)."""
    rows = np.array(pieces(text), np.int64)
    if len(rows) == 0:
        return np.zeros(static_table.DIMENSIONS, np.float32)
    return static_table.weighted_sum(rows, static_table.prior_idf(rows))
