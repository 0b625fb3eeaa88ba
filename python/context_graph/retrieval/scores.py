"""Every score that takes part in the fusion, over the rows of a view."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.embed import QueryVectors, hyperdimensional
from context_graph.embed.stems import STOP_WORDS, stem_of, term_id, words
from context_graph.index.batch import ASKS, CONTINUES, NUMBER, OF_ANOTHER, TIME_WORD, WISH
from context_graph.index.corpus import Corpus
from context_graph.reading import attributes, cues
from context_graph.reading import intent as fields
from context_graph.reading.requests import wish_fit
from context_graph.retrieval.config import KINDS
from context_graph.retrieval.fusion import APART, kinds_of
from context_graph.retrieval.view import View

__all__ = [
    "K1",
    "B",
    "QueryTerms",
    "bm25",
    "bm25_terms",
    "continued",
    "idf_of",
    "late",
    "lexical",
    "named_speakers",
    "rules",
    "semantic",
    "spelling",
    "static",
]

K1, B = 1.2, 0.75
SUBJECT = 0.5
"""What the first of several named speakers counts beside one who is named alone."""

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

LONG = 100
"""Words from which on a reply is background in full."""

WISHES = 256
"""Messages with a standing wish or a preference that are read for one question, the latest."""

CHAIN = 4
"""How many requests may go on with one, each with that before it."""

MIN_ATTRIBUTE_PROBABILITY = 0.1
"""Least probability of an attribute for it to be asked for."""

ONE_THING = 16
"""Words up to which what user and assistant say is about one thing; of more, its attribute tells less."""

CUE = 0.5
"""What a word of the rationale counts beside one of the text."""


Texts = Callable[[np.ndarray], Sequence[str]]
"""Reads the texts of rows."""


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The words of a question in the lexical space, once for the text and once for the rationale, in a fixed order."""

    ids: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, query: QueryVectors, *, cues: bool = True) -> "QueryTerms":
        weights = {term: CUE * count for term, count in query.cues.items() if cues}
        for reading in query.readings:
            weights |= {term: max(count, weights.get(term, 0.0)) for term, count in reading.items()}
        weights |= query.terms
        ids = np.array(sorted(weights), np.int64)
        return cls(ids, np.array([weights[term] for term in ids.tolist()], np.float32))

    def weights(self, corpus: Corpus) -> np.ndarray:
        """What each word counts in a corpus: its rarity times how often the question has it. float32 (t,)."""
        weights: np.ndarray = idf_of(corpus.terms.df(self.ids), corpus.documents) * self.counts
        return weights


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
        joined = (kinds == KINDS.index("reply")) * (1 - np.minimum(own / LONG, 1))
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


