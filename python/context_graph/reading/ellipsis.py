"""What a statement leaves out that the one before it said: "Not till the 27th", "Cancelled.", "Paul's taken over".

Such a statement names a new value, or an end, and no thing. Which statement completes it, its antecedent, is told by
the kind of the value: a date completes what has a date, a number what has a number, an end what is planned.
"""

import re
from math import inf, log
from typing import NamedTuple

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.reading import attributes, cues
from context_graph.reading.acts import tells_task
from context_graph.reading.first_names import is_like_a_first_name
from context_graph.reading.procedures import tells_rule
from context_graph.reading.subjects import content_stems
from context_graph.reading.tense import lean_of
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Ellipsis", "completes_another", "difference", "ellipsis_of", "is_antecedent"]

MAX_ELLIPSIS_CHARS, MAX_ANTECEDENT_CHARS = 120, 240
"""Characters of an elliptic statement, and of what it completes."""

MAX_FIRST_WORDS, MAX_COUNT_WORDS, MAX_FILLER_WORDS, MAX_THING_WORDS = 12, 6, 5, 3
"""Words of the part of it that has the value, of one that gives a number, of a part before the value, of a thing."""

MIN_ALIKE_WORDS = 0.35
"""Cosine of a new thing and a word of a statement from which the one may stand for the other: "Porto" for "Lisbon"."""

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|mon|tues?|weds?|thurs?|fri|sat|sun)s?"
_DATE = regex(
    rf"\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)(?: (?:of )?{_MONTH})?\b|\b\d{{1,2}} (?:of )?{_MONTH}\b"
    rf"|\b{_MONTH} \d{{1,2}}\b"
    rf"|\b(?:next |this |the following )?{_WEEKDAY}\b|\btomorrow\b|\bnext (?:week|month|year)\b|\b\d{{4}}-\d\d-\d\d\b",
    re.I,
)
_HOUR = regex(
    r"\b\d{1,2}:\d\d ?(?:am|pm)?\b|\b\d{1,2}\.\d\d ?(?:am|pm)\b"
    r"|\b\d{1,2} ?(?:am|pm|o['’]clock)\b|\b(?:half|quarter) (?:past|to) \w+"
    r"|\b(?:noon|midday|midnight)\b",
    re.I,
)
_RELATIVE = regex(
    r"\b(?:(?:\w+ )?(?:day|week|fortnight|month|hour)s? (?:earlier|later)|(?:earlier|later|sooner))\b", re.I
)
_COUNT = regex(
    r"(?:(?<![\w.:£$€-])\d{1,3}(?:,\d{3})+\b|(?<![\w.:£$€-])\d+(?:\.\d+)?k?(?![\w:%])|\b(?:one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|a dozen|another)\b)"
    r"(?! (?:\w+ )?(?:minute|hour|day|night|week|fortnight|month|year|time|am|pm|o['’]clock|past|to)s?\b)",
    re.I,
)
_BESIDE_VALUE = frozenset(
    "a actually after afternoon again agreed all already and another any as at back be been before being better"
    " bring brings brought but by called can change changed could d date day days decided deferred delayed do"
    " does done down earlier emailed end evening extended fact finally fine for fortnight forward from gained"
    " get getting go going gone got had has have he her him his hit i if instead is it its just last later left"
    " like ll looking looks lost m make makes me meant mind month month's months more morning moved much must my"
    " new night no not now of off official officially ok okay on one only or our out over past per phoned"
    " planned plus postponed prefer pull pulled pushed put rang rather re reached rescheduled right s said same"
    " say says see set settled she shifted since slid slipped so sooner sorry still switched t texted than that"
    " the their them then there these they think those till time to today tonight too turned turns until up us"
    " ve want wanted wants was we week week's weeks well went were will with would wrote yes yet you".split()
)
"""Words of an elliptic statement beside its value."""

