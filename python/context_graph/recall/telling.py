"""Which of the memories found a context tells: the best, a few of them, the nearest, or none."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.derived.beliefs import labels_of
from context_graph.embed import expansion, sentence_table
from context_graph.embed.languages import ENGLISH, in_english, language_of, native_stems
from context_graph.embed.other_languages import OTHER_LANGUAGES
from context_graph.embed.stems import stem_of, stems, term_id, words
from context_graph.embed.word_rarity import word_rarities
from context_graph.instants import DAY_US
from context_graph.models import Caller, Node
from context_graph.presentation.addresses import is_of_file
from context_graph.reading import cues
from context_graph.reading.acts import asked_for, named_in
from context_graph.reading.ages import asks_for_age
from context_graph.reading.answer_types import answer_type, holds_answer, name_stems
from context_graph.reading.asked_time import asked_time
from context_graph.reading.fingerprints import given_name
from context_graph.reading.german_spanish_answers import asked_kind, may_answer, names_somebody
from context_graph.reading.identifiers import of_another_number
from context_graph.reading.intent import parse
from context_graph.reading.keyword_queries import is_for_an_attribute, is_keywords, names_an_attribute
from context_graph.reading.qualifiers import qualified_alike
from context_graph.reading.subjects import content_stems
from context_graph.reading.troubles import asks_for_trouble, tells_trouble, trouble_topic
from context_graph.reading.utterance import ASSISTANTS, USERS
from context_graph.recall.answer import Answer, Hit
from context_graph.recall.apart.holders import is_of_another_than_asked, is_of_asked
from context_graph.recall.lists import tells_list
from context_graph.recall.notes import of_conversation, of_one_person, of_tellers
from context_graph.recall.plain_answers import answers_plainly, names_no_holder, says_age, says_age_of_another
from context_graph.recall.whole_times import latest
from context_graph.regex import regex
from context_graph.retrieval.relevance import MIN_STATEMENT_RELEVANCE, NAMED, worth_telling
from context_graph.retrieval.scores import ONE_STATEMENT

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = [
    "NEAREST",
    "Telling",
    "are_of_others",
    "asks_when_it_happened",
    "is_doubtful",
    "lacks_answer",
    "own_first",
    "selected_hits",
    "worth",
]

OF_USER = {"base": 0.13, "minilm": 0.04}
"""What the bar counts, by tier, for a question about the user, whose memory this is: "what am I studying?" shares no
word with "I hand in my thesis in May"."""

OF_OTHERS = {"base": 0.13, "minilm": 0.04}
"""What it counts, by tier, for any other question where the best is a plain statement, which has few words to share."""

DOUBTED = {"base": 0.1, "minilm": 0.05}
"""Probability that anything here is about the question, by tier, below which what is told is told with a doubt: chosen
on the lives that are not held, by `benchmarks.quality.lives --forgotten`."""

WORD_BY_WORD = 0.08
"""What the bar counts where the question or the best memory is in another language than English: both are judged by an
English reading of single words, which shares fewer of them than two English sentences do."""

FEW = 3
"""Memories that are told below the usual bar."""

NEAREST = 5
"""Memories that are told below it where the question can only be about this memory."""

MAX_SMALL_MEMORY = 300
"""Memories up to which a question with a rare word that is known here is told the nearest."""

MIN_KNOWN_RARITY = 0.55
"""Rarity in English from which a word that is known here says that a question is about it: "billing", not "work"."""

MIN_NEARNESS = 0.4
"""Cosine of what a question and a note mean, by the table of word pieces, from which the question is about this memory.
Of 1,860 questions of encyclopedias, asked of memories of one person, 0.9 % have a note as near, and 87 % of those about
these persons."""

SHORT = 200
"""Characters of a statement that somebody made; what is longer is a text about something."""

TIMELY = 0.35
"""Share of the best score of time from which a memory lies in the time that a question asks for; what was stored then
and tells of an earlier day has 0.4 of it."""

OF_DAY = 0.7
"""The same share where a day is asked for: what a dialogue says soon after it has 0.6 of the best."""

NEARLY = 0.5
"""Share of the relevance of the best from which on a note is about as relevant."""

FAMILY = 6
"""Letters with which two words of one family begin."""

_HAPPENED = regex(
    r"\b(?:when|how long ago|(?:what|which) (?:day|date|month|year|week))\b.{0,40}\b(?:did|was|were|had|has|have)\b",
    re.I,
)
"""Asks when something happened."""

_WHEN_DONE = regex(r"^\W*when (?:was|were|has|have|had) .{2,80} (?!born\b)([a-z]{3,20})\W*$", re.I)
"""Asks when something was done that its last word says."""

_DEFINITE = regex(r"\b(?:the|this|that|these|those)((?: [\w'’-]+){1,2})", re.I)
"""What stands behind a word for something definite."""

_HERE = regex(r"\b(?:here|around here)\b(?! (?:is|are|comes)\b)", re.I)
"""Where the user is: "who works here?"."""

_UNNAMED = regex(r"\b(?:he|she|his|him|her)\b", re.I)
"""Somebody whom a question does not name is known from here."""

_CONDUCT = regex(
    r"\b(?:should|shall|must)(?:n['’]t)? you\b|\bare you (?:supposed|allowed|meant) to\b"
    r"|\byou (?:should|must|have to|(?:are|were) (?:supposed|allowed|meant|told) to)\b",
    re.I,
)
"""Questions for what the assistant is to do."""


_OF_ANYBODY = regex(
    r"\b(?:do|does|did|can|is|are|should) (?:an?|people|humans|most|you|one|animals)\b|\bhow (?:do|can|to|does one)\b"
    r"|\b(?:what|who) (?:is|are|was|were) (?!the\b|my\b|our\b|in\b|on\b|at\b|with\b)[a-z]+( [a-z]+)?\W*$"
    r"|\bthe (?:[a-z]{3,12}est|most)\b(?<!latest)",
    re.I,
)
"""Asks for what holds anywhere: how one does something, what a word means, the greatest of all."""


class Telling(NamedTuple):
    """What a context tells of the memories found.

    Attributes
    ----------
    sure : bool
        Whether the question is likely enough to be answered by them; else they are but the nearest.
    plain : bool
        One of them answers it in plain words.
    left_out : int, optional
        How many more lie in the time, where the question asks for nothing else; None where it does.
    """

    hits: tuple[Hit, ...]
    sure: bool
    plain: bool = False
    left_out: int | None = None


def worth(memory: "Runtime", question: str, caller: Caller, answer: Answer, *, now: int, most: int) -> Telling:
    """The hits that a context tells.

    Where the question is likely enough to be about this memory, the best; where it may be answered in other words than
    its own, the first few; before them, what answers it plainly. Where neither holds, but one person tells all this and
    the question can only be about it ("which vendors do we have?"), the nearest, for who asks to judge. Nothing for any
    other.

    Parameters
    ----------
    now : int
        When it is asked, in microseconds.
    most : int
        Hits of a time that are told where nothing but that is asked for, the latest.
    """
    bar, tier = memory.settings.abstain_below, memory.embedder.tier
    if memory.embedder.label == tier:
        answer = replace(answer, hits=_comparable(question, answer.hits))
    if dated := _of_a_whole_time(question, answer.hits, now):
        timely = latest(dated, most)
        return Telling(timely, True, True, len(dated) - len(timely))
    answer = replace(answer, hits=answer.hits[:most])
    nodes = [hit.node for hit in answer.hits]
    ask = parse(question)
    if (ask.overview or ask.in_turn) and of_conversation(nodes):  # each of them may have a part of the answer
        hits = _in_order(answer.hits) if ask.in_turn else answer.hits
        return Telling(hits, bool(selected_hits(answer, _lowered(question, answer, tier) * bar, tier)))
    by_id = {hit.node.id: hit for hit in answer.hits}
    plain = tuple(hit for hit in answer.hits if _answers_plainly(question, hit, by_id.get(hit.replaced_by or "")))
    if hits := selected_hits(answer, bar, tier):
        hits = _of_the_time(question, hits, now)
        return Telling(_first(plain, hits[:NEAREST]) if plain else hits, True, bool(plain))
    hits = selected_hits(answer, _lowered(question, answer, tier) * bar, tier)
    hits = tuple(hit for hit in hits if not given_name(hit.node) or _fits(hit))
    if plain:
        return Telling(_first(plain[:NEAREST], hits[:FEW]), True, True)
    of_ones_own = of_one_person(nodes) or of_conversation(nodes) or of_tellers(nodes)
    if of_ones_own and _of_this_memory(memory, question, caller, answer.hits):
        return Telling(_nearest(question, answer.hits), bool(hits))
    return Telling(hits[:FEW], True)


def _comparable(question: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Of a question in a language that neither a table nor the model reads, the hits that have a word of it: how near
    the others are says nothing.
    """
    language = language_of(question)
    if language not in OTHER_LANGUAGES:
        return hits
    question_stems = frozenset(native_stems(question, language))
    return tuple(hit for hit in hits if not question_stems.isdisjoint(native_stems(hit.node.content, language)))


