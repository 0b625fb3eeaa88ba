"""The newest holds: which results of a question a later one has taken the place of, and in which order they are told.

Nothing is written: what a statement replaces is judged anew by each question, so a wrong judgement loses nothing.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from context_graph.embed.chunks import clauses, sentences
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.sentence_stems import best_sentence, stem_set
from context_graph.embed.stems import stems
from context_graph.models import Node
from context_graph.presentation.addresses import is_of_file
from context_graph.reading import attributes, cues, supersession
from context_graph.reading.acts import acts_of, asked_for
from context_graph.reading.alternatives import chosen, offer
from context_graph.reading.fingerprints import given_name
from context_graph.reading.homes import asks_for_home, moved_home
from context_graph.reading.intent import parse
from context_graph.reading.metadata import stand_beside
from context_graph.reading.passages import is_impersonal, is_passage
from context_graph.reading.past_events import asks_what_happened, tells_what_happened
from context_graph.reading.requests import seeks
from context_graph.reading.subjects import WORD, of_another, subject_of
from context_graph.reading.substitutes import asks_for_somebody, takes_the_place
from context_graph.recall import notes
from context_graph.recall.apart import CERTAIN, ENDS, SURE, apart, value_gone
from context_graph.recall.apart.words import refers_back, renumbered
from context_graph.recall.parts import asked_kinds, changed_part, core_of

__all__ = [
    "ASKED",
    "ATTRIBUTE",
    "CERTAIN",
    "LIKELY",
    "MAX_COMPARED",
    "MIN_LOG_ODDS",
    "PLAIN",
    "SENTENCE",
    "SURE",
    "Judged",
    "Replacement",
    "answering",
    "asked_features",
    "asks_for_the_past",
    "comparable",
    "current_first",
    "former_first",
    "ordered",
    "replacements",
]  # fmt: skip

MAX_COMPARED = 10
"""Results that are compared with each other."""

FOLLOWED, BEYOND = 5, 1.0
"""Results whose place one further down may take, and the log odds of the two statements from which on it does: what
ended a thing ("the flight is cancelled") may have no word of the question."""

BEYOND_FIRST, MIN_ANSWER_RELEVANCE = -1.0, 0.1
"""The same log odds for the very first result, and the relevance from which on it answers the question. Of nine more
claims that this makes of the lives "fitted" of `benchmarks.quality.lives` (three in base) seven are right."""

MIN_SHARED = 0.6
"""Share of a note's words that a longer text in which nobody speaks of themselves has where it may replace the note."""

HOPELESS = -5.0
"""Log odds of two statements below which their clauses are not compared."""

LIKELY = 0.06
"""Probability from which a result counts as replaced by a related one: to tell the later first where both hold does
little harm, to tell first what holds no more does much."""

JOINED_LIKELY = 0.2
"""The same for one that only the question joins with it, which is wrong more often."""

IRRELEVANT_LIKELY = 0.5
"""The same where the later one shares nothing with the earlier one or the question, and is of no relevance to it."""

SOUGHT_LIKELY = 0.4
"""The same where one of the two asks an assistant for something: of what was found for questions about five such
conversations 16 % were called earlier than something else without it, 10 % with it, and 11 % about five others."""

PLAIN, MIN_LOG_ODDS = -1.0, -2.5
"""Log odds of the two statements from which on the earlier one is told after the later one, as earlier; and from which
on so where the later one has a word of the question or its attribute."""

BELOW_SURE = SURE - 0.01

RIVAL = 1.0
"""By how much the log odds of a later statement and another are more than those of a claim that they explain away."""

SURELY = 0.5
"""Probability from which the earlier of two statements that surely contradict is told with its end."""

SETTLED = 0.9
"""Probability that what names one of two alternatives took the place of what names the other, or leaves it open."""