_END = regex(
    r"^\W*(?:(?:sadly|so|and|well|ok|right|sorry|oh|forget it|never ?mind|no luck|bad news|update)\W{1,3}){0,2}"
    r"(?:(?:it|that|this|they|he|she|we|the whole thing)(?:['’](?:s|ve|re|d)| is| has| have| had| are| was| will"
    r"| won['’]t|['’]ll)?(?: all| now| just| been| both)* )?(?:is )?"
    r"(?:cancel(?:l?ed|s)(?: it| that| on (?:us|me))?|called (?:it |that )?off"
    r"|off(?!-)(?: again| now| after all| altogether"
    r"| for (?:good|now))?|not happening|not going ahead|not (?:to be|on)|fell through|fallen through|scrapped(?: it"
    r"| that)?|abandoned"
    r"|dropped (?:it|that)|a no-go|binned(?: it)?|won['’]t (?:happen|be happening)|isn['’]t (?:happening|going ahead)"
    r"|never happened|pulled the plug)\b(?P<rest>[^\n]{0,80})$",
    re.I,
)
"""Says of what was planned that it will not be."""

_REGULAR = regex(rf"\b(?:{_WEEKDAY[:-2]}s|every (?:\w+ )?{_WEEKDAY}|weekly)\b", re.I)
"""Speaks of the same day each week."""

_MOVED = regex(
    r"\b(?:moved|pushed|postponed|rescheduled|put (?:back|off)|changed|brought forward|delayed|booked|fixed|set"
    r"|arranged|planned|shifted|slipped)\b",
    re.I,
)
"""Tells in the past of what is to come: "the trip was moved to the 21st", "booked the flight for May"."""

_DONE = regex(
    r"^\W*(?:(?:right|ok|well|and|phew|finally|at last|good news|update)\W{1,3})?(?:(?:it|that|this|both)"
    r"(?:['’]s| is| are)(?: all| now| finally)? )?(?:all |finally |at last )?"
    r"(?:done(?: it| that| and dusted)?|sorted|dealt with|did (?:it|that)|ticked (?:it|that|that one) off"
    r"|off my (?:list|plate)"
    r"|managed (?:it|that)|(?:i )?took care of (?:it|that)|(?:i )?got round to (?:it|that)|handed (?:it )?in"
    r"|sent (?:it )?off"
    r"|finished(?: it| that)?|paid(?: it)?|booked(?: it)?|(?:i['’]ve |i )?(?:done|did|managed|finished|sorted)"
    r" (?:it|that))\b"
    r"(?P<rest>[^\n]{0,80})$",
    re.I,
)
_TO_DO = regex(
    r"\b(?:need(?:s)? to|must|have to|has to|had to|['’]ve got to|got to|should|ought to|still (?:have|owe|need)|owe"
    r"|due"
    r"|to do|todo|remember to|don['’]t forget)\b",
    re.I,
)
_SWAPPED = regex(
    r"\b(?:(?:we|they|both|(?:the|us|you) two(?: of (?:us|them))?|and (?:i|me|he|she|(?-i:[A-ZÀ-Þ])[\w’-]+))"
    r"(?:['’]ve| have| had)?(?: just| now| both){0,2}"
    r" (?:swapped|switched|traded)(?: (?:round|over|places|roles|jobs|duties|sides|with each other))?"
    r"|changed places|(?:haben|hatten) (?:\w+ ){0,2}(?:ge|ver)tauscht)"
    r"(?= *$| *[.!,;–(]| (?:because|since|as|now|weil|da)\b)",
    re.I,
)
"""Says that two do what the other one did."""

_WHO_DOES = r"(?:i|ich|we|wir|(?:my|our|mein\w*|unser\w*) \w+|(?-i:[A-ZÀ-Þ])[\w’'-]+)"
_TWO_DO = regex(
    rf"^\W*{_WHO_DOES} (?!and\b|und\b)[^,;.]{{2,60}}?(?:[,;]| and| while| und)(?: (?:and|while|but|und))? "
    rf"{_WHO_DOES} \w",
    re.I,
)
"""Tells what each of two does: "Ada cooks, I wash up"."""

