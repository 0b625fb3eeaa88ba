"""Differences of pure phrasing: contractions, courtesy, wordings, spelling, the order of a list.

What is listed here changes no fact by itself. English first; everything else is compared as it stands.
"""

import re
from collections.abc import Sequence

from context_graph.ingest.constructions import in_one_construction
from context_graph.ingest.quantities import in_one_spelling
from context_graph.ingest.wordings import in_one_wording, past_of
from context_graph.reading.preamble import without_preamble
from context_graph.regex import regex
from context_graph.texts import caseless

__all__ = ["REPHRASED", "has_dash", "plainly", "reworded"]

_ASIDE = regex(r"(?<=\w)\s*,?\s*\b(?:by the way|übrigens|por cierto)\b,?(?=\s|[.!?]|$)", re.I)
_ASIDES = ("by the way", "übrigens", "por cierto")
_LABEL = regex(r"^[A-ZÄÖÜ]{3,}(?=:)")
_DASHES = "–—-"
_DASHED = regex(rf"(?<=[^\W\d_])\s+[{_DASHES}]\s+(?=[^\W\d_])")
"""A dash between words, for which a colon or a semicolon may stand: "Dependencies: numpy", "Dependencies - numpy"."""

_APART = regex(r"(?<=\w)\s+(?=['’](?:re|s|ve|ll|m|d)\b)")
"""Before a short form that stands by itself: "there 're two"."""

_LIST = regex(
    r"(?<![\w'’-])(?:[\w-]+,\s+){2,}(?:and |or |und |oder |y |o )?[\w-]+(?!['’\w-])"
    r"|(?<![\w'’-])(?:[\w-]+,\s+)*(?!and\b|or\b)[\w-]+,?\s+(?:and|or|und|oder|y)\s+[\w-]+(?!['’\w-])"
)
"""Things of one word each, in whatever order: "milk, eggs and flour"."""

_VALUED = regex(r"^((?:[^\W\d_]+ ){0,2}[^\W\d_]+): (?=[€$£]?\d)")
"""A label and what its value is: "Rent: 900 euros"."""

_INSERTED = regex(
    r"^([^,.;:]+), (?:who|which) ((?:is|was|has|had|does|can|will|[a-z]+s)\b[^,.;:]+), "
    r"((?:is|was|has|had|does|can|will|[a-z]+(?:s|ed))\b.+)$",
    re.I,
)
_INSERTED_OBJECT = regex(r"^([^,.;:]+), (?:who|which) ((?:i|you|he|she|we|they|[A-Z]\w+) [^,.;:]+), (\w.+)$")
"""A statement inside another: "Rita, who is a nurse, has a key", "the report, which Ada wrote, is late"."""

_INSTEAD = regex(r", (?:and )?not (?!yet|only|just|even|really|sure|to\b|a\b|the\b|until|if|because)", re.I)
"""What is not meant: "tabs, not spaces"."""

_RELATIVE = regex(r",? and (?:it|he|she|they)(?= )|, (?:which|who)(?= )", re.I)
"""What joins two statements of one thing: "a fence, which leaks", "a fence, and it leaks"."""

_LINKS = frozenset("and or und oder y".split())
"""Between blanks, what joins a list without a comma."""

MAX_PAIR = 2
_GOES_ON = regex(
    r"\s+(?!(?:in|on|at|for|from|to|with|by|of|as|before|after|during|until|since|every|each|again|too|now|today|tomorrow"
    r"|yesterday|and|or|but|because|if|when|while|instead|only|am|im|um|bei|von|mit|für|en|de|con|para|por)\b)\w",
    re.I,
)
"""Behind a pair what is no phrase of its own: most often a verb."""

_LINK = regex(r",\s+(?:(?:and|or|und|oder|y|o)\s+)?|,?\s+(?:and|or|und|oder|y)\s+")

_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PLACED = "(?:in|on|under|at|behind|above|below|near|between|beside|next)"

