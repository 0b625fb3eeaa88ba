"""From the words of a question to the query of the pipeline: vectors, aliases, times, weights."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from context_graph.derived import Aliases, Goals, MentionedTimes, Projects
from context_graph.derived.aliases import widened
from context_graph.embed import QueryVectors, lexical
from context_graph.embed.languages import language_of
from context_graph.index.corpus import Corpus
from context_graph.index.fields import SEEDED
from context_graph.reading import cues
from context_graph.reading.asked_time import asked_time
from context_graph.recall.sources import texts_of
from context_graph.retrieval.compounds import respelled
from context_graph.retrieval.config import RankingConfig
from context_graph.retrieval.entity_linking import Named
from context_graph.retrieval.first_person import in_first_person
from context_graph.retrieval.misspellings import corrected
from context_graph.retrieval.time_fit import TimeFit, time_fit
from context_graph.retrieval.types import Query

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["as_spelled", "query_for", "question_vectors"]


def question_vectors(
    memory: "Runtime", corpus: Corpus, text: str, visible: Callable[[], np.ndarray] | None = None
) -> QueryVectors:
    """A question in the spaces that it is asked in, and in the voice of a speaker of this memory whom it names.

    Parameters
    ----------
    visible : callable, optional
        Which memories the question's words are spelled after, bool (n,); by default all that are live.
    """
    text = as_spelled(memory, corpus, text, visible)
    speaker, first_person = (
        in_first_person(corpus, text) if memory.ranking[corpus.embedder.ranking].first_person else ("", "")
    )
    return corpus.embedder.query(text, speaker=speaker, first_person=first_person)


def as_spelled(memory: "Runtime", corpus: Corpus, text: str, visible: Callable[[], np.ndarray] | None = None) -> str:
    """A question with its words as the memories that count have them; see `question_vectors`."""
    with corpus.lock:
        counting = visible or (lambda: corpus.columns.live)
        text = respelled(corpus, text, counting, lambda rows: texts_of(memory, corpus, rows))
        return corrected(corpus, text, counting)


def query_for(
    memory: "Runtime",
    corpus: Corpus,
    vectors: QueryVectors,
    mask: np.ndarray,
    top_k: int,
    *,
    method: Literal["zscore", "rrf"] = "zscore",
    dopamine: float = 3.0,
    serotonin: float = 0.5,
    visible: np.ndarray | None = None,
    config: RankingConfig | None = None,
    now: int | None = None,
    timed: bool = True,
) -> Query:
    """What the pipeline is asked.

    Parameters
    ----------
    now : int, optional
        Microseconds: when it is asked, which is what "yesterday" is read against; by default the present.
    visible : bool (n,), optional
        What who asks may see, whether or not it may answer: of it aliases are taken. By default what may answer.
    timed : bool
        Whether a time that is asked for is judged by the times that memories tell of, which are read for it.
    config : RankingConfig, optional
        By default that of this memory for the tier that answers.
    """
    called = memory.view(Aliases).named(corpus, vectors.text, mask if visible is None else visible)
    vectors = widened(vectors, called)
    present = memory.present() if now is None else now
    times = _times(memory, corpus, cues.readable(vectors.original), present, mask) if timed else None
    if times is not None and times.restricts:
        vectors = _without(vectors, times.constraint.time_words)
    tier, goals = corpus.embedder.tier, memory.view(Goals).vectors()
    return Query(
        vectors, mask, top_k, tier, config or memory.ranking[corpus.embedder.ranking], method, dopamine, serotonin,
        named=Named.of(corpus, vectors.text, [(thing.row, thing.mention) for thing in called if thing.own]),
        goals=goals if len(goals) else None,
        times=times,
        programs=_programs(memory, corpus),
    )  # fmt: skip


def _programs(memory: "Runtime", corpus: Corpus) -> np.ndarray | None:
    """The memories that are of a project with code in it; None without any that was read from a folder."""
    return memory.view(Projects).programs(corpus) if corpus.agents.known(SEEDED) >= 0 else None


def _times(memory: "Runtime", corpus: Corpus, text: str, now: int, mask: np.ndarray) -> TimeFit | None:
    times = memory.view(MentionedTimes)
    return time_fit(
        corpus, asked_time(text, now), text, now, mask,
        lambda rows: texts_of(memory, corpus, rows), lambda rows: times.of(corpus, rows),
    )  # fmt: skip


def _without(vectors: QueryVectors, time_words: Collection[str]) -> QueryVectors:
    """A question without its words of time: they are no words of what happened then."""
    language = language_of(vectors.original)
    gone = {term for word in time_words for term in (*lexical.every_reading(word, language), *lexical.cues(word))}

    def left(counts: Mapping[int, Any]) -> dict[int, Any]:
        return {term: count for term, count in counts.items() if term not in gone}

    readings, renamed = (tuple(map(left, each)) for each in (vectors.readings, vectors.renamed))
    return replace(vectors, terms=left(vectors.terms), cues=left(vectors.cues), readings=readings, renamed=renamed)
