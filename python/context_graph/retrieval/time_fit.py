"""How well each memory fits the time that a question asks about."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from context_graph.embed.stems import words
from context_graph.index.batch import TIME_WORD
from context_graph.index.corpus import Corpus
from context_graph.instants import DAY_US
from context_graph.reading import cues, intent
from context_graph.reading.asked_time import AskedTime
from context_graph.reading.calendar_spans import Span
from context_graph.reading.time_expressions import expressions
from context_graph.regex import regex
from context_graph.retrieval.scores import QueryTerms, idf_of

__all__ = ["RowTimes", "TimeFit", "time_fit", "times_in"]

COMING_US = 1_000 * DAY_US  # how far "next" looks ahead
READ = 256  # memories whose words of time are read for one question, and as many that have none in English
LONGEST_US = 100 * DAY_US  # what a text says of a longer time is no date of what happened

TIME_IDF = 2.0
"""A time tells more than a word that as few memories have: it is never there by chance."""

FITS = 0.5
"""From here on a memory lies in a time."""

OWN_BESIDE = {1: 0.75, -1: 0.4}
"""What the moment of a memory counts that tells of a later or an earlier time."""

YEAR = 0.3
"""What a year that the question names counts: it is a word of what is told ("the 2016 edition") as often as a time."""

AHEAD = 0.3
"""What lying ahead counts for a question that asks when something is, and does not say "next"."""

OTHER_MEANING = 0.6
"""What the second meaning of an expression counts."""

BESIDE = 0.3
"""What the time just outside counts: people err by a day."""

SOON_AFTER = 0.6
"""What a turn of a dialogue that is told soon after a day counts, where something is told on that day itself."""

EVENT_ITSELF = -0.5
"""A note of the event is not what came before or after it."""

_BEFORE_NAME = regex(
    r"\b(?:before|prior to|vor|antes de)\s+(?:(?:we|i) (?:had|used|took|moved to|switched to) )?[A-ZÄÖÜ][\w.-]+\W*$"
)
"""What was before a thing with a name is what it took the place of: a note of the change names both."""

NEXT_ALONE, NEXT, MIN_NEXT_FIT = 0.6, 0.15, 0.4
"""How fast the fit falls from the nearest to the event on: for a question that asks for nothing else, and for others,
whose answer need not be the nearest, down to a least."""

IN_TURNS = 0.5
"""What lying before or after an event counts for the turn of a dialogue."""

ANCHORS = 64
ALONE = 1.5
"""What the time counts for a question that asks for nothing else."""

NEARLY, NEARER = 3.0, 0.5
"""How far below the best score a memory is still of the kind that is asked for; which share of the way
from the median to the best a note has come then."""

MIN_ANCHOR_SHARE = 0.4
"""Share of the words of an event, by rarity, that a memory of it must hold."""

Texts = Callable[[np.ndarray], Sequence[str]]
Times = Callable[[np.ndarray], "Sequence[RowTimes | None]"]


@dataclass(frozen=True, slots=True, eq=False)
class TimeFit:
    """The time of a question, over all rows of a corpus.

    Attributes
    ----------
    constraint : AskedTime
    fit : float32 (n,)
        In [-1, 1]: 1 within the time that is asked for, 0 far from it, below 0 where it is known to be another.
    at : int64 (n,)
        When what each memory tells of is: the moment that it names, if it names one, else its own.
    names : bool (n,)
        Which memories name a moment that is not their own.
    occurred : int64 (n,)
        The own moment of each memory.
    restricts : bool
        Whether any memory fits, so that the time tells them apart.
    now : int
        When it is asked.
    idf : float
        What the time is worth as a word of the question: the fewer memories lie in it, the more.
    """

    constraint: AskedTime
    fit: np.ndarray
    at: np.ndarray
    names: np.ndarray
    occurred: np.ndarray
    restricts: bool
    now: int
    idf: float

    @property
    def light(self) -> frozenset[str]:
        """Words of the question that no memory has to hold to answer it."""
        event = frozenset(words(f"{self.constraint.event} {self.constraint.until}")) if self.restricts else frozenset()
        return self.constraint.light | event

    @property
    def score(self) -> np.ndarray:
        """Its score in the ranking: a question for nothing but a time is answered by nothing else. float32 (n,)."""
        return self.fit * np.float32(ALONE if self.constraint.general else 1.0)

    def best(self, mask: np.ndarray, most: int) -> np.ndarray:
        """The rows that may answer and lie in the time that is asked for, the latest where there are more."""
        rows = np.flatnonzero(mask & (self.fit >= FITS))
        return rows[np.argsort(self.at[rows], kind="stable")[-most:]]

    def inside(self, rows: np.ndarray) -> np.ndarray:
        """Which rows lie in the time that is asked for; all where that tells nothing apart. bool (m,)."""
        return self.fit[rows] >= FITS if self.restricts else np.ones(len(rows), bool)

    def may_hold(self, rows: np.ndarray) -> np.ndarray:
        """Which rows may take the place of an earlier one as what holds now: bool (m,).

        Where the question asks for what was in some time, what was told before it ("the visit on the 12th was moved");
        what has been told since leaves it so. Of what is to come, what lies in the time asked about
        or names none ("we go to Rügen instead"); where that is any time to come, what names one: the right day may be
        past.
        """
        constraint = self.constraint
        gone = self.restricts and any(span.end <= self.now or not constraint.present for span in constraint.spans[:1])
        if gone and not (constraint.event or constraint.since_when or constraint.order):
            told_before: np.ndarray = self.occurred[rows] < constraint.spans[0].start
            return told_before
        if gone or constraint.event or constraint.since_when or constraint.order in ("first", "last"):
            return np.zeros(len(rows), bool)
        may: np.ndarray = self.inside(rows) | (~self.names[rows] if constraint.spans else self.names[rows])
        return may

    def alike(self, rows: np.ndarray, total: np.ndarray, notes: np.ndarray) -> np.ndarray:
        """Places of the rows of which the first or the last may be asked for, the best first: int64 (k,).

        They are what the other scores find nearly as good as the best; of notes of which the last is asked for, what
        stands nearer to the best than to the rest, for two of one kind may share no word.

        Parameters
        ----------
        notes : bool (m,)
            Which rows are notes.
        """
        kind = self.inside(rows) & (self.at[rows] <= self.now)
        if self.constraint.order not in ("first", "last") or not kind.any():
            return np.zeros(0, np.int64)
        best = total[kind].max()
        near = total >= best - NEARLY
        if self.constraint.order == "last":
            near |= notes & (total >= NEARER * best + (1 - NEARER) * np.median(total))
        kind &= near
        places = np.flatnonzero(kind)
        return places[np.argsort(-total[places], kind="stable")]

    def in_order(self, rows: np.ndarray) -> np.ndarray:
        """Places of rows, the first or the last of them first, as is asked for: int64 (k,)."""
        sign = 1 if self.constraint.order == "first" else -1
        return np.lexsort((sign * rows, sign * self.at[rows]))


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """The times that memories tell of: several a row."""

    rows: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    weights: np.ndarray


def time_fit(
    corpus: Corpus, asked_time: AskedTime, question: str, now: int, mask: np.ndarray, texts: Texts, times: Times
) -> TimeFit | None:
    """Judge every memory by the time that a question asks about; None where it asks for none.

    Parameters
    ----------
    mask : bool (n,)
        What may answer.
    texts : callable
        The texts of rows.
    times : callable
        `times_in` of rows.
    """
    if not asked_time.something or not mask.any():
        return None
    rows, occurred = np.flatnonzero(mask), corpus.columns.occurred_at
    if not (asked_time.spans or asked_time.order or asked_time.event or asked_time.ahead):
        nothing = np.zeros(len(corpus), np.float32)
        return TimeFit(asked_time, nothing, occurred, nothing > 0, occurred, False, now, 0.0)
    near = asked_time.spans[0] if asked_time.spans else Span(now, now)
    table, at = _told(corpus, _to_read(corpus, rows, near), times)
    table = _with_own(table, rows, occurred)
    fit, restricts = _soon_after(corpus, question), False
    for span in asked_time.spans:
        within = _within(span, table, len(corpus))
        if within[rows].max() >= FITS:
            by_year = _is_year(span, question)
            fit = np.maximum(within * YEAR if by_year else within, fit * SOON_AFTER)
            restricts = not by_year
            break
    if asked_time.event:
        beside = _beside_event(corpus, asked_time, rows, at, fit if restricts else None)
        if beside is not None and _BEFORE_NAME.search(question):
            changes = [row for row in np.flatnonzero(beside < 0) if cues.ENDED.search(texts(np.array([row]))[0])]
            beside[changes] = 1.0
        if beside is not None:
            fit, restricts = beside, True
    if not asked_time.spans and not asked_time.event and (asked_time.ahead or asked_time.order == "next"):
        coming = _within(Span(now, now + COMING_US), table, len(corpus))
        if coming[rows].max() >= FITS:
            restricts = asked_time.order == "next"  # "when does the shop close?" asks for what is always so, too
            fit = coming if restricts else coming * AHEAD
    inside = int((fit[rows] >= FITS).sum())
    idf = TIME_IDF * float(idf_of(np.array([inside]), len(rows))[0]) if restricts else 0.0
    names = at != occurred
    if asked_time.order and not asked_time.present:
        at = np.where(at > now, occurred, at)  # "met Ingrid, she moves in spring": told then, whatever is to come
    return TimeFit(asked_time, fit, at, names, occurred, restricts, now, idf)


def _is_year(span: Span, question: str) -> bool:
    named = intent.parse(question)
    return bool(named.year) and not named.day and not named.month and span.end - span.start >= 365 * DAY_US


def _to_read(corpus: Corpus, rows: np.ndarray, near: Span) -> np.ndarray:
    """The memories nearest in time whose words of time are read: those that have some, and some that may."""
    has = corpus.has(TIME_WORD, rows) > 0
    occurred = corpus.columns.occurred_at[rows]
    distance = np.maximum(near.start - occurred, occurred - near.end)
    chosen = []
    for part in (has, ~has):
        some = rows[part]
        if len(some) > READ:
            some = some[np.argpartition(distance[part], READ)[:READ]]
        chosen.append(some)
    return np.sort(np.concatenate(chosen))


class RowTimes(NamedTuple):
    """The times that a memory names.

    Attributes
    ----------
    spans : tuple of (int, int, float)
        Beginning, end, and what it counts.
    first : int, optional
        Where the first of another time than its own begins.
    """

    spans: tuple[tuple[int, int, float], ...]
    first: int | None


def times_in(text: str, moment: int) -> RowTimes | None:
    """The times that a text of some moment names; None where it names none."""
    spans: list[tuple[int, int, float]] = []
    first = None
    for one in expressions(text, moment):
        span = one.spans[0]
        if span.end - span.start > LONGEST_US:
            continue
        spans.append((span.start, span.end, 1.0))
        if len(one.spans) == 2 and one.relative:
            spans.append((*one.spans[1], OTHER_MEANING))  # "next Tuesday" is one of two
        if first is None and not span.start <= moment < span.end:
            first = span.start
    return RowTimes(tuple(spans), first) if spans else None


def _told(corpus: Corpus, rows: np.ndarray, times: Times) -> tuple[_Told, np.ndarray]:
    """The times that memories name, and the moment of each: the first time it names, else its own."""
    at = corpus.columns.occurred_at.copy()
    entries: list[tuple[int, int, int, float]] = []
    for row, named in zip(rows.tolist(), times(rows), strict=True):
        if named is not None:
            entries += [(row, *span) for span in named.spans]
            if named.first is not None:
                at[row] = named.first
    table = list(zip(*entries, strict=True)) if entries else [(), (), (), ()]
    kinds = (np.int64, np.int64, np.int64, np.float32)
    return _Told(*(np.array(part, kind) for part, kind in zip(table, kinds, strict=True))), at


def _with_own(times: _Told, rows: np.ndarray, occurred: np.ndarray) -> _Told:
    """The own moment of each memory joins the times that it tells of; a date without a time is its whole day."""
    weights = np.ones(len(occurred), np.float32)
    moment = occurred[times.rows]
    same_day = (times.starts - DAY_US < moment) & (moment < times.ends + DAY_US)
    for sign, weight in OWN_BESIDE.items():
        elsewhere = ~same_day & (np.sign(times.starts - moment) == sign) & (times.weights == 1.0)
        weights[times.rows[elsewhere]] = weight
    starts = occurred[rows]
    ends = starts + np.where(starts % DAY_US == 0, DAY_US, 1)
    return _Told(
        np.concatenate([times.rows, rows]),
        np.concatenate([times.starts, starts]),
        np.concatenate([times.ends, ends]),
        np.concatenate([times.weights, weights[rows]]),
    )


def _within(span: Span, times: _Told, n: int) -> np.ndarray:
    """How much of what each row tells of lies in a span: float32 (n,)."""
    overlap = np.minimum(times.ends, span.end) - np.maximum(times.starts, span.start)
    length = np.maximum(times.ends - times.starts, 1)
    share = np.clip(overlap / length, 0.0, 1.0)
    share = np.where(overlap > 0, np.maximum(share, FITS if span.end - span.start >= DAY_US else 0.0), 0.0)
    reach = max(min(span.end - span.start, 31 * DAY_US), DAY_US // 4)
    beside = np.where(overlap <= 0, BESIDE * np.exp(overlap / reach), 0.0)
    found = np.zeros(n, np.float32)
    np.maximum.at(found, times.rows, (times.weights * np.maximum(share, beside)).astype(np.float32))
    return found


def _beside_event(
    corpus: Corpus, asked_time: AskedTime, rows: np.ndarray, at: np.ndarray, within: np.ndarray | None
) -> np.ndarray | None:
    """Fit for "before X" and "after X": the nearest on that side of the memory that tells of X fits best."""
    anchor = _anchor(corpus, asked_time.event, rows)
    if anchor is None:
        return None
    fit = np.zeros(len(corpus), np.float32)
    then, occurred = int(at[anchor]), corpus.columns.occurred_at
    at = at if asked_time.present else np.minimum(at, occurred)  # what is told of the future was told before
    away = (at[rows] - then) * asked_time.side
    later = (away > 0) | ((away == 0) & ((rows - anchor) * asked_time.side > 0))
    beside = rows[later]
    if asked_time.within is not None:
        days = (at[rows] // DAY_US - then // DAY_US) * asked_time.side
        fit[rows] = (days >= asked_time.within[0]) & (days <= asked_time.within[1])
    elif asked_time.until:
        end = _anchor(corpus, asked_time.until, rows)
        if end is None:
            return None
        bounds = sorted((then, int(at[end])))
        fit[rows] = (at[rows] > bounds[0]) & (at[rows] < bounds[1])
        fit[end] = EVENT_ITSELF
    else:
        order = beside[np.lexsort((beside * asked_time.side, away[later]))]
        steepness, least = (NEXT_ALONE, 0.0) if asked_time.general else (NEXT, MIN_NEXT_FIT)
        fit[order] = least + (1.0 - least) / (1.0 + steepness * np.arange(len(order)))
    if within is not None:
        fit *= within
    # A turn tells of the event and of what came after it in one breath; a note of one thing.
    turns = corpus.columns.dialogue
    fit[turns] *= IN_TURNS
    if not turns[anchor]:
        fit[anchor] = EVENT_ITSELF
    return fit if fit.max() > 0 else None


def _anchor(corpus: Corpus, event: str, rows: np.ndarray) -> int | None:
    """The memory that tells of an event, if any has enough of its words."""
    if corpus.embedder is None:  # a corpus without one is never asked
        return None
    query = corpus.embedder.query(event)
    terms = QueryTerms.of(query, cues=False)
    mask = np.zeros(len(corpus), bool)
    mask[rows] = True
    by_words = corpus.terms.search(terms.ids, terms.weights(corpus), ANCHORS, mask=mask, bm25=True)[1]
    by_meaning = corpus.semantic.search(query.semantic[None], ANCHORS, mask=mask)[1][0]
    near = np.union1d(by_words[by_words >= 0], by_meaning[by_meaning >= 0])
    if len(near) == 0:
        return None
    idf = terms.weights(corpus)
    held = corpus.terms.table(terms.ids, near) > 0
    share = held @ idf / max(float(idf.sum()), 1e-9)
    cosine = corpus.semantic.scores(query.semantic[None], ids=near)[0]
    score = share + cosine
    best = int(np.argmax(score))
    if share[best] < MIN_ANCHOR_SHARE:
        return None
    return int(near[best])


def _soon_after(corpus: Corpus, question: str) -> np.ndarray:
    """Turns of a dialogue speak of a day soon after it: float32 (n,)."""
    fit = intent.date_fit(intent.parse(question), corpus.columns.occurred_at)
    soon: np.ndarray = fit * corpus.columns.dialogue
    return soon