HAPPENED = 2.0
"""Log odds of the two statements from which on one takes the place of what happened once, or why: of 21 claims about
such questions in the lives of `benchmarks.quality.lives` the 19 below it were wrong, and the two above it right."""

SITTING_US, ONE_SITTING = 60 * 60_000_000, (0.5, 0.0, 2.0)
"""Microseconds between two things that are told in one sitting, and the log odds that these lose where the later one
has no word of a change, has one that the earlier one lacks, and where both tell of a change. Chosen on the lives
"later" and "dense" of `benchmarks.quality.lives`: with (2, 1) fewer lines are called earlier of what is told before the
first change (`--introduced`), and a tenth of the questions is told what was so before where changes are told within the
hour, too (`--hour`)."""

SENTENCE = 120
"""Characters of a memory that is compared whole; of a longer one, the sentence that answers best."""

STATING = 5
"""Words from which on a sentence says something of its own."""

ATTRIBUTE = 0.15
"""Probability that a question of the user and two statements are about one attribute of which a person has one value,
from which these are compared as if they had a word of the question."""

ASKED = ("statements", "several", "rank", "alone", "asked", "attribute")
"""What a judgement rests on: the log odds of the two statements; whether several answers are expected; the logarithm of
the lower rank; that of the lower relevance; the share of the question's words that the earlier statement has; and
`_one_attribute`."""

BY_CHANCE = 0.3
"""What the log odds of two statements lose with each e-fold of memories: among many, more are alike by chance. Chosen
on a memory of 150 notes of our own (docs/memory/truth.md); the weights were fitted on memories of eight."""


class Replacement(NamedTuple):
    """A result of which a later one says how it is now."""

    by: int
    """Place of the later one."""

    likely: float
    sure: bool = True
    """What the two say is enough; else the question makes it likely, and only their order is told."""

    partly: bool = False
    """The earlier one says more than the later one changes."""


class Judged(NamedTuple):
    """How the results of a question were judged.

    Attributes
    ----------
    alone : sequence of float
        Relevance of each by itself.
    answered : float
        How likely the question is to be answered at all.
    timed : bool
        It asks for a time, which orders its results.
    searched : int
        Memories that were searched.
    """

    alone: Sequence[float]
    answered: float
    tier: str
    timed: bool = False
    searched: int = 0


def replacements(
    question: str, nodes: Sequence[Node], judged: Judged, before: Callable[[int], Sequence[Node]] = lambda place: ()
) -> dict[int, Replacement]:
    """Which of the first results are replaced, by which of the others: place -> replacement.

    A question for all that is known of something names no attribute that two statements could share: there the
    statements alone decide. Else a question in English, which the weights were fitted on, joins notes of one person
    that share no word.

    Parameters
    ----------
    nodes : sequence of Node
        In the order of their ranks.
    before : callable
        What else is known that the result at a place may be about: what took the place of one thing took hardly that
        of another.
    """
    compared = _Comparison(question, nodes, judged)
    stating = [place for place, node in enumerate(nodes) if _states_something(node)]
    moments = [(node.occurred_at, node.created_at) for node in nodes]
    pairs = [(i, j) for i in stating if i < MAX_COMPARED for j in stating if moments[i] < moments[j]]
    claims = [claim for i, j in pairs if (claim := compared.claim(i, j)) is not None]
    return _settled(claims, nodes, compared.text, before)


class _Claim(NamedTuple):
    """That the result at `later` has taken the place of the one at `earlier`."""

    earlier: int
    later: int
    likely: float
    odds: float | None
    """Log odds of the two statements, where they are related."""

    partly: bool = False
    stated: bool = True
    """Both state something."""

    def replacement(self) -> Replacement:
        sure = self.stated and self.odds is not None and self.odds >= ENDS and self.likely >= SURELY
        return Replacement(self.later, self.likely, sure, self.partly)


