"""Scores of the spaces that every memory has, over the rows of a view: words, vectors, late interaction."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from context_graph.embed import QueryVectors, hyperdimensional, sentence_table
from context_graph.embed.semantic import OWN
from context_graph.embed.statistics import PRIOR_MEMORIES
from context_graph.embed.stems import stem_of, term_id
from context_graph.embed.word_rarity import word_rarities
from context_graph.index.batch import PASSAGE
from context_graph.index.corpus import Corpus
from context_graph.reading import intent
from context_graph.retrieval.config import KINDS
from context_graph.retrieval.fusion import APART, kinds_of
from context_graph.retrieval.view import View

__all__ = [
    "K1",
    "LONG_REPLY",
    "ONE_STATEMENT",
    "TALK",
    "B",
    "QueryTerms",
    "bm25",
    "bm25_terms",
    "idf_of",
    "late",
    "lexical",
    "meaning",
    "reply_meaning",
    "semantic",
    "spelling",
    "static",
]

K1, B = 1.2, 0.75

TALK = np.array(
    sorted(
        {
            term_id(stem_of(word))
            for word in """advise advised aspect aspects bring brief brought chat chats comprehensive conversation
            conversations detailed different discuss discussed discussion discussions item items list mention mentioned
            order overview recap recommend recommended remind said say suggest suggested summarise summarize summary
            talk talked tell told walk across""".split()
        }
    ),
    np.int64,
)
"""Terms by which a question speaks of the conversation itself: they are rare among what was said there."""

ONE_STATEMENT = 40
"""Words up to which a memory is a statement, or a few, whose meaning is compared as one."""

MIN_COMPARED = 4
"""Memories from which on it tells one from the others."""

LONG_REPLY = 100
"""Words from which on a reply is background in full."""

CUE = 0.5
"""What a word of the rationale counts beside one of the text."""


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The words of a question in the lexical space, once for the text and once for the rationale, in a fixed order."""

    ids: np.ndarray
    counts: np.ndarray
    rarity: np.ndarray | None = None
    """How rare each is in English, in [0, 1]: float32 (t,)."""

    @classmethod
    def of(cls, query: QueryVectors, *, cues: bool = True, renamed: bool = True) -> "QueryTerms":
        weights = {term: CUE * count for term, count in query.cues.items() if cues}
        for reading in (*query.readings, *(query.renamed if renamed else ())):
            weights |= {term: max(count, weights.get(term, 0.0)) for term, count in reading.items()}
        weights |= query.terms
        ids = np.array(sorted(weights), np.int64)
        rarities = word_rarities(query.text)
        counts = np.array([weights[term] for term in ids.tolist()], np.float32)
        return cls(ids, counts, np.array([rarities.get(term, 1.0) for term in ids.tolist()], np.float32))

    def weights(self, corpus: Corpus) -> np.ndarray:
        """What each word counts in a corpus: its rarity times how often the question has it. float32 (t,).

        The fewer memories there are, the more its rarity in English counts beside that among them: of a dozen, one has
        "version" and one "Postgres".
        """
        weights: np.ndarray = idf_of(corpus.terms.df(self.ids), corpus.documents) * self.counts
        if self.rarity is None:
            return weights
        young = np.float32(PRIOR_MEMORIES / (corpus.documents + PRIOR_MEMORIES))
        return weights * (1 - young * (1 - self.rarity))


def bm25(frequencies: np.ndarray, lengths: np.ndarray, idf: np.ndarray) -> np.ndarray:
    """BM25 of documents given as a table: (t, m) counts, (m,) lengths, (t,) weights -> float32 (m,)."""
    score: np.ndarray = bm25_terms(frequencies, lengths, idf, lengths.mean() if len(lengths) else 0.0).sum(axis=0)
    return score


def bm25_terms(frequencies: np.ndarray, lengths: np.ndarray, idf: np.ndarray, mean: float) -> np.ndarray:
    """What each term gives to BM25: float32 (t, m).

    Parameters
    ----------
    mean : float
        Length of a document on average.
    """
    norm = K1 * (1 - B + B * lengths / mean) if mean > 0 else np.full_like(lengths, K1)
    scores: np.ndarray = idf[:, None] * (frequencies * (K1 + 1) / (frequencies + norm))
    return scores.astype(np.float32)


