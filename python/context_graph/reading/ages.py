"""How old somebody is who is named: "Lotte is 7", "our kids Nora (11) and Bo", "Bo turned four"."""

import re
from typing import NamedTuple

from context_graph.embed.stems import stems
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Age", "age_of", "ages", "asks_for_age", "is_dead", "is_older", "just_born"]

READ = 400
"""Characters of a statement that are looked at."""

_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen"
).split()
_AGE = rf"(?P<age>\d{{1,2}}|{'|'.join(_WORDS)})"
_IS = (
    r"(?:,? who)?(?: (?:is|ist|tiene|wird|will be|(?:has |just |has just )?turned|turns|wurde|cumplió|cumple)|['’]s)"
    r"(?: (?:now|already|only|just|jetzt|schon|erst|ya))?"
)
_ENDS = (
    r"(?:[ -](?:years?|jahre|años)(?:[ -](?:old|alt))?)?"
    r"(?=\W*$|[.,;:!?)]|\W+(?:and|but|so|who|now|today|yesterday|tomorrow|already|on|in|this|last|next|und|y)\b)"
)
_AGED = regex(rf"\b(?P<name>[A-ZÀ-Þ][a-zà-ÿ’'-]+?)(?i:{_IS} | \(|, ){_AGE}(?i:{_ENDS})")
_HOW_OLD = regex(r"\bhow old\b|\b(?:what['’]s|what is)\b.{1,40}\bage\b|\bwie alt\b|\bcuántos años\b", re.I)

_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBERS = {word: number for number, word in enumerate(_WORDS, 1)} | {"nineteen": 19, "hundred": 100}
_NUMBERS |= {ten: 10 * number for number, ten in enumerate(_TENS, 2)}
_NUMBERS |= {
    f"{ten}{mark}{one}": 10 * tens + ones
    for tens, ten in enumerate(_TENS, 2)
    for ones, one in enumerate(_WORDS[:9], 1)
    for mark in "- "
}
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_IRREGULAR |= {"twelve": "twelfth"}