def _settled(
    claims: Sequence[_Claim],
    nodes: Sequence[Node],
    text_at: Callable[[int], str],
    before: Callable[[int], Sequence[Node]],
) -> dict[int, Replacement]:
    """The likeliest claim about each earlier result, but for those that something else explains better."""
    replaced: dict[int, Replacement] = {}
    near: dict[int, list[Node]] = {}
    for claim in sorted(claims, key=lambda one: -one.likely):
        if claim.earlier in replaced or (claim.odds is not None and claim.odds >= CERTAIN):
            replaced.setdefault(claim.earlier, claim.replacement())
            continue
        if claim.later not in near:
            known = {node.id: node for node in (*nodes, *before(claim.later))}
            near[claim.later] = [node for node in known.values() if comparable(node, nodes[claim.later])]
        others = [
            cues.readable(node.content)
            for node in near[claim.later]
            if claim.odds is None or comparable(nodes[claim.earlier], node)
        ]
        if not _explained(claim, text_at(claim.earlier), text_at(claim.later), others):
            replaced[claim.earlier] = claim.replacement()
    return replaced


def _explained(claim: _Claim, earlier: str, later: str, others: Sequence[str]) -> bool:
    """Whether the later statement plainly takes the place of another, no version of the earlier one."""
    least = max(SURE, claim.odds + RIVAL if claim.odds is not None else SURE)
    for other in others:
        if other != earlier and supersession.related(other, later) and supersession.logit(other, later) >= least:
            pair = (earlier, other)
            if not any(supersession.related(*two) and supersession.logit(*two) >= PLAIN for two in (pair, pair[::-1])):
                return True
    return False


