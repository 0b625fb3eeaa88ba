"""From and until when a statement holds by its own words: "from January on", "on leave until January"."""

import re
from typing import NamedTuple

from context_graph.embed.chunks import clauses
from context_graph.instants import DAY_US, HOUR_US
from context_graph.reading.calendar_spans import Span
from context_graph.reading.past_events import tells_what_happened
from context_graph.reading.tense import lean_of
from context_graph.reading.time_expressions import Expression, expressions
from context_graph.reading.time_words import MONTHS, WEEKDAYS, alternatives
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Validity", "as_happened", "beginning", "coming_change", "validity"]

READ = 240
"""Characters of a statement that are looked at: a longer text says more than how long one thing holds."""

MIN_SPAN_US = 12 * HOUR_US
"""A statement about a part of a day is about every day ("until noon"), and not about this one."""

_RANGE = regex(
    r"\d(?:st|nd|rd|th|\.|º)?(?:\s+(?:of\s+|de\s+)?[^\W\d_]{3,10}\.?)?(?:\s*[-–]\s*|\s+(?:to|till?|until|through|and|bis"
    r"|bis\s+zum|al?|hasta|y)\s+)(?:the\s+|den\s+|el\s+|[^\W\d_]{3,10}\.?\s+)?\d",
    re.I,
)
"""From one day to another."""

_BOUND = regex(
    r"\b(?:until|till?|through|this|next|bis|diese[rsnm]?|nächsten|hasta|est[ea])\b"
    r"|\d.{0,16}(?:[-–]|\b(?:to|al?|and|y)\b).{0,16}\d",
    re.I,
)
"""What every bound has, and few statements."""

MAX_RANGE_US = 200 * DAY_US
"""What lasts for longer from one day to another is no stay."""

FIRM = 1_000
"""What holds until a day holds until one to come (`expressions`)."""

_DAY_POINT = regex(rf"(?<=\d)\.(?=\s*(?:[-–]|bis\b|und\b|{alternatives(MONTHS)}\b))", re.I)
_STATE = regex(
    r"\b(?:closed|booked|reserved|suspended|blocked|geschlossen|gesperrt|gebucht|belegt|unterbrochen|geöffnet)\b", re.I
)
"""What is so, in a form in which verbs tell what was."""

_MEANWHILE = regex(
    r"\b(?:cover(?:s|ing)?|(?:fill|stand|step|sit)(?:s|ing|ping|ting)? in|vertritt|vertreten|springt ein|übernimmt"
    r"|cubre|cubren|sustituye|reemplaza)\b",
    re.I,
)
"""What somebody does as long as another one is away."""

_UNTIL = regex(
    r"\b(?:until|till|til|through|bis(?:\s+einschließlich)?|hasta)\s+(?:(?:the\s+)?(?:end|start|middle)\s+of\s+|the\s+"
    r"|ende\s+|anfang\s+|mitte\s+|zum\s+|el\s+|finales\s+de\s+)?\Z",
    re.I,
)
_THIS = regex(
    r"(?:this|diese[rsnm]?|est[ea])\s+(?:coming\s+)?(?:week|month|quarter|term|semester|season|year|woche|monat|jahr"
    r"|quartal|semana|mes|año)\Z",
    re.I,
)
_FROM = regex(r"\b(?:from|since|as of|starting|beginning|ab|seit|desde)\s+\Z", re.I)
_BEGINS = regex(
    r"\b(?:from|as of|as from|starting|beginning|effective|with effect from|ab|beginnend|a partir del?|desde"
    r"|à partir d[eu]|dès|a partire da[l]?|da[l]?|a partir d[ao]|vanaf|met ingang van|od|począwszy od)"
    r"(?:\s+(?:on|in|mid|the|dem|el|next|le|il|de))?\s+\Z",
    re.I,
)
_MAY_BEGIN = regex(
    r"\b(?:from|as of|starting|beginning|effective|ab|a partir del?|a partir d[ao]|desde|à partir d[eu]|dès"
    r"|a partire da|dal?|vanaf|ingang|od)\b",
    re.I,
)
_GOES_TO = regex(r"(?<=\s)(?:[-–]|(?:to|till?|until|through|bis|hasta|al)\b)", re.I)
_CHANGES = regex(
    r"\b(?:goes|go|going|retires?|leaves?|changes?|becomes?|starts?|switch(?:es)?|rises?|drops?|falls?|increases?"
    r"|takes over|gets?|getting|moves?|moving|leaving|becoming|rising|follows?|ends|expires|will"
    r"|geht|wird|wechselt|steigt|verlässt|ziehe|ziehst|zieht|ziehen|umziehen|sube|baja|cambia|pasa|deja|mudo|muda"
    r"|mudamos|mudan|passe|passera|change|changera|déménage|déménageons|emménage|emménageons|quitte|devient|augmente"
    r"|trasferisco|trasferiamo|trasferisce|passa|diventa|aumenta|lascia|mudo-me|mudamo-nos|gaat|wordt|verhuis|verhuizen"
    r"|verhuist|przeprowadzam|przeprowadzamy|zmienia|wzrasta)\b",
    re.I,
)
"""What may be said of something to come."""

