"""What a question is about: a later statement about another thing or matter ends nothing."""

import re
from collections.abc import Collection

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of, stems
from context_graph.reading import attributes, cues
from context_graph.reading.acts import named_in
from context_graph.reading.intent import parse
from context_graph.reading.subjects import SELF, WORD, content_stems, of_another, subject_of
from context_graph.reading.troubles import asks_for_trouble, tells_trouble, trouble_topic
from context_graph.recall.apart.words import (
    AMOUNT,
    CHANGING,
    ENDINGS,
    MIN_ALIKE,
    NUMBER,
    OF_ANYTHING,
    REFERRING,
    asks_of_one,
    left_home,
    number_kinds,
    numbered,
    numbered_in_words,
    refers,
    refers_back,
    tells_a_change,
    untimed,
)
from context_graph.regex import regex

__all__ = [
    "amount_apart",
    "asked_apart",
    "matter_apart",
    "record_apart",
    "share_but_names",
    "stays_apart",
    "subject_apart",
    "topic_apart",
    "trouble_apart",
    "uncovered_apart",
    "unlike_apart",
    "unrelated_apart",
]

MIN_ONE_MATTER = 0.03
"""Probability that two statements are about one attribute, below which they tell of a person two things."""

_VALUE = regex(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|another|dozen|couple|half|twice|double|free"
    r"|daily|weekly|monthly|today|tonight|tomorrow|yesterday|next|last|later|earlier"
    r"|weeks?|months?|years?|days?|hours?|minutes?|spring|summer|autumn|winter|easter|christmas|evening|morning|night)\b",
    re.I,
)
"""What may answer a question for a time or a number."""

_OF_A_KIND = regex(r"\W*(?:is|are|was|were) ([^?]*?) an? ", re.I)
"""Asks whether something is one of many: "Is Lidl still a client?"."""

_NO_AMOUNT = regex(r"^\W*(?:who|whom|whose|where|when|why)\b", re.I)

_STAYS = regex(
    r"\b(?:unchanged|(?:stay|remain)s? (?:the same|put|as (?:it|they|before|is)\b|like that)|(?:is|are) still the same"
    r"|bleib(?:t|en) (?:gleich|so|unverändert|wie)|unverändert|sigue[n]? igual|sin cambios)\b",
    re.I,
)
"""Says that something has not changed."""

_OF_A_THING = regex(r"^\W*(?:the|my|our|his|her|their) [a-zà-ÿ]", re.I)
"""Opens with a thing that has a word for it, not a name."""

_BRACKETS = regex(r"[()]")

_THAT = regex(r"\b(?:it|its|this|that|these|those|they|them|their|one)\b", re.I)
"""Something that was named before."""

_LASTING = regex(r"\b(?:for|until|over|during) the \w+", re.I)
"""For how long something holds, which is no answer to when it is."""

_CHANGED_TO = regex(
    r"\b(?:moved|migrated|switched|changed|ported|transferred) (?:(?:the|our|my|all|over) )*([\w.-]+) (?:over )?"
    r"(?:from [\w.-]+ )?(?:to|onto) (.*)",
    re.I,
)
"""A thing that was moved somewhere else: "we migrated CI to Actions"."""

_Numbered = tuple[str, str]
"""The stem of a noun, and a number."""

_PARTS = regex(r"[,;:.!?](?= |$)")

_MOVED_TO_PLACE = regex(r"\b(?:moved|relocated|transferred|shifted) (?:in)?to (?:the|a|an|our|my|his|her|their) ", re.I)
"""A change of place, where no time is named."""


