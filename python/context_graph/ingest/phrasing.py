"""Differences of pure phrasing: contractions, courtesy, spelling, a phrase that stands first or last.

What is listed here changes no fact by itself. English; everything else is compared as it stands.
"""

import re
from collections.abc import Sequence

from context_graph.texts import caseless

__all__ = ["plainly", "reordered", "reworded"]

_REMEMBER = r"(?:note|remember|memori[sz]e|keep in mind|bear in mind|write down|jot down|make a note|be aware)"
_COURTESY = re.compile(
    r"^(?:(?:by the way|btw|fyi|okay so|ok so|sorry to bother you(?: again)?,? but|übrigens|por cierto)\b[\s,:;!.–-]+"
    r"|(?:for the record|just so you know|so you know|as (?:i said|mentioned)|oh|okay|ok|thanks(?: a lot)?|thank you"
    r"|hi|hello|sorry to bother you(?: again)?|note(?: to self)?|reminder|heads[- ]up|nur zur info|zur info"
    r"|(?:bitte |please )?merke? dir)\s*[,:;!.–-]\s*)+",
    re.I,
)
_REQUEST = re.compile(
    r"^(?:(?:could|can|would|will) you (?:please |kindly |be so kind (?:as )?to |mind )?|(?:please|kindly),? )?"
    rf"(?:{_REMEMBER}(?:,? that\b|\s*:)|(?:noting|remembering|keeping in mind|writing down),? that\b"
    r"|merke? dir,? dass\b|recuerda que\b|ten en cuenta que\b)\s*",
    re.I,
)
"""That something is to be remembered, which whoever stores it does: "could you note that ...?"."""

_ASIDE = re.compile(r"(?<=\w)\s*,?\s*\b(?:by the way|übrigens|por cierto)\b,?(?=\s|[.!?]|$)", re.I)
_ASIDES = ("by the way", "übrigens", "por cierto")
_LABEL = re.compile(r"^[A-ZÄÖÜ]{3,}(?=:)")
_DASHED = re.compile(r"(?<=[^\W\d_])\s+[–—-]\s+(?=[^\W\d_])")
"""A dash between words, for which a colon may stand: "Dependencies: numpy", "Dependencies - numpy"."""

_WORDINGS = (
    ("would like(?= (?:to|the|a|an|my|his|her|their|our) )", "want"), ("wants", "want"),
    ("(?:is|am|are) not (?:allowed|permitted)|(?:isn't|aren't) (?:allowed|permitted)", "is forbidden"),
    ("not (?:allowed|permitted)|prohibited|banned", "forbidden"),
    ("(?:is|am|are) (?:very )?fond of", "like"), ("(?:is|am|are) allergic against", "is allergic to"),
    ("told (?:us|me) that|said that|told (?:us|me)", "said"), ("says that", "says"), ("thinks that", "thinks"),
    ("(?:that|which|who) (?:is|are)(?= (?:in|on|at|from|under|behind|near|next|above|below|between) )", ""),
    ("all of the", "all the"), ("both of the", "both the"), ("in order to", "to"),
    ("due to|owing to", "because of"),
    ("at the moment|at present|right now", "currently"), ("a lot of|lots of|plenty of", "many"),
    ("per cent", "percent"), ("takes place|occurs", "happens"), ("take place|occur", "happen"),
    ("took place|occurred", "happened"), ("lives|resides?|(?:is|am|are) living", "live"),
    ("each and every|each", "every"),
    ("apart from|except for", "except"),
)  # fmt: skip
"""Wordings for which another one stands, whoever does it: of "want" and "wants", one."""


def _alone(wording: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{wording})(?![\w-])", re.I)


_WORDED = tuple((_alone(one), other) for one, other in _WORDINGS)
_ANY_WORDED = re.compile(_alone("|".join(one for one, _ in _WORDINGS)).pattern)
"""Whether one of them stands in a text that is `caseless`."""

_SPOKEN = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "i'm": "I am",
    "let's": "let us", **{f"{word}'s": f"{word} is" for word in "it that he she there here what who where".split()},
}  # fmt: skip
_ENDINGS = {"n't": "not", "'ll": "will", "'re": "are", "'ve": "have"}
_WOULD = frozenset("rather like love prefer".split())
"""Words before which 'd is would."""

