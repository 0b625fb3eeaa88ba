"""The stages of a search, in order, each from candidates to candidates."""

import time
from collections.abc import Mapping

import numpy as np

from context_graph import progress
from context_graph.embed.spaces import SPACES
from context_graph.index.corpus import Corpus
from context_graph.retrieval import (
    completion,
    expanded,
    feedback,
    fused_vectors,
    fusion,
    links,
    optional_spaces,
    scores,
)
from context_graph.retrieval import fact_score as told
from context_graph.retrieval.scores import QueryTerms
from context_graph.retrieval.types import Found, Query
from context_graph.retrieval.view import View

__all__ = ["STAGES", "dominant_space", "search"]

WHOLE_STORE = 10_000  # design 5: up to here every memory is a candidate
PREFIX = 128  # Matryoshka cut of the compressed scan
SPARSE_CANDIDATES, DENSE_CANDIDATES = 10_000, 2_000
RESCORED = 1_000
FUSED = 400

SPACE_OF = {
    "words": "E6", "words_pair": "E6", "words_near": "E6", "words_session": "E6",
    "window": "E1", "window_near": "E1", "semantic": "E1", "completion": "E1", "spelling": "E9",
    "late_rare": "E12", "late_pair": "E12", "late_near": "E12",
    "title": "E11", "link": "E11", "second": "E11", "rank": "E11", "edges": "E8",
    "feedback": "E6", "words_like": "E13", "entity": "E11", "facts": "E11", "cause": "E5", "code": "E7",
    "graph": "E8", "fused": "all",
}  # fmt: skip
"""The space that each score belongs to; rules belong to the temporal spaces (dates) or to none."""


def candidates(corpus: Corpus, query: Query, found: Found) -> Found:
    """1: the whole store, or above 10,000 memories the union of its best by words and by a 128-D scan."""
    visible = np.flatnonzero(query.mask)
    if len(visible) > WHOLE_STORE:
        terms = QueryTerms.of(query.vectors)
        by_words = corpus.terms.search(terms.ids, terms.weights(corpus), SPARSE_CANDIDATES, mask=query.mask, bm25=True)[
            1
        ]
        vectors = query.vectors.semantic[None]
        by_prefix = corpus.semantic.search(vectors, DENSE_CANDIDATES, mask=query.mask, prefix=PREFIX)[1][0]
        visible = np.union1d(by_words[by_words >= 0], by_prefix[by_prefix >= 0])
    found.rows, found.total = visible, np.zeros(len(visible), np.float32)
    return found


def rescored(corpus: Corpus, query: Query, found: Found) -> Found:
    """2: the best 1,000 by words and exact E1 together."""
    if len(found.rows) <= RESCORED:
        return found
    terms = QueryTerms.of(query.vectors)
    ids = None if len(found.rows) == len(corpus) else found.rows  # all: no need to gather them
    words = corpus.terms.bm25(terms.ids, terms.weights(corpus), ids=ids)
    cosine = corpus.semantic.scores(query.vectors.semantic[None], ids=ids)[0]
    among = np.ones(len(found.rows), bool)
    found.total = sum(fusion.standardised(part, fusion.scale_of(part, among)) for part in (words, cosine))
    found.keep(np.sort(found.best(RESCORED)))
    return found


def fused(corpus: Corpus, query: Query, found: Found) -> Found:
    """3: every cheap space and rule, over candidates and their neighbours, as one calibrated sum."""
    view = View(corpus, query.mask, None if len(found.rows) == query.mask.sum() else found.rows)
    if fusion.GATE[query.tier]:
        found.say = fused_vectors.say(corpus, query)
    found = _cheap(corpus, query, view, found)
    found.keep(np.sort(found.best(FUSED)))
    return found