_SUCCEEDS = regex(
    r"^\W*(?:so |and |now |well,? )?(?:it['’]s |it is |that['’]s |it['’]ll be )?"
    r"(?P<who>[A-ZÀ-Þ][\w’-]+(?: [A-ZÀ-Þ][\w’-]+)?)"
    r"(?:['’]s| has| is| will|['’]ll)?(?: be)? ?(?:now |just )?"
    r"(?P<how>taken (?:over|it on)|taking (?:over|it on)|take over|takes over|took over|does (?:it|that)(?: now)?"
    r"|doing (?:it|that)(?: now)?|do (?:it|that)|do it from now on|stepp(?:ed|ing) in|from now on|in charge now"
    r"|got the job"
    r"|now|instead|these days)\b\W*(?P<rest>[^\n]{0,60})$"
)
_ROLE = regex(
    r"^\W*(?P<who>[A-ZÀ-Þ][\w’-]+)(?: [A-ZÀ-Þ][\w’-]+)? (?:is |['’]s |was |will )?(?!and\b|or\b)[a-z]{2,}"
    r"|\b(?:is|was) (?P<named>[A-ZÀ-Þ][\w’-]+)(?: [A-ZÀ-Þ][\w’-]+)?\W*$"
)
_INSTEAD = regex(
    r"^\W*(?:make (?:that|it)|(?:(?:no|nope)[,:;–-]|actually,?|changed (?:my|our) minds?,?|on second thoughts?,?)"
    r"(?: it['’]s)?|(?:(?:we|i)(?:['’]ve| have)? )?(?:settled on|decided on|switched to|gone for|went with))"
    r" (?P<opened>[\w’' -]{2,40}?)(?: (?:instead|after all|in the end|now|then|rather))?\W*$"
    r"|^\W*(?:it['’]s|it is|went for|going for|we['’]re going for) (?P<ended>[\w’' -]{2,40}?)"
    r" (?:instead|after all|in the end|rather)\W*$"
    r"|^\W*(?P<closed>[\w’' -]{2,40}?) (?:instead|it is(?: then)?|in the end|rather)\b(?P<rest>[^\n]{0,60})$",
    re.I,
)
_NO_THING = regex(r"\b(?:i|we|you|he|she|it|they|that|this|is|was|are|were|has|have|had|to)\b", re.I)
"""A clause, and no thing."""

_COUNTS = regex(
    r"^\W*[\w,.]+\W*$|^(?!.*\b(?:he|she)\b).*\b(?:now|up to|down to|make (?:that|it)|hit|past|reached|got to|as of"
    r"|another|more|lost|gained|in total|altogether|(?:we|i)(?:['’]re|['’]m| are| am) (?:at|on)|it['’]s)\b",
    re.I,
)
"""Speaks of how many there are now: "up to 13", "13!"; "she is 13 now" tells an age."""


_ONCE = regex(
    r"^\W*(?:(?:today|tomorrow|(?:this|next) \w+) only\b|(?:back(?! to\b)|home|see you)\b"
    r"|(?:he|she|they|we)(?:['’]s|['’]re| is| are) off\b)",
    re.I,
)
"""An exception, or a return."""


_NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_PLAIN = frozenset(("date", "hour", "count", "done", "swap"))
"""Kinds of which it is plain what they can complete."""


_AT = regex(rf"\bat (?:\d{{1,2}}|{cues.HOUR})\b", re.I)
_BY_HOW_MANY = regex(r"\b(?:another|more|fewer|less|lost|gained|of them)\b", re.I)
"""Tells by how many a number changes, and not to which."""

_SAME_HOUR = regex(r"\bsame (?:time|hour)\b", re.I)


class Ellipsis(NamedTuple):
    """What a statement gives without saying of what.

    Attributes
    ----------
    kind : str
        "date", "hour", "count", "person", "thing", "name" (of either), "end", "done" or "swap".
    value : str
        As it is written; empty for the last three, and for a number by which another changes.
    same_hour : bool
        It says that the hour stays.
    """

    kind: str
    value: str
    same_hour: bool = False


