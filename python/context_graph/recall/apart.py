"""What ends nothing: a later statement about another person, thing or matter than the question asks for."""

import re

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of, stems
from context_graph.reading import attributes, cues
from context_graph.reading.acts import acts_of, named_in
from context_graph.reading.definitions import defines, name_asked_for
from context_graph.reading.intent import parse
from context_graph.reading.introductions import asks_own_age, asks_own_name, own_age, own_name
from context_graph.reading.relatives import CLOSE
from context_graph.reading.subjects import WORD, content_stems, of_another, subject_of
from context_graph.regex import regex

__all__ = [
    "amount_apart",
    "asked_apart",
    "beside_apart",
    "days_apart",
    "definition_apart",
    "events_apart",
    "handed_apart",
    "introduction_apart",
    "kin_apart",
    "kin_of_another_apart",
    "kind_apart",
    "matter_apart",
    "person_apart",
    "postponed_apart",
    "reason_apart",
    "refers",
    "report_apart",
    "stays_apart",
    "subject_apart",
    "thing_apart",
    "topic_apart",
    "uncovered_apart",
    "unlike_apart",
    "unrelated_apart",
    "value_gone",
    "wish_apart",
]

INTRODUCTION = 4
"""Words up to which a statement says little but a name."""

REFERRING = cues.UNNAMED | {"this", "that", "them"}
"""Words for what was named before."""

MIN_ONE_MATTER = 0.03
"""Probability that two statements are about one attribute, below which they tell of a person two things."""

MIN_ALIKE = 0.1
"""The same for two that share but a time, where the later one denies and ends nothing."""

_VALUE = regex(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|another|dozen|couple|half|twice|double|free"
    r"|daily|weekly|monthly|today|tonight|tomorrow|yesterday|next|last|later|earlier"
    r"|weeks?|months?|years?|days?|hours?|minutes?|spring|summer|autumn|winter|easter|christmas|evening|morning|night)\b",
    re.I,
)
"""What may answer a question for a time or a number."""

_DONE = regex(
    r"\b(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z]\w+) (?:had (?!to\b|been\b)|went (?!from\b)|ate|drank|cooked|baked"
    r"|played|met|saw|visited|watched|read|bought|called|ran|swam|slept|won|lost)"
)
"""Somebody did something once."""

_DIARY = regex(
    r"^\W*(?:(?:just|finally|today|i|we) )*"
    r"(?:finished|completed|ran|swam|cycled|hiked|read|watched|saw|met|visited|cooked|baked|ate|tried)\b",
    re.I,
)
"""What was done once, as a diary has it: "finished Dune", "ran 8 km"."""

_COMPARES = regex(r"\b(?:again|best|record|pb|faster|slower|longer|further|more|less|better|instead)\b", re.I)

_OF_DAY = regex(
    r"\b(mon|tues|wednes|thurs|fri|satur|sun)day(?:['’]s)? "
    r"(?!(?:mornings?|afternoons?|evenings?|nights?|after|and|as|at|because|before|for|from|if|in|instead|is|now|of|on"
    r"|or|since|so|then|through|till|to|too|until|was|when|will|with)\b)[a-z]+",
    re.I,
)
"""A thing of one weekday: "the Thursday slot"."""

_DAY = regex(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.I)

_POSTPONED = regex(
    r"\b(?:the|our|my|his|her|their) ((?:[\w'’-]+ ){1,4}?)(?:(?:was|were|is|are|got|gets|has been|have been) )?"
    r"(?:(?:pushed|moved|put|set|brought) (?:back|forward|up)|postponed|delayed|rescheduled|called off|cancell?ed)\b",
    re.I,
)
"""What is held at another time than was told, or not at all."""

_HANDED = regex(
    r"\b(?:gave|given|giving|give|handed|lent|passed|sent|sold|returned|brought|shipped|mailed|promised|owe)"
    r"(?: (?!to\b)[\w'’-]+){1,6} to((?: (?:my|our|the|his|her|their))?(?: [\w'’-]+){1,2})",
    re.I,
)
"""Who got something: "gave the key to Karin"."""

UNITS_OF_TIME = frozenset(stems("minute hour day week month year"))

_OF_A_KIND = regex(r"\W*(?:is|are|was|were) ([^?]*?) an? ", re.I)
"""Asks whether something is one of many: "Is Lidl still a client?"."""

