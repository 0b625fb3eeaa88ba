"""What a question asks of time: a span, an order, an event before or after which it was."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from context_graph.embed.informal import weekdays_in_full
from context_graph.embed.stems import STOP_WORDS, words
from context_graph.instants import DAY_US
from context_graph.reading import cues
from context_graph.reading.calendar_spans import EVER, Span
from context_graph.reading.tense import lean_of
from context_graph.reading.time_expressions import Expression, expressions
from context_graph.reading.time_translations import in_english_with_times, translated
from context_graph.reading.time_words import NUMBERS, PARTS, UNITS, alternatives
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["AskedTime", "asked_time"]

READ = 1_000  # characters of a question that are looked at
FIRM = 50  # a question about the past means no day that is to come

Order = Literal["first", "last", "next"]

_DROPS_BY = regex(r"\b(?:drop|com|stop|pass|swing|stand|went|go)\w*\s+by\s+$", re.I)
_SINCE = regex(r"\b(?:(?:ever\s+)?since|seit|ab|desde)\s+(?:the\s+|dem\s+|el\s+)?$", re.I)
_BEFORE = regex(
    r"(?P<step>\b(?:the\s+)?(?P<unit>day|week|month|year)\s+)?"
    r"\b(?:before|prior\s+to|earlier\s+than|vor|antes\s+del?)\s+(?:the\s+|dem\s+|el\s+)?$",
    re.I,
)
_FROM = regex(r"\bfrom\s+(?:the\s+)?$", re.I)
_ON = regex(r"\s+on(?:wards?)?\b(?!\s+(?:the|a|an|my|our|\d))", re.I)
"""Stands behind a day from which on something was: "from the 5th on"."""

_UNTIL = regex(r"\b(?:until|till|by|bis|hasta)\s+(?:the\s+|zum\s+|el\s+)?$", re.I)
_AFTER = regex(
    r"(?P<step>\b(?:the\s+)?(?P<unit>day|week|month|year)\s+)?"
    r"\b(?:after|following|later\s+than|nach|después\s+del?|tras)\s+(?:the\s+|dem\s+|el\s+)?$",
    re.I,
)
_ANY = regex(r"\b(?:an?|any|every|each|ein(?:em|er)?|jede[nmrs]?|un|cada)\s+$", re.I)
"""Stands before a day of no certain week: "may I push on a Friday?" asks for a rule."""

_HABIT = regex(r"^\W*(?:(?:what|when|where|who|which|how)\b[^?]{0,40}?\b)?(?:do|does|may|must|should|can)\b", re.I)
_PART_OF_DAY = regex(
    r"\W*(?:(?:in|on|at|by|around|during) )?(?:(?:the|a) )?"
    r"(?:mornings?|noon|lunchtime|afternoons?|evenings?|nights?|midnight"
    r"|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| ?o['’]clock)?)\W*",
    re.I,
)
"""A time of no certain day, in a question for what is always so: "may the lights be on after 23:00?"."""

_MAY = regex(r"^\W*may(?= (?!\d|\w+ (?:is|was)\b|is\b|was\b|of\b))", re.I)
"""Asks for leave, and for no month."""

_OF_SOMEBODY = regex(r"\b(?:(?:who|how old|where) (?:is|was)|does|has)\s+$", re.I)
"""Stands before somebody, and before no month."""

_FIRST_NAMES = frozenset("april may june august juli mai jan".split())
"""Months whose names people have, too."""

_DATED = regex(r"\d")
DAYS_OF = {
    "minute": 1,
    "hour": 1,
    "day": 1,
    "weekend": 7,
    "week": 7,
    "fortnight": 14,
    "month": 31,
    "quarter": 92,
    "year": 365,
}

_EVENT = regex(
    rf"(?:(?:the|am|el|la|der|die)\s+(?P<unit>day|week|month|year|tag|día|woche|monat|jahr|semana|mes|año)\s+"
    rf"|(?P<count>\d{{1,3}}|{alternatives(NUMBERS)})\s+(?P<counted>{alternatives(UNITS)})\s+)?"
    r"(?:\b(?:right|directly|shortly|just|immediately|soon|straight|kurz|direkt|gleich|unmittelbar|justo|poco)\s+)?"
    r"\b(?P<side>before|after|prior\s+to|following|since|nachdem|bevor|ehe|vor|nach|seit|antes\s+de(?:l|\s+que)?"
    r"|después\s+de(?:l|\s+que)?|tras|desde\s+que)\s+(?P<event>\S.*)$",
    re.I,
)
_BETWEEN = regex(r"\b(?:between|zwischen|entre)\s+(?P<event>\S.*?)\s+(?:and|und|y)\s+(?P<until>\S.*)$", re.I)
_LENGTH = regex(
    r"\bhow\s+(?:many|much)\s+(?:more\b|(?:minutes|hours|days|nights|weeks|months|years|time)\b)|\bhow\s+long\b"
    r"|\bwie\s*viele\s+(?:minuten|stunden|tage|wochen|monate|jahre)\b"
    r"|\bcuánt[oa]s\s+(?:minutos|horas|días|semanas|meses|años)\b",
    re.I,
)
"""Opens a question for the time from one event to another, or for how many more there were at the other: it is read
off both, not off what lay between."""

_COMPARED = regex(r",?\s(?<!\bon )(?<!\bin )(?<!\bat )which\b", re.I)
"""Follows two things that a question compares ("between the flat and the house, which one is cheaper?"); without its
comma, for that is not read as a rule."""

_NO_TIME = regex(
    r"\b(?:look(?:s|ed|ing)?|chas(?:es?|ed|ing)|asks|asked|asking|runs|ran|running|(?:nam|call|modell?|pattern)ed"
    r"|(?:clean|clear|tidie|tidy|pick)(?:s|ed|d|ing)? up|who (?:takes|took)) after\b"
    r"|\b(?:is|are|am|was|were|been|be|['’]s|['’]re|['’]m) following\b|\b(?:stand|put)(?:s|ing)? before\b",
    re.I,
)
"""Words for a time that stand for none: who looks after somebody, or is following something."""

_ALWAYS = regex(
    r"\b(?:happens|comes|goes|works) (?:right |directly |just )?(?:before|after) (?:an?|any|each|every)\b"
    r"|\bhappens (?:before|after) (?!(?:the|that|this|my|our|his|her|their)\b)",
    re.I,
)
"""What a thing that recurs begins or ends."""

_GERMAN_NO_TIME = regex(r"\b(?:schau|seh|sieh|guck|such|frag|riech|schmeck)\w*\s+$", re.I)
"""Stands before a "nach" that belongs to the verb: "wer sieht nach der Katze?"."""

_EARLIER = regex(r"before|prior|bevor|ehe|vor|antes", re.I)
_PLACES = regex(r"nach\s+(?:hause|[A-ZÄÖÜ]\w+\s*\??$)|vor\s+(?:dem|der|das|die)\s+\w+\s*\??$")
_SINCE_WHEN = regex(
    r"\b(?:since\s+when|seit\s+wann|desde\s+cuándo|how\s+long\s+ago|wie\s+lange\s+(?:ist|her)|hace\s+cuánto|cuánto\s+hace)\b",
    re.I,
)

_FIRST = regex(
    r"\b(?:first(?!\s+(?:or\s+(?:the\s+)?(?:second|third)|aid|class|floor|grade|hand|language|names?|person|place)\b)|earliest"
    r"|zuerst|als\s+erstes|erste[nrsm]?|primer[oa]?)\b",
    re.I,
)
_LAST = regex(
    r"\b(?:last(?!\s+(?:digits?|minute|names?|resort|straw)\b)|latest|most\s+recent(?:ly)?|newest"
    r"|zuletzt|letzte[nrsm]?|neueste[nrsm]?|jüngste[nrsm]?|últim[oa]|más\s+reciente)\b",
    re.I,
)
_CALLED_SO = regex(
    r"(?:\b(?:is|are|will be)|['’]s)\s+(?:my|our|his|her|their|your|the)\s+(?:first|last)\s+[a-z]+", re.I
)
"""A thing that is called so: "what is our first dance?"."""

_VERB_LAST = regex(
    r"\bhow\s+long(?:er)?\s+(?:do|does|did|will|would|can|could|should|is|are|may|might)\b[^?.!]*?\blast(?=\s*[?.!,;]|\s*$"
    r"|\s+(?:a|after|at|before|each|every|for|if|in|now|on|once|per|these|through|till|until|when|with|without)\b)"
    r"|\blast(?=\s+(?:for|until|till|through|longer|long)\b)",
    re.I,
)
"""The verb: "how long does a session last?" asks for no order."""

_NEXT = regex(
    r"\b(?:next(?!\s+(?:to|door)\b)|upcoming|coming\s+up|(?:is|are|what['’]?s)\s+coming|lies\s+ahead|ahead\s+of|planned|nächste[nrsm]?"
    r"|kommende[nrsm]?|als\s+nächstes|steht\s+(?:noch\s+)?an|ansteht|geplant|próxim[oa]|lo\s+siguiente|pendiente)\b",
    re.I,
)
_WHEN = regex(
    r"^\W*(?:when|(?:on\s+)?(?:(?:what|which)\s+(?:date|day)|what\s+time)(?!\s+(?:care|formats?|jobs?|limits?|pass|rates?|shifts?"
    r"|zones?)\b)|wann|um\s+wie\s*viel\s+uhr|cuándo|qué\s+día"
    r"|a\s+qué\s+hora)\b",
    re.I,
)
_PERFECT = regex(r"\b(?:have|has|ever|hast|habe|hat|haben)\b", re.I)

_DONE = frozenset("done write wrote written make made talk talked see saw".split())
"""Those of the words below that "when" asks for: "when do I write?"."""

_GENERAL = frozenset(
    """happen happens happened happening change changed changes changing occur occurred go going went gone come comes
    came take place taken thing things event events anything something everything new news see saw get got make
    made say said tell told talk talked know known plan plans planned planning schedule scheduled agenda
    calendar coming upcoming next last first latest recent later earlier day date time note notes remember write
    wrote written was ist war hat habe haben hatte ich wir du mir uns passiert passierte geschehen geschah
    gemacht machen mache getan sich ändern ändert änderte geändert verändert änderungen neu neues welche welches
    fasse zusammen done miss missed summarize summarise summary recap catch up los gab noch schon denn mal so
    sonst eigentlich mich unser mein meine meinem meinen dein gibt es steht stehen an kommt kommen am im in der
    die das den dem als vor nach seit zuletzt nächstes erste wann wie wo ein eine einen einem einer eines mit
    von zu zum zur bei auf aus wurde wurden worden ihr sie unsere wird werden muss soll etwas alles tun getan
    qué que hice hizo hicimos hacer pasó pasa pasado hay tengo tenemos para el la las en de del un una fue por
    mi nos me mis tu tus su sus lo se con ha he hemos han más muy cuál cuáles quién cuándo dónde algo viene
    próximo próxima primero última último fait passé fatto faccio successo accaduto fiz fizemos fez faço gedaan
    gebeurde gebeurd robię robiłem robiłam robiliśmy stało działo""".split()
)
"""Words that say nothing of what happened, beside the stop words: who asks with these alone asks for a time."""


@dataclass(frozen=True, slots=True)
class AskedTime:
    """The time that a question is about.

    Attributes
    ----------
    spans : tuple of Span
        What its expression of time may mean, the likeliest first; empty without one.
    order : optional
        The first, the last or the next of several.
    event : str
        The telling words of something before or after which it was; empty without.
    side : int
        -1 before the event, 1 after it.
    within : (int, int), optional
        First and last of the days before or after the event that are meant.
    until : str
        The telling words of a second event, up to which it was.
    ahead : bool
        It asks when something will be.
    since_when : bool
        It asks since when something is, or how long ago it was.
    present : bool
        The question lies in no past tense, so what is to come answers it.
    time_words : frozenset of str
        Its words that are nothing but time, in lower case; of a general question all.
    light : frozenset of str
        Its words that no memory has to hold to answer it: those of time and order, and such as say nothing.
    general : bool
        Beside its time it asks for nothing in particular: "What happened yesterday?"
    """

    spans: tuple[Span, ...] = ()
    order: Order | None = None
    event: str = ""
    side: int = 0
    within: tuple[int, int] | None = None
    until: str = ""
    ahead: bool = False
    since_when: bool = False
    present: bool = False
    time_words: frozenset[str] = frozenset()
    light: frozenset[str] = frozenset()
    general: bool = False

    @property
    def something(self) -> bool:
        """Whether the question says anything about time."""
        return bool(self.spans or self.order or self.event or self.ahead or self.since_when)


@kept_for_texts(maxsize=256)
def asked_time(question: str, now: int) -> AskedTime:
    """Read what a question asks of time.

    Parameters
    ----------
    now : int
        Microseconds: when it is asked.

    Examples
    --------
    >>> asked_time("What came after the storm?", 0).event, asked_time("Which is my latest car?", 0).order
    ('storm', 'last')
    >>> asked_time("What is our first dance?", 0).order, asked_time("What was our first dance?", 0).order
    (None, 'first')
    >>> len(asked_time("Do we meet on Friday?", 0).spans), len(asked_time("Do we meet on a Friday?", 0).spans)
    (2, 0)
    >>> asked_time("Qu'ai-je fait avant-hier ?", 0).spans == asked_time("the day before yesterday", 0).spans
    True
    """
    question = question[:READ]
    if (translation := translated(question)) is None:
        question = weekdays_in_full(_MAY.sub("can", question))
        lean = lean_of(question)
    else:  # its verbs, too, are known in its own language alone
        lean = lean_of(question, translation.language)
        question = weekdays_in_full(_MAY.sub("can", in_english_with_times(question)))
    time_expressions = tuple(
        one
        for one in expressions(question, now, lean=lean or 1, firm=FIRM)
        if not (_is_person(question, one) or (lean >= 0 and _is_always(question, one)))
    )
    spans, places = _span(question, time_expressions, now, lean or 1)
    # The date of a memory is indexed with its words, so those of a calendar date count as words, too.
    unwritten = [
        place
        for place, one in zip(places, time_expressions, strict=True)
        if one.relative or not _DATED.search(question[one.begin : one.end])
    ]
    rest = _without(question, places)
    event, until, side, within, before_event = _event(rest)
    plain = before_event if event else rest
    when = bool(_WHEN.search(question))
    # "when is the first import due?" asks for one date, of a thing that is called so
    one_date = lean >= 0 and (when or bool(_CALLED_SO.search(question)))
    order: Order | None = None
    if _FIRST.search(plain) and not one_date:
        order = "first"
    elif _NEXT.search(plain) and lean >= 0:
        order = "next"
    elif _LAST.search(plain) and not (one_date or _VERB_LAST.search(question)):
        order = "last"
    time_words = {word for begin, end in unwritten for word in words(question[begin:end])}
    dates = {word for begin, end in places for word in words(question[begin:end])}
    since_when = {word for one in _SINCE_WHEN.finditer(question) for word in words(one[0])}
    general = _GENERAL - _DONE if when and not spans else _GENERAL
    left = {word for word in words(plain) if word not in STOP_WORDS and word not in general and word not in PARTS}
    if not left and not event:
        time_words |= set(words(plain))
    return AskedTime(
        spans,
        order,
        event,
        side,
        within,
        until,
        when and lean >= 0 and not _PERFECT.search(question),
        bool(since_when),
        lean >= 0,
        frozenset(time_words - left),
        frozenset(dates | {word for word in words(plain) if word not in left} | since_when),
        not left,
    )


def _is_person(question: str, expression: Expression) -> bool:
    """Whether what reads as a month is who a question is about: "What does June do?", "How old is April?"."""
    word = question[expression.begin : expression.end]
    named = word[:1].isupper() and word.lower() in _FIRST_NAMES
    return named and bool(_OF_SOMEBODY.search(question[: expression.begin]))


def _is_always(question: str, expression: Expression) -> bool:
    """Whether a question asks for what is always so on some day, or at some time of it."""
    if _ANY.search(question[: expression.begin]):
        return True
    return bool(_HABIT.match(question) and _PART_OF_DAY.fullmatch(question[expression.begin : expression.end]))


def _span(
    question: str, expressions: tuple[Expression, ...], now: int, lean: int
) -> tuple[tuple[Span, ...], list[tuple[int, int]]]:
    """What all expressions of a question mean together, and where they stand with the words before them."""
    spans: tuple[Span, ...] = ()
    places = []
    for one in expressions:
        begin, own = one.begin, one.spans
        before = question[:begin]
        from_on = _FROM.search(before) if _ON.match(question, one.end) else None
        if from_on and lean > 0:
            begin, own = from_on.start(), (Span(own[0].start, EVER),)
        elif since := _SINCE.search(before) or from_on:
            begin = since.start()
            past = [span for span in own if span.start <= now][:1]  # of all Septembers the last one
            own = tuple(Span(span.start, max(now, span.end)) for span in past or own)
        elif (side := _UNTIL.search(before)) and not _DROPS_BY.search(before):
            begin, own = side.start(), tuple(Span(now if lean > 0 else -EVER, span.end) for span in own)
        elif side := _BEFORE.search(before):
            begin, own = side.start(), tuple(_beside(span, side, -1) for span in own)
        elif (side := _AFTER.search(before)) and not _NO_TIME.search(before):
            begin, own = side.start(), tuple(_beside(span, side, 1) for span in own)
        places.append((begin, one.end))
        if not spans:
            spans = own
            continue
        both = [Span(max(a.start, b.start), min(a.end, b.end)) for a in spans for b in own]
        spans = tuple(span for span in both if span.start < span.end) or spans
    if len(expressions) == 1 and expressions[0].relative and spans:
        # Of what returns each week the nearest is meant, on the other side at most; of a month without a year, the
        # nearest that anything is known of.
        other = [span for span in spans if (span.start > now) != (spans[0].start > now)]
        spans = (spans[0], *other[:1])
    return spans, places


def _beside(span: Span, side: re.Match[str], sign: int) -> Span:
    """What lies before or after a span: of a day, week or month that is named so much, else everything."""
    if side["unit"]:
        length = DAYS_OF[side["unit"].lower()] * DAY_US
        return Span(span.start - length, span.start) if sign < 0 else Span(span.end, span.end + length)
    if span.end - span.start < DAY_US:  # "before noon yesterday"
        day = span.start - span.start % DAY_US
        return Span(day, span.start) if sign < 0 else Span(span.end, day + DAY_US)
    return Span(-EVER, span.start) if sign < 0 else Span(span.end, EVER)


def _without(question: str, spans: list[tuple[int, int]]) -> str:
    for begin, end in sorted(spans, reverse=True):
        question = f"{question[:begin].rstrip(' ,')} {question[end:].lstrip(' ,')}"
    return " ".join(question.split())


class _Event(NamedTuple):
    event: str
    until: str
    side: int
    within: tuple[int, int] | None
    before: str
    """What stands before it in the question."""


@kept_for_texts(maxsize=64)
def _event(question: str) -> _Event:
    """The event that a question names as the beginning or end of a time.

    What is always or yet to be done before something ("What do I take before breakfast?") was told at any time.
    """
    nothing = _Event("", "", 0, None, question)
    if _LENGTH.search(question) or cues.AT_PRESENT.search(question) or _ALWAYS.search(question):
        return nothing
    if both := _BETWEEN.search(question):
        if _COMPARED.search(both["until"]):
            return nothing
        first, second = _telling(both["event"]), _telling(both["until"])
        return _Event(first, second, 1, None, question[: both.start()]) if first and second else nothing
    match = _EVENT.search(question)
    if match is None or _SINCE_WHEN.search(question) or _PLACES.match(question, match.start("side")):
        return nothing
    before = question[: match.start("side")]
    if _GERMAN_NO_TIME.search(before) or any(no.end() == match.end("side") for no in _NO_TIME.finditer(question)):
        return nothing
    event = _telling(match["event"])
    if not event:
        return nothing
    side = -1 if _EARLIER.match(match["side"]) else 1
    within = None
    if match["unit"]:
        within = (1, DAYS_OF[UNITS[match["unit"].lower()]])
    elif match["count"]:
        count_words = " ".join(match["count"].lower().split())
        number = int(count_words) if count_words.isdigit() else NUMBERS[count_words]
        days = number * DAYS_OF[UNITS[" ".join(match["counted"].lower().split())]]
        within = (max(1, days - days // 6), days + days // 6)
    return _Event(event, "", side, within, question[: match.start()])


def _telling(text: str) -> str:
    """The words of an event without those that say nothing."""
    return " ".join(
        word for word in text.rstrip(" ?.!,").split() if not {*words(word)} <= _GENERAL | STOP_WORDS | PARTS.keys()
    )