def asked_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for two things, one of each statement, or for one that the later one is not about."""
    return (
        _both_asked(question, earlier, later)
        or _thing_apart(question, earlier, later)
        or _one_of_a_kind_apart(question, earlier, later)
        or _number_apart(question, earlier, later)
    )


def _both_asked(question: str, earlier: str, later: str) -> bool:
    """Whether a question joins what only one statement tells of and what only the other does.

    Examples
    --------
    >>> _both_asked("When do the choir and the band meet?", "The choir meets on Mondays.", "The band meets on Fridays.")
    True
    """
    asked = set(stems(question))
    o, n = asked.intersection(stems(earlier)), asked.intersection(stems(later))
    return bool(cues.JOINED.search(question) and o - n and n - o)


def _thing_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for a person by name, or a thing by its number or name, and only the earlier of two
    statements is about that.

    Examples
    --------
    >>> _thing_apart("When is release 2.4?", "Release 2.4 is due in May.", "We deploy from release tags now.")
    True
    >>> _thing_apart("When is release 2.4?", "Release 2.4 is due in May.", "The release slipped to June.")
    False
    >>> _thing_apart("what does anna play?", "Anna plays the clarinet.", "Omar plays the clarinet too.")
    True
    """
    of, beside = content_stems(earlier), content_stems(later)
    names = {word.lower() for word in WORD.findall(question) if any(letter.isdigit() for letter in word)}
    if not of & beside:
        names |= {name.lower() for name in named_in(question)}
    if not (names or of_another(earlier)):
        return False
    then, now = ([word.lower() for word in WORD.findall(text)] for text in (earlier, later))
    named = names.intersection(then).difference(now)
    if of_another(earlier):
        named |= (content_stems(question) & subject_of(then)) - beside
    subject = subject_of(now)
    return bool(named and subject) and subject.isdisjoint(of) and REFERRING.isdisjoint(now)


def _one_of_a_kind_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question is whether somebody named is one of a kind, and the later statement is about another of it.

    Examples
    --------
    >>> _one_of_a_kind_apart("Is Lidl still a client?", "Lidl is our largest client.", "Our largest client is Spar.")
    True
    >>> _one_of_a_kind_apart("Is Lidl still a client?", "Lidl is our largest client.", "Lidl cancelled in May.")
    False
    """
    kind = _OF_A_KIND.match(question)
    if kind is None:
        return False
    names = {stem for name in named_in(f"about {kind[1]}") for stem in stems(name)}
    return bool(names & content_stems(earlier)) and names.isdisjoint(stems(later)) and not refers(later)


def _number_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for one of several things by its number, and the later statement is about another one.

    Examples
    --------
    >>> _number_apart("Is space 2 free?", "Ms. Brandt takes space 2.", "Space 1 goes to the pizzeria.")
    True
    >>> _number_apart("Is space 2 free?", "Ms. Brandt takes space 2.", "Space 2 is free again.")
    False
    >>> _number_apart("What does the first phase cost?", "Phase one costs 900.", "Phase two is off.")
    True
    >>> _number_apart("Are we in phase one?", "We are in phase one.", "We are in phase two.")
    False
    """
    in_digits = _is_another_number(*(numbered(text) for text in (question, earlier, later)))
    if in_digits or not asks_of_one(question):
        return in_digits
    return _is_another_number(*(numbered_in_words(text) for text in (question, earlier, later)))


def _is_another_number(asked: Collection[_Numbered], of: Collection[_Numbered], now: Collection[_Numbered]) -> bool:
    other_things = {thing for thing, _ in now}
    return any(one in of and one not in now and one[0] in other_things for one in asked if one[0])


def _other_thing(question: str, earlier: str, later: str) -> bool:
    """Whether a question that is not about who asks is about a thing that only the earlier statement names, and the
    later one refers to nothing that was named before.

    Examples
    --------
    >>> _other_thing("Is the boiler fixed?", "The boiler is broken.", "Breda broke her hip, so Niamh has the kids.")
    True
    >>> _other_thing("Is the boiler fixed?", "The boiler is broken.", "The plumber came, it works again.")
    False
    """
    of = content_stems(question) & content_stems(earlier)
    return not cues.of_user(question) and bool(of) and of.isdisjoint(stems(later)) and not refers(later)