_WORDINGS = (
    ("would like(?= (?:to|the|a|an|my|his|her|their|our) )", "want"), ("wants", "want"),
    ("(?:is|am|are) not (?:allowed|permitted)|(?:isn't|aren't) (?:allowed|permitted)", "is forbidden"),
    ("not (?:allowed|permitted)|prohibited|banned", "forbidden"),
    ("(?:is|am|are) (?:very )?fond of", "like"), ("(?:is|am|are) allergic against", "is allergic to"),
    ("told (?:us|me) that|said that|told (?:us|me)", "said"), ("says that", "says"), ("thinks that", "thinks"),
    ("(?:that|which|who) (?:is|are)(?= (?:in|on|at|from|under|behind|near|next|above|below|between) )", ""),
    ("all of the", "all the"), ("both of the", "both the"),
    ("a lot of|lots of|plenty of", "many"), ("per cent", "percent"), ("(?:is|am|are) living", "live"),
    ("each and every", "every"), (r"all the(?= \w+s )", "all"), (rf"(?:on |each |every )?({_DAY})s", r"every \1"),
    (rf"(?:each|every|on an?) ({_DAY})", r"every \1"),
    ("as well as", "and"), ("as soon as", "once"), (r"each (?:one )?of the (\w+)s", r"every \1"),
    ("in the month of", "in"), ("years? of age", "years old"), ("(ends?|ended) with", r"\1 in"),
    ("inside the", "in the"), ("rather than", "instead of"),
    ("birthday is on", "birthday is"), ("(?:do not|don't) ever", "never"),
    ("like (.{2,30}?) (?:more|better) than", r"prefer \1 to"),
    ("likes (.{2,30}?) (?:more|better) than", r"prefers \1 to"),
    (r"(?:do|does) not have any", "has no"), (r"did not have any", "had no"), ("have no", "has no"),
    (r"findet (.{2,60}?) statt", r"ist \1"), (r"der name (?:meiner|meines) (\w+?)s? ist", r"mein \1 ist"),
    (r"(?:meine?) (\w+) heißt", r"mein \1 ist"), (r"el nombre de (.{2,30}?) es", r"\1 se llama"),
    (r"ich mag kein(?:e|en)? (\w+)", r"ich mag \1 nicht"),
    ("an hour and a half", "1.5 hours"), ("a year and a half", "1.5 years"), ("half an hour", "30 minutes"),
    (r"(\d{1,3}) and a half(?= \w+s\b)", r"\1.5"), ("one and a half", "1.5"), ("two and a half", "2.5"),
    ("three and a half", "3.5"), ("four and a half", "4.5"), ("five and a half", "5.5"), ("six and a half", "6.5"),
    (r"(\d{1,2}(?::\d\d)?) in the morning", r"\1 am"), (r"(\d{1,2}(?::\d\d)?) in the (?:afternoon|evening)", r"\1 pm"),
    ("due (?:on|by)", "due"), (r"(have|has|had) got(?= (?:an?|the|no|\d+|two|three|four|five|six) )", r"\1"),
    (r"(work|works|worked|working) for(?! \d)", r"\1 at"),
    ("have (?:an )?allerg(?:y|ies) to", "am allergic to"), ("has (?:an )?allerg(?:y|ies) to", "is allergic to"),
    (rf"there (is|are) (.{{3,60}}?) ({_PLACED})(?= )", r"\2 \1 \3"), ("work as", "am"), ("works as", "is"),
    ("(?:takes place|is held)(?= (?:on|at|in) )", "is"), ("is scheduled (?:for|on)", "is on"),
    ("my name is|i am called", "I am"), (r"(\w+)['’]s name is", r"\1 is"),
    ("(?:is|are) (?:called|named)", "is"), ("(?:i was|i am) born on", "my birthday is on"),
    (r"(is|am|are|turned|turns) (\w+) years old", r"\1 \2"), ("can['’]t bear|can not bear|cannot bear", "can't stand"),
    ("said (?:that )?(?:i|we) should", "said to"), (r"it was (\w+) who", r"\1"),
    (r"(?:the )?(\w+) of (my|our|his|her|their|your) (\w+)", r"\2 \3's \1"),
)  # fmt: skip
"""Wordings for which another one stands, whoever does it: of "want" and "wants", one."""


def _alone(wording: str) -> re.Pattern[str]:
    return regex(rf"(?<![\w-])(?:{wording})(?![\w-])", re.I)


def _literal(wording: str) -> str:
    """The longest run of letters that every match of a wording has; empty where it has alternatives."""
    runs, depth = [""], 0
    for place, letter in enumerate(wording):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter == "|":
            return ""
        optional = wording[place + 1 : place + 2] in ("?", "*", "{")
        plain = depth == 0 and (letter.isalpha() or letter == " ") and wording[place - 1 : place] != "\\"
        runs[-1:] = [runs[-1] + letter] if plain and not optional else [runs[-1], ""]
    return max(runs, key=len).lower()


_WORDED = tuple((_literal(one), _alone(one), other) for one, other in _WORDINGS)
_ANY_WORDED = regex(_alone("|".join(one for one, _ in _WORDINGS)).pattern)
"""Whether one of them stands in a text that is `caseless`."""

_SPOKEN = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "i'm": "I am",
    "let's": "let us", **{f"{word}'s": f"{word} is" for word in "it that he she there here what who where".split()},
}  # fmt: skip
_SHORT = tuple(
    (ending, regex(rf"\b({word})['’]{ending}\b", re.I), rf"\1 {long}")
    for word, ending, long in (
        ("i", "m", "am"), ("you|we|they", "re", "are"), (r"\w+", "s got", "has got"), (r"\w+", "ve", "have"),
        ("he|she|it|that|there|who|here", "s", "is"),
    )
)  # fmt: skip
"""Contractions that wordings are told by when they are written out, each with what stands behind its apostrophe."""

