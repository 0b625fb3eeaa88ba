"""What the fields and the form of a memory add to its sum: speaker, date, attribute, standing wishes."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from context_graph.embed.stems import STOP_WORDS, stems, term_id, words
from context_graph.index.batch import ASKS, CONTINUES, DEFINITION, NUMBER, OF_ANOTHER, PASSAGE, TEST, TIME_WORD, WISH
from context_graph.index.corpus import Corpus
from context_graph.index.fields import SEEDED
from context_graph.reading import attributes, cues
from context_graph.reading import intent as fields
from context_graph.reading.definitions import defines, name_asked_for
from context_graph.reading.fact_questions import asks_for_fact, is_of_answers
from context_graph.reading.keyword_queries import names_an_attribute
from context_graph.reading.kinds import kinds_asked, things_of
from context_graph.reading.requests import wish_fit
from context_graph.reading.subjects import content_stems
from context_graph.retrieval.code_fit import code_fit
from context_graph.retrieval.config import KINDS
from context_graph.retrieval.scores import LONG_REPLY
from context_graph.retrieval.view import View

__all__ = ["continued", "named_speakers", "rules"]

SUBJECT = 0.5
"""What the first of several named speakers counts beside one who is named alone."""

WISHES = 256
"""Messages with a standing wish or a preference that are read for one question, the latest."""

OWN_FACT_WISHES = 3
"""Wishes that count for a question about what the user has or reached: most answer it as it is, whatever they want."""

DEFINING = 64
"""Notes with a name that are read for one that says who it is."""

CHAIN = 4
"""How many requests may go on with one, each with that before it."""

MIN_ATTRIBUTE_PROBABILITY = 0.1
"""Least probability of an attribute for it to be asked for."""

NEAR = 0.5
"""What a statement about an attribute near the one that is asked for counts."""

ONE_THING = 16
"""Words up to which a memory is about one thing; of more, its attribute tells less."""

READ_ABOUT = 20
"""Texts about something with a name from which on a store is taken to hold what one reads, beside what is one's own: of
fewer, each may be a note that reads so ("Atlas Mobile is a Flutter app").
"""

Texts = Callable[[np.ndarray], Sequence[str]]
"""Reads the texts of rows."""


def rules(
    corpus: Corpus,
    question: str,
    view: View,
    kinds: np.ndarray,
    texts: Texts | None = None,
    *,
    original: str | None = None,
    programs: np.ndarray | None = None,
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
    original : str, optional
        The question as it was asked, where `question` is its English reading: that may lack who asks.
    programs : bool (n,), optional
        Rows of the store that are of a project with code in it.
    """
    columns, ask, original = corpus.columns, fields.parse(question), original or question
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
        scores["background"] = replies * np.minimum(columns.length[rows] / LONG_REPLY, 1)
    if texts is not None and not (ask.overview or ask.in_turn or ask.different or ask.own_past):
        scores |= _wishes(corpus, question, view, kinds == KINDS.index("request"), texts)
    speakers = named_speakers(corpus, question)
    if speakers:  # of several, the first is most often the one it is about
        spoke = np.float32(1.0 if len(speakers) == 1 else SUBJECT) * (columns.speaker[rows] == speakers[0])
        scores["speaker"] = np.maximum(spoke, scores.get("speaker", np.float32(0)))
    if ask.when:
        scores["when"] = corpus.has(TIME_WORD, rows) * spoken
    if ask.how_many:
        scores["how_many"] = corpus.has(NUMBER, rows) * spoken
    others = corpus.has(OF_ANOTHER, rows) * ((ask.doer or fields.parse(original).doer) and not speakers)
    if others.any():
        scores["of_another"] = others
    passages = corpus.has(PASSAGE, rows) * (kinds == KINDS.index("note")) * cues.of_user(original)
    if passages.any() and corpus.has(PASSAGE, np.arange(len(corpus))).sum() >= READ_ABOUT:
        scores["passage"] = passages
    tests = corpus.has(TEST, rows) * (not ask.tested)
    if tests.any():  # a test has the words of what it tests, and says less of it
        scores["test"] = tests
    if texts is not None:
        code, notes = (kinds == KINDS.index(kind) for kind in ("code", "note"))
        scores |= code_fit(corpus, question, view, code, notes, texts)
    asks = question.endswith("?") and not ask.usage
    if asks and programs is not None and (defines_code := corpus.has(DEFINITION, rows)).any():
        # Of a folder with a program in it: whatever else is remembered is not compared with code.
        seeded = columns.agent[rows] == corpus.agents.known(SEEDED)
        assigns = np.maximum(*(scores.get(fit, np.float32(0)) for fit in ("identifier", "composed"))) > 0
        scores["no_definition"] = (1 - np.maximum(defines_code, assigns)) * (seeded & programs[rows])
    if texts is not None and (name := name_asked_for(original)):
        scores |= _defining(corpus, name, view, kinds == KINDS.index("note"), texts)
    if (kind_asked := kinds_asked(original)) and (notes := kinds == KINDS.index("note")).any():
        scores["kind"] = _of_kinds(corpus, view, kind_asked) * notes * (1 - corpus.has(PASSAGE, rows))
    if not ask.about_talk:
        one_thing = np.minimum(ONE_THING / np.maximum(columns.length[rows], 1), 1)
        may = (kinds != KINDS.index("code")) * one_thing
        if cues.of_user(original) or names_an_attribute(original):
            notes = kinds == KINDS.index("note")
            scores |= _attribute(corpus, question, view, may * (1 - others), notes)
    return scores