_REASON = regex(r"\b(?:because|due to|thanks to|wegen|weil|porque|por culpa de)\b", re.I)

_NUMBER = regex(r"\d")

_MEASURE = regex(r"\b\d[\d.,]* ?(?:km|k|miles?|m|laps?|lengths?)\b", re.I)

_AMOUNT = regex(r"[€$£] ?\d|\d[\d.,]*k? ?(?:€|\$|£|(?:euros?|eur|dollars?|usd|pounds?|francs?|chf|bucks)\b)", re.I)
"""An amount of money."""

_NO_AMOUNT = regex(r"^\W*(?:who|whom|whose|where|when|why)\b", re.I)

_BESIDE = regex(
    r"\b(?:next to|alongside|besides?|in addition to|on top of|as well as|together with|parallel to) (?:the |our |my )?(\w[\w.-]*\w)",
    re.I,
)
"""What holds beside something new: "we try PostHog next to Mixpanel"."""

_NUMBER_WORD = regex(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty|forty|fifty|hundred)\b",
    re.I,
)

_SHARE = regex(r"\d[\d.,]* ?(?:%|per ?cent)", re.I)

_REPORT = regex(
    r"^\W*(?:(?!(?:no|fixed|solved|after|since|because|due)\b)[\w./-]+ ){0,3}?"
    r"(?:incidents?|outages?|issues?|bugs?|problems?|limitations?|caveats?|gotchas?|to-?dos?|questions?|risks?|ideas?)(?: \(?#?\d+\)?)?:",
    re.I,
)
"""Announces a problem, or what is to be done."""

_STAYS = regex(
    r"\b(?:unchanged|(?:stay|remain)s? (?:the same|put|as (?:it|they|before|is)\b|like that)|(?:is|are) still the same"
    r"|bleib(?:t|en) (?:gleich|so|unverändert|wie)|unverändert|sigue[n]? igual|sin cambios)\b",
    re.I,
)
"""Says that something has not changed."""

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

_MOVED_TO_PLACE = regex(r"\b(?:moved|relocated|transferred|shifted) (?:in)?to (?:the|a|an|our|my|his|her|their) ", re.I)
"""A change of place, where no time is named."""

_MOVED_HOME = regex(
    r"\b(?:I|[Ww]e)\b(?:['’]ve| have| had)? (?:(?:just|finally|now|recently|both) )?(?:moved|relocated) "
    r"(?:(?:back|over|out|in|up|down) )*(?:to|into|with|from)\b"
)
"""Somebody lives elsewhere now, whatever else the statement says."""

_LIVES = regex(r"\b(?:live|living|lived|home|flat|apartment|house|based|rent|renting|moved)\b", re.I)

SURELY_HOME = 0.5
"""Probability from which a question is for where somebody lives."""

CHANGING = frozenset(stems("move switch change replace turn start stop drop keep go come get take make"))
"""What may be said of any two matters: by itself it is no common subject."""

_WHEN = cues.TELLING_WHEN | {"tonight", "yesterday", "week", "weeks", "month", "months", "year", "years", "day", "days"}
"""Words for when something was, besides `cues.TIMED`."""

OF_ANYTHING = CHANGING | frozenset(stems("use want need have"))
"""The same, and what one does with any thing."""

KIN = frozenset(stem_of(word) for word in cues.KIN)
"""Stems of words for somebody close."""

PERSONAL = cues.UNNAMED - {"it", "it's"} | frozenset("him her his hers them their theirs ihn ihr ihm".split())
"""Words for somebody who was named before."""

_WORKS = regex(r"\bworks? (?:for|at|in|as|with)\b", re.I)
"""What somebody does, where "works" alone may say that a thing is mended."""

_KIN_OF = regex(rf"[A-ZÀ-Þ][\w-]+['’]s (?:\w+ )?({'|'.join(CLOSE)})\b")
"""Opens with one of the family of somebody who has a name; who is somebody's boss says something of both."""

_ENDINGS = (cues.ENDED, cues.NEGATED, cues.CORRECTED)


