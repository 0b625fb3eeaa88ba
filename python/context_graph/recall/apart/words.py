"""What the guards look for in any statement: words of change, of reference, of time, kinds of numbers."""

import re

from context_graph.embed.stems import STOP_WORDS, stem_of, stems
from context_graph.reading import attributes, cues
from context_graph.reading.news import news_odds
from context_graph.reading.past_events import tells_what_happened
from context_graph.reading.subjects import WORD
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "AMOUNT",
    "CHANGING",
    "ENDINGS",
    "MIN_ALIKE",
    "NUMBER",
    "OF_ANYTHING",
    "PLACE",
    "REFERRING",
    "asks_of_one",
    "counted_on",
    "left_home",
    "number_kinds",
    "numbered",
    "numbered_in_words",
    "refers",
    "refers_back",
    "renumbered",
    "tells_a_change",
    "tells_new_number",
    "untimed",
]

REFERRING = cues.UNNAMED | {"this", "that", "them"}
"""Words for what was named before."""

_DETERMINERS = frozenset("the a an my our your his her their its".split())
"""Before a thing that is named."""

MIN_ALIKE = 0.1
"""The same for two that share but a time, where the later one denies and ends nothing."""

PLACE = (
    r"\b(?:in|at|to|from|into|onto|on|near|behind|under|above|beside|inside|outside|via|opposite|next to|with)\b"
    r"|\b(?:home|abroad|here|there|online|upstairs|downstairs|remote(?:ly)?|everywhere|nowhere|anywhere)\b"
)
"""A pattern for what a place begins with, or is called by one word."""

NUMBER = regex(r"\d")

AMOUNT = regex(r"[€$£] ?\d|\d[\d.,]*k? ?(?:€|\$|£|(?:euros?|eur|dollars?|usd|pounds?|francs?|chf|bucks)\b)", re.I)
"""An amount of money."""

_NUMBER_WORD = regex(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty|forty|fifty|hundred)\b",
    re.I,
)

_SHARE = regex(r"\d[\d.,]* ?(?:%|per ?cent)", re.I)

_MOVED_HOME = regex(
    r"\b(?:I|[Ww]e)\b(?:['’]ve| have| had)? (?:(?:just|finally|now|recently|both) )?(?:moved|relocated) "
    r"(?:(?:back|over|out|in|up|down) )*(?:to|into|with|from)\b"
)
"""Somebody lives elsewhere now, whatever else the statement says."""

_NUMBERED = regex(r"\b([^\W\d_]+) (?:no\.? |number |#)?(\d+)\b", re.I)
_RANKS = (
    ("one", "first", "1st"), ("two", "second", "2nd"), ("three", "third", "3rd"), ("four", "fourth", "4th"),
    ("five", "fifth", "5th"), ("six", "sixth", "6th"), ("seven", "seventh", "7th"), ("eight", "eighth", "8th"),
    ("nine", "ninth", "9th"), ("ten", "tenth", "10th"), ("eleven", "eleventh", "11th"), ("twelve", "twelfth", "12th"),
)  # fmt: skip
_NUMBER_OF = {word: str(number) for number, words in enumerate(_RANKS, 1) for word in words}
_COUNTED_BEHIND = regex(rf"\b([^\W\d_]{{3,}}) ({'|'.join(words[0] for words in _RANKS)})\b", re.I)
_COUNTED_BEFORE = regex(rf"\b({'|'.join('|'.join(words[1:]) for words in _RANKS)}) ([^\W\d_]{{3,}})", re.I)
"""A thing told apart by a number in words: "phase two", "the second phase"."""

_NOT_COUNTED = STOP_WORDS | frozenset(
    "last next other new old good only least most past until till than another".split()
)
_OF_ONE = regex(
    r"^\W*(?:(?:and|so) )?(?:how|what|who|whom|whose|when|where|why|in what|in which|with whom|by when)\b"
    r"|^\W*(?:is|are|was|were|has|did|does|do|will|can) (?:the )?(?:[^\W\d_]+ )?"
    r"(?:[a-z]+(?:st|nd|rd|th)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+(?:st|nd|rd|th)?)\b",
    re.I,
)
_OF_WHO_SAYS = regex(r"(?:I|[Ww]e|[Mm]y|[Oo]ur)\b")

