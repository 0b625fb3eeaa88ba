"""Answering one question: from its words to ranked memories."""

import itertools
import sys
import time
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from context_graph.derived import Goals
from context_graph.embed import QueryVectors
from context_graph.errors import InvalidInput
from context_graph.index.corpus import Corpus
from context_graph.instants import MINUTE_US
from context_graph.models import Caller
from context_graph.nervous.pulse import result_entropy
from context_graph.progress import stage
from context_graph.reading.validity import beginning, coming_change, validity
from context_graph.recall.answer import Answer, Hit
from context_graph.recall.assembly import hits_of
from context_graph.recall.by_words import best_by_words, words_of
from context_graph.recall.current.order import asks_how_it_was
from context_graph.recall.filters import filter_mask
from context_graph.recall.judgement import judge, judge_by_words
from context_graph.recall.normalization import canonical, normalize, signature
from context_graph.recall.query import query_for, question_vectors
from context_graph.recall.question import MAX_QUERY_CHARS, Question
from context_graph.recall.reranking import RERANKED, reranked
from context_graph.recall.sources import retrieve
from context_graph.retrieval.rules import named_speakers
from context_graph.runtime import AnswerCache
from context_graph.runtime.answer_cache import MIN_QUERY_COSINE, CachedAnswer
from context_graph.runtime.session import SessionState
from context_graph.safety.pii import scrub
from context_graph.settings import SECRET_KINDS
from context_graph.visibility import SCOPES, Viewer

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["recall"]


def recall(memory: "Runtime", question: Question, *, caller: Caller | None = None) -> Answer:
    """Answer one question: read it, answer it as just before if nothing changed, else search; remember the asking."""
    started = time.perf_counter()
    if not question.text.strip():
        raise InvalidInput("Query string is empty; ask in a few words what you are looking for", field="query")
    if question.scope is not None and question.scope not in SCOPES:
        raise InvalidInput(f"scope must be one of {', '.join(SCOPES)}, got {question.scope[:40]!r}", field="scope")
    text = normalize(scrub(question.text[:MAX_QUERY_CHARS], kinds=memory.settings.redacted & SECRET_KINDS).text)
    if question.agent_ids or question.exclude_agent_ids:
        wanted, unwanted = (map(memory.written_name, ids) for ids in (question.agent_ids, question.exclude_agent_ids))
        question = replace(question, agent_ids=tuple(wanted), exclude_agent_ids=tuple(unwanted))
    caller = (caller or memory.caller).within(question.session_id, question.agent_id)
    state = memory.session(caller.session_id)
    corpus = memory.corpus
    now = memory.present()
    cleaned_at = time.perf_counter()
    cached = memory.settings.reflex and question.record
    frame = _frame(memory, corpus, state, caller, question) if cached else ()
    answers = memory.view(AnswerCache)
    version = answers.version
    answer = answers.exact((frame, canonical(text)), now) if cached else None
    if answer is not None:
        return _from_cache(memory, state, caller, answer, "exact", sensing=cleaned_at - started, since=cleaned_at)
    looked_up_at = time.perf_counter()
    stage("reading the question")
    visibility = partial(corpus.visible, memory.viewer(caller), now=now, as_of=question.as_of)
    if _asks_for_the_closed(question, text, now):
        visibility = partial(_past_too, corpus, memory.viewer(caller))
    vectors = (words_of if question.by_words else question_vectors)(memory, corpus, text, visibility)
    embedded_at = time.perf_counter()
    cached = cached and not question.by_words  # nobody else is answered by words alone
    least = MIN_QUERY_COSINE[corpus.embedder.tier]
    alike = (frame, signature(text), *named_speakers(corpus, text)) if cached and least is not None else ()
    if alike and least is not None:
        answer = answers.near(alike, vectors.semantic, least, now)
        if answer is not None:
            return _from_cache(memory, state, caller, answer, "near", sensing=embedded_at - started, since=embedded_at)
    compared_at = time.perf_counter()
    fresh, stages = _search_afresh(memory, corpus, state, visibility, question, vectors, now)
    searched_at = time.perf_counter()
    if cached:
        answers.keep((frame, canonical(text)), alike, fresh, version)
    if question.record:
        _record(memory, state, caller, fresh)
    learned_at = time.perf_counter()
    layers = {
        "L1_sensing": cleaned_at - started + embedded_at - looked_up_at,
        "L2_reflex": looked_up_at - cleaned_at + compared_at - embedded_at,
        "L3_memory": searched_at - compared_at,
        "L4_learning": learned_at - searched_at,
    }
    return Answer(fresh.hits, fresh.entropy, fresh.answered, stages, _ms(layers))


def _asks_for_the_closed(question: Question, text: str, now: int) -> bool:
    """Whether what the store has closed may answer: it is selected, or the question asks how something was."""
    if question.selection is not None:
        return question.selection.state == "past"
    if question.as_of is not None or not question.newest_first:
        return False
    return asks_how_it_was(text, now if question.asked_at is None else question.asked_at)


def _past_too(corpus: Corpus, viewer: Viewer) -> np.ndarray:
    """All that a viewer may see, whether it holds or another took its place: bool (n,)."""
    mask: np.ndarray = corpus.columns.live & corpus.shared(viewer)
    return mask