def spelling(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """E9: share of equal bits, -1 to 1."""
    bits = hyperdimensional.bits(query.text)  # not part of the question: what has no weight is not computed
    return {"spelling": 1.0 - corpus.bits.distances(bits[None], ids=view.rows)[0] / 5_000.0}


def static(corpus: Corpus, query: QueryVectors, view: View) -> dict[str, np.ndarray]:
    """The window view: cosine with the summed static vectors of a memory and its neighbours.

    The sum over neighbours is taken of products and Gram entries, so nothing but the sums is stored.
    """
    vectors = corpus.idf_features.static[view.rows]
    scores = {}
    for name, before, after in (("window", 1, 0), ("window_near", 3, 3)):
        if name == "window_near" and not view.context.any():
            continue
        summed = view.around(vectors, before, after, np.add) if view.context.any() else vectors
        length = np.sqrt(np.einsum("md,md->m", summed, summed))
        scores[name] = (summed @ query.static) / np.maximum(length, 1e-9)
    return scores


def late(corpus: Corpus, tokens: np.ndarray, rarity: np.ndarray, view: View) -> dict[str, np.ndarray]:
    """E12 at three widths: the memory, and where it is a turn, it and the one before, and two on each side.

    Parameters
    ----------
    tokens : float32 (t, 128)
        What is asked for.
    rarity : float32 (t,)
        What each of them counts.
    """
    maxima = _token_maxima(corpus, tokens, view)
    share = rarity / max(rarity.sum(), 1e-9)
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


def rules(
    corpus: Corpus, question: str, view: View, kinds: np.ndarray, texts: Texts | None = None
) -> dict[str, np.ndarray]:
    """What the fields of a memory say about it: its speaker, date, form and information content.

    Scores are in their natural units, not standardised: a field that fits is worth the same in any store.

    Parameters
    ----------
    kinds : int8 (m,)
        Of the rows. A user's questions carry what is asked for and an assistant's answers are long, so what the form of
        a turn among people says holds for neither.
    texts : callable, optional
        Reads rows; without it no wish is looked for.
    """
    columns, ask = corpus.columns, fields.parse(question)
    rows, spoken = view.rows, kinds == KINDS.index("dialogue")
    scores = {
        "asks": corpus.has(ASKS, rows) * spoken,
        "answers": view.shifted(corpus.has(ASKS, rows)) * spoken,
        "information": (corpus.idf_features.info[rows] - 3.0) * spoken,
    }
    replies = (kinds == KINDS.index("reply")).astype(np.float32)
    if replies.any() and ask.replied:
        scores["speaker"] = replies
    elif replies.any() and not ask.overview:
        scores["background"] = replies * np.minimum(columns.length[rows] / LONG, 1)
    if texts is not None and not ask.overview and not ask.listed:
        scores |= _wishes(corpus, question, view, kinds == KINDS.index("request"), texts)
    speakers = named_speakers(corpus, question)
    if speakers:  # of several, the first is most often the one it is about
        spoke = np.float32(1.0 if len(speakers) == 1 else SUBJECT) * (columns.speaker[rows] == speakers[0])
        scores["speaker"] = np.maximum(spoke, scores.get("speaker", np.float32(0)))
    if ask.when:
        scores["when"] = corpus.has(TIME_WORD, rows) * spoken
    if ask.how_many:
        scores["how_many"] = corpus.has(NUMBER, rows) * spoken
    others = corpus.has(OF_ANOTHER, rows) * (ask.doer and not speakers)
    if others.any():
        scores["of_another"] = others
    if not ask.about_talk:
        one_thing = np.minimum(ONE_THING / np.maximum(columns.length[rows], 1), 1)
        may = (kinds != KINDS.index("code")) * np.where(np.isin(kinds, APART), one_thing, 1)
        scores |= _attribute(corpus, question, view, may * (1 - others))
    return scores


def _attribute(corpus: Corpus, question: str, view: View, may: np.ndarray) -> dict[str, np.ndarray]:
    """How likely a memory is about the attribute of its owner that is asked for ("where do I live?").

    Who tells of themselves names neither the attribute nor themselves: "moved in with Kai on Sunday".

    Parameters
    ----------
    may : float (m,)
        How far each row may answer, in [0, 1].
    """
    if not cues.USER.search(question):
        return {}
    attribute_weights = attributes.of_text(question)
    attribute_weights = np.where(attribute_weights >= MIN_ATTRIBUTE_PROBABILITY, attribute_weights, np.float32(0))
    if not attribute_weights.any():
        return {}
    missing = corpus.attributes.missing(view.rows)
    if len(missing):
        corpus.attributes.append(missing, attributes.likelihoods(attributes.vectors(*corpus.pieces(missing))))
    known = corpus.attributes.of(view.rows)
    return {"attribute": (may * (np.sqrt(known) @ attribute_weights)).astype(np.float32)}


def _wishes(corpus: Corpus, question: str, view: View, requests: np.ndarray, texts: Texts) -> dict[str, np.ndarray]:
    """What a user wants always or never, or prefers, by how near its occasion is to the question.

    It holds for whatever is asked later, and so has few of its words.
    """
    places = np.flatnonzero(requests & (corpus.has(WISH, view.rows) > 0))
    if len(places) == 0:
        return {}
    places = places[np.argsort(view.rows[places])[-WISHES:]]
    asked = attributes.vector(question)
    fits = np.zeros(len(view), np.float32)
    fits[places] = [wish_fit(text, asked) for text in texts(view.rows[places])]
    return {"wish": fits}


def continued(view: View, corpus: Corpus, requests: np.ndarray, total: np.ndarray, share: float) -> np.ndarray:
    """What is added to a request that goes on with the one before, up to a share of what that has: float32 (m,).

    "Sounds good, I'll do that" says what its writer agreed to only beside what it answers.
    """
    before = view.previous(requests)
    going_on = np.flatnonzero((corpus.has(CONTINUES, view.rows) > 0) & requests & (before >= 0))
    reached: np.ndarray = total.astype(np.float32)
    for _ in range(CHAIN):
        reached[going_on] = np.maximum(reached[going_on], np.float32(share) * reached[before[going_on]])
    added: np.ndarray = reached - total
    return added


def named_speakers(corpus: Corpus, question: str) -> list[int]:
    """Codes of the speakers whose first or whole name stands in the question, in the order they are named."""
    said = {word for word in words(question) if word not in STOP_WORDS}
    named = (
        (code, fields.name_in(question, corpus.speakers.texts[code])) for code in corpus.speakers.with_first_word(said)
    )
    return [code for _, code in sorted((found.start(), code) for code, found in named if found)]