def _weights(corpus: Corpus, query: Query, rows: np.ndarray, say: dict[str, float]) -> dict[str, np.ndarray]:
    """What each score weighs for each row: by what the memory is, and by what the gate makes of the question."""
    kinds = fusion.kinds_of(corpus, rows)
    weights = fusion.weights_of(query.tier, kinds, topical=query.topical, several=query.several)
    return fusion.gated(weights, {name: say.get(SPACE_OF[name], 1.0) for name in weights}, fusion.GATE[query.tier])


def _cheap(corpus: Corpus, query: Query, view: View, before: Found) -> Found:
    """The candidates of a view with every score that needs no token vectors, measured by the scales of `before`."""
    weights = _weights(corpus, query, view.rows, before.say)
    wanted = {name for name, weight in weights.items() if weight.any()}  # what has no weight is not computed
    raw = scores.lexical(corpus, QueryTerms.of(query.vectors), view, wanted)
    if wanted & {"window", "window_near"}:
        raw |= scores.static(corpus, query.vectors, view)
    if "semantic" in wanted:
        raw |= scores.semantic(corpus, query.vectors, view)
    if "spelling" in wanted:
        raw |= scores.spelling(corpus, query.vectors, view)
    raw |= optional_spaces.scores(corpus, query.vectors, view)
    if "words_like" in wanted:
        raw["words_like"] = expanded.scores(corpus, query.vectors.text, view)
    if "completion" in wanted:
        raw["completion"] = completion.scores(corpus, query, view.rows)
    if "fused" in wanted:
        raw["fused"] = fused_vectors.scores(corpus, query, view.rows)
    if query.propagated is not None and "graph" in wanted:
        raw["graph"] = query.propagated(view.rows) @ fused_vectors.question(corpus, query)
    if query.entities is not None and "entity" in wanted:
        raw["entity"] = query.entities(view.rows)
    if query.facts is not None and "facts" in wanted:
        raw["facts"] = told.scores(corpus, query.vectors.text, view, query.facts)
    parts = _combined(query, view.candidate, raw, weights, before.scales)
    scale = 1.0 if query.method == "zscore" else 1 / 400
    titles = () if query.named is None else query.named.titles
    found_rules = scores.rules(corpus, query.vectors.text, view) | links.title_fit(corpus, titles, view.rows)
    parts |= {name: np.float32(fusion.RULES[name] * scale) * part for name, part in found_rules.items()}
    total = sum(parts.values(), np.zeros(len(view), np.float32))
    found = Found(view.rows, total, parts, raw, before.scales, before.say, before.trace)
    found.keep(view.candidate)
    return found


def _combined(query: Query, among: np.ndarray, raw: dict, weights: dict, scales: dict) -> dict[str, np.ndarray]:
    if query.method == "rrf":
        return fusion.reciprocal_rank(raw, weights, among)
    return fusion.weighted_sum(raw, weights, among, scales)


def aligned(corpus: Corpus, query: Query, found: Found) -> Found:
    """4: what serves the user's goals comes first among equals; without goals nothing changes."""
    if query.alignment is not None and len(found.rows):
        found.raw["alignment"] = query.alignment(found.rows)
        found.parts["alignment"] = (found.raw["alignment"] - 0.5).astype(np.float32)
        found.total = found.total + found.parts["alignment"]
    return found


def interacted(corpus: Corpus, query: Query, found: Found) -> Found:
    """5: late interaction (E12), of each memory and of its neighbours, joins the sum."""
    if len(found.rows) == 0 or len(query.vectors.tokens) == 0:
        return found
    view = View(corpus, query.mask, found.rows)
    raw = _late(corpus, query, view)
    weights = _weights(corpus, query, view.rows, found.say)
    parts = _combined(query, view.candidate, raw, weights, found.scales)
    place = view.place[found.rows]
    found.raw |= {name: part[place] for name, part in raw.items()}
    for name, part in parts.items():
        found.parts[name] = part[place]
        found.total = found.total + part[place]
    return found