def _frame(memory: "Runtime", corpus: Corpus, state: SessionState, caller: Caller, question: Question) -> Hashable:
    """All that an answer depends on besides the words, in a process where settings never change.

    What may be answered by words alone is as well answered by a search that was made of all.
    """
    question = replace(question, by_words=False) if question.by_words else question
    uses_modulators = memory.ranking[corpus.embedder.ranking].uses_modulators
    mood = (state.modulators.dopamine, state.modulators.serotonin) if uses_modulators else ()
    return (state.session_id, caller.context_id, *mood, *question.filters())


def _from_cache(
    memory: "Runtime",
    state: SessionState,
    caller: Caller,
    answer: CachedAnswer[Hit],
    how: Literal["exact", "near"],
    *,
    sensing: float,
    since: float,
) -> Answer:
    """An answer from the cache; asking is recorded as if it had been searched for."""
    answered_at = time.perf_counter()
    _record(memory, state, caller, answer)
    learned_at = time.perf_counter()
    layers = {"L1_sensing": sensing, "L2_reflex": answered_at - since, "L4_learning": learned_at - answered_at}
    stage: dict[str, Any] = {
        "stage": "reflex",
        "hit": how,
        "in": len(memory.view(AnswerCache)),
        "out": len(answer.hits),
    }
    stage["ms"] = round(1000 * (answered_at - since), 3)
    return Answer(answer.hits, answer.entropy, answer.answered, (stage,), _ms(layers), how)


def _ms(layers: dict[str, float]) -> dict[str, float]:
    return {name: round(1000 * seconds, 3) for name, seconds in layers.items()}


def _search_afresh(
    memory: "Runtime",
    corpus: Corpus,
    state: SessionState,
    visibility: Callable[[], np.ndarray],
    question: Question,
    vectors: QueryVectors,
    now: int,
) -> tuple[CachedAnswer[Hit], tuple[dict[str, Any], ...]]:
    """Search, judge the results, and put the answer together; with what each stage kept.

    Parameters
    ----------
    visibility : callable
        Which memories the caller may see, bool (n,).
    """
    reranking = memory.reranker is not None and not question.by_words
    top_k = max(question.top_k, RERANKED) if reranking else question.top_k
    with corpus.lock:
        visible = visibility()
        mask = filter_mask(memory, corpus, question, visible)
        until = corpus.unchanged_until(now) if question.as_of is None else sys.maxsize
        asked_at = now if question.asked_at is None else question.asked_at
        query = query_for(
            memory, corpus, vectors, mask, top_k, visible=visible, now=asked_at,
            dopamine=state.modulators.dopamine, serotonin=state.modulators.serotonin,
            timed=not question.by_words,
        )  # fmt: skip
        if query.times is not None and question.asked_at is None:
            until = min(until, now - now % MINUTE_US + MINUTE_US)  # what "later today" means moves with the clock
        pool = best_by_words(corpus, query) if question.by_words else retrieve(memory, corpus, query)
        ids = [corpus.ids[row] for row in pool.rows] if reranking else []
    if reranking and memory.reranker is not None:  # nobody waits for the indexes meanwhile
        contents = {node.id: node.content for node in memory.store.nodes(ids)}
        reranked(memory.reranker, vectors.original, pool, [contents.get(id) for id in ids], question.top_k)
    with corpus.lock:
        judgement = (judge_by_words if question.by_words else judge)(corpus, query, pool)
        theta = memory.view(Goals).theta(corpus, pool.rows)
    hits = hits_of(memory, corpus, question, query, pool, judgement, theta)
    if question.as_of is None and question.asked_at is None:
        own = (validity(hit.node.content, hit.node.occurred_at) for hit in hits)
        texts_at = [(hit.node.content, hit.node.occurred_at) for hit in hits]
        begins = (start for change in (beginning, coming_change) for start in itertools.starmap(change, texts_at))
        until = min([until, *(one.end + 1 for one in own if one is not None and one.end >= now)])
        until = min([until, *(start for start in begins if start is not None and start > now)])
    entropy = result_entropy(sorted((hit.alone for hit in hits), reverse=True))
    since = now if question.as_of is None else 0
    answer = CachedAnswer(hits, entropy, judgement.answered, judgement.agreement, vectors.semantic, since, until)
    return answer, tuple(pool.trace)


def _record(memory: "Runtime", state: SessionState, caller: Caller, answer: CachedAnswer[Hit]) -> None:
    """What asking does to the session; written later, with the effects of other reads."""
    moment = memory.clock()
    state.interacted(moment)
    state.pulse = state.pulse.searched(answer.entropy, answer.agreement)
    state.modulators = state.modulators.searched(state.pulse.entropy, state.pulse.coherence, empty=not answer.hits)
    if len(answer.semantic):
        state.follow(answer.semantic)
    top = [hit.node.id for hit in answer.hits[:10]]
    state.attend(top[:3])
    memory.interacted()
    pairs = [(a, b) for i, a in enumerate(top[:3]) for b in top[i + 1 : 3]]
    memory.store.effects.add(memory.author(caller), nodes=top, pairs=pairs, state=state.to_dict(), at=moment)