_LETTERS = regex(r"[^\W\d_]+")
REPHRASED = frozenset(
    word.casefold()
    for words in (
        *(part for wording in _WORDINGS for part in wording), *_ASIDES, *(long for *_, long in _SHORT), *_LINKS,
        # words that are parted by a group in a wording, and those of short forms, lists and statements that are joined
        "monday tuesday wednesday thursday friday saturday sunday", "s got ve re m ll d t", "allergy allergies",
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
        "i you we they he she it that there who here which o a an the",
    )
    for word in _LETTERS.findall(words)
)  # fmt: skip
"""Words that `reworded` and the comparison after it may take out or put in, without case; all others stay."""

_ENDINGS = {"n't": "not", "'ll": "will", "'re": "are", "'ve": "have"}
_WOULD = frozenset("rather like love prefer".split())
"""Words before which 'd is would."""

_LASTING = frozenset(
    "been had lived worked stayed owned liked loved wanted needed used played smoked studied rented managed suffered"
    " served known kept held married hated believed trusted wished hoped waited".split()
)
"""Participles of what lasts: that it has been so is another thing than that it was."""

_DONE = frozenset(
    "bought sold sent left met made paid lost found built told said given taken written broken chosen gone come begun"
    " brought caught cut done drawn driven eaten fallen forgotten got gotten grown hit hung hurt laid let put quit read"
    " ridden risen run seen set shown shut sold spent stolen sworn thrown won worn".split()
)

_PARENTS = {"mum": "mother", "dad": "father"}
_POSSESSIVE = frozenset("my your his her its our their".split())
_SAYING = frozenset("said says say thinks think thought believes believe knows know hopes hope".split())
_SAID = frozenset("said says say thinks think thought hopes hope".split())
_SUBJECTS = frozenset("he she it we they i you there nobody everybody somebody no".split()) | _POSSESSIVE
_COUNT = frozenset("one two three four five six seven eight nine ten eleven twelve twenty thirty fifty ninety".split())


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
    text = without_preamble(text).rstrip("!")
    if "'" in text or "’" in text:
        straight = text.replace("’", "'")
        for ending, short, long in _SHORT:
            if f"'{ending}" in straight:
                text = short.sub(long, text)
    plain = caseless(text)
    if any(aside in plain for aside in _ASIDES):
        text = _ASIDE.sub("", text)
        plain = caseless(text)
    text = _LABEL.sub(lambda label: label[0].capitalize(), text)
    if ", w" in text:
        text = _INSERTED_OBJECT.sub(r"\1 that \2 \3", _INSERTED.sub(r"\1 \2 and \3", text))
    text = _RELATIVE.sub(" and", text)
    text = _INSTEAD.sub(" instead of ", text)
    text = _VALUED.sub(r"\1 is ", text)
    if _ANY_WORDED.search(plain):
        for literal, wording, other in _WORDED:
            if literal in plain:
                text = wording.sub(other, text)
    text = _APART.sub("", _DASHED.sub(f"{dash} ", text))
    if "," in text or not _LINKS.isdisjoint(text.split()):
        text = _LIST.sub(_sorted_list, text)
    return " ".join(text.split())


def _sorted_list(listed: re.Match[str]) -> str:
    """A list in the order of the alphabet; what was done one after the other stays, and so does what is no list: where
    words go on behind "Mia plays cello and Ben", Ben does something else.
    """
    items = _LINK.split(listed[0])
    goes_on = _GOES_ON.match(listed.string, listed.end()) is not None
    if len(items) == MAX_PAIR and goes_on and listed.string[: listed.start()].strip():
        return listed[0]
    if any(item.endswith("ed") for item in items):
        return listed[0]
    if items[0][1:].islower() and all(item.islower() for item in items[1:]):
        items[0] = items[0].lower()  # it opened the sentence
    link = next((word for word in ("or", "oder", "o", "und", "y", "and") if f" {word} " in listed[0]), ",")
    return f" {link} ".join(sorted(items, key=str.lower))


def plainly(tokens: Sequence[str], *, built: bool = False) -> list[str]:
    """Tokens with contractions written out, and of words that are one by spelling or phrasing always the same.

    Parameters
    ----------
    built : bool
        With sentences built in one way, too (`constructions`).

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
    expanded = _past(["i" if token == "I" else token for token in expanded])
    around = zip(["", *expanded], expanded, [*expanded[1:], ""], strict=False)
    words = [word for before, token, after in around for word in _one(token, before, after)]
    return in_one_spelling(in_one_wording(in_one_construction(words) if built else words))


def _past(tokens: Sequence[str]) -> list[str]:
    """With "has sent" as "sent": what was done is done; what lasts ("has lived here since May") stays."""
    past: list[str] = []
    for i, token in enumerate(tokens):
        done = tokens[i + 1] if i + 1 < len(tokens) else ""
        if token in ("has", "have") and done not in _LASTING and (done in _DONE or done.endswith("ed")):
            continue
        past.append(past_of(token) if tokens[i - 1 : i] in (["has"], ["have"]) and token in _DONE else token)
    return past


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