def _attribute(corpus: Corpus, question: str, view: View, may: np.ndarray, notes: np.ndarray) -> dict[str, np.ndarray]:
    """How likely a memory is about the attribute of its owner that is asked for ("where do I live?").

    Who tells of themselves names neither the attribute nor themselves: "moved in with Kai on Sunday".

    Parameters
    ----------
    may : float (m,)
        How far each row may answer, in [0, 1].
    notes : bool (m,)
        Which of them are notes: among the turns of a conversation what is near an attribute is seldom of its owner.
    """
    attribute_weights = attributes.of_text(question)
    attribute_weights = np.where(attribute_weights >= MIN_ATTRIBUTE_PROBABILITY, attribute_weights, np.float32(0))
    if not attribute_weights.any():
        return {}
    near = np.maximum(attribute_weights, NEAR * (attribute_weights @ attributes.model().near))
    missing = corpus.attributes.missing(view.rows)
    if len(missing):
        corpus.attributes.append(missing, attributes.likelihoods(attributes.vectors(*corpus.pieces(missing))))
    known = np.sqrt(corpus.attributes.of(view.rows))
    return {"attribute": (may * np.where(notes, known @ near, known @ attribute_weights)).astype(np.float32)}


def _of_kinds(corpus: Corpus, view: View, asked: Collection[int]) -> np.ndarray:
    """Which rows name a thing of a kind that is asked for, by its words: float32 (m,)."""
    named = np.zeros(len(view), bool)
    for thing in {thing for kind in asked for thing in things_of(kind)}:
        terms = np.array([term_id(word) for word in thing if word not in STOP_WORDS], np.int64)
        if (corpus.terms.df(terms) > 0).all():
            named |= (corpus.terms.table(terms, view.rows) > 0).all(axis=1)
    return named.astype(np.float32)


def _defining(corpus: Corpus, name: str, view: View, notes: np.ndarray, texts: Texts) -> dict[str, np.ndarray]:
    """Which notes say who or what a name is, where the question asks for no more than that."""
    terms = np.array(sorted({term_id(stem) for stem in stems(name)}), np.int64)
    if len(terms) == 0:
        return {}
    naming = (corpus.terms.table(terms, view.rows) > 0).all(axis=1) & notes
    places = np.flatnonzero(naming)[:DEFINING]
    defining = np.zeros(len(view), np.float32)
    defining[places] = [defines(text, name) for text in texts(view.rows[places])]
    return {"defines": defining} if defining.any() else {}


def _wishes(corpus: Corpus, question: str, view: View, requests: np.ndarray, texts: Texts) -> dict[str, np.ndarray]:
    """What a user wants always or never, or prefers, by how near its occasion is to the question.

    It holds for whatever is asked later, and so has few of its words.
    """
    places = np.flatnonzero(requests & (corpus.has(WISH, view.rows) > 0))
    if len(places) == 0:
        return {}
    places = places[np.argsort(view.rows[places])[-WISHES:]]
    question_vector = attributes.vector(question)
    fits = np.zeros(len(view), np.float32)
    wanted = texts(view.rows[places])
    fits[places] = [wish_fit(text, question_vector) for text in wanted]
    if asks_for_fact(question):
        topic = content_stems(question)
        fits[places] *= [is_of_answers(text) or not topic.isdisjoint(content_stems(text)) for text in wanted]
    if fields.parse(question).own_fact:
        fits[np.argsort(-fits, kind="stable")[OWN_FACT_WISHES:]] = 0.0
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
