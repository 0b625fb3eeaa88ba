"""Who a text speaks of: those who take part, those whom it has named, and who a subject stands for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from context_graph.extraction.sentence import Sentence, Word
from context_graph.extraction.verbs import FORMS, KIN, LIGHT, PETS
from context_graph.extraction.words import (
    BE,
    CLAUSE_STARTS,
    CLOSED,
    DOUBT,
    EMPTY,
    HAS,
    LISTED,
    NAMED_BY,
    NO_NAME,
    OPEN_UNLESS_PAST,
    OPENERS,
    THIRD,
)
from context_graph.graph.entities import NO_NAMES
from context_graph.regex import regex

__all__ = ["Coreference", "SpeechContext", "Subject", "opens_subject"]

DOUBT_REACH = 6
"""Words before a subject in which a word of doubt is about it."""

LONGEST_NAME = 6
RELATIVES = frozenset(KIN) | {f"{word}s" for word in KIN} | PETS | {f"{word}s" for word in PETS} | {"children", "wives"}

_JOINERS = frozenset("of the de van von and &".split())
_AMBIGUOUS = frozenset("read quit hurt beat found base set put".split())
"""Verbs whose past alone, at the head of a sentence, is no past."""

_OWN = frozenset("play ride drive paint practice write wear read walk use sail grow knit build tune fly".split())
"""What people do with what is theirs: who speaks of "playing my violin" plays it."""

_VAGUE_DOINGS = LIGHT | frozenset(
    "do make see meet help enjoy love like hate prefer keep wear use turn try care support".split()
)
_PRONOUNS = frozenset("i we you he she my our".split())
"""Words that a subject begins with, besides names and what a speaker says without "I"."""
_SOMEBODY = frozenset("you he she they it him her them someone people who your his their if would could".split())
_RELATIVE = regex(rf"\b(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?({'|'.join([*KIN, *sorted(PETS)])})\b(?:,? ([A-Z][a-z]+))?")
_AMID = regex(r"(?<=[a-z,] )[A-Z][a-z]+\b")
_TWO_NAMES = regex(r"(?<=[a-z,] )[A-Z][a-z]+ (?:[A-Z]\w*\.? )?[A-Z][a-z]+")
_LONGEST_PAIR = 200
_LEAD = 40
"""Letters of a note after which a second name may be who "he" is."""


@dataclass(frozen=True, slots=True)
class SpeechContext:
    """Who says a text, and to whom.

    Attributes
    ----------
    speaker : str, optional
        Who "I" is; None: nobody, as in a note.
    other : str, optional
        Who "you" is: the other one of exactly two.
    before : str
        The turn before, for what "he" and "she" stand for.
    """

    speaker: str | None = None
    other: str | None = None
    before: str = ""


class Subject(NamedTuple):
    """Who or what a verb is said of.

    Attributes
    ----------
    at : int
        The word after the subject.
    kind : str
        "i", "we", "you", "doing" for a verb in -ing that is the speaker's, "other" for anybody named.
    leans : bool
        The turn before says who it is.
    """

    name: str
    at: int
    kind: str
    leans: bool = False


class Coreference:
    """Those whom a text has named so far."""

    def __init__(self, text: str, context: SpeechContext) -> None:
        self.context = context
        self.taking_part = {word.lower() for name in (context.speaker, context.other) if name for word in name.split()}
        self._text = text
        self._people: dict[str, str] = {}  # by name, with their pronoun, "" where both may stand for them
        self._before: dict[str, str] | None = None
        self._full: dict[str, str] = {}
        self._opened: tuple[Sentence | None, int] = (None, 0)
        self._second, self._searched = False, 0

    def relatives(self, sentence: Sentence) -> Iterator[tuple[str, str, int]]:
        """Whose, who and the word of the name: "my sister Anna", "our dog, Rex,", "Anna's brother Tom"."""
        for at, word in enumerate(sentence.words[:-1]):
            owner = self._owner(word.text, word.low)
            if owner is None:
                continue
            for skip in (1, 2):
                noun = sentence.low(at + skip)
                if noun not in KIN and noun not in PETS:
                    continue
                after = at + skip + 1
                comma = sentence.low(after) == ","
                after += comma or sentence.low(after) in NAMED_BY
                if comma and sentence.low(after + 1) not in (",", "is", "was"):
                    after = -1  # "thanks for walking my dog, Otto"
                if self.is_name(sentence, after) and not (comma and sentence.low(after + 2) in LISTED):
                    name = sentence.words[after].text
                    self._people[name.removesuffix("'s").removesuffix("’s")] = KIN.get(noun, "")
                    yield owner, noun, after
                elif word.low != "your":
                    mine = word.low in ("my", "our")
                    self._people.setdefault(f"my {noun}" if mine else f"{owner}'s {noun}", KIN.get(noun, ""))
                break

    def _owner(self, text: str, low: str) -> str | None:
        if low in ("my", "our"):
            return self.context.speaker
        if low == "your":
            return self.context.other
        return text[:-2] if low.endswith("'s") and text[:1].isupper() and low[:-2] not in NO_NAME else None

    def has(self, noun: str) -> None:
        """The speaker has a dog, or a sister, who was not named."""
        self._people.setdefault(f"my {noun}", KIN.get(noun, ""))

    def name_told(self, sentence: Sentence, at: int) -> tuple[str, str, int] | None:
        """Whose, who and the word of the name: "her name is Coco", where just one may be meant."""
        gender = {"her": "she", "his": "he", "its": "it"}.get(sentence.low(at))
        if gender is None or self.context.speaker is None or sentence.low(at + 1).removesuffix("'s") != "name":
            return None
        name = at + 2 if sentence.low(at + 1) == "name's" else at + 3
        if name == at + 3 and sentence.low(at + 2) not in ("is", "'s"):
            return None
        if len(self._people) != 1 or not self.is_name(sentence, name):
            return None
        ((known, fits),) = self._people.items()
        noun = known.removeprefix("my ")
        if noun == known or fits not in ("", gender):
            return None
        self._people = {sentence.words[name].text: gender}
        return self.context.speaker, noun, name

    def is_name(self, sentence: Sentence, at: int) -> bool:
        """Whether a word is somebody's first name, and not of one who takes part."""
        if not 0 <= at < len(sentence):
            return False
        text, low = sentence.words[at].text, sentence.low(at).removesuffix("'s")
        text = text[: len(low)]
        plain = len(text) > 1 and text.isalpha() and text[0].isupper() and text[1:].islower()
        return plain and low not in NO_NAMES and low not in CLOSED and low not in self.taking_part

    def subject(self, sentence: Sentence, at: int) -> Subject | None:
        """Who or what is the subject that begins at a word; None where none does, or nobody knows who it is."""
        word, speaker = sentence.words[at], self.context.speaker
        if not (opens_subject(word) or (speaker is not None and self._opens(sentence, at))):
            return None  # most words are no subject
        if _doubtful(sentence, at):
            return None
        if word.low == "i":
            return None if speaker is None else Subject(speaker, at + 1, "i")
        if word.low == "we":
            return Subject(speaker or "we", at + 1, "we")
        if word.low == "you":
            return None if self.context.other is None else Subject(self.context.other, at + 1, "you")
        if word.low in ("he", "she"):
            return self._meant(word.low, sentence, at)
        if word.low in ("my", "our"):
            return None if speaker is None else self._doing(sentence, at) or self._relative(sentence, at)
        if speaker is not None and self._opens(sentence, at):
            if _elided(sentence, at):
                return Subject(speaker, at, "i")
            if _doing_alone(sentence, at):
                return Subject(speaker, at, "doing")
        return self._named(sentence, at) if _capital(word) else None

    def _opens(self, sentence: Sentence, at: int) -> bool:
        """Whether only words such as "Yeah," stand before."""
        if self._opened[0] is not sentence:
            known = (i for i, word in enumerate(sentence.words) if not self._opener(word.low))
            self._opened = sentence, next(known, len(sentence))
        return at <= self._opened[1]

    def _opener(self, low: str) -> bool:
        return low in OPENERS or low in self.taking_part

    def _meant(self, pronoun: str, sentence: Sentence, at: int) -> Subject | None:
        """Who a pronoun stands for, where just one may."""
        people, leans = self._people, False
        if not people and self.context.before:
            if self._before is None:
                self._before = self._named_before()
            people, leans = self._before, True
        if len(people) != 1:
            return None
        if self.context.speaker is None and self._two_named(sentence.words[at].start):
            return None  # a film is no he, and who made it may be
        ((name, gender),) = people.items()
        if gender not in ("", pronoun):
            return None
        if name.startswith("my "):
            owner = self.context.other if leans and self.context.other else self.context.speaker
            name = f"{owner}'s {name[3:]}"
        return Subject(name, at + 1, "other", leans)

    def _two_named(self, end: int) -> bool:
        """Whether a note has named somebody by two names, after what it opens with, up to a place; asked in order."""
        if not self._second:
            part = self._text[max(0, self._searched - _LONGEST_PAIR) : end]
            self._second = _TWO_NAMES.search(part, max(0, _LEAD - (end - len(part)))) is not None
            self._searched = end
        return self._second

    def _named_before(self) -> dict[str, str]:
        """Those whom the turn before names: "my sister" and the like, and names amid its sentences."""
        antecedents: dict[str, str] = {}
        for match in _RELATIVE.finditer(self.context.before):
            name = match[2] if match[2] and match[2].lower() not in self.taking_part else None
            antecedents[name or f"my {match[1]}"] = KIN.get(match[1], "")
        for match in _AMID.finditer(self.context.before):
            if match[0].lower() not in self.taking_part and match[0].lower() not in NO_NAME:
                antecedents.setdefault(match[0], "")
        return antecedents

    def _doing(self, sentence: Sentence, at: int) -> Subject | None:
        """ "Playing my violin": who has it does it."""
        form = FORMS.get(sentence.low(at - 1))
        if form is None or form.tense != "ing" or form.lemma not in _OWN:
            return None
        if any(word.low in _SOMEBODY for word in sentence.words[: at - 1]):
            return None
        return Subject(self.context.speaker or "", at - 1, "doing")

    def _relative(self, sentence: Sentence, at: int) -> Subject | None:
        """ "My sister", "my sister Anna", "my little brothers"."""
        for skip in (1, 2):
            noun, after = sentence.low(at + skip), at + skip + 1
            if noun in RELATIVES:
                if self.is_name(sentence, after):
                    named = sentence.words[after].text
                    return None if "'" in named or "’" in named else Subject(named, after + 1, "other")
                if sentence.low(after) in LISTED:
                    return None  # "my husband and I": "I" is met next
                return Subject(f"{self.context.speaker}'s {noun}", after, "other")
        return None

    def _named(self, sentence: Sentence, at: int) -> Subject | None:
        """A proper name before a verb, at the beginning of a clause."""
        first, end = at, _name_end(sentence, at)
        while first < end and sentence.low(first) in NO_NAME:
            first += 1
        verb = sentence.low(sentence.past_adverbs(end))
        form = FORMS.get(verb)
        if first >= end or not (verb in BE or verb in ("has", "had") or (form and form.tense in ("third", "past"))):
            return None
        before = at - 1 - (sentence.low(at - 1) == "the")
        if before >= 0 and sentence.low(before) not in CLAUSE_STARTS:
            return None  # "the songs of the band Queen are": not Queen
        if at > 1 and sentence.low(at - 1) == "," and sentence.words[at - 2].text[:1].isupper():
            return None  # the end of a list of names, or of a title
        words = sentence.words[first:end]
        name = " ".join(self._text[words[0].start : words[-1].end].strip('"“”').split())
        alone, low = len(words) == 1, name.lower()
        if words[-1].low.endswith("'s") or (alone and (low in EMPTY or low in FORMS or low.endswith("ly"))):
            return None
        if self.context.speaker is None and alone and low.endswith("s") and form is not None and form.tense == "past":
            return None  # "Members included": one of many words that only open a sentence
        if self.context.speaker is None:
            name = self._whole(name, words[0].start) if alone else name
        elif low in self.taking_part:
            name = next(who for who in (self.context.speaker, self.context.other) if who and low in who.lower().split())
        elif verb in ("are", "were") or {word.low for word in words} & self.taking_part:
            return None
        elif alone and first == 0 and (verb in BE or low.endswith(("s", "ing"))):
            return None  # "Music is a great outlet": any word opens a sentence with a capital letter
        self._people.setdefault(name, "")
        return Subject(name, end, "other")

    def _whole(self, name: str, start: int) -> str:
        """The name that a text has given in full before: "Peart" is "Neil Peart"."""
        if name not in self._full:
            full = re.search(rf"\b((?:[A-Z][\w.-]{{0,20}} ){{1,3}}){re.escape(name)}\b", self._text[:start])
            known = full and not any(word.lower() in NO_NAME for word in full[1].split())
            self._full[name] = full[0] if full and known else name
        return self._full[name]


