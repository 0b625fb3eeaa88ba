"""Every score: the space that it belongs to, what computes it in the first pass, and from which spread on it counts."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from context_graph.embed import OPTIONAL
from context_graph.reading import intent
from context_graph.retrieval import completion, expanded, fact_score, fused_vectors, optional_spaces, scores
from context_graph.retrieval.scores import QueryTerms
from context_graph.retrieval.types import Search

__all__ = ["FIRST_PASS", "MIN_SPREAD", "SPACE_OF", "Score"]

Computed = dict[str, np.ndarray]
Compute = Callable[[Search, Collection[str]], Computed]


@dataclass(frozen=True, slots=True)
class Score:
    """One score, or several that are computed together.

    Attributes
    ----------
    space : str
        "all" for the vector in which all spaces are fused.
    least_spread : float
        A third or less of the usual standard deviation over a dialogue. Scores that vary less than this tell the
        candidates apart by noise, and a space loses its weight in proportion.
    compute : callable, optional
        Takes a search and the names that have a weight somewhere; None where a later stage computes it.
    experimental : bool
        Off in all tables: it was measured and earned no weight.
    """

    names: tuple[str, ...]
    space: str
    least_spread: float = 1e-6
    compute: Compute | None = None
    experimental: bool = False


def _lexical(search: Search, wanted: Collection[str]) -> Computed:
    vectors = search.query.vectors
    about_talk = intent.parse(vectors.text).about_talk
    return scores.lexical(search.corpus, QueryTerms.of(vectors), search.view, wanted, about_talk=about_talk)


def _static(search: Search, _: Collection[str]) -> Computed:
    return scores.static(search.corpus, search.query.vectors, search.view)


def _semantic(search: Search, _: Collection[str]) -> Computed:
    return scores.semantic(search.corpus, search.query.vectors, search.view)


def _meaning(search: Search, _: Collection[str]) -> Computed:
    """Of a question for one time none: what lies in it is told apart by that."""
    times = search.query.times
    if times is not None and times.restricts:
        return {}
    return scores.meaning(search.corpus, search.query.vectors, search.view)


def _reply_meaning(search: Search, _: Collection[str]) -> Computed:
    return scores.reply_meaning(search.corpus, search.query.vectors, search.view)


def _spelling(search: Search, _: Collection[str]) -> Computed:
    return scores.spelling(search.corpus, search.query.vectors, search.view)


def _optional(space: str) -> Compute:
    return lambda search, _: optional_spaces.scores(search.corpus, search.query.vectors, search.view, space)


def _words_like(search: Search, _: Collection[str]) -> Computed:
    """Of a question for one time none: what lies in it is told apart by that, and words near its own lead elsewhere."""
    query = search.query
    if query.times is not None and query.times.restricts:
        return {}
    return {"words_like": expanded.scores(search.corpus, query.vectors.text, search.view)}


def _completion(search: Search, _: Collection[str]) -> Computed:
    return {"completion": completion.scores(search.corpus, search.query, search.view.rows)}


def _fused(search: Search, _: Collection[str]) -> Computed:
    return {"fused": fused_vectors.scores(search.corpus, search.query, search.view.rows)}


def _graph(search: Search, _: Collection[str]) -> Computed:
    if search.sources is None:
        return {}
    return {
        "graph": search.sources.graph_vectors(search.view.rows) @ fused_vectors.question(search.corpus, search.query)
    }


def _entity(search: Search, _: Collection[str]) -> Computed:
    return {} if search.sources is None else {"entity": search.sources.entity_scores(search.view.rows)}


def _facts(search: Search, _: Collection[str]) -> Computed:
    if search.sources is None:
        return {}
    found = fact_score.scores(search.corpus, search.query.vectors.text, search.view, search.sources.facts)
    return {"facts": found}


FIRST_PASS = (
    Score(("words", "words_pair", "words_near", "words_session"), "E6", 0.5, _lexical),
    Score(("window", "window_near"), "E1", 0.04, _static),
    Score(("semantic",), "E1", 0.04, _semantic),
    Score(("meaning",), "E1", 0.15, _meaning),
    Score(("reply_meaning",), "E1", 0.03, _reply_meaning),
    Score(("spelling",), "E9", 0.01, _spelling, experimental=True),
    *(
        Score((each.score_name,), id, each.least_spread, _optional(id), each.experimental)
        for id, each in OPTIONAL.items()
        if each.score_name is not None
    ),
    Score(("words_like",), "E13", 0.5, _words_like),
    Score(("completion",), "E1", 0.04, _completion, experimental=True),
    Score(("fused",), "all", 0.01, _fused, experimental=True),
    Score(("graph",), "E8", 0.01, _graph, experimental=True),
    Score(("entity",), "E11", 0.1, _entity, experimental=True),
    Score(("facts",), "E11", 0.05, _facts, experimental=True),
)
"""In the order in which they are added up."""

LATER = (
    Score(("late_rare", "late_pair", "late_near"), "E12", 0.03),
    Score(("feedback",), "E6", 0.5),
    Score(("title", "link", "second", "rank"), "E11"),
    Score(("edges",), "E8", experimental=True),
)

SPACE_OF = {name: score.space for score in (*FIRST_PASS, *LATER) for name in score.names}
"""The space that each score belongs to; rules belong to the temporal spaces (dates) or to none."""

MIN_SPREAD = {name: score.least_spread for score in (*FIRST_PASS, *LATER) for name in score.names}
