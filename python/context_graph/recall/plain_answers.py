"""Statements that plainly answer a question in other words than its own: who has a role, an age, one of a class."""

import re

import numpy as np

from context_graph.embed import static_table
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import STOP_WORDS, stem_of, stems, words
from context_graph.embed.wordpiece import pieces
from context_graph.reading import attributes, cues
from context_graph.reading.acts import acts_of, named_in
from context_graph.reading.answer_types import answer_type
from context_graph.reading.first_names import is_like_a_first_name
from context_graph.reading.subjects import content_stems
from context_graph.reading.troubles import asks_for_trouble, tells_ailment, tells_trouble, trouble_topic
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["answers_plainly", "names_no_holder", "says_age", "says_age_of_another"]

MAX_PLAIN_ANSWER_CHARS, MAX_PLAIN_QUESTION_CHARS = 600, 200
"""Characters of a statement that answers, and of a question that it answers."""

OF_CLASS = 0.45
"""Cosine of static vectors from which a word names one of a class: "piano" of "instrument", "cat" of "pet"."""

_ROLE = (
    r"(?:owns?|owned|handles?|handled|handling|looks? after|looking after|looked after|takes? care of|taking care of"
    r"|taken care of|(?:is |are )?responsible for|(?:is |are )?in charge of|maintains?|maintained|maintaining|manages?"
    r"|managed|managing|leads?|led|oversees?|covers?|covering|deals? with|(?:is |are )?on call for|runs?|does|do|done"
    r"|works? on|working on|sees to)"
)
_ASKS_FOR_HOLDER = regex(
    rf"^\W*who(?:['’]s| is| are| will be)? (?:\w+ly )?(?:the )?(?!(?:does|do|done) (?!the|my|our))"
    rf"(?:{_ROLE}|owner of|contact for|maintainer of|lead of)"
    r" (?P<what>[^?.!,;]{2,60}?)(?: (?:now|today|these days|at the moment|currently))?\W*$",
    re.I,
)
_HOLDS = regex(
    rf"\b(?:{_ROLE}|responsible|in charge|on call|contact|owner|maintainer|lead|took (?:[\w ]{1, 30} )?over)\b", re.I
)
_BY_NAME = regex(r"\b(?:by|with|(?:goes|went|belongs|assigned|given|handed|passed|reports) to) [A-ZÀ-Þ]")
_CLAUSE = regex(r"[,;.](?: and)?\s+|\s(?:but|while|whereas)\s")
_NAME = regex(r"\b[A-ZÀ-Þ][a-zà-þ-]+\b")
_THING = regex(r"\b(?:in|on|via|using|through|into|onto) (?:the )?$|\b(?:go|goes|sent|send|alerts?) to $", re.I)
"""Stands before the name of a thing: "written in Go", "alerts go to PagerDuty"."""

_SELF = regex(r"\b(?:I|me|we|us)\b|\b(?:my|our) [a-z]+", re.I)
_OWN = regex(r"\b(?:my|our) [a-z]+", re.I)
_ASKS_FOR_CLASS = regex(
    r"^\W*(?:[Ww]hat|[Ww]hich) (?:kind of |sort of |type of )?(?P<kind>[a-z-]{3,20})"
    r" (?:is|are|was|does|do|did|has|have) (?P<whose>[A-ZÀ-Þ]\w+) (?:[a-z]{2,14})(?: to)?\W*$"
)
"""What class of thing somebody has or does, with no more than a verb behind the name: "what sport does Ada play?"."""

_AGE = (
    r"(?:['’]s| is|,| \(|:| has| just){0,2}(?: turned| turns| aged| age)? ?\d{1,3}\b"
    r"(?!\s*(?:%|[:.]\d|st|nd|rd|th|am|pm))"
)


_WRITTEN = (
    r"(?:e-?mails?|mails?|messages?|letters?|texts?|documents?|reports?|drafts?|invoices?|replies|answers?|posts?"
    r"|files)"
)
_ASKS_HOW_TO_WRITE = regex(
    r"^\W*(?:(?:as|in|with|on) )?(?:how|what|which|may|can|should|must|do|am)\b.{0,60}\b"
    r"(?:(?:write|writing|format|formatting|draft|drafting|address|send|sending|reply|sign|phrase|word|e-?mail|message)\b"
    rf"|{_WRITTEN} (?:to|for)\b)",
    re.I,
)
_OF_ALL_WRITING = regex(
    rf"\b(?:everything|anything|whatever|(?:all|any|every|each) (?:the )?(?:\w+ )?{_WRITTEN})\b.{{0,30}}"
    r"\b(?:you|we|I)\b",
    re.I,
)