class _Comparison:
    """The results of a question, each compared with the others: what is cheap and rules out most comes first, and a
    result is read when it is first compared.
    """

    def __init__(self, question: str, nodes: Sequence[Node], judged: Judged) -> None:
        self.question, self.nodes, self.judged = question, nodes, judged
        self.stems, self.whole = (question_stems := frozenset(stems(question))), asked_for(question) is not None
        self.kinds = asked_kinds(question)
        self.for_somebody, self.for_home = asks_for_somebody(question), asks_for_home(question)
        self.of_an_event = asks_what_happened(question)
        # none of these holds the comparison, or only a search for garbage would end it and the texts in it
        self.text = text = cache(lambda place: answering(cues.readable(nodes[place].content), question_stems))
        self.words = cache(lambda place: frozenset(stems(text(place))))
        self.all_words = cache(lambda place: stem_set(nodes[place].content))
        self.is_passage = cache(lambda place: is_passage(nodes[place].content))
        self.is_impersonal = cache(lambda place: is_impersonal(nodes[place].content))
        self.is_long = cache(lambda place: len(nodes[place].content) > SENTENCE)
        self.says_several = cache(lambda place: _says_several(nodes[place].content))
        self.is_cut = cache(lambda place: self.is_long(place) and text(place) != cues.readable(nodes[place].content))
        self.is_belief = cache(lambda place: bool(cues.BELIEVED.search(text(place))))
        self.clauses = cache(lambda place: clauses(text(place)))
        self.asked_clauses = cache(lambda place: _asked_clauses(question_stems, text(place)))
        self.choices = _Choices(question, text)
        searched = np.clip(judged.searched, *notes.SEARCHED) / notes.SEARCHED[0]
        self.chance = BY_CHANCE * float(np.log(searched))
        joins = not (judged.timed or self.whole) and language_of(question) == ENGLISH and notes.of_one_person(nodes)
        self.joined = _Joined(question, text, judged) if joins else None

    def claim(self, i: int, j: int) -> "_Claim | None":
        """What can be claimed of the result at j: that it took the place of the one at i; None for nothing."""
        beyond = j >= MAX_COMPARED
        if (beyond and i >= FOLLOWED) or not _follows(self.nodes[i], self.nodes[j]):
            return None
        if not self.choices.offered(i) and self._is_later_text(i, j) and not self._of_one_text(i, j):
            return None  # whatever it says, and in what words: most texts are told apart by this
        if (beyond and self.words(i).isdisjoint(self.words(j))) or self.is_belief(j):
            return None
        if self.choices.settled(i, j):
            return _Claim(i, j, SETTLED, None)
        pair = self.text(i), self.text(j)
        if self.for_somebody and takes_the_place(*pair):
            return _Claim(i, j, SETTLED, None, partly=True)
        if self.for_home and moved_home(*pair):
            return _Claim(i, j, SETTLED, CERTAIN, partly=True)
        if renumbered(self.question, *pair):
            return _Claim(i, j, SETTLED, None, partly=True)
        is_text = any(kind(place) for kind in (self.is_passage, self.is_impersonal) for place in (i, j))
        if is_text and not self._of_one_text(i, j):
            return None
        related = supersession.related(*pair)
        if not related and (is_text or beyond or self._joining(i, j) is None):
            return None
        odds = self._odds(i, j) if related else None
        if self.of_an_event and self._happened(i, j, odds):
            return None
        if is_text and self._is_later_text(i, j) and odds is not None and odds < SURE:
            return None
        if beyond and (odds is None or odds < self._bound_beyond(i)):
            return None
        likely, least = self._likelihood(i, j, odds)
        if likely < least:
            return None
        stated = not any(seeks(text) for text in pair)
        if likely < (least if stated else max(least, SOUGHT_LIKELY)) or self._apart(i, j, odds):
            return None
        changed = changed_part(self.stems, *pair, self.kinds) if related else ""
        partly = changed == "one" or self.is_cut(i)
        return None if changed == "another" else _Claim(i, j, likely, odds, partly, stated)

    def _is_later_text(self, i: int, j: int) -> bool:
        """Whether the later of the two is a text about something, and must surely take the place of the earlier one."""
        return self.is_passage(j) or (self.is_impersonal(j) and not self.is_impersonal(i))

    def _of_one_text(self, i: int, j: int) -> bool:
        """Whether two of which one is a text may be about one thing: a later note names what the text is about, a later
        text has most words of the note.
        """
        if self._is_later_text(i, j):
            return len(self.words(i) & self.all_words(j)) >= MIN_SHARED * len(self.words(i))
        named = subject_of([word.lower() for word in WORD.findall(self.text(j))])
        return not self.is_passage(i) or bool(named and named <= self.all_words(i))

    def _happened(self, i: int, j: int, odds: float | None) -> bool:
        """Whether the earlier of two tells what happened, which the later one neither replaces nor corrects, and of
        which it has no word that the earlier one lacks.
        """
        if not tells_what_happened(self.text(i)) or self.stems & self.words(j) - self.words(i):
            return False
        return odds is None or (odds < HAPPENED and not supersession.change_of(self.text(j)).corrected)

    def _answers_nothing(self, i: int, j: int) -> bool:
        """Whether only the earlier of two has words of the question, and the later one is of no relevance to it and
        refers to nothing told before.
        """
        shared = [self.stems & self.words(place) for place in (i, j)]
        surely = self.judged.alone[i] >= SURELY  # else the question is worded unlike either
        irrelevant = surely and bool(shared[0]) and not shared[1] and self.judged.alone[j] < MIN_ANSWER_RELEVANCE
        return irrelevant and not refers_back(self.text(j))

    def _joining(self, i: int, j: int) -> "_Joined | None":
        """What says how likely the question joins the two: only short notes, of which one says one thing. Of what says
        several things hardly one is about what another note is about.
        """
        several = self.says_several(i) and self.says_several(j)
        return None if several or self.is_long(i) or self.is_long(j) else self.joined

    def _by_sitting(self, i: int, j: int) -> float:
        """Log odds that the two lose where both were told within the hour: who introduces themselves, or tells what has
        changed, says one thing after another, and seldom takes one back.
        """
        if abs(self.nodes[j].occurred_at - self.nodes[i].occurred_at) > SITTING_US:
            return 0.0
        change, before = supersession.change_of(self.text(j)), supersession.change_of(self.text(i))
        plain, changes, both_change = ONE_SITTING
        if change.corrected:
            return changes
        if not (change.changed or change.denied):
            return plain
        return both_change if before.changed else changes

    def _bound_beyond(self, i: int) -> float:
        """Log odds from which on a result that is not among the first may take the place of the one at i."""
        return BEYOND_FIRST if i == 0 and self.judged.alone[i] >= MIN_ANSWER_RELEVANCE else BEYOND

    def _odds(self, i: int, j: int) -> float:
        """Log odds of two related statements, less what chance makes alike and what is told in one sitting."""
        odds = self._statements(i, j) - self.chance
        odds -= self._by_sitting(i, j) if odds < CERTAIN else 0.0
        return BELOW_SURE if odds > BELOW_SURE and value_gone(self.text(i), self.text(j)) else odds

    def _statements(self, i: int, j: int) -> float:
        """Log odds of two statements or, where that is more, of a clause of the one that has the question's words and
        one of the other: "Mum lives in Valencia, she turned 70" is replaced by "Mum's moved to Alicante".

        What is said in a conversation is compared whole: of its many clauses two are soon alike. Clauses alone never
        give an end, since the rest of the earlier statement may hold.
        """
        whole = self.text(i), self.text(j)
        odds = supersession.logit(*whole)
        if self.nodes[i].speaker or j >= MAX_COMPARED or not HOPELESS <= odds < SURE:
            return odds  # beyond the first results, what clauses alone say is not enough
        pairs = ((one, other) for one in self.asked_clauses(i) for other in self.clauses(j))
        if any(pair != whole and supersession.related(*pair) and supersession.logit(*pair) >= SURE for pair in pairs):
            return max(odds, BELOW_SURE)
        cores = [core for clause in self.asked_clauses(i) if (core := core_of(clause)) != clause]
        of_cores = [supersession.logit(core, whole[1]) for core in cores if supersession.related(core, whole[1])]
        return min(max(odds, *of_cores), BELOW_SURE) if of_cores and odds < PLAIN else odds

    def _likelihood(self, i: int, j: int, odds: float | None) -> tuple[float, float]:
        """Probability that the one at j took the place of the one at i, and the least that counts."""
        likely, pair = 0.0, (self.text(i), self.text(j))
        languages = language_of(self.nodes[i].content), language_of(self.nodes[j].content)
        if odds is not None and odds >= CERTAIN:
            likely = _probability(odds)
        elif odds is not None:
            supported = all(language in cues.LANGUAGES for language in languages)
            likely = _likely(self.question, pair, odds, (i, j), self.judged, supported, self.whole)
        unsettled = likely < LIKELY and (odds is None or odds < PLAIN)
        joined = self._joining(i, j) if unsettled and languages == (ENGLISH, ENGLISH) else None
        if joined is None or cues.OPEN.search(pair[1]):
            return likely, LIKELY
        least = IRRELEVANT_LIKELY if odds is None and self._answers_nothing(i, j) else JOINED_LIKELY
        return joined.likely(i, j, odds, self._by_sitting(i, j)), least

    def _apart(self, i: int, j: int, odds: float | None) -> bool:
        """Whether the two are of two matters, or of one moment."""
        at_once = self.nodes[i].occurred_at == self.nodes[j].occurred_at
        return apart(self.question, self.text(i), self.text(j), odds, whole=self.whole, at_once=at_once)


