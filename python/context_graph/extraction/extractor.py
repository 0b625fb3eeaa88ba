"""What a text states of the subjects it speaks of: verbs with their objects, and what somebody is."""

import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from context_graph.extraction.coreference import Coreference, SpeechContext, Subject, opens_subject
from context_graph.extraction.sentence import MAX_VALUE_WORDS, Sentence
from context_graph.extraction.verbs import (
    ATTITUDES,
    FORMS,
    INTO,
    KIN,
    LIGHT,
    ONLY,
    OPENINGS,
    PASSIVES,
    PETS,
    RELATIONS,
    Form,
)
from context_graph.extraction.words import (
    ABSTRACT,
    ACTIVITIES,
    ADVERB,
    AFTER_VERB,
    BE,
    CLOSED,
    COLOURLESS,
    DETERMINER,
    DO,
    EMPTY,
    HAVE,
    JUDGING,
    LISTED,
    MODAL,
    NAMED_BY,
    NEVER,
    NOBODY,
    NUMBER,
)
from context_graph.regex import regex

__all__ = ["Fact", "Reader"]

SAME = {
    "move to": "live in", "relocate to": "live in", "settle in": "live in", "be big fan of": "be fan of",
    "be huge fan of": "be fan of", "be raised in": "grow up in",
}  # fmt: skip
"""Relations that say the same."""

_TO_LIVE = frozenset({"move to", "relocate to"})
_NO_HOME = regex(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:tomorrow|next|noon|main|master|prod)\b", re.I
)

_OF_YOU = frozenset({"play", "live in", "work at", "work as", "work for", "study", "adopt", "speak", "teach"})
"""What one who is spoken to is believed to do; the rest is mostly praise."""

_PLANS = frozenset(
    "go visit travel fly move meet attend see head return play perform compete host get have drive relocate".split()
)
"""Verbs whose "am ...ing" speaks of what is to come."""

_LABELS = frozenset(
    """name birthday hometown job hobby age email address team editor language stack database deadline budget timezone
    role nickname degree allergy major profession occupation nationality instrument""".split()
)
_GAINED = frozenset("have get adopt rescue own buy".split())
_OF_ACTS = frozenset("try practice do learn teach study".split())
_UNSAID = frozenset("get see take find give turn".split())
"""Verbs whose object, where it stands before them, is too often no object: "the time it took"."""

_JOURNEYS = frozenset("trip visit vacation journey holiday roadtrip cruise".split())
_MEETINGS = frozenset("chat talk conversation call meeting".split())
_WHO = regex(r"(?:er|or|ist|ian|ess|eer|ant|man|poet|chef|coach|judge|star|model|king|queen|host)$")
_MARKED = ("this", "that", "these", "those", "the", "your", "how", "his", "her", "their")


@dataclass(frozen=True, slots=True)
class Fact:
    """Somebody or something stands in a relation to a value: ("Melanie", "play", "clarinet").

    Attributes
    ----------
    relation : str
        A verb in its plain form, with its preposition ("live in"), or the noun of a possession ("favorite book").
    span : tuple of int
        Where the value stands in the text.
    leans : bool
        Who the subject is, the turn before says.
    """

    subject: str
    relation: str
    value: str
    span: tuple[int, int]
    leans: bool = False


class _Verb(NamedTuple):
    """How far a verb was read."""

    at: int
    """The word to go on from."""

    tense: str = ""
    complete: bool = False
    """Whether it was a verb that states something, with what it needs."""


