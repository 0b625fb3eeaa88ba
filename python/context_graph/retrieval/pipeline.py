"""The stages of a search, in order, each from candidates to candidates."""

import time
from collections.abc import Mapping

import numpy as np

from context_graph import progress
from context_graph.embed.spaces import SPACES
from context_graph.embed.stems import stems
from context_graph.index.batch import PASSAGE
from context_graph.index.corpus import Corpus
from context_graph.reading.answer_types import answer_type, holds_answer, name_stems
from context_graph.reading.occasions import of_one_kind
from context_graph.retrieval import feedback, fused_vectors, fusion, links, rules, scores
from context_graph.retrieval.config import JUDGED_RULES, KINDS
from context_graph.retrieval.score_table import FIRST_PASS, MIN_SPREAD, SPACE_OF
from context_graph.retrieval.scores import QueryTerms
from context_graph.retrieval.types import CandidatePool, Query, Search, Sources
from context_graph.retrieval.view import View

__all__ = ["STAGES", "dominant_spaces", "search"]

WHOLE_STORE = 10_000  # up to here every memory is a candidate
PREFIX = 128  # Matryoshka cut of the compressed scan
SPARSE_CANDIDATES, DENSE_CANDIDATES, TIMED_CANDIDATES = 10_000, 2_000, 500
MAX_RESCORED = 1_000
MAX_FUSED = 400
READ_FOR_ANSWER = 32
OTHER_TIME = np.float32(0.25)
"""What a link counts to a memory outside of the time that is asked for."""

NEXT_IN_ORDER = 0.7
"""What the next in order counts."""

MAX_LABELLED_CHARS = 80
"""Characters up to which what opens with a title is a note: "Meter reading: 10,391"."""