def idf_of(holding: np.ndarray, documents: int) -> np.ndarray:
    """Rarity of terms that so many of the documents hold: float32 (t,)."""
    return np.log1p((documents - holding + 0.5) / (holding + 0.5)).astype(np.float32)


def lexical(
    corpus: Corpus, terms: QueryTerms, view: View, wanted: Collection[str], *, about_talk: bool = False
) -> dict[str, np.ndarray]:
    """E6 at four widths: the memory, it and the one before, three on each side, its whole session.

    Parameters
    ----------
    wanted : collection of str
        Names of scores; the narrowest comes always.
    about_talk : bool
        The question speaks of a conversation: what user and assistant said is asked without the words for that.
    """
    lengths = corpus.columns.length
    frequencies = corpus.terms.table(terms.ids, view.rows)
    idf = terms.weights(corpus)
    own = lengths[view.rows]
    scores = {"words": bm25(frequencies.T, own, idf)}
    kinds = kinds_of(corpus, view.rows)
    if (exchanged := np.isin(kinds, APART)).any():
        subject = ~np.isin(terms.ids, TALK)
        asked = idf * subject if about_talk and subject.any() else idf
        # a short reply says little without what it answers
        joined = (kinds == KINDS.index("reply")) * (1 - np.minimum(own / LONG_REPLY, 1))
        read = frequencies + joined[:, None] * view.shifted(frequencies)
        span = own + joined * view.shifted(own)
        scores["words"][exchanged] = bm25(read.T, span, asked)[exchanged].astype(np.float32)
    if not view.context.any():
        return scores
    for name, before, after in (("words_pair", 1, 0), ("words_near", 3, 3)):
        if name in wanted:
            near = view.around(frequencies, before, after, np.add)
            span = view.around(own, before, after, np.add)
            scores[name] = np.where(view.context, bm25(near.T, span, idf), np.nan)
    if "words_session" in wanted:
        sessions, session_of = max(len(corpus.sessions), 1), corpus.columns.session
        by_session = np.zeros((len(terms.ids), sessions), np.float32)
        for t, term in enumerate(terms.ids.tolist()):
            holders, counts = corpus.terms.postings(term)
            seen = view.mask[holders]  # what is hidden shifts nothing
            by_session[t] = np.bincount(session_of[holders[seen]], weights=counts[seen], minlength=sessions)
        totals = np.bincount(session_of[view.mask], lengths[view.mask], sessions).astype(np.float32)
        held = (by_session > 0).sum(axis=1)
        of_session = bm25(by_session, totals, idf_of(held, int((totals > 0).sum())) * terms.counts)
        scores["words_session"] = np.where(view.context, of_session[session_of[view.rows]], np.nan)
    return scores


