"""What a question asks for besides its words, and what a memory offers: dates, speakers, numbers, questions."""

import calendar
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.program import is_test, opens_with_a_definition
from context_graph.embed.stems import words
from context_graph.instants import DAY_US, to_datetime
from context_graph.reading import cues, requests
from context_graph.reading.acts import acts_of
from context_graph.reading.passages import is_passage
from context_graph.reading.relatives import CLOSE
from context_graph.reading.subjects import of_another
from context_graph.reading.third_person import told_of_user
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Ask", "Traits", "date_fit", "name_in", "parse", "traits"]


_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
_MONTHS["sept"] = 9
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_MONTH = regex(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b(?:,? (\d{{4}}))?", re.I)
_MONTH_DAY = regex(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", re.I)
_MONTH_YEAR = regex(rf"\b({_MONTH})\.?(?:,? | of )(\d{{4}})\b", re.I)
_MONTH_ONLY = regex(rf"\b({_MONTH})\b", re.I)
_YEAR = regex(r"\b(19\d\d|20\d\d)\b")
_ISO = regex(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_AMBIGUOUS = {"may", "march", "mar"}  # also a verb and a noun: months only beside a number

_TIME_WORD = regex(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|week|weekend|month|year|morning|evening|night|"
    rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_MONTH}|\d{{1,2}}(?:st|nd|rd|th)|(?:19|20)\d\d)s?\b",
    re.I,
)
_NUMBER = regex(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|couple|several|once|twice)\b", re.I
)
_HOW_MANY = regex(r"\bhow (?:many|much|often|long|old)\b", re.I)
_WHEN = regex(r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b", re.I)
_LIST = regex(r"^(?:how many|list|name (?:all|every|some|the))\b", re.I)
_PERFECT = regex(r"^(?:what|which|who|where)\b(?: (?!do|did|does)[\w'’]+){0,3}? ha(?:s|ve) \w", re.I)
_OPENING = regex(r"^\W*(?:(?:in|at|on|to|of|from|for|with) (?=what|which|who))?", re.I)
_ASKED = regex(r"^(?:what|which|who)(?: are| were)?\b", re.I)
_THEN = set("are were is was did do does had will would can could might should this that it he she they you".split())
_PLURAL = regex(r"[a-z]{2,}(?<![sui'’])s$")
_NO_PLURAL = {"does", "always", "yes"}

_REPLIED = regex(
    r"\b(?:did|have|had|were) you\b|\byour (?:advice|answers?|recommendations?|suggestions?|tips)\b"
    r"|\byou (?:advised|described|explained|gave|listed|mentioned|outlined|proposed|provided|recommended|said|shared"
    r"|suggested|told)\b",
    re.I,
)
_SAID = regex(
    r"\b(?:did|have|had) (?:I|we)(?: ever)? (?:say|said|mention(?:ed)?|tell|told|discuss(?:ed)?|talk(?:ed)?|bring"
    r"|brought)\b|\b(?:I|we) (?:(?:have|had) )?(?:mentioned|said|told|discussed|brought up|talked)\b|\bremind me\b",
    re.I,
)
_DOER = regex(
    r"^\W*(?:what (?=do (?:I|we) do\b)|(?:where|how|when)\b(?: \w+){0,2} "
    r"|(?:who|(?:what|which)(?: \w+){1,2}) (?=do (?:I|we) (?:live|study)\b))"
    r"(?:do|did|am|was|were|are|have|had|can|could|should|will|must) (?:I|we)\b"
    r"(?! (?:ever |already )?(?:say|said|mention|tell|told|know|discuss))(?: (?!my\b|our\b|the\b)\w+){1,4}\W*$",
    re.I,
)
_OWN_THING = regex(
    r"^\W*what(?:['’]s| is| are) (?:my|our)(?: (?:current|favou?rite|home|main|new|old|present|work))? "
    r"(?P<thing>\w+)(?: and profession)?\W*$",
    re.I,
)
_ASKS_HOW = regex(r"\b(?:where|how|when|wo|wie|wann|dónde|cómo|cuándo)\b", re.I)
_I, _MINE = (
    regex(r"\b(?:I|[Ww]e|[Ii]ch|[Ww]ir|[Yy]o|[Nn]osotros)\b"),
    regex(r"\b(?:my|our|mein|unser|mi|nuestr)\w{0,3}\b", re.I),
)
MAX_FOREIGN_WORDS = 8
"""Words of a question in another language for what its asker does."""

_OWN_PAST = regex(
    r"\b(?:did|have|had|was|were) (?:I|we)\b|\bbetween when (?:I|we)\b"
    r"|\bhow (?:many|long)\b(?!.*\b(?:should|can|could|would|might)\b).*\b(?:I|we|my|our)\b"
    r"|\b(?:habe|hatte|haben|hatten|war|waren) (?:ich|wir)\b|\b(?:he|hemos|había|habíamos) \w+[aeií]do\b",
    re.I,
)
_OWN_FACT = regex(
    r"^\W*(?:(?:by|on|in|at|for|since|until|from|between) )?(?:what|which|when|where|who|whom"
    r"|how (?:many|much|long|far|often|old|big|high|tall|fast)|my"
    r"|welche\w*|wann|wo|wer|wie (?:viele?|lange|weit|oft|alt)"
    r"|qué|cuál|cuándo|dónde|quién|cuánt[oa]s?)\b"
    r"(?!.*\b(?:should|can|could|would|might|recommend|suggest|best|soll\w*|kann|könn\w+|empf\w+|debería|puedo)\b)"
    r".*\b(?:I|we|my|our|ich|wir|mein\w*|unser\w*|mi|mis|nuestr[oa]s?)\b",
    re.I | re.S,
)
_OVERVIEW = regex(r"\bsummar(?:y|ies|i[sz]e)\b|\boverview\b|\brecap\b", re.I)
_IN_TURN = regex(r"\border in which\b|\bin (?:what|which) order (?:did|have) (?:I|we)\b", re.I)
_DIFFERENT = regex(r"\bhow many (?:different|unique)\b", re.I)

_COMMON = regex(
    r"\b(?:an?|any|each|every|another|some|new|my|your|our|their)(?:\s+(?:new|other|single|given|different|specific))?\s+$",
    re.I,
)
"""What stands before a common noun, such as "user", and before no name."""

BEFORE = 48  # characters of it that are looked at


@dataclass(frozen=True, slots=True)
class Ask:
    """What a question asks for."""

    when: bool
    how_many: bool
    several: bool = False
    """More than one answer is expected: things in the plural, or all that someone has done."""

    own_statement: bool = False
    """What the one who asks has said: "When did I say that we met?"."""

    doer: bool = False
    """Where, when or how the one who asks does something, and to nothing that it names: "where do we live?"; or what
    they do, or have: "what is my job?"."""

    replied: bool = False
    """What the one who is addressed has said: "What did you suggest?"."""

    overview: bool = False
    """A summary of what both sides have said."""

    in_turn: bool = False
    """What was said, one thing after the other."""

    different: bool = False
    """How many different things were said."""

    own_past: bool = False
    """What the one who asks did, had or reached: "Have I ever mended it?", "How many days did I need?"."""

    own_fact: bool = False
    """A fact about the one who asks, not advice: "When is my interview?", "Which team did we join?"."""

    day: tuple[int, int, int | None] | None = None
    """(day, month, year or None)."""

    month: tuple[int, int | None] | None = None
    year: int | None = None

    tested: bool = False
    """Tests, or what they assert."""

    usage: bool = False
    """How one does something: what a manual tells, and no definition in a program."""

    @property
    def about_talk(self) -> bool:
        """It speaks of a conversation, not only of what that was about."""
        return self.own_statement or self.replied or self.overview or self.in_turn or self.different

    @property
    def dated(self) -> bool:
        return bool(self.day or self.month or self.year)


@dataclass(frozen=True, slots=True)
class Traits:
    """What the form of a memory says."""

    asks: bool
    time_word: bool
    number: bool
    wish: bool
    """It says what is always or never wanted, or what is preferred."""

    continues: bool
    """It goes on with what was said before it."""

    of_another: bool
    """Its subject is not who says it."""

    acts: frozenset[str]
    """What it does, of `acts.ACTS`."""

    test: bool
    """It is code that tests other code."""

    passage: bool
    """It tells what something is, and nothing of who keeps it."""

    definition: bool
    """It is code that begins with a function or a type."""


_TESTED = regex(r"\b(?:tests?|tested|testing|test_\w+|specs?|fixtures?|mock(?:s|ed)?|assert(?:s|ed|ions?)?)\b", re.I)
_USAGE = regex(r"\b(?:do|can|could|should|must|may|might|would) (?:I|you|one|users)\b|\bhow to\b", re.I)
_KINDS = _WHEN, _HOW_MANY, _SAID, _DOER, _REPLIED, _OVERVIEW, _IN_TURN, _DIFFERENT, _OWN_PAST, _OWN_FACT


@kept_for_texts(maxsize=256)  # the stages of a search read a question several times
def parse(question: str) -> Ask:
    """Read dates and the kind of answer out of a question."""
    ask = _dated(question)
    thing = _OWN_THING.match(question)
    owned = thing is not None and thing["thing"].islower() and thing["thing"] not in cues.KIN.union(CLOSE)
    doer = ask.doer or owned or _foreign_doer(question)
    return replace(ask, tested=bool(_TESTED.search(question)), usage=bool(_USAGE.search(question)), doer=doer)


def _foreign_doer(question: str) -> bool:
    """Whether a question in another language asks where, when or how who asks does something.

    Examples
    --------
    >>> [_foreign_doer(question) for question in ("Où est-ce que j'habite ?", "Wo wohne ich?", "Dove abito?")]
    [True, True, True]
    >>> _foreign_doer("Wo wohnt meine Schwester?"), _foreign_doer("Où vit ma sœur ?")
    (False, False)
    """
    if language_of(question) == ENGLISH or len(question.split()) > MAX_FOREIGN_WORDS:
        return False
    read = cues.readable(question)
    return bool(_ASKS_HOW.search(read) and _I.search(read)) and not _MINE.search(read)


def _dated(question: str) -> Ask:
    when, how_many, said, doer, replied, overview, turn, different, own, fact = (
        bool(one.search(question)) for one in _KINDS
    )
    kind = when, how_many, _asks_for_several(question), said, doer, replied, overview, turn, different, own, fact
    if match := _ISO.search(question):
        year, month, day = (int(part) for part in match.groups())
        if 1 <= month <= 12 and 1 <= day <= 31:
            return Ask(*kind, day=(day, month, year))
    for pattern, day_group, month_group in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        match = pattern.search(question)
        if match and 1 <= int(match[day_group]) <= 31:
            its_year = int(match[3]) if match[3] else None
            return Ask(*kind, day=(int(match[day_group]), _MONTHS[match[month_group].lower()], its_year))
    if match := _MONTH_YEAR.search(question):
        return Ask(*kind, month=(_MONTHS[match[1].lower()], int(match[2])))
    months = [match[1].lower() for match in _MONTH_ONLY.finditer(question)]
    months = [month for month in months if month not in _AMBIGUOUS]
    if months:
        return Ask(*kind, month=(_MONTHS[months[0]], None))
    if match := _YEAR.search(question):
        return Ask(*kind, year=int(match[1]))
    return Ask(*kind)


def name_in(question: str, speaker: str) -> re.Match[str] | None:
    """Where a question names a speaker, by the whole name or its first part, in any case.

    None where it only has the same word: "the user" is one, "a new user" is none.

    Parameters
    ----------
    speaker : str
        With at least one letter or digit.
    """
    first, *rest = (re.escape(word) for word in words(speaker))
    whole = first + "".join(rf"(?:[\W_]+{word})?" for word in rest)
    for found in re.finditer(rf"(?<!\w)(?:the\s+)?{whole}(?!\w)", question, re.I):
        if not _COMMON.search(question[max(0, found.start() - BEFORE) : found.start()]):
            return found
    return None


def _asks_for_several(question: str) -> bool:
    """ "What books has she read?", "What are her hobbies?", "Where has he been?", "How many dogs ...?"."""
    question = question.lower()  # a plural is one in capitals too
    question = _OPENING.sub("", question, count=1)
    if _LIST.match(question) or _PERFECT.match(question):
        return True
    asked = _ASKED.match(question)
    if asked is None:
        return False
    for word in question[asked.end() :].split()[:5]:  # what is asked for stands before the verb, or soon after "are"
        word = word.rstrip("?.,!")
        if word in _THEN:
            return False
        if _PLURAL.match(word) and word not in _NO_PLURAL:
            return True
    return False


def traits(text: str) -> Traits:
    """Read the form of a memory."""
    text = told_of_user(text)
    return Traits(
        text.rstrip().endswith(("?", "？")),
        bool(_TIME_WORD.search(text)),
        bool(_NUMBER.search(text)),
        bool(requests.wishes(text) or requests.prefers(text)),
        requests.continues(text),
        of_another(cues.readable(text)),
        acts_of(text),
        is_test(text),
        is_passage(text),
        opens_with_a_definition(text),
    )


def date_fit(ask: Ask, occurred_at: np.ndarray) -> np.ndarray:
    """How well each moment fits the date that a question names, in [0, 1]: int64 (n,) -> float32 (n,).

    People speak of a day soon after it: 1 for the ten days from it on, 0.5 up to three days before. A month:
    1 within it, 0.5 in the first ten days of the next. A year alone: 0.3 within it.
    """
    fit = np.zeros(len(occurred_at), np.float32)
    if ask.day:
        day, month, year = ask.day
        for y in [year] if year else _years(occurred_at):
            start = _start(y, month, day)
            if start is None:
                continue
            days = (occurred_at - start) // DAY_US
            fit = np.maximum(
                fit, np.where((days >= 0) & (days <= 10), 1.0, np.where((days >= -3) & (days < 0), 0.5, 0))
            )
    elif ask.month:
        month, year = ask.month
        for y in [year] if year else _years(occurred_at):
            start, end = _start(y, month, 1), _start(y + month // 12, month % 12 + 1, 1)
            if start is None or end is None:
                continue
            inside = (occurred_at >= start) & (occurred_at < end)
            after = (occurred_at >= end) & (occurred_at < end + 10 * DAY_US)
            fit = np.maximum(fit, np.where(inside, 1.0, np.where(after, 0.5, 0)))
    elif ask.year:
        start, end = _start(ask.year, 1, 1), _start(ask.year + 1, 1, 1)
        if start is not None and end is not None:
            fit = np.where((occurred_at >= start) & (occurred_at < end), 0.3, 0)
    return fit.astype(np.float32)


def _start(year: int, month: int, day: int) -> int | None:
    try:
        moment = datetime(year, month, 1, tzinfo=UTC) + timedelta(days=day - 1)
        return round(moment.timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        return None


def _years(occurred_at: np.ndarray) -> list[int]:
    if len(occurred_at) == 0:
        return []
    first, last = (to_datetime(int(t)).year for t in (occurred_at.min(), occurred_at.max()))
    return list(range(max(first, last - 20), last + 1))