class Reader:
    """Reads a text sentence by sentence; `facts` has the facts so far, in reading order."""

    def __init__(self, text: str, context: SpeechContext) -> None:
        self.facts: list[Fact] = []
        self._text, self._context = text, context
        self._coreference = Coreference(text, context)
        self._sentence = Sentence(text, 0, 0)

    def read(self, start: int, end: int) -> None:
        """Take in a sentence."""
        self._sentence = Sentence(self._text, start, end, self._coreference.taking_part)
        for owner, noun, name in self._coreference.relatives(self._sentence):
            self._add(owner, noun, name, name + 1)
        at, words = 0, self._sentence.words
        while at < len(words):
            word = words[at]
            if self._context.speaker is None and not opens_subject(word):  # most words of a note
                at += 1
                continue
            if word.low in ("my", "our"):
                self._labelled(at)
                self._journey(at)
            if word.low in ("her", "his", "its") and (named := self._coreference.name_told(self._sentence, at)):
                self._add(named[0], named[1], named[2], named[2] + 1)
            subject = self._coreference.subject(self._sentence, at)
            at = at + 1 if subject is None else max(self._clause(subject), at + 1)

    def _add(self, subject: str, relation: str, first: int, last: int, leans: bool = False) -> None:
        start, end = self._sentence.span(first, last)
        if last == first + 1 and self._coreference.is_name(self._sentence, first):  # "my daughter Sara's birthday"
            end = start + len(self._text[start:end].removesuffix("'s").removesuffix("’s"))
        value = self._text[start:end]
        if value and subject and value.lower() != subject.lower():  # a quotation mark alone is nobody
            if relation in _TO_LIVE and _NO_HOME.search(value):
                return  # what moves to a port, a day or a room is nobody
            self.facts.append(Fact(subject, SAME.get(relation, relation), value, (start, end), leans))

    def _add_all(self, subject: Subject, relation: str, at: int, **how: bool) -> int:
        """Add every value of a list; returns where it ends."""
        how.setdefault("noted", self._context.speaker is None)
        for first, last in self._sentence.values(at, **how):
            self._add(subject.name, relation, first, last, subject.leans)
            at = last
        return at

    def _labelled(self, at: int) -> None:
        """ "My favorite book is X", "my job is X": a fact without a verb of its own, from "my" on."""
        low, speaker = self._sentence.low, self._context.speaker
        if speaker is None:
            return
        label, verb = low(at + 1), at + 2
        if label in ("favorite", "favourite", "fave"):
            while verb < at + 5 and low(verb) not in CLOSED and low(verb).isalpha():
                verb += 1
            nouns = [low(place) for place in range(at + 2, verb)]
            if nouns and nouns[-1] in EMPTY:
                return
            label = " ".join(["favorite", *nouns])
        elif label not in _LABELS:
            return
        if low(verb) in ("is", "are", "was", "were", "'s") and low(verb + 1) not in NEVER:
            self._add_all(Subject(speaker, verb, "other"), label, verb + 1, doings=True)

    def _journey(self, at: int) -> None:
        """ "My trip to Rome", from "my" on."""
        low, speaker = self._sentence.low, self._context.speaker
        if speaker is None:
            return
        at += 1 + (low(at + 2) in _JOURNEYS)
        if low(at) in _JOURNEYS and low(at + 1) == "to" and low(at - 1) not in ("next", "upcoming", "dream", "future"):
            for first, last in self._sentence.values(at + 2, doings=False):
                if self._sentence.words[first].text[0].isupper():
                    self._add(speaker, f"{low(at)} to", first, last)
                break

    # Verbs

    def _clause(self, subject: Subject) -> int:
        """Read the verb of a subject with its objects, and the verbs joined to it; returns the word to go on from."""
        low, had = self._sentence.low, len(self.facts)
        verb = self._verb(subject, subject.at, "")
        if not verb.complete:
            if subject.kind in ("i", "we") and len(self.facts) == had:
                self._object_before(subject)
            return verb.at
        while verb.at < len(self._sentence):
            at = verb.at + (low(verb.at) == ",")
            joined = low(at) in ("and", "&", "then")
            at = self._sentence.past_adverbs(at + joined)
            form = FORMS.get(low(at))
            wanted = "past" if verb.tense == "participle" else verb.tense
            if at == verb.at or form is None or form.tense not in (verb.tense, wanted):
                break
            if form.tense in ("base", "ing") and not joined:
                break
            verb = self._verb(subject, at, verb.tense)
        return verb.at

    def _verb(self, subject: Subject, at: int, before: str) -> _Verb:
        """Read one verb with its object; `before` is the tense of the verb that it is joined to."""
        low = self._sentence.low
        helped = "be" if before == "ing" else ""
        while at < len(self._sentence):
            if low(at) in NEVER or low(at) in MODAL:
                return _Verb(at + 1)
            if low(at) in ADVERB:
                at += 1
            elif low(at) in DO and low(at + 1) in NEVER:
                return _Verb(at + 2)
            elif low(at) in DO and self._tense(at + 1) == "base":
                at += 1
            elif low(at) == "'ve" and low(at + 1) == "got":
                return self._object(subject, Form("have", "base"), at + 2)
            elif (low(at) in HAVE or low(at) == "'s") and self._perfect(at + 1):
                helped, at = "have", at + 1
            elif low(at) == "been" and helped == "have":
                helped, at = "been", at + 1
            elif low(at) in BE:
                if helped == "be" or (low(at) == "am" and subject.kind == "other"):  # "Termin am 17. Juni"
                    return _Verb(at + 1)
                helped, at = "be", at + 1
            else:
                break
        while helped in ("be", "been") and low(at) == "busy":
            at += 1
        form = FORMS.get(low(at))
        if helped in ("be", "been"):
            if form is None or form.tense != "ing":
                return self._being(subject, at)
            if helped == "be" and not before and form.lemma in _PLANS and low(at - 1) not in ("was", "were"):
                return _Verb(at + 1)
            return self._object(subject, form, at + 1)
        if form is None or not _agrees(subject, form, helped):
            return _Verb(at)
        return self._object(subject, form, at + 1)

    def _tense(self, at: int) -> str:
        form = FORMS.get(self._sentence.low(at))
        return "" if form is None else form.tense

    def _perfect(self, at: int) -> bool:
        """Whether a participle follows, after adverbs."""
        at = self._sentence.past_adverbs(at)
        return self._sentence.low(at) == "been" or self._tense(at) in ("past", "participle")

    def _object(self, subject: Subject, form: Form, at: int) -> _Verb:
        """Read what follows a verb."""
        low = self._sentence.low
        while low(at) in AFTER_VERB:
            at += 1
        if form.lemma in OPENINGS and form.lemma != "stop" and self._by_itself(at):
            self._add(subject.name, "do", at, at + 1, subject.leans)
            return _Verb(at + 1, form.tense, True)
        if form.lemma in OPENINGS and self._tense(at) == "ing":
            return _Verb(at + 1) if form.lemma == "stop" else self._object(subject, FORMS[low(at)], at + 1)
        if form.lemma == "get" and low(at) == "to" and self._tense(at + 1) == "base" and form.tense != "base":
            return self._object(subject, Form(FORMS[low(at + 1)].lemma, "past"), at + 2)
        if form.lemma in ATTITUDES:
            return self._liked(subject, form, at)
        if form.lemma == "go" and low(at).endswith("ing") and low(at) not in ("during", "being", "going"):
            if form.tense != "ing":
                self._add(subject.name, "go", at, at + 1, subject.leans)
            return _Verb(at + 1, form.tense, True)
        if subject.kind != "you" and self._by_itself(at - 1):
            self._add(subject.name, "do", at - 1, at, subject.leans)
            return _Verb(at, form.tense, True)
        if form.lemma == "have" and (together := self._together(subject, form, at)):
            return together
        relation = self._relation(form.lemma, at)
        if relation is None or (subject.kind == "you" and relation not in _OF_YOU):
            return _Verb(at, form.tense)
        if relation == "take" and low(at) in ("my", "our", "the"):
            return self._taken(subject, form, at)
        after = at + len(relation.split()) - 1
        direct = after == at
        if relation.endswith(" to") and self._tense(after) == "base":
            return _Verb(after, form.tense)  # "went to see"
        has_object = False
        how = {"doings": not direct or form.lemma in _OF_ACTS, "present": form.tense == "base"}
        for first, last in self._sentence.values(after, **how, noted=self._context.speaker is None):
            has_object, after = True, last
            if direct and not self._fits(form.lemma, first, last):
                continue
            self._add(subject.name, relation, first, last, subject.leans)
            noun = low(last - 1)
            if subject.kind in ("i", "we") and form.lemma in _GAINED and (noun in KIN or noun in PETS):
                self._coreference.has(noun)
            if (
                low(last) in NAMED_BY
                and (noun in KIN or noun in PETS)
                and self._coreference.is_name(self._sentence, last + 1)
            ):
                self._add(subject.name, noun, last + 1, last + 2, subject.leans)
        return _Verb(after, form.tense, has_object)

    def _by_itself(self, at: int) -> bool:
        """Whether somebody does what needs no object, and none follows: "running", but not "running for mayor"."""
        low, following = self._sentence.low(at), self._sentence.low(at + 1)
        if low not in ACTIVITIES or (
            low in FORMS and self._relation(FORMS[low].lemma, at + 1) not in (None, FORMS[low].lemma)
        ):
            return False
        ends = following in ("", ",", "farther", "regularly") or (following in CLOSED and following not in DETERMINER)
        return ends or NUMBER.fullmatch(following) is not None

    def _together(self, subject: Subject, form: Form, at: int) -> _Verb | None:
        """ "Had a blast at the fair", "had a talk with Anna"."""
        low, head = self._sentence.low, at
        while head < at + 4 and (low(head) in DETERMINER or low(head) in COLOURLESS):
            head += 1
        head -= low(head) not in _MEETINGS and low(head) not in ("blast", "time") and low(head - 1) == "fun"
        if subject.kind == "you" or form.tense not in ("past", "participle"):
            return None
        if low(head) in _MEETINGS and low(head + 1) == "with":
            return _Verb(self._add_all(subject, "talk with", head + 2, doings=False), form.tense, True)
        if low(head) in ("blast", "time", "fun") and low(head + 1) == "at":
            return _Verb(self._add_all(subject, "be at", head + 2, doings=False), form.tense, True)
        return None

    def _relation(self, lemma: str, at: int) -> str | None:
        """The longest relation that a verb and what follows it make."""
        words = [lemma, *(self._sentence.low(place) for place in range(at, at + 3))]
        return next((" ".join(words[:n]) for n in (4, 3, 2, 1) if " ".join(words[:n]) in RELATIONS), None)

    def _fits(self, lemma: str, first: int, last: int) -> bool:
        """Whether an object is one that a verb of many uses says something with."""
        only, low = ONLY.get(lemma), self._sentence.low
        if only is None or low(last - 1) in only:
            return True
        indefinite = low(first - 1) in ("a", "an", "some") or NUMBER.fullmatch(low(first)) is not None
        return lemma in LIGHT and indefinite and low(last - 1) not in ABSTRACT

    def _liked(self, subject: Subject, form: Form, at: int) -> _Verb:
        """What somebody loves, hates or enjoys; a remark on what is at hand is no fact."""
        if subject.kind == "you" or self._sentence.low(at) in _MARKED:
            return _Verb(at, form.tense, subject.kind != "you")
        to = self._sentence.low(at) == "to" and self._tense(at + 1) == "base"
        how = {"doings": True, "infinitive": to, "liked": True, "present": form.tense == "base"}
        return _Verb(self._add_all(subject, form.lemma, at + to, **how), form.tense, True)

    def _taken(self, subject: Subject, form: Form, at: int) -> _Verb:
        """ "Took my kids to the museum": went there, too."""
        end = at + 1
        while end < at + 4 and self._sentence.low(end) not in CLOSED:
            end += 1
        if self._sentence.low(end - 1) in ACTIVITIES and end > at + 2 and form.tense in ("past", "participle"):
            self._add(subject.name, "go", end - 1, end, subject.leans)
            return _Verb(end, form.tense, True)
        if self._sentence.low(end) != "to" or form.tense not in ("past", "participle"):
            return _Verb(at + 1, form.tense, True)
        return _Verb(self._add_all(subject, "go to", end + 1, doings=False), form.tense, True)

    def _object_before(self, subject: Subject) -> None:
        """ "The camera I had": the object stands before its verb, which nothing follows."""
        low, at = self._sentence.low, self._sentence.past_adverbs(subject.at)
        if low(at) in HAVE and self._perfect(at + 1):
            at = self._sentence.past_adverbs(at + 1)
        form = FORMS.get(low(at))
        if form is None or form.tense != "past" or form.lemma in _UNSAID or low(at + 1) in NEVER:
            return
        relation = self._relation(form.lemma, at + 1)
        following = low(at + len(relation.split())) if relation else ""
        if relation is None or following == "to" or not (following in CLOSED or following in ("", ",", "a")):
            return
        last = subject.at - 1
        last -= low(last - 1) in ("that", "which")
        first = last
        while (
            first > max(0, last - MAX_VALUE_WORDS) and low(first - 1) not in CLOSED and low(first - 1) not in DETERMINER
        ):
            first -= 1
        opened = low(first - 1) in ("a", "an", "the", "this", "that", "these", "those", "my", "our")
        plain = all(word.text[0].isalnum() for word in self._sentence.words[first:last])
        if first < last and opened and plain and self._sentence.says(first, last):
            self._add(subject.name, relation, first, last, subject.leans)

    # What somebody is

    def _being(self, subject: Subject, at: int) -> _Verb:
        """What somebody is: in a state, of a kind, of an age; or what was done to them."""
        low = self._sentence.low
        if subject.kind == "you" or low(at) in NEVER:
            return _Verb(at + 1)
        if low(at) in JUDGING and low(at + 1) == "to" and low(at + 2) == "have" and low(at + 3) in ("my", "our"):
            return self._object(subject, Form("have", "base"), at + 3)  # "lucky to have my sister"
        if low(at) == "in" and self._sentence.words[min(at + 1, len(self._sentence) - 1)].text[0].isupper():
            return _Verb(self._add_all(subject, "be in", at + 1, doings=False), "past", True)
        start = at + (low(at) in ("a", "an", "the") and self._sentence.begins(at + 1, INTO) > 0)
        end = self._sentence.begins(start, INTO) or self._sentence.begins(start, PASSIVES)
        if end:
            return self._state(subject, start, end)
        if low(at) in ("a", "an") or (low(at) == "the" and subject.kind == "other" and self._context.speaker is None):
            return self._kind(subject, at)
        years = low(at).isdecimal() and len(low(at)) < 3 and subject.kind != "we"
        if years and (low(at + 1) in ("", ",", "and", "now") or (low(at + 1) == "years" and low(at + 2) == "old")):
            self._add(subject.name, "age", at, at + 1, subject.leans)
        return _Verb(at + 1, "past", years)

    def _state(self, subject: Subject, start: int, end: int) -> _Verb:
        """ "Vegan", "from Sweden", "fan of jazz", "born in Rome"."""
        low = self._sentence.low
        if low(end) in ("this", "that", "these", "those", "your"):
            return _Verb(end, "past", True)
        words = [low(at) for at in range(start, end)]
        if len(words) == 1 and words[0] not in ("from", "into", "named", "called", "titled", "awarded"):
            if low(end) in ("", ",", "and", "but", "so", ".", "now", "with"):
                self._add(subject.name, "be", start, end, subject.leans)
            return _Verb(end, "past", True)
        return _Verb(self._add_all(subject, " ".join(["be", *words]), end, doings=True), "past", True)

    def _kind(self, subject: Subject, at: int) -> _Verb:
        """ "A nurse", "a club based in Rome"."""
        low, start = self._sentence.low, at
        values = list(self._sentence.values(at, doings=False, noted=self._context.speaker is None))
        for (first, last), later in zip_longest(values, values[1:]):
            at = last
            if later and later[1] > later[0] + 1 and low(last) in LISTED and not _WHO.search(low(last - 1)):
                continue  # "a food and wine critic" is no food
            said_little = low(last - 1) in NOBODY or low(last - 1) in JUDGING or low(first) in JUDGING
            if subject.kind == "other" or not said_little:
                self._add(subject.name, "be", first, last, subject.leans)
        done = self._sentence.begins(at, PASSIVES)
        if len(values) == 1 and done > at + 1 and "of" not in (low(place) for place in range(start, at)):
            relation = " ".join(["be", *(low(place) for place in range(at, done))])
            at = self._add_all(subject, relation, done, doings=False)
        return _Verb(at, "past", True)


def _agrees(subject: Subject, form: Form, helped: str) -> bool:
    """Whether a form of a verb may follow a subject without, or with, "have"."""
    if form.tense == "ing":
        return subject.kind == "doing"
    if form.tense == "participle":
        return helped == "have"
    if subject.kind == "other":
        return form.tense != "base" or subject.name.endswith("s")
    return form.tense != "third"
