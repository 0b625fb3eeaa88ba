"""Whether a statement holds a value of the kind that a question asks for: a colour, a price, a code, how many of what.

Narrower than `answer_types.holds_answer`, which lets pass whatever may hold one: "in October" is no place here, "25 MB"
no price, and "VPN" nobody.
"""

from collections.abc import Callable
from re import I as IGNORE_CASE

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import STOP_WORDS, stem_of, stems
from context_graph.reading import cues
from context_graph.reading.first_names import is_like_a_first_name
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["holds_value"]

MAX_VALUED_CHARS = 600
"""Characters of a question and a statement that are read."""

_NUMBER = (
    r"(?:\d[\d.,]*k?|an?|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|dozen"
    r"|both|twins?|couple|several)"
)
_MONTHS = r"(?:jan|feb|march|april|may\b|june|july|aug|sept|oct|nov|dec)[a-z]*"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_TIME = regex(
    r"\b(?:at|in|on|from|to|by|until|till|under|near|into) (?:the |about |around |early |late |mid-?|next |last ){0,3}"
    rf"(?:\d|{_MONTHS}"
    rf"|{_DAYS}|half|noon|midnight|mornings?|evenings?|afternoons?|nights?|weekends?|spring|summer|autumn|winter"
    r"|christmas|easter|(?:a|one|two|three|four|five|six) (?:few )?(?:day|week|month|year|hour|minute)s?"
    r"|time|case|advance|total"
    r"|general|fact|charge|mind|all|least|most|first|hold|order|foot|my own|his own|her own|their own)\b",
    IGNORE_CASE,
)
_PLACE = regex(
    r"\b(?:at|in|to|from|near|behind|under|on|into|above|below|beside|by|inside|via|over|between|through|off|room|rack|"
    r"street|road|floor|upstairs|downstairs|home|abroad|here|there|corner|next door)\b|\S: |[/\\]\w",
    IGNORE_CASE,
)
_COLOUR = regex(
    r"\b(?:red|green|blue|yellow|black|white|gr[ae]y|brown|orange|purple|pink|violet|beige|cream|silver|gold(?:en)?"
    r"|turquoise|teal|navy|maroon|lilac|crimson|scarlet|khaki|magenta|ochre|olive|colou?r(?:ed)?)\b",
    IGNORE_CASE,
)
_CODE = regex(r"\b\w*\d\w*\b|[\"'“‘][^\"'”’]+[\"'”’]|\[REDACTED|\bsecret\b|\bwedding\b|\bbirthday\b", IGNORE_CASE)
_PHONE = regex(r"\d(?:[ /()+-]*\d){4,}")
_MONEY = regex(
    r"[€£$]\s?\d|\b\d[\d.,]*k?\b(?!\s*(?:%|percent|[a-z]*(?:bytes?)\b|mb\b|gb\b|kb\b|tb\b|km\b|cm\b|mm\b|kg\b|g\b|grams?|litres?"
    r"|liters?|degrees?|minutes?|mins?|hours?|days?|weeks?|months?|years?|volts?|tonnes?|decibels?|am\b|pm\b|[:.]\d\d\b"
    rf"|(?:st|nd|rd|th)\b|(?:of )?{_MONTHS}|people|times|metres?|kilomet\w+|bars?|points?))"
    r"|\b(?:free|nothing|grand|quid|cheap|euros?|pounds?|dollars?|bucks|hundred|thousand|million|fifty|twenty)\b",
    IGNORE_CASE,
)
_COUNTED = regex(r"\bhow many (?:(?:of|different|other|more|new|the|my|our) )*([\w'’-]+)", IGNORE_CASE)
_NUMBERED = regex(rf"\b{_NUMBER}[ -]([\w'’]+(?:[ -][\w'’]+){{0,2}})", IGNORE_CASE)
_ANY_NUMBER = regex(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozen)\b", IGNORE_CASE)
_SOMEBODY = regex(
    r"\b(?:mr|mrs|ms|miss|dr|prof|professor|doctor|herr|frau|sir|aunt|uncle|i|me|i['’][a-z]+|we|us|my|our|he|she|him|her"
    r"|they|them|somebody|someone|everybody|nobody)\b",
    IGNORE_CASE,
)
_CAPITALISED = regex(r"\b[A-ZÀ-Þ][\w’'-]*[a-zà-þ][\w’'-]*")