def _late(corpus: Corpus, query: Query, view: View) -> dict[str, np.ndarray]:
    """Notes are asked as the question stands; turns in the voice of the speaker whom it names, if they speak here."""
    vectors, voice = query.vectors, query.vectors.voice
    if voice is None or not fusion.VOICE[query.tier] or not view.hears(voice.speaker):
        return scores.late(corpus, vectors.tokens, vectors.rarity, view)
    told = scores.late(corpus, voice.tokens, voice.rarity, view)
    if view.context.all():
        return told
    plain = scores.late(corpus, vectors.tokens, vectors.rarity, view)
    return {name: np.where(view.context, told[name], part) for name, part in plain.items()}


def fed_back(corpus: Corpus, query: Query, found: Found) -> Found:
    """What the best hits say is asked for once more, where the question is about a subject."""
    weight = _weights(corpus, query, found.rows, found.say).get("feedback")
    if weight is None or not weight.any():
        return found
    best = found.best(feedback.HITS)
    hits = found.rows[best[weight[best] > 0]]
    raw = {"feedback": np.where(weight > 0, feedback.scores(corpus, hits, found.rows), np.float32(np.nan))}
    found.raw |= raw
    for name, part in _combined(query, weight > 0, raw, {"feedback": weight}, found.scales).items():
        found.parts[name] = part
        found.total = found.total + part
    return found


def linked(corpus: Corpus, query: Query, found: Found) -> Found:
    """The graph step: what the best hits name, or are named by, joins them; what they left uncovered is asked again."""
    if query.entries is None or query.named is None or len(found.rows) == 0 or query.method != "zscore":
        return found
    pulled = links.pulled(corpus, query, found)
    fresh = pulled.fresh(query.mask, found.rows)
    if len(fresh):
        added = _cheap(corpus, query, View(corpus, query.mask, fresh), found)
        found = _joined(found, interacted(corpus, query, added))
    for name, part in (pulled.parts(found.rows) | links.page_rank(corpus, query, found)).items():
        found.parts[name] = part
        found.total = found.total + part
    return found


def _joined(found: Found, added: Found) -> Found:
    """The rows of both; a score that one of them lacks is neutral there."""

    def both(a: dict[str, np.ndarray], b: dict[str, np.ndarray], missing: float) -> dict[str, np.ndarray]:
        m, n = len(found.rows), len(added.rows)
        of_found, of_added = np.full(m, missing, np.float32), np.full(n, missing, np.float32)
        return {k: np.concatenate([a.get(k, of_found), b.get(k, of_added)]) for k in a | b}

    rows, total = (np.concatenate([a, b]) for a, b in ((found.rows, added.rows), (found.total, added.total)))
    parts, raw = both(found.parts, added.parts, 0.0), both(found.raw, added.raw, np.nan)
    return Found(rows, total, parts, raw, found.scales, found.say, found.trace)


def answered(corpus: Corpus, query: Query, found: Found) -> Found:
    """The best top_k, best first, with the cosine that relevance is judged by."""
    found.keep(found.best(query.top_k))
    found.raw["semantic"] = corpus.semantic.scores(query.vectors.semantic[None], ids=found.rows)[0]
    return found


STAGES = (candidates, rescored, fused, aligned, interacted, fed_back, linked, answered)


def search(corpus: Corpus, query: Query) -> Found:
    """Run every stage; `trace` says what each kept and how long it took."""
    found = Found(np.zeros(0, np.int64), np.zeros(0, np.float32))
    for stage in STAGES:
        progress.stage(stage.__name__)
        started = time.perf_counter()
        before = len(found.rows)
        found = stage(corpus, query, found)
        ms = (time.perf_counter() - started) * 1000
        found.trace.append({"stage": stage.__name__, "in": before, "out": len(found.rows), "ms": round(ms, 3)})
    return found


def dominant_space(parts: Mapping[str, float]) -> int:
    """The space that contributed most to a result, 0-12."""
    sums = dict.fromkeys(SPACES, 0.0)
    for name, part in parts.items():
        if SPACE_OF.get(name) in sums:
            sums[SPACE_OF[name]] += part
    return SPACES[max(sums, key=sums.get)].index