_OF_AGE = r"['’]s age\b[^.!?]{0,20}?\b\d{1,3}\b(?!\s*%)"
"""Behind a name: "Eva's age, she's 36"."""

_AGE_OF_RELATIVE = regex(
    r"^\W*(?:how old (?:is|will) (?:(?:my|our|his|her) )?(?P<aged>[a-z]+)(?: be)?(?: now| this year)?"
    r"|when(?:['’]s| is| was) (?:(?:my|our|his|her) )?(?P<born>[a-z]+)['’]s birthday)\W*$",
    re.I,
)
_TURNS = regex(
    r"\b(?P<who>[a-z]+)(?:['’]s| is| will be| just)? (?:turning|turns|turned|aged?|gonna be|going to be|will be|is)"
    r" \d{1,3}\b(?!\s*(?:%|[:.]\d|am|pm))",
    re.I,
)

_OF_SELF = regex(r"\b(?:my|i|me)\b", re.I)
_BY_SELF = regex(r"^\W*(?:i|my|i['’]m|i['’]ve)\b", re.I)
_OWN_ATTRIBUTES = frozenset("home origin employer job studies diet allergy birthday".split())
"""Attributes of which one that is asked for in other words is answered by a statement of it."""

ASKED_ATTRIBUTE, STATED_ATTRIBUTE = 0.5, 0.5
"""Probabilities from which on a question, and a statement, is about an attribute."""

_ANY_AGE = regex(rf"\b[A-ZÀ-Þ][a-zà-þ]+{_AGE}")


@kept_for_texts(maxsize=4_096)
def answers_plainly(question: str, text: str) -> bool:
    """Whether a statement answers a question, both in English, as is plain from their form.

    Examples
    --------
    >>> answers_plainly("Who looks after billing?", "Search is owned by Ines, billing by Rahul.")
    True
    >>> answers_plainly("How old is Posy?", "the kids: Max, 11, and Posy, 6"), answers_plainly("What's broken?", "Hi")
    (True, False)
    >>> answers_plainly("How old is Posy?", "I was wrong about Posy's age, she's 7.")
    True
    """
    question, text = question[:MAX_PLAIN_QUESTION_CHARS].strip(), text[:MAX_PLAIN_ANSWER_CHARS]
    if text.rstrip().endswith("?") or language_of(question) != ENGLISH:
        return False
    if asks_for_trouble(question):
        topic = trouble_topic(question)
        says = topic <= content_stems(text) and (tells_trouble(text) or (bool(topic) and tells_ailment(text)))
    else:
        says = any(way(question, text) for way in _WAYS)
    return says and language_of(text) == ENGLISH  # of few texts: to tell a language takes longer than the rest


def _says_how_to_write(question: str, text: str) -> bool:
    """Whether a question asks how to write or send something to somebody, and an instruction or a preference is about
    them: "Reports for Marco: one page at most". Where nobody is named, about whatever is written.
    """
    if not _ASKS_HOW_TO_WRITE.search(question) or acts_of(text).isdisjoint(("instruction", "preference")):
        return False
    names = {stem_of(name.lower()) for name in named_in(question)}
    return names <= {*stems(text)} if names else bool(_OF_ALL_WRITING.search(text))


def _names_holder(question: str, text: str) -> bool:
    """Whether a clause names who has the role that is asked for: "billing by Rahul"."""
    asked = _ASKS_FOR_HOLDER.match(question)
    topic = content_stems(asked["what"]) if asked else frozenset()
    return bool(topic) and any(
        topic <= content_stems(clause)
        and (_HOLDS.search(clause) or _BY_NAME.search(clause))
        and _is_somebody_else(clause, question)
        for clause in _CLAUSE.split(text)
    )