def _answers_plainly(question: str, hit: Hit, later: Hit | None) -> bool:
    """Whether a statement answers a question in plain words, and the later one that took its place, if any, has none of
    the words that it shares with the question."""
    text = hit.node.content
    stated = _plain(hit.node) or (hit.node.speaker or "").lower() in USERS
    if not stated or hit.until is not None or not answers_plainly(question, text):
        return False
    if hit.replaced_by is None:
        return True
    shared = content_stems(question) & content_stems(text)
    return bool(shared) and later is not None and shared.isdisjoint(content_stems(later.node.content))


def _first(first: tuple[Hit, ...], hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """All of some hits, certain ones before the others."""
    ids = {hit.node.id for hit in first}
    return (*first, *(hit for hit in hits if hit.node.id not in ids))


def _nearest(question: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The first of the hits, before them what has the form that is asked for: a list, or that something is broken, of
    these first what has a word of the thing that may be."""
    wanted, troubles = asked_for(question), asks_for_trouble(question)
    topic = trouble_topic(question) if troubles else frozenset()
    about = tuple(hit for hit in hits if not topic.isdisjoint(stems(hit.node.content)))
    to_do = wanted is not None and "open" in wanted.acts
    formed = tuple(
        hit
        for hit in hits
        if (to_do and tells_list(question, (hit,))) or (troubles and tells_trouble(hit.node.content))
    )
    return _first(_first(about, formed), hits)[:NEAREST]


def _of_the_time(question: str, hits: tuple[Hit, ...], now: int) -> tuple[Hit, ...]:
    """Of a question for nothing but a time that an event or an order bounds ("what came after the storm?"), what lies
    in it, if anything does, and what took the place of that; of a time that is over, in its order.
    """
    times = asked_time(question, now)
    if not times.general:
        return hits
    timely = _in_time(hits, TIMELY)
    return _in_order(timely) if timely and times.spans[:1] and times.spans[0].end <= now else timely or hits


def _in_order(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    return tuple(sorted(hits, key=lambda hit: (hit.node.occurred_at, hit.node.created_at)))


def _in_time(hits: tuple[Hit, ...], share: float) -> tuple[Hit, ...]:
    """The hits with a share of the best score of time, and what took the place of them."""
    fits = [hit.parts.get("time", 0.0) for hit in hits]
    inside = {hit.node.id for hit, fit in zip(hits, fits, strict=True) if fit > 0 and fit >= share * max(fits)}
    inside |= {hit.replaced_by for hit in hits if hit.node.id in inside and hit.replaced_by}
    return tuple(hit for hit in hits if hit.node.id in inside)


def _of_a_whole_time(question: str, hits: tuple[Hit, ...], now: int) -> tuple[Hit, ...]:
    """Of a question for nothing but a time ("What happened on 6 June?", "What changed since Monday?"), what was told in
    it or is of it, and what took the place of that, in the order of time where it is over: whatever the words of the
    date are like.
    """
    times = asked_time(question, now)
    if not (times.general and times.spans):
        return ()
    of_day = times.spans[0].end - times.spans[0].start <= DAY_US
    if not of_day and (times.event or times.order):
        return ()
    dated = _in_time(hits, OF_DAY if of_day else TIMELY)
    return _in_order(dated) if times.spans[0].end <= now else dated


def _of_this_memory(memory: "Runtime", question: str, caller: Caller, hits: Sequence[Hit]) -> bool:
    """Whether what is asked can only be known from here.

    It names nobody whom no memory names. And it speaks of the user, of what the assistant is to do or of "her", names
    somebody known, asks for all of a kind, for what is broken, or for something definite in a word that is known, or
    near one: "the bastion". So are a few keywords, half of them at least, or what a person or a project may have:
    "commute". In a small memory a rare word that is known is enough, or a note that means nearly what is asked, unless
    what holds anywhere is asked for.
    """
    corpus, read = memory.corpus, in_english(question)
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())

        def known(term: int) -> bool:
            return bool(visible[corpus.terms.postings(term)[0]].any())

        names = [known(term_id(stem_of(name.lower()))) for name in named_in(question)]
        definite = any(known(term) for phrase in _DEFINITE.findall(read) for term in expansion.terms(phrase))
        if is_keywords(question):
            near = [any(map(known, expansion.terms(word))) for word in words(read) if stem_of(word)]
            definite = definite or 2 * sum(near) >= max(1, len(near))
        elif visible.sum() <= MAX_SMALL_MEMORY and not _OF_ANYBODY.search(read):
            dates = asked_time(question, memory.present()).light  # those of a memory are indexed with its words
            dated = {term_id(stem_of(word)) for word in words(read) if word in dates or cues.TIMED.fullmatch(word)}
            rarities = word_rarities(read).items()
            definite = definite or any(
                rarity >= MIN_KNOWN_RARITY and term not in dated and known(term) for term, rarity in rarities
            )
            definite = definite or _nearness(question, hits) >= MIN_NEARNESS
    if not all(names):
        return False
    of_who_talks = (
        _is_of_user(question, read)
        or _HERE.search(read)
        or _CONDUCT.search(read)
        or (not names and _UNNAMED.search(read))
    )
    of_an_attribute = names_an_attribute(read) or is_for_an_attribute(read) or asks_for_trouble(read)
    wanted = asked_for(question)
    return bool(names or definite or of_who_talks or of_an_attribute) or (wanted is not None and wanted.sure)


def _is_of_user(question: str, read: str) -> bool:
    """Whether a question, and what it reads in English, is about the user; the ending of a verb may say so."""
    return cues.of_user(read) or (language_of(question) != ENGLISH and cues.of_user(cues.readable(question)))


def _nearness(question: str, hits: Sequence[Hit]) -> float:
    """The greatest cosine of what a question means and what a short note of the first ones does."""
    question_vector = sentence_table.vector(question)
    brief = (hit.node.content for hit in hits[:NEAREST] if len(hit.node.content.split()) <= ONE_STATEMENT)
    return max((float(question_vector @ sentence_table.vector(text)) for text in brief), default=0.0)


def _lowered(question: str, answer: Answer, tier: str) -> float:
    """What the bar counts for a few of the best, where a question is answered in other words than its own."""
    if not answer.hits:
        return 1.0
    best, by_word = answer.hits[0].node, _by_word(question, answer)
    if _is_of_user(question, in_english(question)):
        return min(by_word, OF_USER[tier])
    return min(by_word, OF_OTHERS[tier]) if _plain(best) or _belief(best) else by_word


def is_doubtful(question: str, answer: Answer, tier: str) -> bool:
    """Whether hardly anything here is about a question, so that what is told of it is told with a doubt."""
    return bool(answer.hits) and answer.answered < DOUBTED[tier] * _by_word(question, answer)


def lacks_answer(question: str, hits: Sequence[Hit]) -> bool:
    """Whether none of the notes told that are about as relevant as the best holds the kind of answer that is asked for:
    "how old is Fergus?" of "Fergus has a boat".

    When something happened is known from the date of a note; why it did, seldom stands beside it in words for that.
    What is told of staging alone does not answer what is asked of production.
    """
    if foreign := asked_kind(question):
        return _lacks_foreign(question, foreign, hits)
    if hits and (_are_of_another(question, hits) or not _holds_deed(question, hits)):
        return True
    kind = answer_type(question)
    if kind in ("", "reason") or _HAPPENED.search(question) or not all(_is_own_statement(hit.node) for hit in hits):
        return False
    least = NEARLY * max((hit.alone for hit in hits), default=0.0)
    question_stems, names = frozenset(stems(question)), name_stems(question)
    near = [hit.node.content for hit in hits if hit.alone >= least]
    return bool(near) and not any(
        holds_answer(text, kind, question_stems, names)
        and not (names_no_holder(question, text) or says_age_of_another(question, text))
        for text in near
    )


def asks_when_it_happened(question: str) -> bool:
    """Whether a question is for the time of something past, which the date of its note may tell."""
    return _HAPPENED.search(question) is not None


def are_of_others(question: str, hits: Sequence[Hit]) -> bool:
    """Whether the first of the notes told, and all about as relevant as the best, are of other people than those asked
    about: "Tom's vegetarian" where the user asks "am I vegetarian?".
    """
    least = NEARLY * max((hit.alone for hit in hits), default=0.0)
    near = [*hits[:1], *(hit for hit in hits if hit.alone >= least)]
    return bool(near) and all(is_of_another_than_asked(question, hit.node.content) for hit in near)


def own_first(question: str, hits: list[Hit]) -> list[Hit]:
    """The hits, before those of other people the first of whom the question asks about, which nothing took the place
    of: if it is about as relevant as the best, or has a word of one family with the question ("therapist", "therapy").
    What is about "KES-101" alone comes behind what is not where the question is for "KES-103", what gives an age before
    what gives none where that is asked for.
    """
    hits = sorted(hits, key=lambda hit: of_another_number(question, hit.node.content))
    if asks_for_age(question):
        hits.sort(key=lambda hit: not says_age(question, hit.node.content))
    others = next((i for i, hit in enumerate(hits) if not is_of_another_than_asked(question, hit.node.content)), 0)
    if not others:
        return hits
    least = NEARLY * max(hit.alone for hit in hits)
    for hit in hits[others:]:
        about = hit.alone >= least or _share_a_family(question, hit.node.content)
        if about and hit.replaced_by is None and is_of_asked(question, hit.node.content):
            return [hit, *(other for other in hits if other is not hit)]
    return hits


def _share_a_family(question: str, text: str) -> bool:
    """Whether a word of each begins alike."""
    families, others = (
        {stem[:FAMILY] for stem in content_stems(one) if len(stem) >= FAMILY} for one in (question, text)
    )
    return not families.isdisjoint(others)


def _holds_deed(question: str, hits: Sequence[Hit]) -> bool:
    """Whether a note has a time, or a word for what was done, where a question asks when that was: "deployed"."""
    asked = _WHEN_DONE.match(question)
    if asked is None or language_of(question) != ENGLISH:
        return True
    deed = expansion.terms(asked[1])
    return any(
        holds_answer(hit.node.content, "time", ()) or any(term_id(stem) in deed for stem in stems(hit.node.content))
        for hit in hits
    )


def _are_of_another(question: str, hits: Sequence[Hit]) -> bool:
    """Whether the notes about as relevant as the best are of staging where production is asked for, and none of it."""
    least = NEARLY * max(hit.alone for hit in hits)
    alike = {qualified_alike(question, hit.node.content) for hit in hits if hit.alone >= least}
    return False in alike and True not in alike


def _lacks_foreign(question: str, kind: str, hits: Sequence[Hit]) -> bool:
    """The same of a question in German or Spanish, of what the user said too: there the bar is so low that whatever
    names who is asked about is told.
    """
    if not hits or not all(_is_own_statement(hit.node) for hit in hits):
        return False
    least = 0.0 if names_somebody(question) else NEARLY * max(hit.alone for hit in hits)
    return not any(may_answer(hit.node.content, question, kind) for hit in hits if hit.alone >= least)


def _by_word(question: str, answer: Answer) -> float:
    """What a bar counts where the question or the best memory is in another language than English."""
    languages = {language_of(question), language_of(answer.hits[0].node.content)}
    return 1.0 if languages == {ENGLISH} else WORD_BY_WORD


def _belief(node: Node) -> bool:
    """Whether it is a short statement that was given a name: no entry of an encyclopedia, no part of a file."""
    return not (node.speaker or is_of_file(node) or _limited(node)) and len(node.content) <= SHORT


def _fits(hit: Hit) -> bool:
    """Whether a named statement may be told below the bar: it holds everywhere, and has something of the question."""
    return hit.alone >= MIN_STATEMENT_RELEVANCE and not _limited(hit.node)


def _limited(node: Node) -> bool:
    """Whether it holds but in some domains or projects: there it is told where it is named, or surely answers."""
    return bool(labels_of(node.metadata, node.domain))


def _plain(node: Node) -> bool:
    """Whether it is a statement without a speaker and a title."""
    return not node.speaker and not given_name(node)


def _is_own_statement(node: Node) -> bool:
    """Whether it is such a statement, or what the user said."""
    return _plain(node) or (node.speaker or "").lower() in USERS


def selected_hits(answer: Answer, least: float, tier: str) -> tuple[Hit, ...]:
    """The hits that a context tells: none where the question is less likely than `least` to be about this memory, else
    the best in the order of their ranks.

    The question is judged, not each memory by itself: the second step of a question has few of its words, and so have
    short answers in a dialogue.
    """
    if answer.answered < least:
        return ()
    hits = answer.hits
    scores, alone = (np.array([getattr(hit, name) for hit in hits]) for name in ("score", "alone"))
    name_evidence = np.array([[hit.parts.get(name, 0.0) for name in NAMED] for hit in hits])
    speakers = [(hit.node.speaker or "").lower() for hit in hits]
    exchanged = np.array([speaker in (*USERS, *ASSISTANTS) for speaker in speakers])
    plain = np.array([_plain(hit.node) for hit in hits])
    standing = np.array([hit.parts.get("wish", 0.0) > 0 for hit in hits])
    brief = np.array([len(hit.node.content) <= SHORT for hit in hits])
    code = np.array([hit.node.metadata.get("kind") == "code" for hit in hits])
    kept = worth_telling(
        scores, alone, name_evidence, tier, exchanged=exchanged, plain=plain, standing=standing, brief=brief, code=code
    )  # fmt: skip
    return tuple(hit for hit, keep in zip(answer.hits, kept.tolist(), strict=True) if keep)