def asked_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for two things, one of each statement, or for one that the later one is not about."""
    return (
        _both_asked(question, earlier, later)
        or _thing_apart(question, earlier, later)
        or _one_of_a_kind_apart(question, earlier, later)
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
    then, now = ([word.lower() for word in WORD.findall(text)] for text in (earlier, later))
    of, beside = content_stems(earlier), content_stems(later)
    asked = {word.lower() for word in WORD.findall(question) if any(letter.isdigit() for letter in word)}
    if not of & beside:
        asked |= {name.lower() for name in named_in(question)}
    named = asked.intersection(then).difference(now)
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


def refers(text: str) -> bool:
    """Whether a statement has a word for what was named before."""
    return not REFERRING.isdisjoint(word.lower() for word in WORD.findall(text))


def person_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks where, when or how who asks does something, and only the later statement is about another
    person, and tells of no change.

    Examples
    --------
    >>> person_apart("Where do I live?", "I live in Bremen.", "My sister lives in Leipzig.")
    True
    >>> person_apart("Wo wohne ich?", "Ich wohne in Bremen.", "Meine Schwester wohnt in Leipzig.")
    True
    >>> person_apart("How do I get to school?", "I ride with Dad.", "Dad sold the car.")
    False
    >>> person_apart("What is my job?", "I'm a tram driver, I live with Mirta.", "Mirta works for the fire brigade.")
    True
    """
    others = of_another(later) and not of_another(earlier)
    return others and parse(question).doer and not _tells_a_change(_WORKS.sub("", later))


def kin_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question is about somebody close, whom only the earlier statement names, and the later one refers to
    nobody that it could be.

    Examples
    --------
    >>> kin_apart("Where is my mother?", "The wifi at my mother's is slow.", "The quote for the roof came in.")
    True
    >>> kin_apart("Where is my sister?", "My sister Klara is in Rome.", "Klara took a job in Oslo.")
    False
    """
    close, of, beside = content_stems(question) & KIN, content_stems(earlier), content_stems(later)
    if not close & of or close & beside:
        return False
    words = {word.lower() for word in WORD.findall(later)}
    return words.isdisjoint(PERSONAL) and not (of & beside) - OF_ANYTHING


def definition_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks who or what a name is, and only the earlier statement says so; the later one tells of no
    change.

    Examples
    --------
    >>> definition_apart("Who is Klara?", "My vet is Klara.", "Klara read chapter 12.")
    True
    >>> definition_apart("Who is Klara?", "My vet is Klara.", "Klara quit, my vet is Ben now.")
    False
    """
    name = name_asked_for(question)
    return bool(name) and defines(earlier, name) and not defines(later, name) and not _tells_a_change(later)


def kin_of_another_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later statement opens with somebody close to one who has a name, whom neither the question nor the
    earlier one is about.

    Examples
    --------
    >>> kin_of_another_apart("Where is Ida from?", "Ida is a baker from Bonn.", "Ida's mother died in the flood.")
    True
    >>> kin_of_another_apart("Where is Ida's mother?", "Ida's mother is in Bonn.", "Ida's mother moved to Ulm.")
    False
    """
    match = _KIN_OF.match(later)
    return match is not None and stem_of(match[1].lower()) not in content_stems(question) | content_stems(earlier)


def thing_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question that is not about who asks is about a thing that only the earlier statement names, and the
    later one refers to nothing that was named before.

    Examples
    --------
    >>> thing_apart("Is the boiler fixed?", "The boiler is broken.", "Breda broke her hip, so Niamh has the kids.")
    True
    >>> thing_apart("Is the boiler fixed?", "The boiler is broken.", "The plumber came, it works again.")
    False
    """
    of = content_stems(question) & content_stems(earlier)
    return not cues.of_user(question) and bool(of) and of.isdisjoint(stems(later)) and not refers(later)


def unrelated_apart(question: str, earlier: str, later: str) -> bool:
    """Whether `thing_apart` holds of a later statement that tells of no change, and names nobody and no number of a
    kind that the earlier one does.

    Examples
    --------
    >>> unrelated_apart("Is the export limited?", "The export is limited to 10 a user.", "Flag X is on for 20% of users.")
    True
    >>> unrelated_apart("What does cleaning cost?", "Cleaning is done by Petra, 35 euros.", "Petra wants 45 from May.")
    False
    """
    if _tells_a_change(later) or not thing_apart(question, earlier, later):
        return False
    return not _number_kinds(earlier) & _number_kinds(later) and _names(earlier).isdisjoint(_names(later))


def _names(text: str) -> set[str]:
    """Words with a capital letter, in lower case."""
    return {word.lower() for word in WORD.findall(text) if word[0].isupper()}