@kept_for_texts(maxsize=2_048)
def ellipsis_of(text: str) -> Ellipsis | None:
    """What a statement gives that names no thing which it is about; None where it names one, or gives nothing.

    Examples
    --------
    >>> ellipsis_of("Not till the 27th after all, the hall's flooded.")
    Ellipsis(kind='date', value='the 27th', same_hour=False)
    >>> [ellipsis_of(text)[:2] for text in ("It's off.", "Up to 13.", "Paul's taken over.", "Crete instead.")]
    [('end', ''), ('count', '13'), ('person', 'Paul'), ('name', 'Crete')]
    >>> ellipsis_of("The exam is on the 27th."), ellipsis_of("I bought 13 hens.")
    (None, None)
    >>> ellipsis_of("My knee hurts, so we've swapped.").kind
    'swap'
    """
    if len(text) <= MAX_ELLIPSIS_CHARS and _SWAPPED.search(text) and not cues.OPEN.search(text) and "?" not in text:
        return Ellipsis("swap", "")
    if (
        len(text) > MAX_ELLIPSIS_CHARS
        or "?" in text
        or "\n" in text
        or language_of(text) != ENGLISH
        or cues.OPEN.search(text)
    ):
        return None
    if _ONCE.search(text):
        return None
    for kind, form in (("end", _END), ("done", _DONE)):
        if (match := form.match(text)) and _adds_little(match["rest"]):
            return Ellipsis(kind, "")
    if (match := _SUCCEEDS.match(text)) and _is_person(match["who"]) and _adds_little(match["rest"]):
        return Ellipsis("name" if match["how"] in ("now", "instead", "these days") else "person", match["who"])
    first, *behind = re.split(r"[;!–]|\.(?!\d)|,(?! ?\d)| (?:because|since|as) ", text.strip(), maxsplit=2)
    if valued := _valued(first.strip(), text):
        return valued
    if (
        behind
        and len(first.split()) < MAX_FILLER_WORDS
        and _is_filler(first)
        and (valued := _valued(behind[0].strip(), text))
    ):
        return valued
    if (match := _INSTEAD.match(text)) and _adds_little(match["rest"] or ""):
        thing = (match["opened"] or match["ended"] or match["closed"]).strip()
        is_thing = bool(content_stems(thing)) and len(thing.split()) <= MAX_THING_WORDS and not _NO_THING.search(thing)
        if is_thing and not _DATE.search(thing) and not _COUNT.search(thing):
            return Ellipsis("thing", thing)
    return None


def completes_another(earlier: str, later: str) -> bool:
    """Whether the later of two statements is elliptic, and the earlier one has nothing that it may complete.

    Examples
    --------
    >>> completes_another("The picnic is on 12 June.", "Up to 16!")
    True
    """
    ellipsis = ellipsis_of(later)
    return (
        ellipsis is not None and ellipsis.kind in _PLAIN and not is_antecedent(earlier, ellipsis.kind, ellipsis.value)
    )


def _valued(part: str, text: str) -> Ellipsis | None:
    """A date, an hour or a number that stands among words of no content."""
    if not part or len(part.split()) > MAX_FIRST_WORDS:
        return None
    for kind, form in (("date", _DATE), ("hour", _HOUR), ("date", _RELATIVE), ("count", _COUNT)):
        match = form.search(part)
        rest = form.sub(" ", part) if match else ""
        if kind == "count" and match and not (_COUNTS.search(part) and len(text.split()) <= MAX_COUNT_WORDS):
            continue
        if kind == "date" and match and _COUNT.search(_HOUR.sub(" ", rest)):
            continue  # "430 from 1 April" is another amount
        if match and _is_filler(_HOUR.sub(" ", rest)):
            value = "" if kind == "count" and _BY_HOW_MANY.search(text) else match[0].strip()
            return Ellipsis(kind, value, bool(_SAME_HOUR.search(text)))
    return None


def _is_filler(text: str) -> bool:
    """Whether a text has none but words that stand beside a value."""
    return all(word.lower() in _BESIDE_VALUE for word in re.findall(r"[A-Za-z]+", text))