def candidates(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """1: the whole store, or above 10,000 memories the union of its best by words, by a 128-D scan and by time."""
    visible = np.flatnonzero(query.mask)
    if len(visible) > WHOLE_STORE:
        vectors = query.vectors.semantic[None]
        by_prefix = corpus.semantic.search(vectors, DENSE_CANDIDATES, mask=query.mask, prefix=PREFIX)[1][0]
        row_sets = [_by_words(corpus, query, visible), by_prefix[by_prefix >= 0]]
        if query.times is not None and query.times.restricts:
            row_sets.append(query.times.best(query.mask, TIMED_CANDIDATES))
        chosen = np.zeros(len(query.mask), bool)  # marking rows is cheaper than sorting them
        chosen[np.concatenate(row_sets)] = True
        visible = np.flatnonzero(chosen)
    pool.rows, pool.total = visible, np.zeros(len(visible), np.float32)
    return pool


def _by_words(corpus: Corpus, query: Query, visible: np.ndarray) -> np.ndarray:
    """The best by words, ties to the oldest. Where few have any word of the question, none of these is left out, and
    nothing has to be sorted: the oldest of the others follow.
    """
    terms = QueryTerms.of(query.vectors)
    weights = terms.weights(corpus)
    holding = corpus.terms.bm25(terms.ids, weights, ids=visible) > 0
    if np.count_nonzero(holding) > SPARSE_CANDIDATES:
        rows = corpus.terms.search(terms.ids, weights, SPARSE_CANDIDATES, mask=query.mask, bm25=True)[1]
        return rows[rows >= 0]
    best = visible[holding]
    return np.concatenate([best, visible[~holding][: SPARSE_CANDIDATES - len(best)]])


def rescoring(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """2: the best 1,000 by words, exact E1 and time together."""
    if len(pool.rows) <= MAX_RESCORED:
        return pool
    terms = QueryTerms.of(query.vectors)
    ids = None if len(pool.rows) == len(corpus) else pool.rows  # all: no need to gather them
    words = corpus.terms.bm25(terms.ids, terms.weights(corpus), ids=ids)
    vectors = query.vectors.semantic[None]
    if ids is not None and 2 * len(ids) > len(corpus):  # reading all where they lie is cheaper than copying most
        cosine = corpus.semantic.scores(vectors)[0][ids]
    else:
        cosine = corpus.semantic.scores(vectors, ids=ids)[0]
    among, one = np.ones(len(pool.rows), bool), np.ones(len(pool.rows), np.float32)
    raw, kinds = {"words": words, "semantic": cosine}, fusion.kinds_of(corpus, pool.rows)
    parts = fusion.weighted_sum(raw, dict.fromkeys(raw, one), among, {}, dict.fromkeys(raw, 1e-6), kinds)
    pool.total = sum(parts.values(), np.zeros(len(pool.rows), np.float32))
    if query.times is not None:
        pool.total = pool.total + np.float32(query.config.rules["time"]) * query.times.score[pool.rows]
    pool.keep(np.sort(pool.best(MAX_RESCORED)))
    return pool


def score_fusion(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """3: every cheap space and rule, over candidates and their neighbours, as one calibrated sum."""
    view = View(corpus, query.mask, None if len(pool.rows) == query.mask.sum() else pool.rows)
    if query.config.gate:
        pool.gate_weights = fused_vectors.gate_weights(corpus, query)
    pool = _cheap(corpus, query, sources, view, pool)
    pool.keep(np.sort(pool.best(MAX_FUSED)))
    return pool


def _weights(query: Query, kinds: np.ndarray, gate_weights: dict[str, float]) -> dict[str, np.ndarray]:
    """What each score weighs for each row: by what the memory is, and by what the gate makes of the question."""
    weights = query.config.weights_of(kinds, topical=query.topical, several=query.several)
    return fusion.gated(weights, {name: gate_weights.get(SPACE_OF[name], 1.0) for name in weights}, query.config.gate)


def _cheap(corpus: Corpus, query: Query, sources: Sources | None, view: View, before: CandidatePool) -> CandidatePool:
    """The candidates of a view with every score that needs no token vectors, measured by the scales of `before`."""
    kinds = fusion.kinds_of(corpus, view.rows)
    weights = _weights(query, kinds, before.gate_weights)
    wanted = {name for name, weight in weights.items() if weight.any()}  # what has no weight is not computed
    raw: dict[str, np.ndarray] = {}
    for score in FIRST_PASS:
        if score.compute is not None and not wanted.isdisjoint(score.names):
            raw |= score.compute(Search(corpus, query, view, sources), wanted)
    parts = _combined(query, view.candidate, raw, weights, before.scales, kinds)
    scale = 1.0 if query.method == "zscore" else 1 / 400
    titles = () if query.named is None else query.named.titles
    requests, share = kinds == KINDS.index("request"), query.config.rules["thread"]
    if share and requests.any() and query.method == "zscore":
        summed = sum(parts.values(), np.zeros(len(view), np.float32))
        parts["thread"] = rules.continued(view, corpus, requests, summed, share)
    texts = None if sources is None else sources.texts
    vectors = query.vectors
    rule_values = rules.rules(
        corpus, vectors.text, view, kinds, texts, original=vectors.original, programs=query.programs
    )
    rule_values |= links.title_fit(corpus, titles, view.rows)
    if query.times is not None:
        rule_values["time"] = query.times.score[view.rows]
    raw |= {name: part for name, part in rule_values.items() if name in JUDGED_RULES}
    parts |= {name: np.float32(query.config.rules[name] * scale) * part for name, part in rule_values.items()}
    total = sum(parts.values(), np.zeros(len(view), np.float32))
    pool = CandidatePool(view.rows, total, parts, raw, before.scales, before.gate_weights, before.trace)
    pool.keep(view.candidate)
    return pool


def _combined(
    query: Query,
    among: np.ndarray,
    raw: dict[str, np.ndarray],
    weights: dict[str, np.ndarray],
    scales: fusion.Scales,
    kinds: np.ndarray,
) -> dict[str, np.ndarray]:
    if query.method == "rrf":
        return fusion.reciprocal_rank(raw, weights, among)
    return fusion.weighted_sum(raw, weights, among, scales, MIN_SPREAD, kinds)


def goal_alignment(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """4: what serves the user's goals comes first among equals; without goals nothing changes."""
    if query.goals is not None and len(pool.rows):
        cosines = corpus.semantic.scores(query.goals, ids=pool.rows)
        pool.raw["alignment"] = (1.0 + np.clip(cosines.max(axis=0), -1, 1)) / 2.0
        pool.parts["alignment"] = (pool.raw["alignment"] - 0.5).astype(np.float32)
        pool.total = pool.total + pool.parts["alignment"]
    return pool


def late_interaction(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """5: late interaction (E12), of each memory and of its neighbours, joins the sum."""
    if len(pool.rows) == 0 or len(query.vectors.tokens) == 0:
        return pool
    view = View(corpus, query.mask, pool.rows)
    raw = _late(corpus, query, view)
    kinds = fusion.kinds_of(corpus, view.rows)
    weights = _weights(query, kinds, pool.gate_weights)
    parts = _combined(query, view.candidate, raw, weights, pool.scales, kinds)
    place = view.place[pool.rows]
    pool.raw |= {name: part[place] for name, part in raw.items()}
    for name, part in parts.items():
        pool.parts[name] = part[place]
        pool.total = pool.total + part[place]
    return pool


def _late(corpus: Corpus, query: Query, view: View) -> dict[str, np.ndarray]:
    """Notes are asked as the question stands; turns in the voice of the speaker whom it names, if they speak here."""
    vectors, first_person = query.vectors, query.vectors.first_person
    if first_person is None or not query.config.first_person or not view.hears(first_person.speaker):
        return scores.late(corpus, vectors.tokens, vectors.idf, view)
    spoken = scores.late(corpus, first_person.tokens, first_person.idf, view)
    if view.context.all():
        return spoken
    plain = scores.late(corpus, vectors.tokens, vectors.idf, view)
    return {name: np.where(view.context, spoken[name], part) for name, part in plain.items()}


def relevance_feedback(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """What the best hits say is asked for once more, where the question is about a subject."""
    kinds = fusion.kinds_of(corpus, pool.rows)
    weight = _weights(query, kinds, pool.gate_weights).get("feedback")
    if weight is None or not weight.any():
        return pool
    best = pool.best(feedback.HITS)
    matches = pool.raw.get("words", np.ones(len(pool.rows), np.float32)) > 0
    hits = pool.rows[best[(weight[best] > 0) & matches[best]]]
    if len(hits) < feedback.MIN_HITS:
        return pool
    raw = {"feedback": np.where(weight > 0, feedback.scores(corpus, hits, pool.rows), np.float32(np.nan))}
    pool.raw |= raw
    for name, part in _combined(query, weight > 0, raw, {"feedback": weight}, pool.scales, kinds).items():
        pool.parts[name] = part
        pool.total = pool.total + part
    return pool


def link_expansion(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """The graph step: what the best hits name, or are named by, joins them; what they left uncovered is asked again."""
    if sources is None or query.named is None or len(pool.rows) == 0 or query.method != "zscore":
        return pool
    pulled = links.pulled(corpus, query, pool, sources)
    fresh = pulled.fresh(query.mask, pool.rows)
    if len(fresh):
        added = _cheap(corpus, query, sources, View(corpus, query.mask, fresh), pool)
        pool = _joined(pool, late_interaction(corpus, query, sources, added))
    for name, part in (pulled.parts(pool.rows) | links.page_rank(corpus, query, pool)).items():
        if query.times is not None and query.times.constraint.spans:  # a link leads to another time as well
            part = np.where(query.times.inside(pool.rows), part, OTHER_TIME * part).astype(np.float32)
        pool.parts[name] = part
        pool.total = pool.total + part
    return pool


def expected_answer(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """Of the best notes, those that hold the kind of answer that is asked for: somebody, a time, an amount."""
    kind = answer_type(query.vectors.original)
    if not kind or sources is None or len(pool.rows) == 0 or query.method != "zscore":
        return pool
    best = pool.best(READ_FOR_ANSWER)
    rows = pool.rows[best]
    best = best[(fusion.kinds_of(corpus, rows) == KINDS.index("note")) & ~corpus.has(PASSAGE, rows).astype(bool)]
    question, holding = query.vectors.original, np.zeros(len(pool.rows), np.float32)
    question_stems, names = frozenset(stems(question)), name_stems(question)
    holding[best] = [holds_answer(text, kind, question_stems, names) for text in sources.texts(pool.rows[best])]
    pool.parts["answer_type"] = np.float32(query.config.rules["answer_type"]) * holding
    pool.total = pool.total + pool.parts["answer_type"]
    return pool


def temporal_order(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """8: of what answers about equally well, the first or the last, where the question asks for it.

    An entry with a title is about a time of its own ("who was born first?"), not about when it was stored.
    """
    if query.times is None or query.times.constraint.order is None or len(pool.rows) == 0:
        return pool
    if sources is not None:
        ((text, title),) = sources.entries(pool.rows[pool.best(1)])
        if title is not None and not (":" in text and len(text) <= MAX_LABELLED_CHARS):
            return pool
    kinds = fusion.kinds_of(corpus, pool.rows)
    notes = (kinds == KINDS.index("note")) & ~corpus.has(PASSAGE, pool.rows).astype(bool)
    alike = query.times.alike(pool.rows, pool.total, notes)
    lifted = query.times.constraint.order == "last" and bool(notes[alike].all())
    if sources is not None and lifted:
        alike = alike[of_one_kind(query.vectors.original, sources.texts(pool.rows[alike]))]
    alike = alike[query.times.in_order(pool.rows[alike])]
    added = np.zeros(len(pool.rows), np.float32)
    added[alike] = query.config.rules["order"] * NEXT_IN_ORDER ** np.arange(len(alike), dtype=np.float32)
    if lifted:  # among notes the order decides
        added[alike] += pool.total[alike].max(initial=0.0) - pool.total[alike]
    pool.parts["order"] = added
    pool.total = pool.total + added
    return pool


def _joined(pool: CandidatePool, added: CandidatePool) -> CandidatePool:
    """The rows of both; a score that one of them lacks is neutral there."""

    def both(a: dict[str, np.ndarray], b: dict[str, np.ndarray], missing: float) -> dict[str, np.ndarray]:
        m, n = len(pool.rows), len(added.rows)
        of_pool, of_added = np.full(m, missing, np.float32), np.full(n, missing, np.float32)
        return {k: np.concatenate([a.get(k, of_pool), b.get(k, of_added)]) for k in a | b}

    rows, total = (np.concatenate([a, b]) for a, b in ((pool.rows, added.rows), (pool.total, added.total)))
    parts, raw = both(pool.parts, added.parts, 0.0), both(pool.raw, added.raw, np.nan)
    return CandidatePool(rows, total, parts, raw, pool.scales, pool.gate_weights, pool.trace)


def top_k(corpus: Corpus, query: Query, sources: Sources | None, pool: CandidatePool) -> CandidatePool:
    """The best top_k, best first, with the cosine that relevance is judged by."""
    pool.keep(pool.best(query.top_k))
    pool.raw["semantic"] = corpus.semantic.scores(query.vectors.semantic[None], ids=pool.rows)[0]
    return pool


STAGES = {
    "candidates": candidates,
    "rescored": rescoring,
    "fused": score_fusion,
    "aligned": goal_alignment,
    "interacted": late_interaction,
    "fed_back": relevance_feedback,
    "linked": link_expansion,
    "expected": expected_answer,
    "ordered": temporal_order,
    "answered": top_k,
}
"""By the name that `explain` and the progress of a search show, in the order in which they run."""


def search(corpus: Corpus, query: Query, sources: Sources | None = None) -> CandidatePool:
    """Run every stage; `trace` says what each kept and how long it took.

    Parameters
    ----------
    sources : Sources, optional
        Without them nothing follows links, facts or the graph.
    """
    pool = CandidatePool(np.zeros(0, np.int64), np.zeros(0, np.float32))
    for name, stage in STAGES.items():
        progress.stage(name)
        started = time.perf_counter()
        before = len(pool.rows)
        pool = stage(corpus, query, sources, pool)
        ms = (time.perf_counter() - started) * 1000
        pool.trace.append({"stage": name, "in": before, "out": len(pool.rows), "ms": round(ms, 3)})
    return pool


def dominant_spaces(parts: Mapping[str, np.ndarray], results: int) -> list[int]:
    """The space that contributed most to each of so many results, 0-12."""
    sums = {id: np.zeros(results) for id in SPACES}
    for name, part in parts.items():
        if SPACE_OF.get(name) in sums:
            sums[SPACE_OF[name]] += part
    index = [SPACES[id].index for id in SPACES]
    return [index[place] for place in np.argmax([*sums.values()], axis=0).tolist()]