_ONE_OF = (
    "begin start commence", "begins starts commences", "began started commenced", "beginning starting",
    "big large", "bigger larger", "biggest largest", "usually normally", "often frequently", "maybe perhaps",
    "approximately roughly", "needs requires", "need require", "phoned called", "buy purchase", "bought purchased",
    "everyone everybody", "anyone anybody", "until till", "while whilst", "kids children", "kid child", "ill sick",
    "film movie", "films movies", "flat apartment", "holiday vacation", "rubbish garbage trash", "fridge refrigerator",
    "bike bicycle", "autumn fall", "colour color", "favourite favorite", "neighbour neighbor", "neighbours neighbors",
    "centre center", "theatre theater", "grey gray", "cancelled canceled", "metre meter", "metres meters",
    "kilometre kilometer", "kilometres kilometers", "litre liter", "litres liters", "licence license", "mum mom",
    "like likes", "kaputt defekt", "handy mobiltelefon", "fahrrad rad", "auto wagen", "samstag sonnabend",
    "1 one", "2 two zwei dos", "3 three drei tres", "4 four vier cuatro", "5 five fünf cinco", "6 six sechs seis",
    "7 seven sieben siete", "8 eight acht ocho", "9 nine neun nueve", "10 ten zehn diez", "11 eleven elf once",
    "12 twelve zwölf doce",
)  # fmt: skip
_SAME = {word: words.split()[0] for words in _ONE_OF for word in words.split()}
_PARENTS = {"mum": "mother", "dad": "father"}
_POSSESSIVE = frozenset("my your his her its our their".split())
_SAYING = frozenset("said says say thinks think thought believes believe knows know hopes hope".split())
_SAID = frozenset("said says say thinks think thought hopes hope".split())
_SUBJECTS = frozenset("he she it we they i you there nobody everybody somebody no".split()) | _POSSESSIVE
_COUNT = frozenset("one two three four five six seven eight nine ten eleven twelve twenty thirty fifty ninety".split())
_OPENERS = frozenset(
    "after at because before by during for from if in near on since to until under when while with without"
    " every last next this today tomorrow tonight yesterday currently usually"
    " am im an bei beim durch für gegen mit nach nachts ohne seit trotz um unter vor wegen während zu zum zur"
    " heute morgen gestern abends mittags morgens jeden jede jedes nächsten nächste nächstes montags dienstags"
    " mittwochs donnerstags freitags samstags sonntags"
    " a al antes cada con desde después durante en hasta hoy mañana ayer los sin".split()
)
"""What a phrase begins with that may stand first or last."""

_GERMAN_SUBJECTS = frozenset("ich du er sie es wir ihr man".split())
MIN_STATEMENT_WORDS = 3
"""Words of a statement that somebody asks to remember; "note that down" asks for none."""

MAX_PHRASE = 5
"""Words of a phrase that moves within a German clause."""


def without_courtesy(text: str) -> str:
    """A text without what is said before it to be polite.

    Examples
    --------
    >>> without_courtesy("By the way, Mia has two rabbits.")
    'Mia has two rabbits.'
    """
    return _COURTESY.sub("", text) or text


def reworded(text: str) -> str:
    """A text without what is said around it to be polite, in wordings that are the same whoever does it.

    Examples
    --------
    >>> reworded("Could you note that smoking is not allowed at present?")
    'smoking is forbidden currently'
    """
    if (request := _REQUEST.match(text)) is not None and len(text[request.end() :].split()) >= MIN_STATEMENT_WORDS:
        text = text[request.end() :].rstrip().removesuffix("?")
    text = without_courtesy(text)
    plain = caseless(text)
    if any(aside in plain for aside in _ASIDES):
        text = _ASIDE.sub("", text)
        plain = caseless(text)
    text = _LABEL.sub(lambda label: label[0].capitalize(), text)
    if _ANY_WORDED.search(plain):
        for wording, other in _WORDED:
            text = wording.sub(other, text)
    return " ".join(_DASHED.sub(": ", text).split())