def semantic(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """E1: cosine of the whole vector."""
    return {"semantic": corpus.semantic.scores(query.semantic[None], ids=view.rows)[0]}


def meaning(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """Cosine of what a short memory means by itself, without its window, or a request of any length.

    NaN for another long one, which says many things, for what reads like an encyclopedia, and where what is said of a
    conversation is asked for: that means what other questions about it mean.
    """
    rows = view.rows
    requests = kinds_of(corpus, rows) == KINDS.index("request")
    single = ((corpus.columns.length[rows] <= ONE_STATEMENT) | requests) & (corpus.has(PASSAGE, rows) == 0)
    return {"meaning": _own_cosines(corpus, query, rows, single & (not intent.parse(query.text).about_talk))}


def reply_meaning(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """Cosine of what a reply means as a whole, where the question asks for what the assistant said, or for a summary.

    A user remembers it in other words: "the flow of requests" of what it said about rate limits.
    """
    ask = intent.parse(query.text)
    replies = kinds_of(corpus, view.rows) == KINDS.index("reply")
    return {"reply_meaning": _own_cosines(corpus, query, view.rows, replies & (ask.replied or ask.overview))}


def _own_cosines(corpus: Corpus, query: QueryVectors, rows: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Cosines with what some of the rows mean by themselves, NaN for the others, and for all where they are few.

    As the model has it or, in the base tier, a table of word pieces.
    """
    cosines = np.full(len(rows), np.nan, np.float32)
    chosen = np.flatnonzero(among)
    if len(chosen) < MIN_COMPARED:
        return cosines
    if corpus.embedder.tier == "base":
        cosines[chosen] = corpus.sentences(rows[chosen]) @ sentence_table.vector(query.text)
    else:
        own, block = np.zeros_like(query.semantic), OWN[corpus.embedder.tier][-1]
        own[block] = query.semantic[block]
        # The share of the whole vector that a block has is the same for all memories.
        cosines[chosen] = corpus.semantic.scores(own[None], ids=rows[chosen])[0] / max(float(np.linalg.norm(own)), 1e-9)
    return cosines


def spelling(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """E9: share of equal bits, -1 to 1."""
    bits = hyperdimensional.bits(query.text)  # not part of the question: what has no weight is not computed
    return {"spelling": 1.0 - corpus.bits.distances(bits[None], ids=view.rows)[0] / 5_000.0}


def static(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """The window view: cosine with the summed static vectors of a memory and its neighbours.

    The sum over neighbours is taken of products and Gram entries, so nothing but the sums is stored.
    """
    vectors = corpus.idf_features.static[view.rows]
    own, turns = _lengths(vectors), np.flatnonzero(view.context)  # only turns have neighbours
    if not len(turns):
        return {"window": (vectors @ query.static) / np.maximum(own, 1e-9)}
    scores = {}
    for name, before, after in (("window", 1, 0), ("window_near", 3, 3)):
        summed, length = view.around(vectors, before, after, np.add), own.copy()
        length[turns] = _lengths(summed[turns])
        scores[name] = (summed @ query.static) / np.maximum(length, 1e-9)
    return scores


def _lengths(vectors: np.ndarray) -> np.ndarray:
    lengths: np.ndarray = np.sqrt(np.einsum("md,md->m", vectors, vectors))
    return lengths


def late(corpus: Corpus, tokens: np.ndarray, idf: np.ndarray, view: View) -> dict[str, np.ndarray]:
    """E12 at three widths: the memory, and where it is a turn, it and the one before, and two on each side.

    Parameters
    ----------
    tokens : float32 (t, 128)
        What is asked for.
    idf : float32 (t,)
        What each of them counts.
    """
    maxima = _token_maxima(corpus, tokens, view)
    share = idf / max(idf.sum(), 1e-9)
    with np.errstate(invalid="ignore"):  # a memory without tokens is NaN throughout
        found = {"late_rare": maxima @ share}
        if view.context.any():
            for name, before, after in (("late_pair", 1, 0), ("late_near", 2, 2)):
                found[name] = np.where(view.context, view.around(maxima, before, after, np.fmax) @ share, np.nan)
    return found


def _token_maxima(corpus: Corpus, tokens: np.ndarray, view: View) -> np.ndarray:
    """For each row, the best match of every question token among its tokens: float32 (m, q), NaN without tokens."""
    owners = corpus.owners.row
    if corpus.one_document_each:  # document i is memory i
        return _known(corpus.tokens.maxima(tokens, ids=view.rows))
    documents = np.flatnonzero(view.place[owners] >= 0)
    found = _known(corpus.tokens.maxima(tokens, ids=documents))
    maxima = np.full((len(view), len(tokens)), np.nan, np.float32)
    places = view.place[owners[documents]]
    several = np.bincount(places, minlength=len(view))[places] > 1
    maxima[places[~several]] = found[~several]  # of most memories: `at` goes number by number
    np.fmax.at(maxima, places[several], found[several])
    return maxima


def _known(maxima: np.ndarray) -> np.ndarray:
    """NaN in place of the -inf of documents without tokens: nothing is known of them, which is neutral."""
    return np.where(np.isfinite(maxima), maxima, np.nan)
