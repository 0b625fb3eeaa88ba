"""Each result of a question compared with the others: what can be claimed of two, and how likely it is."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple, TypeVar

import numpy as np

from context_graph.embed.chunks import clauses
from context_graph.embed.languages import ENGLISH, in_english, language_of
from context_graph.embed.sentence_stems import stem_set
from context_graph.embed.stems import stems
from context_graph.instants import HOUR_US
from context_graph.models import Node
from context_graph.reading import cues, supersession
from context_graph.reading.acts import asked_for
from context_graph.reading.ages import ages, asks_for_age, is_older
from context_graph.reading.amounts import may_be_new_amount, new_amount
from context_graph.reading.cancellations import calls_off, lifts, may_call_off
from context_graph.reading.contradiction import contradiction
from context_graph.reading.denials import denies, may_deny
from context_graph.reading.disposals import is_gone, tells_disposal
from context_graph.reading.employers import asks_for_employer, new_employer
from context_graph.reading.exceptions import exempts
from context_graph.reading.follow_ups import acts_on_it
from context_graph.reading.former_states import ends_as_former, is_former_to, tells_former_state
from context_graph.reading.homes import (
    asks_for_home,
    asks_for_home_of_another,
    moved_home,
    moved_home_of_another,
)
from context_graph.reading.kinds import names_another
from context_graph.reading.namesakes import of_namesakes
from context_graph.reading.passages import is_impersonal, is_passage
from context_graph.reading.past_events import (
    asks_what_happened,
    asks_whether_it_happened,
    is_record,
    tells_one_act,
    tells_what_happened,
)
from context_graph.reading.postponements import may_postpone, postpones
from context_graph.reading.requests import seeks
from context_graph.reading.restatements import restates
from context_graph.reading.returns import ends_absence, tells_return
from context_graph.reading.reversals import goes_back
from context_graph.reading.second_thoughts import corrects_value, may_correct_value
from context_graph.reading.subjects import WORD, content_stems, subject_of
from context_graph.reading.substitutes import asks_for_somebody, takes_the_place
from context_graph.reading.tense import lean_of
from context_graph.reading.themes import of_other_things
from context_graph.reading.troubles import may_mend, mends
from context_graph.reading.utterance import USERS
from context_graph.reading.validity import beginning
from context_graph.reading.wishes import keeps, kept_values, may_wish
from context_graph.recall import notes
from context_graph.recall.apart import (
    CERTAIN,
    ENDS,
    SURE,
    apart,
    never_replaces,
    record_apart,
    share_but_names,
    surely_apart,
    value_gone,
)
from context_graph.recall.apart.answers import answer_apart, somebody_apart
from context_graph.recall.apart.topics import topic_apart
from context_graph.recall.apart.words import counted_on, left_home, refers_back, renumbered, tells_new_number
from context_graph.recall.current.choices import Choices
from context_graph.recall.current.clauses import asked_clauses, says_several
from context_graph.recall.current.comparable import (
    MAX_COMPARED,
    SENTENCE,
    answering,
    follows,
    states_something,
)
from context_graph.recall.current.health import is_about_health
from context_graph.recall.current.likelihood import (
    LIKELY,
    PLAIN,
    SURELY,
    Joined,
    Judged,
    likely_replaced,
    probability,
)
from context_graph.recall.current.order import Replacement
from context_graph.recall.current.remainder import leaves_more
from context_graph.recall.current.rules import asks_for_one
from context_graph.recall.parts import asked_kinds, changed_part, core_of
from context_graph.regex import regex

__all__ = ["MIN_LEARNED_ODDS", "Claim", "Comparison"]

T = TypeVar("T")

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

JOINED_LIKELY = 0.2
"""The same for one that only the question joins with it, which is wrong more often."""

IRRELEVANT_LIKELY = 0.5
"""The same where the later one shares nothing with the earlier one or the question, and is of no relevance to it."""

SOUGHT_LIKELY = 0.4
"""The same where one of the two asks an assistant for something: of what was found for questions about five such
conversations 16 % were called earlier than something else without it, 10 % with it, and 11 % about five others."""

BELOW_SURE, BELOW_ENDS = SURE - 0.01, ENDS - 0.01

SETTLED = 0.9
"""Probability that what names one of two alternatives took the place of what names the other, or leaves it open."""

HAPPENED = 2.0
"""Log odds of the two statements from which on one takes the place of what happened once, or why: of 21 claims about
such questions in the lives of `benchmarks.quality.lives` the 19 below it were wrong, and the two above it right."""

SITTING_US, ONE_SITTING = HOUR_US, (0.5, 0.0, 2.0)
"""Microseconds between two things that are told in one sitting, and the log odds that these lose where the later one
has no word of a change, has one that the earlier one lacks, and where both tell of a change. Chosen on the lives
"later" and "dense" of `benchmarks.quality.lives`: with (2, 1) fewer lines are called earlier of what is told before the
first change (`--introduced`), and a tenth of the questions is told what was so before where changes are told within the
hour, too (`--hour`)."""

MIN_LEARNED_ODDS = -1.0
MIN_ODDS = {"base": (-3.5, -3.0, -2.5), "minilm": (-3.0, -2.5, -2.0)}
"""Log odds of the trees of `claim_model` from which on a claim is told: one that only the trees make and, by tier, that
of the regressions about two statements that plainly contradict, that are surely about one thing, and another of theirs.
`benchmarks.quality.claims` says how many results that are outdated, and that hold, are called so from which on. Chosen
on the lives and stories that are looked at, on `truth`, and on what the tests say of two statements; totals of the
others were seen."""

COMMON, COMMON_MORE, CHANGED_LESS, UNSHARED_MORE, FEW_MORE, FEW = 0.35, 1.5, 0.8, 0.3, 0.5, 8
"""Rareness of a word below which many memories have it, and what the bounds differ by: for what shares no more than
such a word, for what has a word of a change or takes up what was said ("sold it"), and for what shares none; and for
what only the trees claim among so few memories, where a change is taken to be of whatever else is known."""

BY_CHANCE = 0.3
"""What the log odds of two statements lose with each e-fold of memories: among many, more are alike by chance. Chosen
on a memory of 150 notes of our own; the weights were fitted on memories of eight."""

_MAY_END = (may_call_off, may_deny, tells_disposal, tells_former_state, acts_on_it)
"""What a statement may be that ends another one though their words do not say how likely."""

_OTHER_OF_FEW = (answer_apart, somebody_apart, topic_apart)
"""What tells, where only the trees claim something among few memories, that two are of two matters: among many the
others tell it better."""

ELSEWHERE_MORE = 0.5
"""What the bound differs by for what only the trees claim of two statements in another language, which they know by its
English reading: of 74 changes in seven languages that are looked at 69 are told first, 65 without the trees, of 46
statements that hold 34, 35 without them (`benchmarks.quality.changes`)."""

_IDENTIFIER = regex(r"\b[A-Za-z]{1,10}[-_]?\d{1,6}\b")
"""What names one thing among all: "ADR-12", "hall3"."""

_AFTER_ALL = regex(r"\bafter all\b", re.I)
"""Corrects what was planned, hardly what was done."""


class Claim(NamedTuple):
    """That the result at `later` has taken the place of the one at `earlier`."""

    earlier: int
    later: int
    likely: float
    odds: float | None
    """Log odds of the two statements, where they are related."""

    partly: bool = False
    stated: bool = True
    """Both state something."""

    is_asked: bool = False
    """The later one has a word of the question."""

    is_weighed: bool = False
    """Regressions say it, and no rule of its own."""

    def replacement(self) -> Replacement:
        sure = self.stated and self.odds is not None and self.odds >= ENDS and self.likely >= SURELY
        return Replacement(self.later, self.likely, sure, self.partly)


class _Kept(dict[int, T]):
    """What is read of each result, kept: made for each question, where `functools.cache` takes longer to make."""

    def __init__(self, read: Callable[[int], T]) -> None:
        self.read = read

    def __missing__(self, place: int) -> T:
        self[place] = value = self.read(place)
        return value


def _kept(read: Callable[[int], T]) -> Callable[[int], T]:
    return _Kept(read).__getitem__


class Comparison:
    """The results of a question, each compared with the others: what is cheap and rules out most comes first, and a
    result is read when it is first compared.
    """

    def __init__(self, question: str, nodes: Sequence[Node], judged: Judged, followers: Set[int] = frozenset()) -> None:
        self.question, self.nodes, self.judged = question, nodes, judged
        self.beyond = frozenset(range(MAX_COMPARED, len(nodes))) - followers
        self.stating = [place for place, node in enumerate(nodes) if states_something(node)]
        self.is_english = _kept(lambda place: language_of(nodes[place].content) == ENGLISH)
        self.stems, wanted = (question_stems := frozenset(stems(question))), asked_for(question)
        self.whole = wanted is not None and wanted.sure
        self.kinds = asked_kinds(question)
        self.for_somebody, self.for_home = asks_for_somebody(question), asks_for_home(question)
        self.for_their_home = asks_for_home_of_another(question)
        self.for_age, self.for_employer = asks_for_age(question), asks_for_employer(question)
        self.of_an_event, self.of_the_past = asks_what_happened(question), lean_of(question) < 0
        self.whether_it_happened = asks_whether_it_happened(question)
        # none of these holds the comparison, or only a search for garbage would end it and the texts in it
        self.text = text = _kept(lambda place: answering(cues.readable(nodes[place].content), question_stems))
        self.english = _kept(lambda place: text(place) if self.is_english(place) else in_english(text(place)))
        self.words = _kept(lambda place: frozenset(stems(text(place))))
        self.all_words = _kept(lambda place: stem_set(nodes[place].content))
        self.subject = _kept(lambda place: subject_of([word.lower() for word in WORD.findall(text(place))]))
        self.is_passage = _kept(lambda place: is_passage(nodes[place].content))
        self.is_impersonal = _kept(lambda place: is_impersonal(nodes[place].content))
        self.is_long = _kept(lambda place: len(nodes[place].content) > SENTENCE)
        self.says_several = _kept(lambda place: says_several(nodes[place].content))
        self.is_cut = _kept(lambda place: self.is_long(place) and text(place) != cues.readable(nodes[place].content))
        self.returning = _kept(lambda place: tells_return(text(place)))
        self.tells_number = _kept(lambda place: tells_new_number(text(place)))
        self.changes_amount_or_time = _kept(lambda place: may_be_new_amount(text(place)) or may_postpone(text(place)))
        self.is_former = _kept(lambda place: tells_former_state(text(place)))
        self.corrects = _kept(lambda place: may_correct_value(nodes[place].content))  # its text lacks the "sorry"
        self.may_end = _kept(lambda place: self.corrects(place) or any(ends(text(place)) for ends in _MAY_END))
        self.is_record = _kept(lambda place: is_record(nodes[place].content))
        self.is_act = _kept(lambda place: tells_one_act(text(place)))
        self.is_belief = _kept(lambda place: bool(cues.BELIEVED.search(text(place))))
        self.clauses = _kept(lambda place: clauses(text(place)))
        self.asked_clauses = _kept(lambda place: asked_clauses(question_stems, text(place)))
        self.choices = Choices(question, text)
        searched = np.clip(judged.searched, *notes.SEARCHED) / notes.SEARCHED[0]
        self.many = float(np.log(searched))
        self.chance = BY_CHANCE * self.many
        self.of_tellers = notes.of_tellers(nodes)
        joins = not (judged.timed or self.whole) and language_of(question) == ENGLISH
        joins = joins and (self.of_tellers or notes.of_one_teller(nodes))
        self.joined = Joined(question, text, judged) if joins else None

    def claim(self, i: int, j: int) -> Claim | None:
        """What can be claimed of the result at j, which `follows` the one at i: that it took its place."""
        if (self.nodes[i].id, self.nodes[j].id) in self.judged.elliptic:
            return Claim(i, j, SETTLED, None, partly=leaves_more(self.text(i), self.text(j)))
        beyond = j in self.beyond
        if beyond and i >= FOLLOWED:
            return None
        is_apart = self._is_later_text(i, j) and not self.choices.offered(i) and not self._of_one_text(i, j)
        if is_apart and not (may_mend(self.nodes[j].content) and mends(self.text(i), self.text(j))):
            return None  # whatever it says, and in what words: most texts are told apart by this
        if (beyond and self.words(i).isdisjoint(self.words(j))) or self.is_belief(j):
            return None
        if self.choices.settled(i, j):
            return Claim(i, j, SETTLED, None)
        pair = self.text(i), self.text(j)
        if of_namesakes(self.stems, *pair):
            return None
        if mends(*pair):
            return Claim(i, j, SETTLED, CERTAIN, partly=len(self.clauses(i)) > 2)
        if self.for_somebody and takes_the_place(*pair):
            return Claim(i, j, SETTLED, None, partly=True)
        if who := self.returning(j):
            if ends_absence(*pair):
                return Claim(i, j, SETTLED, CERTAIN, partly=len(self.clauses(i)) > 1)
            if who <= content_stems(pair[0]) and not cues.NEGATED.search(pair[0]):
                return None  # who is back is what they were
        if (self.for_home and moved_home(*pair)) or (self.for_their_home and moved_home_of_another(*pair)):
            return Claim(i, j, SETTLED, CERTAIN, partly=len(self.clauses(i)) > 1 or leaves_more(*pair))
        if self.for_employer and new_employer(*pair):
            return Claim(i, j, SETTLED, CERTAIN, partly=leaves_more(*pair))
        if self.for_age and ages(pair[0]):
            return Claim(i, j, SETTLED, None, partly=True) if is_older(*pair) else None
        asked = (self.question, *pair)
        if left_home(*asked) or renumbered(*asked) or (self.tells_number(j) and counted_on(*asked)):
            return Claim(i, j, SETTLED, None, partly=True)
        if self.changes_amount_or_time(j) and (new_amount(*pair) or postpones(*pair)):
            return Claim(i, j, SETTLED, CERTAIN, partly=leaves_more(*pair))
        if names_another(*pair) and not of_other_things(*pair):
            return Claim(i, j, SETTLED, CERTAIN, partly=leaves_more(*pair))
        is_text = self._has_text(i, j)
        if is_text and not self._of_one_text(i, j):
            return None
        if restates(*pair):
            return None
        related = supersession.related(*pair)
        if not related and (is_text or beyond or self._joining(i, j) is None):
            return None
        odds = self._odds(i, j) if related else None
        if self.of_an_event and self._happened(i, j, odds):
            return None
        if self._is_recorded(i, j):
            return None
        if is_text and self._is_later_text(i, j) and odds is not None and odds < SURE:
            return None
        if (odds is None or odds < SURE) and is_about_health(pair[0]) and not is_about_health(pair[1]):
            return None
        if beyond and (odds is None or odds < self._bound_beyond(i, j)):
            return None
        likely, least = self._likelihood(i, j, odds)
        if likely < least:
            return None
        shared = content_stems(pair[0]) & content_stems(pair[1])
        if shared and odds is not None and odds < CERTAIN and shared <= supersession.NUMBERS:
            return None  # "three kids" and "after three"
        stated = not any(seeks(text) for text in pair)
        if likely < (least if stated else max(least, SOUGHT_LIKELY)):
            return None
        if is_former_to(pair[1], pair[0]):  # told later, and of an earlier time
            return None if self.of_the_past else Claim(j, i, likely, None, stated=stated)
        if self._apart(i, j, odds):
            return None
        changed = changed_part(self.stems, *pair, self.kinds) if related else ""
        partly = changed == "one" or self.is_cut(i) or leaves_more(*pair)
        is_asked = not self.stems.isdisjoint(self.words(j))
        if changed == "another":
            return None
        is_weighed = not (self.is_former(i) or self._begins(j))
        return Claim(i, j, likely, odds, partly, stated, is_asked, is_weighed)

    def may_complete(self, i: int, j: int) -> bool:
        """Whether the result at j, where it names nothing and it is known what it completes, completes the one at i."""
        earlier, later = self.nodes[i].id, self.nodes[j].id
        return later not in self.judged.completing or (earlier, later) in self.judged.elliptic

    def likely(self, claim: Claim, odds: float) -> Claim | None:
        """A claim of the regressions that the trees of `claim_model` find likely enough; they know English alone."""
        i, j = claim.earlier, claim.later
        if not (self.is_english(i) and self.is_english(j)):
            return claim
        weight, rarest = HOPELESS if claim.odds is None else claim.odds, self._rarest(i, j)
        plain = weight >= ENDS
        of_plain, of_sure, of_another = MIN_ODDS.get(self.judged.tier, MIN_ODDS["minilm"])
        least = of_plain if plain else of_sure if weight >= SURE else of_another
        least += COMMON_MORE if 0 < rarest < COMMON else 0.0
        changes = refers_back(self.text(j)) or supersession.change_of(self.text(j)).changed
        least -= CHANGED_LESS if changes else 0.0
        likely = probability(odds)
        return claim._replace(likely=max(claim.likely, likely) if plain else likely) if odds >= least else None

    def _rarest(self, i: int, j: int) -> float:
        """How rare the rarest content word is that two results share; 0 where they share none."""
        return self.judged.rarest(content_stems(self.text(i)) & content_stems(self.text(j)))

    def may_be_learned(self, i: int, j: int) -> bool:
        """Whether the trees of `claim_model` alone may claim something of the result at j: of the first results, notes
        that were not told within the hour.
        """
        nodes = self.nodes[i], self.nodes[j]
        if j in self.beyond or nodes[1].occurred_at - nodes[0].occurred_at <= SITTING_US:
            return False
        return not self._has_text(i, j) and (self.of_tellers or not any(node.speaker for node in nodes))

    def learned(self, i: int, j: int, odds: float) -> Claim | None:
        """What the trees alone claim of the result at j, where they may, at these log odds: of two that each say
        something of their own.
        """
        pair, few = (self.text(i), self.text(j)), self.judged.searched < FEW
        least = MIN_LEARNED_ODDS + (FEW_MORE if few else 0.0)
        least += 0.0 if self.is_english(i) and self.is_english(j) else ELSEWHERE_MORE
        if odds < least or self.is_belief(j):
            return None
        if odds < least + UNSHARED_MORE * (1 + few) and not self._rarest(i, j):
            return None
        if any(map(seeks, pair)) or restates(*pair) or of_namesakes(self.stems, *pair) or is_former_to(*pair[::-1]):
            return None
        if self._is_recorded(i, j) or (is_about_health(pair[0]) and not is_about_health(pair[1])):
            return None
        for question, *texts in self._readings(i, j):
            if never_replaces(*texts) or of_other_things(*texts) or surely_apart(question, *texts):
                return None
            if few and any(other(question, *texts) for other in _OTHER_OF_FEW):
                return None
        if self.of_an_event and self._happened(i, j, None):
            return None
        changed = changed_part(self.stems, *pair, self.kinds)
        if changed == "another" or (self.is_long(i) and changed != "one"):
            return None
        return Claim(i, j, probability(odds), None, partly=changed == "one" or self.is_cut(i) or leaves_more(*pair))

    def _begins(self, j: int) -> bool:
        """Whether the result at j says from when on it holds."""
        return beginning(self.text(j), self.nodes[j].occurred_at) is not None

    def taken_back(self, i: int, j: int) -> Claim | None:
        """What can be claimed of the result at j where nothing else is: that it calls off what is planned at i, denies
        what is said there or says that it was so before, or tells how it is where the one at i tells how it was.
        """
        if self.is_passage(i) or self.is_passage(j) or not (self.is_former(i) or self.may_end(j)):
            return None
        pair = self.text(i), self.text(j)
        if is_former_to(*pair):
            same = self.stems & self.words(i) & self.words(j)
            answers = not self.of_the_past and self.judged.alone[j] >= MIN_ANSWER_RELEVANCE
            return Claim(i, j, SETTLED, None) if same and answers and not self._apart(i, j, None) else None
        if self.is_belief(j) or self.returning(j) or of_namesakes(self.stems, *pair):
            return None
        if lifts(*pair):
            return Claim(i, j, SETTLED, None, partly=len(self.clauses(i)) > 1)
        said_next = bool(self.judged.stored) and self.judged.stored[j] == self.judged.stored[i] + 1
        if not (
            calls_off(*pair) or denies(*pair) or is_gone(*pair) or ends_as_former(*pair[::-1])
            or (said_next and (acts_on_it(pair[1]) or corrects_value(self.nodes[i].content, self.nodes[j].content)))
        ):  # fmt: skip
            return None
        if self.nodes[i].occurred_at == self.nodes[j].occurred_at and contradiction(*pair) is not None:
            return None  # of one moment: which of them holds is not known
        if changed_part(self.stems, *pair, self.kinds) == "another":
            return None
        return Claim(i, j, SETTLED, None, partly=leaves_more(*pair))

    def are_requests(self, claim: Claim) -> bool:
        """Whether a user tells both in a longer message to an assistant, which asks for something."""
        places = claim.earlier, claim.later
        return all(self.is_long(place) and (self.nodes[place].speaker or "").lower() in USERS for place in places)

    def beside_a_rule(self, claim: Claim) -> Claim | None:
        """A claim, but that what allows something to somebody took the place of a rule for everybody: both hold, and
        the exception comes first where its bearer is asked about.
        """
        who = exempts(self.text(claim.earlier), self.text(claim.later))
        if not who:
            return claim
        return claim._replace(odds=None, partly=False) if asks_for_one(self.question, who) else None

    def reversals(self, claims: Sequence[Claim]) -> list[Claim]:
        """That what goes back to the first of two statements took the place of the second, which took its place."""
        known = {(claim.earlier, claim.later) for claim in claims}
        chains = [
            (claim, j)
            for claim in claims
            for j in self.stating
            if (claim.later, j) not in known and follows(self.nodes[claim.later], self.nodes[j])
        ]
        return [
            Claim(claim.later, j, SETTLED, None)
            for claim, j in chains
            if goes_back(self.text(claim.earlier), self.text(claim.later), self.text(j))
        ]

    def with_kept(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims, where a wish was not granted: what says that something stays is told before what says so first,
        and ends the wish, which ends nothing.
        """
        trios = [
            (i, wish, j)
            for j in self.stating
            if not self.is_passage(j) and kept_values(self.text(j))
            for wish in self.stating
            if follows(self.nodes[wish], self.nodes[j]) and may_wish(self.text(wish))
            for i in self.stating
            if follows(self.nodes[i], self.nodes[wish]) and keeps(self.text(i), self.text(wish), self.text(j))
        ]
        if not trios:
            return list(claims)
        wishes = {wish for _, wish, _ in trios}
        others = [claim for claim in claims if wishes.isdisjoint((claim.earlier, claim.later))]
        stays = [Claim(i, j, SETTLED, None) for i, _, j in trios]
        return others + stays + [Claim(wish, j, SETTLED, CERTAIN) for _, wish, j in trios]

    def _has_text(self, i: int, j: int) -> bool:
        """Whether one of the two is a text about something, in which nobody speaks of themselves."""
        return any(kind(place) for kind in (self.is_passage, self.is_impersonal) for place in (i, j))

    def _is_later_text(self, i: int, j: int) -> bool:
        """Whether the later of the two is a text about something, and must surely take the place of the earlier one."""
        return self.is_passage(j) or (self.is_impersonal(j) and not self.is_impersonal(i))

    def _of_one_text(self, i: int, j: int) -> bool:
        """Whether two of which one is a text may be about one thing: a later note names what the text is about, a later
        text has most words of the note.
        """
        if self._is_later_text(i, j):
            return len(self.words(i) & self.all_words(j)) >= MIN_SHARED * len(self.words(i))
        if not self.is_passage(i):
            return True
        named = self.subject(j)
        return bool(named and named <= self.all_words(i))

    def _happened(self, i: int, j: int, odds: float | None) -> bool:
        """Whether the earlier of two tells what happened, which the later one neither replaces nor corrects, and of
        which it has no word that the earlier one lacks.
        """
        if not tells_what_happened(self.text(i)) or self.stems & self.words(j) - self.words(i):
            return False
        return odds is None or (odds < HAPPENED and not supersession.change_of(self.text(j)).corrected)

    def _is_recorded(self, i: int, j: int) -> bool:
        """Whether the earlier of two tells what was done, or is a record of it, and that is asked, which the later one
        neither undoes nor corrects.
        """
        if not self.is_record(i) or self._undoes(j):
            return False
        if self.of_an_event or (self.whether_it_happened and self.is_act(i)):
            return True
        elsewhere = self.kinds & {"place", "somebody", "company"}  # of these the later one may have another
        return not elsewhere and record_apart(self.question, self.nodes[i].content, self.text(j))

    def _has_no_end(self, i: int, j: int) -> bool:
        """Whether the earlier of two tells what was done once, or is a record that the later one shares but names with,
        and does not correct.
        """
        if not (self.is_act(i) or self.is_record(i)) or self._undoes(j):
            return False
        return self.is_act(i) or share_but_names(self.nodes[i].content, self.text(j))

    def _undoes(self, j: int) -> bool:
        """Whether what is said at j takes something back."""
        change = supersession.change_of(_AFTER_ALL.sub(" ", self.text(j)))
        return bool(change.corrected or change.denied) or self.may_end(j)

    def _answers_nothing(self, i: int, j: int) -> bool:
        """Whether only the earlier of two has words of the question, and the later one is of no relevance to it and
        refers to nothing told before.
        """
        shared = [self.stems & self.words(place) for place in (i, j)]
        surely = self.judged.alone[i] >= SURELY  # else the question is worded unlike either
        irrelevant = surely and bool(shared[0]) and not shared[1] and self.judged.alone[j] < MIN_ANSWER_RELEVANCE
        return irrelevant and not refers_back(self.text(j))

    def _joining(self, i: int, j: int) -> "Joined | None":
        """What says how likely the question joins the two: only short notes, of which one says one thing, and not of
        two things of a kind. Of what says several things hardly one is about what another note is about.
        """
        if self.is_long(i) or self.is_long(j) or (self.says_several(i) and self.says_several(j)):
            return None
        return None if supersession.two_of_a_kind(self.text(i), self.text(j)) else self.joined

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

    def _bound_beyond(self, i: int, j: int) -> float:
        """Log odds from which on the result at j, not among the first, may take the place of the one at i."""
        if set(_IDENTIFIER.findall(self.text(i))) & set(_IDENTIFIER.findall(self.text(j))):
            return BEYOND_FIRST
        return BEYOND_FIRST if i == 0 and self.judged.alone[i] >= MIN_ANSWER_RELEVANCE else BEYOND

    def _odds(self, i: int, j: int) -> float:
        """Log odds of two related statements, less what chance makes alike and what is told in one sitting."""
        odds = self._statements(i, j) - self.chance
        odds -= self._by_sitting(i, j) if odds < CERTAIN else 0.0
        if odds > BELOW_ENDS and self._has_no_end(i, j):
            return BELOW_ENDS
        return BELOW_SURE if odds > BELOW_SURE and value_gone(self.text(i), self.text(j)) else odds

    def _statements(self, i: int, j: int) -> float:
        """Log odds of two statements or, where that is more, of a clause of the one that has the question's words and
        one of the other: "Mum lives in Valencia, she turned 70" is replaced by "Mum's moved to Alicante".

        What is said in a conversation is compared whole: of its many clauses two are soon alike. Clauses alone never
        give an end, since the rest of the earlier statement may hold.
        """
        whole = self.text(i), self.text(j)
        odds = supersession.logit(*whole)
        talked = self.nodes[i].speaker and not self.of_tellers
        if talked or j in self.beyond or not HOPELESS <= odds < SURE:
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
            likely = probability(odds)
        elif odds is not None:
            supported = all(language in cues.LANGUAGES for language in languages)
            likely = likely_replaced(self.question, pair, odds, (i, j), self.judged, supported, self.whole)
        unsettled = likely < LIKELY and (odds is None or odds < PLAIN)
        joined = self._joining(i, j) if unsettled and languages == (ENGLISH, ENGLISH) else None
        if joined is None or cues.OPEN.search(pair[1]):
            return likely, LIKELY
        least = IRRELEVANT_LIKELY if odds is None and self._answers_nothing(i, j) else JOINED_LIKELY
        less = self._by_sitting(i, j) + (self.many if odds is None else 0.0)
        return joined.likely(i, j, odds, less), least

    def _apart(self, i: int, j: int, odds: float | None) -> bool:
        """Whether the two are of two matters, or of one moment."""
        at_once = self.nodes[i].occurred_at == self.nodes[j].occurred_at
        return any(apart(*texts, odds, whole=self.whole, at_once=at_once) for texts in self._readings(i, j))

    def question_about(self, places: Iterable[int]) -> str:
        """The question as it is compared with some results: in English beside one in another language."""
        return self.question if all(map(self.is_english, places)) else in_english(self.question)

    def _readings(self, i: int, j: int) -> Iterator[tuple[str, str, str]]:
        """The question and two results; in another language than English, also as they read in English, in which there
        is more to tell matters apart by.
        """
        yield self.question, self.text(i), self.text(j)
        if not (self.is_english(i) and self.is_english(j)):
            yield self.question_about((i, j)), self.english(i), self.english(j)
