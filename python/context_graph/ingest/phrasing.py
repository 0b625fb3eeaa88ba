"""Differences of pure phrasing: contractions, courtesy, wordings, spelling, the order of a list.

What is listed here changes no fact by itself. English first; everything else is compared as it stands.
"""

import re
from collections.abc import Sequence

from context_graph.ingest.quantities import in_one_spelling
from context_graph.ingest.wordings import in_one_wording
from context_graph.texts import caseless

__all__ = ["has_dash", "plainly", "reworded"]

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
_DASHES = "–—-"
_DASHED = re.compile(rf"(?<=[^\W\d_])\s+[{_DASHES}]\s+(?=[^\W\d_])")
"""A dash between words, for which a colon or a semicolon may stand: "Dependencies: numpy", "Dependencies - numpy"."""

_APART = re.compile(r"(?<=\w)\s+(?=['’](?:re|s|ve|ll|m|d)\b)")
"""Before a short form that stands by itself: "there 're two"."""

_LIST = re.compile(
    r"(?<![\w'’-])(?:[\w-]+,\s+){2,}(?:and |or |und |oder |y |o )?[\w-]+(?!['’\w-])"
    r"|(?<![\w'’-])(?:[\w-]+,\s+)*(?!and\b|or\b)[\w-]+,?\s+(?:and|or|und|oder|y)\s+[\w-]+(?!['’\w-])"
)
"""Things of one word each, in whatever order: "milk, eggs and flour"."""

_LINK = re.compile(r",\s+(?:(?:and|or|und|oder|y|o)\s+)?|,?\s+(?:and|or|und|oder|y)\s+")

_WORDINGS = (
    ("would like(?= (?:to|the|a|an|my|his|her|their|our) )", "want"), ("wants", "want"),
    ("(?:is|am|are) not (?:allowed|permitted)|(?:isn't|aren't) (?:allowed|permitted)", "is forbidden"),
    ("not (?:allowed|permitted)|prohibited|banned", "forbidden"),
    ("(?:is|am|are) (?:very )?fond of", "like"), ("(?:is|am|are) allergic against", "is allergic to"),
    ("told (?:us|me) that|said that|told (?:us|me)", "said"), ("says that", "says"), ("thinks that", "thinks"),
    ("(?:that|which|who) (?:is|are)(?= (?:in|on|at|from|under|behind|near|next|above|below|between) )", ""),
    ("all of the", "all the"), ("both of the", "both the"),
    ("a lot of|lots of|plenty of", "many"), ("per cent", "percent"), ("(?:is|am|are) living", "live"),
    ("each and every", "every"),
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

_PARENTS = {"mum": "mother", "dad": "father"}
_POSSESSIVE = frozenset("my your his her its our their".split())
_SAYING = frozenset("said says say thinks think thought believes believe knows know hopes hope".split())
_SAID = frozenset("said says say thinks think thought hopes hope".split())
_SUBJECTS = frozenset("he she it we they i you there nobody everybody somebody no".split()) | _POSSESSIVE
_COUNT = frozenset("one two three four five six seven eight nine ten eleven twelve twenty thirty fifty ninety".split())
MIN_STATEMENT_WORDS = 3
"""Words of a statement that somebody asks to remember; "note that down" asks for none."""


def without_courtesy(text: str) -> str:
    """A text without what is said before it to be polite.

    Examples
    --------
    >>> without_courtesy("By the way, Mia has two rabbits.")
    'Mia has two rabbits.'
    """
    return _COURTESY.sub("", text) or text


def has_dash(text: str) -> bool:
    """Whether a dash may stand between words of it, so that `reworded` depends on what stands for one."""
    return any(dash in text for dash in _DASHES)


def reworded(text: str, dash: str = ":") -> str:
    """A text without what is said around it to be polite, in wordings that are the same whoever does it.

    Parameters
    ----------
    dash : str
        What stands for a dash between words.

    Examples
    --------
    >>> reworded("Could you note that smoking is not allowed?")
    'smoking is forbidden'
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
    return " ".join(_LIST.sub(_sorted_list, _APART.sub("", _DASHED.sub(f"{dash} ", text))).split())


def _sorted_list(listed: re.Match[str]) -> str:
    """A list in the order of the alphabet; what was done one after the other stays."""
    items = _LINK.split(listed[0])
    if any(item.endswith("ed") for item in items):
        return listed[0]
    if items[0][1:].islower() and all(item.islower() for item in items[1:]):
        items[0] = items[0].lower()  # it opened the sentence
    link = next((word for word in ("or", "oder", "o", "und", "y", "and") if f" {word} " in listed[0]), ",")
    return f" {link} ".join(sorted(items, key=str.lower))


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
    words = [word for before, token, after in around for word in _one(token, before, after)]
    return in_one_spelling(in_one_wording(words))


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
    if (parent := _PARENTS.get(word.lower())) is not None:
        owned = before.lower() in _POSSESSIVE
        return [parent] if owned else ["my", parent]
    return [word]