_IN = regex(
    r"\b(?:in|im|en|next|nächsten|(?:at |by )?the (?:end|start|beginning|middle) of|at the turn of|ende|anfang"
    r"|finales de|fin|début|au mois de|a|ad|em|no mês de|w)(?:\s+(?:early|late|mid|the))?\s+\Z",
    re.I,
)
_NEXT_UNIT = regex(
    r"(?:the )?(?:next|nächste[nrsm]?|próxim[oa]) (?:week|month|quarter|term|season|year|woche|monat|jahr)\b", re.I
)
_TO = regex(r"\b(?:to|for|till?|until|auf|para)\s+\Z", re.I)
"""Before a day to which something is put off: from now on it is planned for then."""

_ON = regex(r"\b(?:on|am|el|le|il|em|op)\s+(?:the\s+)?\Z", re.I)
_WEEKDAY_OR_MONTH = rf"(?:{alternatives(WEEKDAYS)}s?|{alternatives(MONTHS)})\b"
_TAKES_EFFECT = regex(
    r"\b(?:(?:goes?|going|rises?|drops?|falls?|increases?|decreases?|climbs?)(?: up| down)? to [€$£]? ?\d"
    r"|becom(?:es?|ing)|takes? over|taking over|retires?|retiring|steps? down|follows?"
    r"|leav(?:es?|ing) (?:us|me|the|our|my)\b"
    r"|start(?:s|ing)? (?:at|as|with|working|in (?!the\b))|with the new [\w-]+"
    r"|mov(?:es?|ing) (?:in|out|into)\b|\bwill be (?:the |our |my )?(?!at\b|in\b|on\b|there\b|here\b|\d)[a-z]"
    r"|\b(?:emménage|déménage|quitte|devient|ziehe|zieht|ziehen|trasferisc[oe]|trasferiamo)\b"
    r"|(?:mov|switch|chang|relocat)(?:es?|ing) (?:over )?to (?!the \d|\d)(?-i:[A-Z]))",
    re.I,
)
"""Says what will be so from a day on, rather than what takes place on it."""

_PUT_OFF = regex(
    rf"\b(?:mov|switch|chang)(?:es?|ing|ed) (?:over )?to (?:the )?(?:next )?(?:\d|{_WEEKDAY_OR_MONTH})", re.I
)

_AT_THE_END = regex(r"(?:\A|.*\b)(?:the )?(?:end of|ende|finales de)\b\s*(?:the )?\Z|\A(?:the )?end of\b", re.I)
MIN_CHANGE_US = 5 * DAY_US
"""A shorter time is when something takes place, not from when on it is so."""

NEAR_CHARS = 8
"""Characters behind a day in which it would say to which other day."""

_ENDED_ALREADY = regex(
    r"\b(?:left|quit|resigned|fired|laid off|cancel+ed|sold|closed|ended|stopped|gave up|given up|moved out|no longer"
    r"|any ?more|broke up|died|gekündigt|verkauft|aufgehört|dejé|vendí|canceló)\b",
    re.I,
)
_NEXT = regex(r"(?:the\s+)?next\s+\w+(?:\s+\w+)?\Z|(?:die\s+)?nächsten\s+\w+\s+\w+\Z", re.I)
_FOR = regex(r"\b(?:for|für|por|durante)\s+\Z", re.I)