def unrelated_apart(question: str, earlier: str, later: str) -> bool:
    """Whether `_other_thing` holds of a later statement that tells of no change, and names nobody and no number of a
    kind that the earlier one does.

    Examples
    --------
    >>> unrelated_apart("Is the export limited?", "The export is limited to 10.", "Flag X is on for 20% of users.")
    True
    >>> unrelated_apart("What does cleaning cost?", "Cleaning is done by Petra, 35 euros.", "Petra wants 45 from May.")
    False
    """
    if tells_a_change(later) or not _other_thing(question, earlier, later):
        return False
    return not number_kinds(earlier) & number_kinds(later) and _names(earlier).isdisjoint(_names(later))


def _names(text: str) -> set[str]:
    """Words with a capital letter, in lower case."""
    return {word.lower() for word in WORD.findall(text) if word[0].isupper()}


def topic_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question is about a thing that only the earlier statement names, and the later one is about its own.

    Examples
    --------
    >>> topic_apart("What does the bath cost?", "The bath is 9,000.", "Rewiring the hallway costs 3,200.")
    True
    >>> topic_apart("How do I get to work?", "I ride my motorbike to work.", "It is the tram from now on.")
    False
    """
    now = [word.lower() for word in WORD.findall(later)]
    question_stems = content_stems(question)
    of, beside = (question_stems.intersection(stems(text)) for text in (earlier, later))
    return bool(of and beside and of.isdisjoint(beside)) and REFERRING.isdisjoint(now)


def subject_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question names the thing that the earlier statement is about, and the later one is about another thing,
    which neither names, and refers to nothing told before.

    Examples
    --------
    >>> subject_apart("Does my bow need new hair?", "My bow needs new hair.", "The car needs new brakes.")
    True
    >>> subject_apart("When is standup?", "Standup is at nine.", "We meet at ten now.")
    False
    """
    then, now = ([word.lower() for word in WORD.findall(text)] for text in (earlier, later))
    asked, subject, other = content_stems(question), subject_of(then) - {SELF}, subject_of(now) - {SELF}
    if not (subject & asked and other) or not REFERRING.isdisjoint(now) or len(clauses(later)) > 1:
        return False
    if number_kinds(earlier) & number_kinds(later):
        return False
    return _OF_A_THING.match(later) is not None and other.isdisjoint(asked | content_stems(earlier) | subject)


def amount_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for what only the earlier statement is about and tells an amount of money of, and the
    later one names neither that nor a number.

    Examples
    --------
    >>> amount_apart("What is the trip budget?", "My budget for the trip is 900 euros.", "I'll travel with Ida now.")
    True
    >>> amount_apart("What is the trip budget?", "My budget for the trip is 900 euros.", "The budget is gone.")
    False
    """
    if not AMOUNT.search(earlier) or NUMBER.search(later) or _THAT.search(later) or _NO_AMOUNT.search(question):
        return False
    subject = subject_of([word.lower() for word in WORD.findall(earlier)])
    of, beside = content_stems(question), content_stems(later)
    first = next((stem for stem in stems(earlier) if stem in subject), "")
    return first in of and first not in beside


def unlike_apart(question: str, earlier: str, later: str) -> bool:
    """Whether only the earlier of two statements has words of the question, or that asks for all of a kind (it is
    empty), and they share but a time and no attribute.

    Of the claims about the lives "fitted" and "later" of `benchmarks.quality.lives` this drops 13 wrong ones and none
    that is right (ad hoc).

    Examples
    --------
    >>> unlike_apart("When did I start at Acme?", "I started at Acme today.", "I got a new passport today.")
    True
    >>> unlike_apart("When did I start at Acme?", "I started at Acme today.", "I got a job at Globex today.")
    False
    >>> unlike_apart("Should I use pip?", "Use uv, never pip, in this repo.", "Don't use -x anymore.")
    True
    >>> unlike_apart("Should I use pip?", "Use uv, never pip, in this repo.", "You may use pip now.")
    False
    >>> unlike_apart("Where do I live?", "I live in Porto with Rui and a dog.", "We moved to Gaia, across the river.")
    False
    """
    if left_home(question, earlier, later):
        return False
    now = [word.lower() for word in WORD.findall(later)]
    of, beside = (content_stems(untimed(text)) for text in (earlier, later))
    question_stems = content_stems(question) - OF_ANYTHING
    if (question and not question_stems & content_stems(earlier)) or question_stems & beside:
        return False
    if (of & beside) - OF_ANYTHING or not REFERRING.isdisjoint(now):
        return False
    ends = any(cue.search(later) for cue in ENDINGS)
    one_matter = float(attributes.of_text(earlier) @ attributes.of_text(later))
    return one_matter < (MIN_ONE_MATTER if ends else MIN_ALIKE)


def uncovered_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later statement lacks two words of the question that the earlier one has, tells of no change, refers
    to nothing named before, and has no number of a kind that the earlier one has.

    Examples
    --------
    >>> teams = "Weekly active teams hit 2,015.", "The board wants the Team plan at 22 euros."
    >>> uncovered_apart("How many weekly active teams are there?", *teams)
    True
    >>> uncovered_apart("How many weekly active teams are there?", teams[0], "There are 2,100 active teams now.")
    False
    """
    question_stems = content_stems(question)
    of, now = (question_stems & content_stems(text) for text in (earlier, later))
    shared = now & content_stems(untimed(later))
    if number_kinds(earlier) & number_kinds(later):
        return False
    return bool(shared) and now < of and len(of - now) > 1 and not tells_a_change(later) and not refers(later)


