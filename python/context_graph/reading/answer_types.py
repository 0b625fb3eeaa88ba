"""What kind of answer a question asks for, somebody, a time, a number, and whether a statement holds one.

The expected answer type of question answering (Li and Roth 2002, Learning Question Classifiers), by rules.
"""

import re
from collections.abc import Collection

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import STOP_WORDS, stem_of, stems
from context_graph.embed.word_rarity import CAPITALISED
from context_graph.reading import cues
from context_graph.reading.acts import named_in
from context_graph.reading.ages import ages
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["answer_type", "holds_answer", "name_stems"]

READ = 1_000
"""Characters of a statement that are looked at."""

_ASKED = (
    ("hour", regex(r"\bwhat time\b|\bhow (?:late|early)\b", re.I)),
    ("length", regex(r"\bhow long\b(?! ago\b)", re.I)),
    (
        "amount",
        regex(r"\bhow much\b|\bwhat\b.{1,60}\b(?:cost|pay|charge|earn|owe|price|rent|fee|wage|salary)s?\b", re.I),
    ),
    ("age", regex(r"\bhow old\b", re.I)),
    ("number", regex(r"\bhow (?:many|far|big|tall|high|heavy)\b", re.I)),
    ("somebody", regex(r"\bwho(?:m|se|['’]s)?\b", re.I)),
    ("place", regex(r"\bwhere\b", re.I)),
    ("time", regex(r"\bwhen\b|\bhow long ago\b|\b(?:what|which) (?:day|date|month|year|week)s?\b", re.I)),
    ("reason", regex(r"\bwhy\b", re.I)),
    ("", regex(r"\b(?:what|which|how)\b", re.I)),
)
"""The kinds of answers: what a question asks for first counts, "which town" of "Which town did we like when ...?"."""

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|tember|ober|ember)?"
_FEW = (
    rf"(?:{cues.HOUR}|no|none|once|twice|half|double|dozen|couple|several|(?:four|fif|six|seven|eigh|nine)teen|twenty"
    r"|(?:thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand)"
)
_CLOCK = (
    rf"\b\d\d?[:.]\d\d\b|\b\d\d? ?[ap]m\b|\b(?:noon|midnight|o['’]clock|(?:half|quarter) (?:past|to))\b"
    rf"|\b(?:at|by|till|until|past|around|from) (?:\d\d?|{cues.HOUR})\b"
)
_DATE = (
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b|\b\d\d?(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b"
    rf"|\b{_MONTH}\b|\b(?:tonight|tomorrow|today|yesterday|week(?:end|day)?s?|months?|years?|spring|summer|autumn|winter|christmas"
    r"|easter|daily|days?|now|ago|soon|mornings?|evenings?|afternoons?|nights?)\b"
)
_HOLDING = {
    "hour": regex(_CLOCK, re.I),
    "length": regex(
        rf"\d|\b(?:an?|few|all|{_FEW})[- ](?:[a-z]+ )?(?:second|minute|min|hour|hr|day|night|week|month|year)s?\b"
        r"|\b(?:since|until|till|from|for) ",
        re.I,
    ),
    "amount": regex(rf"\d|\b(?:{_FEW}|free|nothing|grand)\b", re.I),
    "number": regex(rf"\d|\b{_FEW}\b", re.I),
    "age": regex(
        rf"\b(?:\d+|{_FEW})[- ](?:year|yr|jahr|año|month|week)e?s?\b"
        rf"|\b(?:turn(?:s|ed|ing)?|aged?:?|i['’]m|i am) (?:\d+|{_FEW})\b"
        r"|[,(] ?\d{1,2}[,.)]|\b(?:born|built|since|from) .{0,20}\d{4}\b|\b(?:19|20)\d\d\b",
        re.I,
    ),
    "place": regex(r"\b(?:at|in|to|from|near|behind|under|on|into|above|below|beside|by|room|street|road) |\S: ", re.I),
    "time": regex(f"{_DATE}|{_CLOCK}", re.I),
    "reason": regex(r"\b(?:because|since|so|due to|as|reasons?|caus(?:e|es|ed|ing)|thanks to|for)\b", re.I),
}
_DATED = regex(
    rf"\b(?:\d\d?(?:(?:st|nd|rd|th)(?:(?: of)? {_MONTH}\b)?|(?: of)? {_MONTH}\b|:\d\d\b| ?[ap]m\b)"
    rf"|\d{{4}}-\d\d-\d\d\b|(?=[adfjmnos]){_MONTH} \d\d?(?:st|nd|rd|th)?\b)"
)
"""Numbers that count nothing, in lower case."""

_DIGIT = regex(r"\d")

_OPENS = regex(r"\W{0,2}(?:\w{1,20}\] )?([A-ZÀ-Þ][\w’'-]*)")
_RELATIVE = regex(
    rf"\b(?:my|our|his|her|their) (?:[a-z]+ )?(?:{'|'.join(sorted(cues.KIN | set(cues.KIN_CALLED)))})\b", re.I
)

_UNNAMED = regex(r"\b(?:s?he|his|hers?|him|they|their|them)\b", re.I)


@kept_for_texts(maxsize=256)
def answer_type(question: str) -> str:
    """What a question in English asks for: "somebody", "time", ...; empty where it asks for anything, or is of another
    language.

    Examples
    --------
    >>> [answer_type(question) for question in ("Who is the new vet?", "what does the studio cost", "Is it over?")]
    ['somebody', 'amount', '']
    """
    if language_of(question) != ENGLISH:
        return ""
    matches = [(match.start(), kind) for kind, form in _ASKED if (match := form.search(question))]
    return min(matches, key=lambda one: one[0])[1] if matches else ""


def holds_answer(text: str, kind: str, question_stems: Collection[str], names: Collection[str] = ()) -> bool:
    """Whether a statement has a word of the kind that is asked for. One in another language may have.

    Parameters
    ----------
    kind : str
        An `answer_type`, not empty. "somebody" is one whom the question does not name.
    names : collection of str
        Stems of the names in the question. An age is of one of them, not of somebody else whom the statement names.

    Examples
    --------
    >>> holds_answer("Farid declined, next: Greta.", "somebody", {"farid"}), holds_answer("Ada left.", "time", ())
    (True, False)
    """
    text = text[:READ]
    if language_of(text) != ENGLISH:
        return True
    if kind == "age" and names and not _of_one(text, names):
        return False
    if kind != "somebody":
        if kind in ("amount", "number") and _DIGIT.search(text):
            text = _DATED.sub(" ", text.lower())
        return bool(_HOLDING[kind].search(text)) or (kind == "age" and bool(ages(text)))
    if text.islower():
        return True  # who writes so, writes names so
    return not _names(text) <= set(question_stems) or bool(_RELATIVE.search(text))


def name_stems(question: str) -> frozenset[str]:
    """Stems of the names in an English question."""
    return frozenset(stem_of(name.lower()) for name in named_in(question))


def _of_one(text: str, names: Collection[str]) -> bool:
    """Whether a statement may be of one of those named: it names one of them, "her", "my daughter", or nobody."""
    mentions = set(stems(text)).intersection(names) or _UNNAMED.search(text) or _RELATIVE.search(text)
    return bool(mentions) or not _names(text)


def _names(text: str) -> set[str]:
    """Stems of the capitalised words of a statement that are no times."""
    names = {name.lower() for name in CAPITALISED.findall(text)}
    if (first := _OPENS.match(text)) and first[1].lower() not in STOP_WORDS:
        names.add(first[1].lower())
    return {stem_of(name) for name in names if not cues.TIMED.fullmatch(name)}