def plainly(tokens: Sequence[str]) -> list[str]:
    """Tokens with contractions written out, and of words that are one by spelling or phrasing always the same.

    Examples
    --------
    >>> plainly("She'll begin in autumn".split()) == plainly("She will start in fall".split())
    True
    """
    expanded: list[str] = []
    for i, token in enumerate(tokens):
        after = tokens[i + 1].lower() if i + 1 < len(tokens) else ""
        if (
            token == "that"
            and expanded[-1:]
            and expanded[-1] in _SAYING
            and (expanded[-1] in _SAID or after in _SUBJECTS or (i + 1 < len(tokens) and tokens[i + 1][0].isupper()))
        ):
            continue  # "said that nobody came" is "said nobody came", and "knows that man" knows one
        expanded += _written_out(token, after)
    around = zip(["", *expanded], expanded, [*expanded[1:], ""], strict=False)
    return [word for before, token, after in around for word in _one(token, before, after)]


def _written_out(token: str, after: str) -> list[str]:
    if "'" not in token and token.lower() != "cannot":
        return [token]
    low = token.lower()
    if low in _SPOKEN:
        whole = _SPOKEN[low].split()
        return whole if token.islower() or low == "i'm" else [whole[0].capitalize(), *whole[1:]]
    if low.endswith("'d") and after in _WOULD:
        return [token[:-2], "would"]
    ending = next((ending for ending in _ENDINGS if low.endswith(ending) and len(low) > len(ending)), None)
    return [token] if ending is None else [token[: -len(ending)], _ENDINGS[ending]]


def _one(word: str, before: str, follows: str) -> list[str]:
    counted = follows.lower() in _COUNT or follows[:1].isdigit()
    if word in ("about", "around") and counted:
        return ["approximately"]
    if word == "lasted" and (counted or follows in ("about", "around", "approximately")):
        return ["took"]
    word = _SAME.get(word, word)
    if (parent := _PARENTS.get(word.lower())) is not None:
        owned = before.lower() in _POSSESSIVE
        return [parent] if owned else ["my", parent]
    return [word]


def reordered(tokens: Sequence[str], others: Sequence[str]) -> bool:
    """Whether one is the other with a phrase of time, place or reason moved from its beginning to its end.

    Examples
    --------
    >>> reordered("in 2019 we founded it".split(), "we founded it in 2019".split())
    True
    >>> reordered("Anna likes Ben".split(), "Ben likes Anna".split())
    False
    """
    if len(tokens) != len(others) or not all(token[:1].isalnum() for token in (*tokens, *others)):
        return False
    if sorted(word.lower() for word in tokens) != sorted(word.lower() for word in others):
        return False
    return any(
        _moved(first, last, i) for first, last in ((tokens, others), (others, tokens)) for i in range(1, len(first))
    ) or any(_inverted(first, other) for first, other in ((tokens, others), (others, tokens)))


def _moved(first: Sequence[str], last: Sequence[str], length: int) -> bool:
    """Whether the first `length` words of one are the last of the other; the case of a word that opens says nothing."""
    if first[0].lower() not in _OPENERS or len(first) - length < 2:
        return False
    turned = [*first[length:], *first[:length]]
    opens = {0, len(first) - length}
    return all(
        a == b or (i in opens and a.lower() == b.lower()) for i, (a, b) in enumerate(zip(turned, last, strict=True))
    )


def _inverted(first: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one opens with a phrase that the other has behind verb and subject, as German has it: "am Freitag habe
    ich frei", "ich habe am Freitag frei".
    """
    low, others = [word.lower() for word in first], [word.lower() for word in other]
    if low[0] not in _OPENERS:
        return False
    for length in range(1, min(MAX_PHRASE, len(low) - 2) + 1):
        phrase, verb, subject, rest = low[:length], low[length], low[length + 1], low[length + 2 :]
        if subject in _GERMAN_SUBJECTS and others[:2] == [subject, verb]:
            tail = others[2:]
            return any(tail == [*rest[:i], *phrase, *rest[i:]] for i in range(len(rest) + 1))
    return False