class _Choices:
    """Which result settles what another one, or the question, leaves to choose."""

    def __init__(self, question: str, text: Callable[[int], str]) -> None:
        asked = offer(question)
        self._text, self._asked = text, asked is not None
        self._named = cache(lambda place: None if asked is None else chosen(asked, text(place)))
        self._open = leaves_open = cache(lambda place: _leaves_open(text(place)))
        self._offer = cache(lambda place: offered if (offered := offer(text(place))) and leaves_open(place) else None)

    def offered(self, i: int) -> bool:
        """Whether there is anything to choose: the question offers it, or what is said at i leaves it open."""
        return self._asked or self._offer(i) is not None

    def settled(self, i: int, j: int) -> bool:
        """Whether the question offers what is said at i or what is said later at j; or i leaves a choice open, and j
        names one of the two alone.
        """
        offered, named = self._offer(i), (self._named(i), self._named(j))
        if None not in named and named[0] != named[1] and not self._open(j):
            return of_another(self._text(i)) == of_another(self._text(j))
        return offered is not None and chosen(offered, self._text(j)) is not None and not self._open(j)


def _leaves_open(text: str) -> bool:
    return bool(cues.OPEN.search(text)) or "open" in acts_of(text)


class _Joined:
    """Notes of one person that a question found, each read when it is compared."""

    def __init__(self, question: str, text: Callable[[int], str], judged: Judged) -> None:
        self._question, self._judged = notes.question_features(question), judged
        self._note = cache(lambda place: notes.note(text(place), place, judged.alone[place]))

    def likely(self, i: int, j: int, odds: float | None, less: float) -> float:
        """Probability that the note at j has taken the place of the one at i, whose statements have these odds; at
        log odds that are so much less.
        """
        found = notes.Answerability(self._judged.answered, self._judged.searched)
        given = notes.features(self._question, self._note(i), self._note(j), found, odds)
        return _probability(notes.logit(given, self._judged.tier) - less)