_HAPPENED = {
    form: past
    for past, forms in {"moved": "moving move moves", "started": "starting start starts"}.items()
    for form in forms.split()
}  # fmt: skip
_PLANNED = regex(rf"(?:\s+(?:am|is|are|will)|['’](?:m|s|re|ll))?\s+(?P<verb>{'|'.join(_HAPPENED)})\b", re.I)


_WILL = regex(r"\s*(?:\bwill\b|['’]ll\b) (?P<verb>[a-z]{2,20})\b", re.I)
_PRESENT = {"be": "is", "have": "has", "do": "does", "go": "goes"}
MAX_SUBJECT_CHARS = 60
"""Characters between a day and what is so from then on."""


class Validity(NamedTuple):
    """
    Attributes
    ----------
    end : int
        The last microsecond at which the statement holds.
    partly : bool
        It says more than what holds until then.
    """

    end: int
    partly: bool


@kept_for_texts(maxsize=1_024)
def validity(text: str, moment: int) -> Validity | None:
    """How long a statement of one moment (microseconds) holds by its own words; None where it does not say.

    What is to be done, what happened, and what is so at an hour of every day has no end of this kind.

    Examples
    --------
    >>> monday = 1_793_577_600_000_000  # 2026-11-02
    >>> days = 86_400_000_000
    >>> [(validity(text, monday).end - monday) // days for text in ("On call this week: Arjun", "Away until Friday")]
    [6, 4]
    >>> validity("I must call Bo this week", monday), validity("We moved the wiki this week", monday)
    (None, None)
    """
    if len(text) > READ or not _BOUND.search(text):
        return None
    parts = clauses(_DAY_POINT.sub("", text))  # "5. bis" ends no sentence
    ends = [_end(part, moment) for part in parts]
    last = max((end for end in ends if end is not None), default=None)
    if last is None:
        return None
    rest = [part for part, end in zip(parts, ends, strict=True) if end is None and not _MEANWHILE.search(part)]
    return Validity(last, bool(rest) or len(parts) - ends.count(None) > 1)


@kept_for_texts(maxsize=1_024)
def beginning(text: str, moment: int) -> int | None:
    """From when on a statement of one moment (microseconds) holds by its own words, if that is still to come.

    Examples
    --------
    >>> monday = 1_793_577_600_000_000  # 2026-11-02
    >>> days = 86_400_000_000
    >>> [(beginning(text, monday) - monday) // days for text in ("The rent is 980 from December", "ab Freitag um 9")]
    [29, 4]
    >>> beginning("The rent is 980 now", monday), beginning("We sail from Friday to Sunday", monday)
    (None, None)
    >>> beginning("I left Acme, from December I'm at Globex", monday)  # what was is over already
    """
    if len(text) > READ or not _MAY_BEGIN.search(text) or _ENDED_ALREADY.search(text):
        return None
    plain = _DAY_POINT.sub("", text)
    starts = [
        one.spans[0].start
        for one in expressions(plain, moment, lean=1, firm=FIRM)
        if _BEGINS.search(plain[: one.begin])
        and not (_is_range(plain, one) or _GOES_TO.search(plain, one.begin, one.end + NEAR_CHARS))
        and one.spans[0].end - one.spans[0].start >= MIN_SPAN_US
    ]
    return min((start for start in starts if start > moment), default=None)