_LIVES = regex(r"\b(?:live|living|lived|home|flat|apartment|house|based|rent|renting|moved)\b", re.I)

_WEIGHS = regex(r"\b(?:weigh\w*|weight|heavy|kilos?|kg|kilograms?|pounds|lbs|stone)\b", re.I)
_COSTS = regex(r"\b(?:rent|price|costs?|pay|fee|salary|budget|rate|wage|much)\b", re.I)
_DOWN_TO = regex(
    r"^\W*(?:(?:i|we)(?:['’](?:m|re|ve)| am| are| have| got)? )?(?:(?:now|already|finally|just|even|gone|got) )*"
    r"(?:(?:back )?(?:down|up)(?: again)? (?:to|at)|(?P<agreed>(?:agreed|settled|landed) (?:on|at)))"
    r" (?P<number>\d++(?:[.,]\d++)*(?![.,]\d))(?: (?P<unit>(?!now\b|again\b|already\b)[a-z]+))?(?= *$|[ .,;!])",
    re.I,
)
"""A number that has changed, without what it is of."""

_FIGURE = regex(r"\d++(?:[.,]\d++)*")

MAX_STEP = 2.0
"""How many times as much it is now, or was."""

SURELY_HOME = 0.5
"""Probability from which a question is for where somebody lives."""

CHANGING = frozenset(stems("move switch change replace turn start stop drop keep go come get take make"))
"""What may be said of any two matters: by itself it is no common subject."""

_WHEN = cues.TELLING_WHEN | {"tonight", "yesterday", "week", "weeks", "month", "months", "year", "years", "day", "days"}
"""Words for when something was, besides `cues.TIMED`."""

OF_ANYTHING = CHANGING | frozenset(stems("use want need have"))
"""The same, and what one does with any thing."""

ENDINGS = (cues.ENDED, cues.NEGATED, cues.CORRECTED)


@kept_for_texts(maxsize=512)  # these read one statement, which is compared with each of those beside it
def refers(text: str) -> bool:
    """Whether a statement has a word for what was named before."""
    return not REFERRING.isdisjoint(word.lower() for word in WORD.findall(text))


@kept_for_texts(maxsize=512)
def refers_back(text: str) -> bool:
    """Whether a statement has such a word before it names anything that the word may stand for.

    Examples
    --------
    >>> refers_back("Mum took it back."), refers_back("Ros gave the key back, it's with Bo.")
    (True, False)
    """
    words = WORD.findall(text)
    for place, word in enumerate(words):
        if word.lower() in REFERRING:
            return True
        if word.lower() in _DETERMINERS or (place and word[0].isupper() and word.lower() not in cues.SELF):
            return False
    return False


@kept_for_texts(maxsize=512)
def untimed(text: str) -> str:
    """A text without words for when something was."""
    return WORD.sub(lambda word: "" if word[0].lower() in _WHEN else word[0], cues.TIMED.sub("", text))