def subject_apart(earlier: str, later: str) -> bool:
    """Whether who speaks tells first of themselves, and then of something with a name, and of no change.

    Examples
    --------
    >>> subject_apart("I use Neovim with plugins.", "Project Atlas is written in Kotlin.")
    True
    >>> subject_apart("I use Neovim with plugins.", "Zed is my editor."), subject_apart("I use vi.", "Zed replaced it.")
    (False, False)
    """
    first, *_ = (*WORD.findall(earlier), "")
    now = WORD.findall(later)
    if first.lower() not in cues.SELF or not cues.SELF.isdisjoint(word.lower() for word in now) or refers(later):
        return False
    subject = subject_of([word.lower() for word in now])
    named = any(word[0].isupper() or "-" in word for word in now[: len(subject) + 2])
    return bool(subject) and named and not any(cue.search(later) for cue in (*_ENDINGS, cues.CHANGED))


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
    if not _AMOUNT.search(earlier) or _NUMBER.search(later) or _THAT.search(later) or _NO_AMOUNT.search(question):
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
    if _moved_home(question, earlier, later):
        return False
    now = [word.lower() for word in WORD.findall(later)]
    of, beside = (content_stems(_untimed(text)) for text in (earlier, later))
    question_stems = content_stems(question) - OF_ANYTHING
    if (question and not question_stems & content_stems(earlier)) or question_stems & beside:
        return False
    if (of & beside) - OF_ANYTHING or not REFERRING.isdisjoint(now):
        return False
    ends = any(cue.search(later) for cue in _ENDINGS)
    one_matter = float(attributes.of_text(earlier) @ attributes.of_text(later))
    return one_matter < (MIN_ONE_MATTER if ends else MIN_ALIKE)


def _untimed(text: str) -> str:
    """A text without words for when something was."""
    return WORD.sub(lambda word: "" if word[0].lower() in _WHEN else word[0], cues.TIMED.sub("", text))


def introduction_apart(question: str, earlier: str, later: str) -> bool:
    """Whether only the earlier of two statements says how its speaker is called, or how old they are, and the question
    asks for that, it says nothing else, or the two have no word and no attribute in common.

    Examples
    --------
    >>> introduction_apart("What do I do?", "I'm Marek.", "I employ two mechanics.")
    True
    >>> introduction_apart("What is my name?", "I'm Marek, I run a shop.", "Call me Mo.")
    False
    >>> introduction_apart("What is my name?", "I'm Marek.", "Marek is what my father was called, write Mo.")
    False
    >>> introduction_apart("How old am I?", "I'm Marek, 38, I run a shop.", "I sold the shop.")
    True
    >>> introduction_apart("What do I study?", "I'm Marek, I study law in Ulm.", "I'm learning Dutch.")
    True
    """
    if asks_own_age(question):
        return bool(own_age(earlier)) and not own_age(later)
    name = own_name(earlier)
    if not name or name in later or own_name(later):
        return False
    if asks_own_name(question) or len(earlier.split()) <= INTRODUCTION:
        return True
    one_matter = float(attributes.of_text(earlier) @ attributes.of_text(later))
    alike = one_matter >= MIN_ALIKE or bool(content_stems(earlier) & content_stems(later))
    return not alike and not _moved_home(question, earlier, later)