def opens_subject(word: Word) -> bool:
    """Whether a subject may begin with a word, whoever says it."""
    return _capital(word) or word.low in _PRONOUNS


def _capital(word: Word) -> bool:
    return word.text[:1].isupper() or word.text[:1] in '"“'


def _name_end(sentence: Sentence, at: int) -> int:
    """Where a run of capitalised words ends, with "of the" and the like within; a title in quotes is one word."""
    if sentence.words[at].text[0] in '"“':
        return at + 1
    end = at
    while end < min(len(sentence), at + LONGEST_NAME):
        first = sentence.words[end].text[0]
        if not (first.isupper() or (end > at and (first.isdigit() or sentence.low(end) in _JOINERS))):
            break
        end += 1
    while end > at and (sentence.low(end - 1) in _JOINERS or sentence.low(end - 1) in CLOSED):
        end -= 1
    return end


def _doubtful(sentence: Sentence, at: int) -> bool:
    """Whether words before a subject say that its verb may not be so: "if I", "I wish I", "when I go"."""
    words = sentence.words
    for back in range(at - 1, max(-1, at - 1 - DOUBT_REACH), -1):
        low = words[back].low
        if (low == "," and back < at - 1) or low in ("-", "--", "–", "—"):
            return False
        if low in DOUBT or (low in OPEN_UNLESS_PAST and not _is_past(sentence, at)):
            return True
    return False