def _likely(
    question: str,
    pair: tuple[str, str],
    odds: float,
    ranks: tuple[int, int],
    judged: Judged,
    supported: bool,
    whole: bool,
) -> float:
    """Probability that the later of two related statements has taken the place of the earlier one; 0 for too little.

    Parameters
    ----------
    pair, ranks : (str, str), (int, int)
        Of the earlier and the later one.
    supported : bool
        Both are of a language whose words of change are known.
    """
    if odds < min(MIN_LOG_ODDS, PLAIN):
        return 0.0
    values = asked_features(question, pair, odds, ranks, (judged.alone[ranks[0]], judged.alone[ranks[1]]))
    names_it = bool({*stems(question)} & {*stems(pair[1])}) or values[ASKED.index("attribute")] >= ATTRIBUTE
    if odds < (MIN_LOG_ODDS if supported and names_it else PLAIN):
        return 0.0
    if whole and language_of(pair[1]) != ENGLISH and odds < SURE:
        return 0.0  # the weights were fitted on English: what joins nothing else must be sure
    return _probability(odds if whole else _asked_logit(values))


def current_first(count: int, replaced: dict[int, Replacement]) -> list[int]:
    """Places in the order in which they are told: what holds now directly before the first that it replaces, with all
    versions between.

    Examples
    --------
    >>> current_first(4, {1: Replacement(3, 0.9)})
    [0, 3, 1, 2]
    """
    order: list[int] = []
    for place in range(count):
        versions = [place]
        while versions[-1] in replaced:  # each is later than the one before: this ends
            versions.append(replaced[versions[-1]].by)
        order += [each for each in reversed(versions) if each not in order]
    return order


def former_first(count: int, replaced: dict[int, Replacement]) -> list[int]:
    """Places in the order in which a question for the past is told: before what holds now, what it took the place of.

    Examples
    --------
    >>> former_first(4, {3: Replacement(0, 0.9)})
    [3, 0, 1, 2]
    """
    order: list[int] = []
    for place in range(count):
        former = [each for each in range(count) if each in replaced and replaced[each].by == place]
        versions = [place] if place in replaced else [*former, place]
        order += [each for each in versions if each not in order]
    return order