def _moved_home(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks where somebody lives, the earlier statement says so, and the later one that they moved.

    Examples
    --------
    >>> _moved_home("Where do I live?", "I'm Ana, 34, I live in Porto with Rui.", "We moved to Gaia, across the river.")
    True
    >>> _moved_home("Where do I work?", "I'm Ana, I live in Porto.", "We moved to Gaia.")
    False
    """
    if not (_MOVED_HOME.search(later) and _LIVES.search(earlier)):
        return False
    return bool(attributes.of_text(question)[attributes.model().names.index("home")] >= SURELY_HOME)


def kind_apart(earlier: str, later: str) -> bool:
    """Whether the later statement is an instruction that tells of no change, and the earlier one is none.

    Examples
    --------
    >>> kind_apart("We deploy with Helm.", "Never deploy on Fridays.")
    True
    >>> kind_apart("Deploy on Fridays only.", "Never deploy on Fridays.")
    False
    """
    if "instruction" not in acts_of(later) or "instruction" in acts_of(earlier):
        return False
    return not _tells_a_change(later)


def beside_apart(earlier: str, later: str) -> bool:
    """Whether the later statement names something of the earlier one that holds beside what is new.

    Examples
    --------
    >>> beside_apart("We use Mixpanel.", "We try PostHog next to Mixpanel."), beside_apart("We use Mixpanel.", "Now PostHog.")
    (True, False)
    """
    return any(stem_of(match[1].lower()) in content_stems(earlier) for match in _BESIDE.finditer(later))


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
    asked = content_stems(question)
    of, now = (asked & content_stems(text) for text in (earlier, later))
    named = now & content_stems(_untimed(later))
    if _number_kinds(earlier) & _number_kinds(later):
        return False
    return bool(named) and now < of and len(of - now) > 1 and not _tells_a_change(later) and not refers(later)


def _number_kinds(text: str) -> set[str]:
    """Which of money, shares, times and other numbers a text has."""
    kinds = {"money": _AMOUNT, "share": _SHARE, "time": cues.TIMED}
    have = {kind for kind, form in kinds.items() if form.search(text)}
    rest = cues.TIMED.sub(" ", _SHARE.sub(" ", _AMOUNT.sub(" ", text)))
    return have | ({"other"} if _NUMBER.search(rest) or _NUMBER_WORD.search(rest) else set())


def report_apart(earlier: str, later: str) -> bool:
    """Whether the later statement reports a problem, or what is to be done, and the earlier one none: both hold.

    Examples
    --------
    >>> report_apart("Invoices arrive in inbox.v1.", "Known issue: invoices arrive twice after a restart.")
    True
    >>> report_apart("Bug: invoices arrive twice.", "Bug fixed: invoices arrive once.")
    False
    """
    return bool(_REPORT.match(later)) and not _REPORT.match(earlier)


def stays_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later statement says of what is asked that it stays as it was.

    Examples
    --------
    >>> pair = "Rye is 5.40, sourdough 6.20.", "Sourdough is 6.60 now, rye stays the same."
    >>> stays_apart("What does the rye cost?", *pair), stays_apart("What does the sourdough cost?", *pair)
    (True, False)
    """
    topic = content_stems(question) & content_stems(earlier)
    return any(_STAYS.search(part) and topic & content_stems(part) for part in clauses(later))


def wish_apart(earlier: str, later: str) -> bool:
    """Whether the earlier of two statements is an instruction, and the later one is no wish and has no word of it.

    Examples
    --------
    >>> wish_apart("Never push to main.", "We went back to release branches.")
    True
    >>> wish_apart("Never push to main.", "Pushing to main is fine now.")
    False
    """
    if "instruction" not in acts_of(earlier) or {"instruction", "preference"} & {*acts_of(later)}:
        return False
    return not (content_stems(earlier) & content_stems(later)) - OF_ANYTHING


def _tells_a_change(text: str) -> bool:
    return any(cue.search(text) for cue in (cues.ENDED, cues.CHANGED, cues.CORRECTED))


def events_apart(earlier: str, later: str) -> bool:
    """Whether the two tell what was done at two times: what happened once ends nothing.

    Examples
    --------
    >>> events_apart("We had soup on Monday.", "We had pasta on Tuesday.")
    True
    >>> events_apart("We meet on Monday.", "We had to move it to Tuesday.")
    False
    >>> events_apart("finished Dune, 4/5", "finished season two of Dark")
    True
    >>> events_apart("ran 10 km, 59 minutes", "ran 10 km in 57:30, faster than last time")
    False
    """
    if _DIARY.match(earlier) and _DIARY.match(later) and not cues.CORRECTED.search(later):
        how_far = [{*_MEASURE.findall(text)} for text in (earlier, later)]
        return how_far[0].isdisjoint(how_far[1]) if all(how_far) else not _COMPARES.search(later)
    times = [{time.lower() for time in cues.TIMED.findall(text)} for text in (earlier, later)]
    done = all(_DONE.search(text) for text in (earlier, later))
    return done and all(times) and times[0].isdisjoint(times[1]) and not cues.CORRECTED.search(later)


def days_apart(earlier: str, later: str) -> bool:
    """Whether the later statement is about what is on one weekday, and the earlier one about other weekdays.

    Examples
    --------
    >>> days_apart("Mondays and Tuesdays are for Dr. Hall.", "Dr. Hall's Thursday slot was taken over.")
    True
    >>> days_apart("My lesson is on Tuesdays.", "I took over the Thursday slot.")
    False
    >>> days_apart("Dr. Hall is in from Monday to Thursday.", "Dr. Hall's Thursday slot was taken over.")
    False
    """
    days, of_day = {day.lower() for day in _DAY.findall(earlier)}, _OF_DAY.search(later)
    if not days or of_day is None or of_day[1].lower() in days:
        return False
    return stem_of(f"{of_day[1]}day".lower()) in subject_of([word.lower() for word in WORD.findall(later)])


def postponed_apart(earlier: str, later: str) -> bool:
    """Whether the later statement postpones or calls off what the earlier one does not name: both say but how long.

    Examples
    --------
    >>> postponed_apart("I train four times a week.", "The meet was pushed back two weeks.")
    True
    >>> postponed_apart("The meet is on 14 March.", "The meet was pushed back two weeks.")
    False
    >>> postponed_apart("The launch is in two weeks.", "It was pushed back two weeks.")
    False
    """
    thing = _POSTPONED.search(later)
    if thing is None:
        return False
    of, now = content_stems(earlier), content_stems(later)
    return not of & content_stems(thing[1]) and of & now <= UNITS_OF_TIME


def handed_apart(earlier: str, later: str) -> bool:
    """Whether two statements share but who got something by the later one: that is about the thing.

    Examples
    --------
    >>> handed_apart("Ida lives in Graz.", "I gave the spare key to Ida instead.")
    True
    >>> handed_apart("The spare key is with Tom.", "I gave the spare key to Ida instead.")
    False
    """
    handed = _HANDED.search(later)
    shared = content_stems(earlier) & content_stems(later)
    return handed is not None and bool(shared) and shared <= content_stems(handed[1])


def reason_apart(earlier: str, later: str) -> bool:
    """Whether two statements share but what one of them gives as a reason.

    Examples
    --------
    >>> reason_apart("Lessons are on Tuesdays because of the choir.", "The choir moved to Thursdays.")
    True
    >>> reason_apart("The choir is on Tuesdays because of the fair.", "The choir moved to Thursdays.")
    False
    """
    whole, main = (
        [content_stems(text) for text in texts] for texts in ((earlier, later), map(_without_reason, (earlier, later)))
    )
    return bool(whole[0] & whole[1]) and not main[0] & main[1]


def _without_reason(text: str) -> str:
    return _REASON.split(text, maxsplit=1)[0]


def value_gone(earlier: str, later: str) -> bool:
    """Whether only the earlier statement names a time, and the later one neither denies nor changes anything.

    Examples
    --------
    >>> value_gone("Rehearsals are on Wednesdays.", "We rehearse at the youth club for the winter.")
    True
    >>> value_gone("Rehearsals are on Wednesdays.", "Rehearsals are cancelled.")
    False
    """
    if not cues.TIMED.search(earlier):
        return False
    return not any(cue.search(later) for cue in (cues.TIMED, cues.CHANGED, *_ENDINGS))


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
    """
    ask = parse(question)
    lasting = _LASTING.sub("", later)
    if ask.when:
        lasting = _MOVED_TO_PLACE.sub("", lasting)
    if (ask.when or ask.how_many) and not any(cue.search(lasting) for cue in (_VALUE, cues.TIMED, *_ENDINGS)):
        return bool((cues.TIMED if ask.when else _VALUE).search(earlier))
    of, now = content_stems(earlier), content_stems(later)
    shared = {stem for name in named_in(f". {question}") for stem in stems(name)}
    if not any(cue.search(later) for cue in _ENDINGS):
        shared |= subject_of([word.lower() for word in WORD.findall(earlier)])
    shared |= CHANGING
    if not of & now or (of & now) - shared or not (content_stems(question) & of) - now:
        return False
    if all(_NUMBER.search(text) for text in (earlier, later)):
        return False  # another number for the same thing
    if any(opens.search(earlier) and closes.search(later) for opens, closes in cues.SETTLED):
        return False
    moved = _CHANGED_TO.search(later)
    if moved and stem_of(moved[1].lower()) in of & now and not cues.TIMED.match(moved[2]):
        return False
    later_attributes = attributes.of_text(later)
    return all(float(attributes.of_text(text) @ later_attributes) < MIN_ONE_MATTER for text in (question, earlier))