def _is_past(sentence: Sentence, at: int) -> bool:
    """Whether a subject of one word has its verb in the past."""
    form = FORMS.get(sentence.low(sentence.past_adverbs(at + 1)))
    return form is not None and form.tense == "past"


def _doing_alone(sentence: Sentence, at: int) -> bool:
    """ "Researching adoption agencies.": what the speaker does, where there is no other verb and nobody else."""
    form = FORMS.get(sentence.low(at))
    if form is None or form.tense != "ing" or form.lemma in _VAGUE_DOINGS:
        return False
    rest = {word.low for word in sentence.words[at + 1 :]}
    return rest.isdisjoint(HAS | THIRD | _SOMEBODY | {"i", "we", "me"}) and not any(map(_finite, rest))


def _finite(low: str) -> bool:
    return low in FORMS and FORMS[low].tense in ("third", "past")


def _elided(sentence: Sentence, at: int) -> bool:
    """ "Went to a concert", "Been learning the harp": the speaker did, where nobody is named."""
    at = sentence.past_adverbs(at)
    if sentence.low(at) == "been":
        form = FORMS.get(sentence.low(at + 1 + (sentence.low(at + 1) == "busy")))
        return form is not None and form.tense == "ing"
    form = FORMS.get(sentence.low(at))
    if form is None or form.tense != "past" or form.lemma in _AMBIGUOUS:
        return False
    return sentence.low(at + 1) not in ("by", "with")