def _is_named(question: str, text: str) -> bool:
    """Whether a statement has a name that the question lacks."""
    asked_stems = {*stems(question)}
    names = [name.group() for name in _CAPITALISED.finditer(text) if name.start() or is_like_a_first_name(name.group())]
    names = [name.lower().removesuffix("'s").removesuffix("’s") for name in names]
    return any(
        name not in STOP_WORDS and stem_of(name) not in asked_stems and not cues.TIMED.fullmatch(name)
        and name != "i" for name in names
    )  # fmt: skip


def _is_somebody(question: str, text: str) -> bool:
    """Whether a statement has a person whom the question does not name."""
    asked_stems = {*stems(question)}
    if _SOMEBODY.search(text) or text.islower() or any(word in cues.KIN for word in text.lower().split()):
        return True
    names = (name.lower() for name in _CAPITALISED.findall(text))
    return any(
        name not in STOP_WORDS and stem_of(name) not in asked_stems and is_like_a_first_name(name) for name in names
    )


def _is_counted(question: str, text: str) -> bool:
    """Whether a number stands before what is counted."""
    match = _COUNTED.search(question)
    counted = stem_of(match[1].lower()) if match else ""
    return bool(counted) and any(counted in stems(number[1]) for number in _NUMBERED.finditer(text))


_OF_MONEY = (
    r"\bhow much\b(?! (?:memory|space|time|water|milk|sugar|flour|of)\b)"
    r"|\bwhat\b.{1,60}\b(?:costs?|pay|charge|earn|price|fee|rent|wage|salary|worth)\b"
)
_OF_MEASURES = (
    r"\b(?:which|what) (?:version|number|port|size|page|room|rack|exit code)\b"
    r"|\bhow (?:old|large|big|tall|far|long|fast|loud|heavy|wide|much)\b"
)
_OF_NAMED_THINGS = (
    r"\b(?:which|what) (?:school|hotel|doctor|dentist|company|firm|street|town|city|country|brand|shop|kindergarten)\b"
)
_KINDS: tuple[tuple[str, Callable[[str, str], bool]], ...] = (
    (r"\b(?:what|which) colou?rs?\b", lambda question, text: bool(_COLOUR.search(text))),
    (r"\b(?:mobile|ring)\b.{1,80}\bnumber\b|\b(?:tele)?phone\b", lambda question, text: bool(_PHONE.search(text))),
    (r"\b(?:code|password|passphrase|pin|combination|passcode)\b", lambda question, text: bool(_CODE.search(text))),
    (r"\bhow many\b", _is_counted),
    (_OF_MONEY, lambda question, text: bool(_MONEY.search(text))),
    (r"\b(?:called|named)\W*$|\bname\b", _is_named),
    (r"\bwho(?:m|se|['’]s)?\b", _is_somebody),
    (r"\bwhere\b", lambda question, text: bool(_PLACE.search(_TIME.sub(" ", text)))),
    (_OF_MEASURES, lambda question, text: bool(_ANY_NUMBER.search(text))),
    (_OF_NAMED_THINGS, _is_named),
)
"""What a question asks for, and how a statement tells it."""

_ASKED = tuple((regex(form, IGNORE_CASE), holds) for form, holds in _KINDS)


@kept_for_texts(maxsize=2_048)
def holds_value(question: str, text: str) -> float:
    """1 where an English statement holds a value of the kind that an English question asks for, 0 where it does not,
    0.5 where the question asks for none of these kinds.

    Examples
    --------
    >>> holds_value("Where is Ida getting married?", "Ida is getting married in October.")
    0.0
    >>> holds_value("What colour is the van?", "The van is dark green."), holds_value("Is it over?", "It is over.")
    (1.0, 0.5)
    """
    holds = _kind_of(question)
    if holds is None:
        return 0.5
    text = text[:MAX_VALUED_CHARS]
    return float(holds(question[:MAX_VALUED_CHARS], text) or language_of(text) != ENGLISH)


@kept_for_texts(maxsize=256)
def _kind_of(question: str) -> Callable[[str, str], bool] | None:
    """What tells whether a statement holds a value of the kind that comes first in a question."""
    question = question[:MAX_VALUED_CHARS]
    if language_of(question) != ENGLISH:
        return None
    matches = [(match.start(), place) for place, (form, _) in enumerate(_ASKED) if (match := form.search(question))]
    return _ASKED[min(matches)[1]][1] if matches else None