def stays_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later statement says of what is asked that it stays as it was.

    Examples
    --------
    >>> pair = "Rye is 5.40, sourdough 6.20.", "Sourdough is 6.60 now, rye stays the same."
    >>> stays_apart("What does the rye cost?", *pair), stays_apart("What does the sourdough cost?", *pair)
    (True, False)
    >>> stays_apart("What is the concurrency?", "concurrency = 8", "concurrency up to 16 (timeout unchanged)")
    False
    """
    topic = content_stems(question) & content_stems(earlier)
    parts = [part for piece in _BRACKETS.split(later) for part in clauses(piece)]
    return any(_STAYS.search(part) and topic & content_stems(part) for part in parts)


def share_but_names(earlier: str, later: str) -> bool:
    """Whether two statements share but names and numbers, and the later one changes nothing of what these name.

    Examples
    --------
    >>> bill = "Ida sent bill 7 for the van."
    >>> share_but_names(bill, "Ida: 7 is paid."), share_but_names(bill, "Ida switched to another bank.")
    (True, False)
    >>> share_but_names(bill, "The bill is paid.")
    False
    """
    shared = content_stems(earlier) & content_stems(later)
    if not shared or not _but_numbers(shared) <= _named_in_both(earlier, later):
        return False
    timeless = shared & content_stems(untimed(later))
    parts = [part for part in _PARTS.split(later) if not timeless.isdisjoint(content_stems(part))]
    return not any(cue.search(part) for part in parts for cue in (cues.ENDED, cues.CHANGED))


def _but_numbers(some: Collection[str]) -> set[str]:
    return {stem for stem in some if not NUMBER.search(stem)}


def _named_in_both(earlier: str, later: str) -> set[str]:
    return {stem for name in _names(earlier) & _names(later) for stem in stems(name)}


def record_apart(question: str, earlier: str, later: str) -> bool:
    """Whether what was written down of an event and a later statement `share_but_names`, and all that the question asks
    for beside these only the earlier one has.

    Examples
    --------
    >>> notes = "Notes from lunch with Ida: rye sells best, 25 employees, all in Jira."
    >>> record_apart("How many employees does Ida have?", notes, "The app is on, Ida pays 7,000.")
    True
    >>> record_apart("How many employees does Ida have?", notes, "Ida has 30 employees now.")
    False
    >>> record_apart("Which tool does Ida use?", notes, "Ida switched to Linear.")
    False
    """
    topic = _but_numbers(content_stems(question) - _named_in_both(earlier, later))
    if not topic & content_stems(earlier) or not topic.isdisjoint(content_stems(later)) or refers_back(later):
        return False
    return share_but_names(earlier, later)


def trouble_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks what is out of order with something, which the earlier statement tells, and the later one
    is about other things.

    Examples
    --------
    >>> trouble = "What was wrong with the kiln?", "The kiln broke down."
    >>> trouble_apart(*trouble, "The sink is too hot."), trouble_apart(*trouble, "He came, it was the fuse.")
    (True, False)
    """
    if not asks_for_trouble(question) or not tells_trouble(earlier):
        return False
    topic = trouble_topic(question)
    named = topic & content_stems(earlier)
    return bool(named) and named.isdisjoint(content_stems(later)) and not _THAT.search(later)