def _ordinal(words: str) -> str:
    """The ordinal of a number in words: "twenty-one" gives "twenty-first"."""
    head, mark, last = re.split("([- ])", f" {words}")[-3:] if re.search("[- ]", words) else ("", "", words)
    return f"{head}{mark}" + (_IRREGULAR.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"))


_ORDINALS = {_ordinal(words): number for words, number in _NUMBERS.items()}


def _any_of(words: "dict[str, int]") -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_YEARS = rf"(?P<age>\d{{1,3}}|{_any_of(_NUMBERS)})(?:[ -]years?(?:[ -]old)?)?"
_NTH = rf"(?P<nth>\d{{1,3}}(?:st|nd|rd|th)|{_any_of(_ORDINALS)})"
_OPEN = r"(?=\W*$|[.,;:!?)](?!\d)|\W+(?:and|but|so|who|now|today|already)\b)"
_TODAY = regex(r"\W*today\b", re.I)
_DAY_OF = r"(?=\W*$|[.,;:!?)](?!\d)|\W+(?:and|but|so|who|now|today|yesterday|tomorrow|on|this|last)\b)"
_WHO = r"(?P<who>(?:[\w’'-]+ ){0,4}[\w’'-]+)"
_BEFORE = r"(?:,? who)?(?: (?:has|have|had|is|am|only|just|finally|now|already))*"
_STATED = regex(rf"\b{_WHO}(?:,? who)?(?: (?:is|am)|['’][sm])(?: (?:now|already|only|just))? {_YEARS}{_OPEN}", re.I)
_TURNED = regex(rf"\b{_WHO}{_BEFORE} turn(?P<past>ed|s|ing) {_YEARS}{_DAY_OF}", re.I)
_CELEBRATED = regex(
    rf"\b{_WHO}{_BEFORE} (?:celebrat(?:ed|es|ing)|had) (?:his|her|their|my) {_NTH} birthday\b"
    rf"|\b{_WHO.replace('who', 'whose')}['’]s {_NTH.replace('nth', 'nth_of')} birthday(?: party)?"
    r"(?= (?:was|is today|today|is (?P<ahead>on|tomorrow))\b|(?P<bare>\W*$))",
    re.I,
)
_TODAY_IS = regex(r"^\W*(?:today is|today['’]s|it is|it['’]s|happy) ", re.I)
_NO_AGE = regex(
    r"\b(?:when|if|once|until|till|before|after|by|as|unless|not|never|almost|nearly|that|says?)\b|n['’]t\b", re.I
)
_BIRTH = regex(
    rf"\b{_WHO} (?:was|were|is|has been|got) (?:finally |just )?born(?P<rest>[^.;!?]*)"
    rf"|\bgave birth to (?:(?:a|our|her|their|my) (?:\w+ )?)?(?:called |named )?(?P<child>(?-i:[A-ZÀ-Þ])[\w’'-]+)"
    r"(?P<rest_of>[^.;!?]*)",
    re.I,
)
_DAYTIME = r"(?:morning|afternoon|evening|night|noon|midnight|dawn|hours?)"
_JUST = regex(
    r"^(?P<time>(?:[\s,]+(?:today|tonight|yesterday|just|now|early|late|shortly|safely|healthy|before|after|around"
    rf"|about|last night|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this|in the|at|the small) {_DAYTIME}"
    rf"|{_DAYTIME}|at|half|past|quarter|to|\d{{1,2}}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| ?o['’]clock)?))*)"
    r"\s*(?:$|[,.;!)–—]|(?:and|weighing)\b)",
    re.I,
)
_FRESH = regex(r"\d|\b(?:today|tonight|yesterday|just|last|this|half|\w+day)\b", re.I)
"""Of a birth that is news; "born in the night" may be long ago."""

_DEAD = regex(
    r"\b(?:died|dead|passed away|passed on|funeral|buried|death|put down|put to sleep|(?:my|our|the|his|her) late"
    r"|would have (?:been|turned)|in memory of|miscarri\w+|stillborn)\b",
    re.I,
)
_OF_OTHERS = regex(r"\b(?:his|her|their|your|its)\b|['’]s\b", re.I)


class Age(NamedTuple):
    """How old somebody is by a statement, and whether it tells of the birthday."""

    years: int
    at_birthday: bool
    is_past: bool
    """The birthday has been."""

    is_sharp: bool
    """It is told of the birthday itself, and not of a party near it."""

    name: str = ""
    """What they are called there, where that is a name."""


def age_of(sentence: str, who: str) -> Age | None:
    """How old somebody is by a sentence, who is called as in a question; None where it does not say so.

    Examples
    --------
    >>> age_of("My niece Ylva turned eleven today.", "Ylva")
    Age(years=11, at_birthday=True, is_past=True, is_sharp=True, name='Ylva')
    >>> age_of("Our cat is three now.", "the cat"), age_of("When Ylva is 12 she may ride.", "Ylva")
    (Age(years=3, at_birthday=False, is_past=False, is_sharp=False, name=''), None)
    >>> age_of("Uncle Per celebrated his fiftieth birthday.", "Uncle Per").years
    50
    """
    for form in (_TURNED, _CELEBRATED, _STATED):
        for match in form.finditer(sentence[:READ]):
            groups = match.groupdict()
            name = _TODAY_IS.sub("", groups["who"] or groups.get("whose") or "")
            if groups.get("bare") is not None and not _TODAY_IS.search(sentence):
                continue  # "planning Ylva's eighth birthday"
            if not _is_called(name, who):
                continue
            number = groups.get("age") or groups.get("nth") or groups.get("nth_of") or ""
            years = _number_of(number.lower())
            today = form is _STATED and bool(_TODAY.match(sentence, match.end()))
            past = groups.get("past") == "ed" or (form is _CELEBRATED and not groups["ahead"]) or today
            last = name.split()[-1]
            name = last if last[:1].isupper() and len(last) > 1 else ""
            return Age(years, form is not _STATED or today, past, form is _TURNED or today, name)
    return None


def just_born(sentence: str, who: str) -> str | None:
    """The words of time with which a sentence tells that somebody has just been born; None where it tells of no birth,
    or of one that may be long past.

    Examples
    --------
    >>> just_born("Ylva was born this morning, all are well.", "Ylva"), just_born("Our son Per was born!", "Per")
    (' this morning', '')
    >>> just_born("Ylva was born in Gent.", "Ylva"), just_born("Ylva was born with a cleft palate.", "Ylva")
    (None, None)
    """
    for match in _BIRTH.finditer(sentence[:READ]):
        rest = match["rest"] if match["rest"] is not None else match["rest_of"]
        time = _JUST.match(rest)
        if time is None or not _is_called(match["who"] or match["child"], who) or who.lower() == "i":
            continue
        if not time["time"].strip() or _FRESH.search(time["time"]):
            return time["time"]
    return None


def is_dead(sentence: str) -> bool:
    """Whether a sentence tells of a death: nobody grows older after it."""
    return bool(_DEAD.search(sentence))


def _is_called(name: str, who: str) -> bool:
    """Whether somebody in a statement is who is meant: the words of the question are among those there."""
    if _NO_AGE.search(name):
        return False
    if not (meant := {*stems(who)}):
        return who.lower() == "i" and name.lower().split()[-1] in ("i", "i've")
    *before, last = name.split()
    named = last[:1].isupper() and bool(before) and bool(meant & {*stems(before[-1])})  # "our cat Tom" is the cat
    if not meant <= {*stems(name)} or not (named or meant & {*stems(last)}):
        return False
    return bool(_OF_OTHERS.search(who)) or not _OF_OTHERS.search(name)


def _number_of(word: str) -> int:
    if word[:1].isdigit():
        return int(re.sub(r"\D", "", word))
    return _NUMBERS.get(word) or _ORDINALS[word]


@kept_for_texts(maxsize=512)
def ages(text: str) -> dict[str, int]:
    """The ages of those whom a statement names, the last said of each.

    Examples
    --------
    >>> ages("We've got three kids: Nora (11), Emil, 8, and little Bo who's 3."), ages("Bo turned four on Thursday!")
    ({'Nora': 11, 'Emil': 8, 'Bo': 3}, {'Bo': 4})
    >>> ages("Lotte is 5 minutes late."), ages("Rent is 7 now.")
    ({}, {})
    """
    return {
        match["name"]: int(age) if (age := match["age"]).isdigit() else _WORDS.index(age) + 1
        for match in _AGED.finditer(text[:READ])
        if may_be_a_first_name(match["name"])
    }


def asks_for_age(question: str) -> bool:
    """Whether a question asks how old somebody is."""
    return bool(_HOW_OLD.search(question))


def is_older(earlier: str, later: str) -> bool:
    """Whether somebody is older in a later statement than in an earlier one.

    Examples
    --------
    >>> is_older("My daughter Lotte is 7.", "Lotte turned 8 yesterday."), is_older("Lotte is 7.", "Bo turned 8.")
    (True, False)
    """
    before, now = ages(earlier), ages(later)
    return any(now[name] > before[name] for name in before.keys() & now.keys())