def _asked_clauses(question_stems: frozenset[str], text: str) -> list[str]:
    """The clauses of a text that have most of the question's words, all of them where none has any; those that state
    something of somebody whom they name.
    """
    parts = [text, *(part for part in clauses(text) if _states(part.lower().split()))]
    shares = [len(question_stems.intersection(stems(part))) for part in parts]
    return [part for part, share in zip(parts, shares, strict=True) if share == max(shares)]


def _states(words: Sequence[str]) -> bool:
    verb = any(word in cues.VERBS or word.endswith(("'s", "'m", "'re", "'ve")) for word in words)
    return verb and len(words) > 2 and words[0] not in cues.UNNAMED


def _says_several(text: str) -> bool:
    """Whether two of its sentences say something of their own, not "Finally!"."""
    return sum(len(sentence.split()) >= STATING for sentence in sentences(text)) > 1


def asked_features(
    question: str, pair: Sequence[str], statements: float, ranks: Sequence[int], alone: Sequence[float]
) -> np.ndarray:
    """What a judgement rests on, in the order of `ASKED`: float64 (6,).

    Parameters
    ----------
    pair, ranks, alone : (str, str), (int, int), (float, float)
        Of the earlier and the later one.
    statements : float
        `supersession.logit` of the two.
    """
    asked = set(stems(question))
    share = len(asked.intersection(stems(pair[0]))) / max(len(asked), 1)
    several, rank, least = parse(question).several, np.log1p(max(ranks)), np.log(min(alone) + 1e-3)
    return np.array([statements, several, rank, least, share, _one_attribute(question, *pair)])


def _one_attribute(question: str, earlier: str, later: str) -> float:
    """Probability that a question of the user and two statements are about one attribute that has one value."""
    if not cues.of_user(question):
        return 0.0
    asked, o, n = (attributes.of_text(text) for text in (question, earlier, later))
    return float((asked * np.sqrt(o * n))[attributes.model().values == "one"].sum())


def asks_for_the_past(question: str) -> bool:
    """Whether a question wants to know how things were.

    Examples
    --------
    >>> asks_for_the_past("Where did I live before?"), asks_for_the_past("Which pill do I take before breakfast?")
    (True, False)
    >>> asks_for_the_past("What did a ten-pass use to cost?"), asks_for_the_past("Which bank do we use to pay?")
    (True, False)
    """
    if cues.PAST.search(question):
        return True
    return bool(cues.BEFORE.search(question)) and not cues.AT_PRESENT.search(question)


def comparable(earlier: Node, later: Node) -> bool:
    """One person's words, later than the other: an entry with a title has a subject of its own, a file is kept up by
    `seed`, and what an assistant said is no statement about its user.
    """
    return _follows(earlier, later) and _states_something(earlier) and _states_something(later)


def _follows(earlier: Node, later: Node) -> bool:
    """Whether one person said both, one later than the other, and nobody said that both hold."""
    when = (earlier.occurred_at, earlier.created_at) < (later.occurred_at, later.created_at)
    if not when or earlier.speaker != later.speaker or earlier.speaker == "assistant":
        return False
    return not stand_beside(earlier, later)


def _states_something(node: Node) -> bool:
    """Whether it is a statement: no entry with a title, no part of a file, no picture."""
    return not (is_of_file(node) or node.modality != "text" or given_name(node))


def ordered(one: Node, other: Node) -> bool:
    """Whether one person said both, at two times."""
    return one.speaker == other.speaker and one.occurred_at != other.occurred_at


def _asked_logit(features: np.ndarray) -> float:
    intercept, weights = supersession.fitted(ASKED, "asked")
    return float(intercept + features @ weights)


def _probability(logit: float) -> float:
    return float(1.0 / (1.0 + np.exp(-logit)))


def answering(text: str, question_stems: frozenset[str]) -> str:
    """A text, or where it is long the sentence of it that has most of the question's words."""
    return text if len(text) <= SENTENCE else best_sentence(text, question_stems)