def matter_apart(question: str, earlier: str, later: str) -> bool:
    """Whether only the earlier of two statements is about what is asked of their subject.

    Both share but a name or the subject, and what the question asks of it the earlier one alone tells; or a question
    for a time or a number is answered by the earlier one alone, and the later one denies and ends nothing.

    Examples
    --------
    >>> matter_apart("What does Tessa study?", "Tessa studies beetles.", "Tessa had to cancel lunch.")
    True
    >>> matter_apart("Where does Nora work?", "Nora works at Acme.", "Nora quit, she is at Globex now.")
    False
    >>> matter_apart("Are we moving to NATS?", "We may move from Redis to NATS.", "Staging moved to another host.")
    True
    >>> matter_apart("What does a flat white cost?", "A flat white costs 3.80.", "A flat white is 4.20 now.")
    False
    >>> matter_apart("When does the tuner come?", "The tuner comes on Friday.", "The tuner has a new van.")
    True
    >>> matter_apart("When is yoga?", "Yoga is on Tuesdays in the hall.", "Yoga was moved to the library.")
    True
    >>> matter_apart("Where does CI run?", "CI runs on Jenkins.", "Migrated CI to GitHub Actions today.")
    False
    >>> matter_apart("How many shops has Lind?", "Lind has three shops.", "Lind opened a fourth shop in Ulm.")
    False
    >>> matter_apart("Do I owe Felix money?", "I owe Felix 120 euros.", "Paid Felix back yesterday.")
    False
    >>> matter_apart("Which lenses has Iris?", "Iris got lenses, 2.5 left.", "Iris has choir Mondays at 15:30 now.")
    True
    """
    ask = parse(question)
    lasting = _LASTING.sub("", later)
    if ask.when:
        lasting = _MOVED_TO_PLACE.sub("", lasting)
    if (ask.when or ask.how_many) and not any(cue.search(lasting) for cue in (_VALUE, cues.TIMED, *ENDINGS)):
        return bool((cues.TIMED if ask.when else _VALUE).search(earlier))
    of, now = content_stems(earlier), content_stems(later)
    shared = {stem for name in named_in(f". {question}") for stem in stems(name)}
    if not any(cue.search(later) for cue in ENDINGS):
        shared |= subject_of([word.lower() for word in WORD.findall(earlier)])
    shared |= CHANGING
    if not of & now or (of & now) - shared or not (content_stems(question) & of) - now:
        return False
    if all(NUMBER.search(text) for text in (earlier, later)) and bool(number_kinds(earlier)) == bool(
        number_kinds(later)
    ):
        return False  # another number for the same thing, and no time beside an amount
    if any(opens.search(earlier) and closes.search(later) for opens, closes in cues.SETTLED):
        return False
    moved = _CHANGED_TO.search(later)
    if moved and stem_of(moved[1].lower()) in of & now and not cues.TIMED.match(moved[2]):
        return False
    later_attributes = attributes.of_text(later)
    return all(float(attributes.of_text(text) @ later_attributes) < MIN_ONE_MATTER for text in (question, earlier))