def difference(text: str, ellipsis: Ellipsis) -> float:
    """How far the numbers of a statement are from the one that an elliptic statement gives, as the logarithm of their
    ratio: "3,400 now" is of the 2,100 words and not of the 12 hens. For any other kind 0, and 1 where the same hour is
    spoken of and the statement has none.

    Examples
    --------
    >>> now = ellipsis_of("3,400 now.")
    >>> difference("I have 2,100 words.", now) < difference("We have 12 hens.", now)
    True
    """
    if ellipsis.same_hour:
        return 0.0 if _HOUR.search(text) or _AT.search(text) else 1.0
    value = _number(ellipsis.value) if ellipsis.kind == "count" else None
    if value is None:
        return 0.0
    text = _HOUR.sub(" ", _DATE.sub(" ", text[:MAX_ANTECEDENT_CHARS]))
    numbers = (_number(match[0]) for match in _COUNT.finditer(text))
    return min((abs(log(value / one)) for one in numbers if one), default=inf)


def _number(word: str) -> float | None:
    """A number as it is written; None for "another" and for 0."""
    plain = word.lower().replace(",", "")
    if plain in _NUMBER_WORDS:
        return float(_NUMBER_WORDS.index(plain) + 1)
    thousands = plain.endswith("k")
    try:
        return float(plain.removesuffix("k")) * (1_000 if thousands else 1) or None
    except ValueError:
        return None


def _is_person(name: str) -> bool:
    first = name.split()[0] if name else ""
    return bool(content_stems(first)) and is_like_a_first_name(first)


def _adds_little(rest: str) -> bool:
    """Whether what stands behind an end is a reason or a time, and no thing of its own: "off, the boss is ill"."""
    return (
        not rest.strip(" .!")
        or rest.lstrip()[:1] in ",;.!:-–("
        or bool(
            re.match(
                r" (?:today|yesterday|this|last|because|as|since|at last|already|now|a \w+ (?:early|late))\b",
                rest,
                re.I,
            )
        )
    )


@kept_for_texts(maxsize=4_096)
def is_antecedent(text: str, kind: str, value: str) -> bool:
    """Whether a statement may be what an elliptic one gives a new value of, or ends.

    Examples
    --------
    >>> is_antecedent("Rehearsals begin on 20 March.", "date", "the 27th"), is_antecedent("I like tea.", "date", "")
    (True, False)
    >>> is_antecedent("Nadia keeps the accounts.", "person", "Paul"), is_antecedent("Rent is due.", "person", "Paul")
    (True, False)
    >>> is_antecedent("I need to renew my passport.", "done", ""), is_antecedent("My passport is red.", "done", "")
    (True, False)
    """
    text = text[:MAX_ANTECEDENT_CHARS]
    if kind != "done" and tells_rule(text):
        return False  # a rule names days and numbers, and has none of its own
    if kind == "date" and _REGULAR.search(value):
        return bool(_REGULAR.search(text))
    if kind == "date":
        return bool(_DATE.search(text)) and (lean_of(text) >= 0 or bool(_MOVED.search(text)))
    if kind == "hour":
        return bool(_HOUR.search(text)) or bool(_AT.search(text) and _DATE.search(text))
    if kind == "count":
        return bool(_COUNT.search(_HOUR.sub(" ", _DATE.sub(" ", text))))
    if kind == "end":
        return lean_of(text) > 0 or (bool(_DATE.search(text)) and (lean_of(text) == 0 or bool(_MOVED.search(text))))
    if kind == "done":
        return tells_task(text) or bool(_TO_DO.search(text))
    if kind == "swap":
        return bool(_TWO_DO.match(text))
    if kind in ("person", "name"):
        match = _ROLE.search(text)
        who = (match["who"] or match["named"]) if match else ""
        has_role = _is_person(who) and who not in value
        if has_role or kind == "person":
            return has_role
    if not content_stems(value).isdisjoint(content_stems(text)):
        return False
    words = [word for word in re.findall(r"[\w’'-]{3,}", text) if content_stems(word)]
    new = attributes.vector(value)
    return bool(words) and max(float(new @ attributes.vector(word)) for word in words) >= MIN_ALIKE_WORDS