@kept_for_texts(maxsize=1_024)
def coming_change(text: str, moment: int) -> int | None:
    """When what a statement of one moment (microseconds) says will change does so, where it tells it as a thing to
    come: in a month, a season or a year, at the end of one, or on a day from which on it is so.

    Examples
    --------
    >>> monday = 1_793_577_600_000_000  # 2026-11-02
    >>> days = 86_400_000_000
    >>> texts = "Python goes to 3.12 in December", "Helga retires at the end of January, Yusuf takes over"
    >>> [(coming_change(text, monday) - monday) // days > 28 for text in texts]
    [True, True]
    >>> coming_change("The choir moved in December", monday), coming_change("The dentist moves to Friday", monday)
    (None, None)
    >>> (coming_change("We are moving to Chur on 30 November", monday) - monday) // days
    28
    """
    if len(text) > READ or not _CHANGES.search(text) or lean_of(_STATE.sub(" ", text)) < 0:
        return None
    starts = [
        span.end if _AT_THE_END.search(text[: one.begin]) or _AT_THE_END.match(text[one.begin :]) else span.start
        for one in expressions(text, moment, lean=1, firm=FIRM)
        for span in one.spans[:1]
        if _is_when(text, one, span)
    ]
    return min((start for start in starts if start > moment), default=None)


def as_happened(text: str, moment: int, now: int) -> str:
    """A statement of one moment as it would be told once the change that it announces has come; else as it is.

    Examples
    --------
    >>> monday, days = 1_793_577_600_000_000, 86_400_000_000  # 2026-11-02
    >>> plan = "We are moving to Chur on 30 November"
    >>> as_happened(plan, monday, monday + 7 * days), as_happened(plan, monday, monday + 40 * days)
    ('We are moving to Chur on 30 November', 'We moved to Chur on 30 November')
    >>> as_happened("From 9 November Ida will have the keys.", monday, monday + 8 * days)
    'From now on Ida has the keys.'
    """
    begun = beginning(text, moment)
    if begun is not None and begun <= now:
        text = _since_begun(text, moment)
    change = coming_change(text, moment)
    if change is None or change > now:
        return text
    return _PLANNED.sub(lambda match: f" {_HAPPENED[match['verb'].lower()]}", text, count=1)


def _since_begun(text: str, moment: int) -> str:
    """A statement that opens with the day from which on it holds as it is told once that day has come."""
    for one in expressions(text, moment, lean=1, firm=FIRM):
        opening = _BEGINS.match(text[: one.begin])
        will = _WILL.search(text, one.end)
        if opening is not None and will is not None and will.start() - one.end <= MAX_SUBJECT_CHARS:
            subject, verb = text[one.end : will.start()].strip(" ,"), will["verb"].lower()
            plural = subject.lower() in ("i", "we", "you", "they")
            own = "am" if subject.lower() == "i" else "are"
            present = {"be": own}.get(verb, verb) if plural else _PRESENT.get(verb, f"{verb}s")
            return f"From now on {subject} {present}{text[will.end() :]}"
    return text


def _is_when(text: str, one: Expression, span: Span) -> bool:
    """Whether an expression of time says when something changes, and not to which time."""
    before = text[: one.begin]
    if _TO.search(before):
        return False
    if span.end - span.start >= MIN_CHANGE_US:
        named = _IN.search(before) or _AT_THE_END.match(text[one.begin :])
        return bool(named or _NEXT_UNIT.match(text[one.begin : one.end]))
    return bool(_ON.search(before) and _TAKES_EFFECT.search(text)) and not _PUT_OFF.search(text)


def _end(clause: str, moment: int) -> int | None:
    lean = lean_of(_STATE.sub(" ", clause))
    if tells_what_happened(clause) or lean < 0:
        return None
    spans = [
        span
        for one in expressions(clause, moment, lean=1, firm=FIRM)
        if _is_range(clause, one) or (not lean and _is_bound(clause, one))
        for span in one.spans[:1]
    ]
    ends = [span.end - 1 for span in spans if span.end - span.start >= MIN_SPAN_US and span.end > moment]
    return max(ends, default=None)


def _is_range(clause: str, one: Expression) -> bool:
    """Whether an expression of time says from which day to which day something is."""
    span = one.spans[0]
    return span.end - span.start <= MAX_RANGE_US and bool(_RANGE.search(clause[one.begin : one.end]))


def _is_bound(clause: str, one: Expression) -> bool:
    """Whether an expression of time says until when something holds."""
    before, words = clause[: one.begin], clause[one.begin : one.end]
    if _THIS.match(words):
        return not _FROM.search(before)
    return bool(_UNTIL.search(before) or (_NEXT.match(words) and _FOR.search(before)))