def left_home(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks where somebody lives, the earlier statement says so, and the later one that they moved.

    Examples
    --------
    >>> left_home("Where do I live?", "I'm Ana, 34, I live in Porto with Rui.", "We moved to Gaia, across the river.")
    True
    >>> left_home("Where do I work?", "I'm Ana, I live in Porto.", "We moved to Gaia.")
    False
    """
    if not (_LIVES.search(earlier) and _MOVED_HOME.search(later)):
        return False
    return bool(attributes.of_text(question)[attributes.model().names.index("home")] >= SURELY_HOME)


def renumbered(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for the number of something, and who says where they are with one number says later that
    it is another now.

    Examples
    --------
    >>> renumbered("Which room do I teach in?", "I teach at Lindenhof, room 214.", "I'm in room 118 now.")
    True
    >>> renumbered("Who has room 214?", "We let room 214 to Ana.", "We clean room 118 now.")
    False
    """
    if not all(_OF_WHO_SAYS.match(text) for text in (earlier, later)) or not cues.CHANGED.search(later):
        return False
    of, now = dict(numbered(earlier)), dict(numbered(later))
    nouns = {*stems(question)} - {noun for noun, _ in numbered(question)}
    return any(of[noun] != now[noun] for noun in nouns & of.keys() & now.keys())


def tells_new_number(text: str) -> bool:
    """Whether a statement says that a number is another now, without what it is of: "down to 79"."""
    return bool(_DOWN_TO.match(text))


def counted_on(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks how much somebody weighs or something costs, the earlier statement says it, and the later
    one that the number is another, without what it is of.

    Examples
    --------
    >>> counted_on("How much do I weigh?", "I weigh 82 kilos.", "I'm down to 79.")
    True
    >>> counted_on("How much do I take?", "I take 50 mg in the morning.", "I'm up to 79.")
    False
    >>> counted_on("How much is the rent?", "Rent is 900 euros warm.", "We agreed on 930.")
    True
    """
    now = _DOWN_TO.match(later)
    if now is None or tells_what_happened(earlier):
        return False
    before, of = _DOWN_TO.match(earlier), _FIGURE.findall(earlier)
    kind = _COSTS if now["agreed"] else _WEIGHS
    stated = before or (kind.search(earlier) and not {*stems(question)}.isdisjoint(stems(earlier)))
    if len(of) != 1 or not (kind.search(question) and stated):
        return False
    was, unit = _number(of[0]), now["unit"]
    near = was > 0 and 1 / MAX_STEP <= _number(now["number"]) / was <= MAX_STEP
    return near and (not unit or bool(_WEIGHS.search(unit)) or stem_of(unit.lower()) in stems(earlier))


def _number(text: str) -> float:
    return float(text.replace(",", "") if text.count(".") < 2 else text.replace(".", ""))


@kept_for_texts(maxsize=512)
def numbered(text: str) -> frozenset[tuple[str, str]]:
    """What a text tells apart by a number, "flat 2": the stem of the noun, and the number."""
    return frozenset((stem_of(match[1].lower()), match[2]) for match in _NUMBERED.finditer(text))


def asks_of_one(question: str) -> bool:
    """Whether a question asks for something of a numbered thing, not whether it is that one.

    Examples
    --------
    >>> asks_of_one("What does phase two cost?"), asks_of_one("Is phase two over?"), asks_of_one("Are we in phase two?")
    (True, True, False)
    """
    return bool(_OF_ONE.match(question))


@kept_for_texts(maxsize=512)
def numbered_in_words(text: str) -> frozenset[tuple[str, str]]:
    """The same of what is told apart by a number in digits or words: "phase 2", "phase two", "the second phase".

    Examples
    --------
    >>> sorted(numbered_in_words("Phase two follows the first phase, on 5th June, at two, the last one."))
    [('phase', '1'), ('phase', '2')]
    """
    behind = ((match[1], match[2]) for match in _COUNTED_BEHIND.finditer(text))
    before = ((match[2], match[1]) for match in _COUNTED_BEFORE.finditer(text))
    named = ((thing.lower(), number.lower()) for thing, number in (*behind, *before))
    things = (
        (thing, number) for thing, number in named if thing not in _NOT_COUNTED and not cues.TIMED.fullmatch(thing)
    )
    return numbered(text) | {(stem_of(thing), _NUMBER_OF[number]) for thing, number in things}


@kept_for_texts(maxsize=512)
def number_kinds(text: str) -> frozenset[str]:
    """Which of money, shares and other numbers a text has; times are none."""
    kinds = {"money": AMOUNT, "share": _SHARE}
    have = frozenset(kind for kind, form in kinds.items() if form.search(text))
    rest = cues.TIMED.sub(" ", _SHARE.sub(" ", AMOUNT.sub(" ", text)))
    return have | ({"other"} if NUMBER.search(rest) or _NUMBER_WORD.search(rest) else set())


@kept_for_texts(maxsize=512)
def tells_a_change(text: str) -> bool:
    return news_odds(text) > 0 or any(cue.search(text) for cue in (cues.ENDED, cues.CHANGED, cues.CORRECTED))