@kept_for_texts(maxsize=4_096)
def names_no_holder(question: str, text: str) -> bool:
    """Whether a question asks who has a role, and a statement has the name of nobody but of things.

    Examples
    --------
    >>> names_no_holder("Who owns ingest?", "ingest alerts go to PagerDuty")
    True
    >>> names_no_holder("Who owns ingest?", "ingest: ask Priya"), names_no_holder("Who is Go for?", "We use Go.")
    (False, False)
    """
    question, text = question[:MAX_PLAIN_QUESTION_CHARS].strip(), text[:MAX_PLAIN_ANSWER_CHARS]
    if not _ASKS_FOR_HOLDER.match(question) or {language_of(question), language_of(text)} != {ENGLISH}:
        return False
    if _OWN.search(text) or text.islower() or (_SELF.search(text) and _HOLDS.search(text)):
        return False
    asked_stems = {*stems(question)}
    return all(
        stem_of(name[0].lower()) in asked_stems
        or name[0].lower() in STOP_WORDS
        or cues.TIMED.fullmatch(name[0])
        or _THING.search(text[: name.start()])
        or (name.start() == 0 and not is_like_a_first_name(name[0].lower()))
        for name in _NAME.finditer(text)
    )


def _is_somebody_else(clause: str, question: str) -> bool:
    """Whether a clause has a name that the question lacks, or speaks of who says it."""
    asked_stems = {*stems(question)}
    names = (name for name in _NAME.findall(clause) if name.lower() not in STOP_WORDS)
    named = any(stem_of(name.lower()) not in asked_stems and not cues.TIMED.fullmatch(name) for name in names)
    return named or bool(_SELF.search(clause))


def says_age(question: str, text: str) -> bool:
    """Whether a number stands directly behind the name whose age is asked for."""
    if answer_type(question) != "age":
        return False
    names = named_in(question)
    return len(names) == 1 and bool(re.search(rf"\b{re.escape(names[0])}(?:{_AGE}|{_OF_AGE})", text))


@kept_for_texts(maxsize=4_096)
def says_age_of_another(question: str, text: str) -> bool:
    """Whether an age is asked for, and a statement has a number behind another name alone.

    Examples
    --------
    >>> says_age_of_another("How old is Max?", "Ellie, 14, shares with Max.")
    True
    """
    question, text = question[:MAX_PLAIN_QUESTION_CHARS].strip(), text[:MAX_PLAIN_ANSWER_CHARS]
    if answer_type(question) != "age" or says_age(question, text) or len(named_in(question)) != 1:
        return False
    return _ANY_AGE.search(text) is not None


def _has_one_of_class(question: str, text: str) -> bool:
    """Whether a statement about who is named has one of the class that is asked for: "piano" for an instrument."""
    asked = _ASKS_FOR_CLASS.match(question)
    if asked is None or asked["whose"] not in text:
        return False
    kind = asked["kind"]
    kind_stem, vector = stem_of(kind), _vector(kind)
    others = (word for word in words(text) if stem_of(word) not in ("", kind_stem))
    return any(float(vector @ _vector(word)) >= OF_CLASS for word in others)


def _says_age_of_relative(question: str, text: str) -> bool:
    """Whether a number stands behind the relative whose age or birthday is asked for: "gran turns 90 on 3 May"."""
    asked = _AGE_OF_RELATIVE.match(question)
    if asked is None:
        return False
    who = stem_of((asked["aged"] or asked["born"]).lower())
    return any(stem_of(said["who"].lower()) == who for said in _TURNS.finditer(text))


def _has_own_attribute(question: str, text: str) -> bool:
    """Whether a question and a statement, both of who speaks, are about the same attribute and have no word in common:
    "my job", "I'm a cook".
    """
    if not (_OF_SELF.search(question) and _BY_SELF.match(text)) or content_stems(question) & content_stems(text):
        return False
    names = attributes.model().names
    of_question, of_statement = attributes.of_text(question), attributes.of_text(text)
    best = int(of_question.argmax())
    if names[best] not in _OWN_ATTRIBUTES or int(of_statement.argmax()) != best:
        return False
    return float(of_question[best]) >= ASKED_ATTRIBUTE and float(of_statement[best]) >= STATED_ATTRIBUTE


_WAYS = (
    _names_holder, says_age, _says_age_of_relative, _has_one_of_class, _says_how_to_write, _has_own_attribute,
)  # fmt: skip
"""In which a statement may answer a question plainly."""


@kept_for_texts(maxsize=4_096)
def _vector(word: str) -> np.ndarray:
    """The static vector of a word, of length 1: float32 (256,)."""
    rows = np.array(pieces(word), np.int64)
    if not len(rows):
        return np.zeros(static_table.DIMENSIONS, np.float32)
    vector = static_table.weighted_sum(rows, np.ones(len(rows), np.float32))
    unit: np.ndarray = vector / max(float(np.linalg.norm(vector)), 1e-9)
    return unit
