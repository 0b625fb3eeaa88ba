"""Numbers, times of day, dates, money and units in one spelling: "3 pm" and "15:00", "May 3rd" and "3 May"."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from context_graph.reading.differences import DAY_OF, MONTH_OF, UNIT_OF
from context_graph.regex import regex

__all__ = ["in_one_spelling"]

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: i for i, word in enumerate(_ONES.split())} | {
    word: 10 * i for i, word in enumerate(_TENS.split(), start=2)
}
_LARGE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_OTHERS = {
    word: number
    for number, words in enumerate(
        "null/cero eins/uno zwei/dos drei/tres vier/cuatro fünf/cinco sechs/seis sieben/siete acht/ocho neun/nueve "
        "zehn/diez elf zwölf/doce".split()
    )
    for word in words.split("/")
}
"""German and Spanish, where each is a word of its own."""

_FIGURE = regex(r"\d{1,15}(?:\.\d{1,15})?")
"""A number that a float holds; one of more digits is a code, and stays as it stands."""

_THOUSANDS = regex(r"\d{1,3}(?:,\d{3}){1,4}")
_WITH_UNIT = regex(r"(\d{1,15}(?:[.,]\d{1,15})?)([^\W\d_]+)")
_CLOCK = regex(r"(\d{1,2})[:.](\d\d)")
_DAY = regex(r"[0-9]{1,2}")
_ORDINAL = regex(r"(\d{1,2})(?:st|nd|rd|th)", re.I)
_ISO = regex(r"(\d{4})-(\d\d)-(\d\d)")
_SLASHED = regex(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_DOTTED = regex(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_DOTTED_THOUSANDS = regex(r"\d{1,3}(?:\.\d{3}){1,4}")
_CURRENCIES = frozenset("€ $ £ euro euros eur dollars pounds".split())
_HALF_OF_DAY = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}
_OF_CLOCK = frozenset(["o'clock", "uhr", "hrs"])
_PAST = {"half": 30, "quarter": 15}
_WORDS_OF_TIME = {"noon": "12", "midday": "12", "mittags": "12", "midnight": "0"}
_TIMES = {"once": "1", "twice": "2", "thrice": "3"}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
}
_PARTS = {"h": (60, "min"), "km": (1_000, "m"), "kg": (1_000, "g"), "l": (1_000, "ml")}
"""Units with the smaller one that they are told in, and how many of it they have."""

_MAX_HOUR, _MAX_DAY, _MAX_MONTH = 24, 31, 12


class _Read(NamedTuple):
    """What was read from some place on, and how many tokens of it."""

    spelling: list[str]
    length: int


def in_one_spelling(tokens: Sequence[str]) -> list[str]:
    """Tokens of a text with what counts or dates spelled in one way.

    Examples
    --------
    >>> in_one_spelling("on May 3rd at 3 pm".split()) == in_one_spelling("on 3 May at 15:00".split())
    True
    >>> in_one_spelling("twenty five kilometres".split()), in_one_spelling(["$", "20"])
    (['25000', 'm'], ['20', '$'])
    """
    spelled: list[str] = []
    i = 0
    while i < len(tokens):
        read = next(read for reader in _READERS if (read := reader(tokens, i)) is not None)
        spelled += read.spelling
        i += read.length
    return spelled


def _at(tokens: Sequence[str], i: int) -> str:
    return tokens[i].lower() if 0 <= i < len(tokens) else ""


def _date(tokens: Sequence[str], i: int) -> _Read | None:
    """ "3 May", "3rd of May", "May 3rd", "3. Mai", "2024-05-03"."""
    if (iso := _ISO.fullmatch(tokens[i])) is not None:
        return _Read([f"{int(iso[3])}/{int(iso[2])}", iso[1]], 1)
    if (dotted := _DOTTED.fullmatch(tokens[i])) is not None:
        return _of_numbers(int(dotted[1]), int(dotted[2]), dotted[3])
    if (slashed := _SLASHED.fullmatch(tokens[i])) is not None and max(int(slashed[1]), int(slashed[2])) > _MAX_MONTH:
        smaller, larger = sorted((int(slashed[1]), int(slashed[2])))  # else either may be the day
        return _of_numbers(larger, smaller, slashed[3])
    if (month := _month(tokens, i)) is not None and (day := _day(_at(tokens, i + 1))) is not None:
        return _Read([f"{day}/{month}"], 2)
    if (day := _day(tokens[i])) is None:
        return None
    behind = i + 1 + (_at(tokens, i + 1) in ("of", ".", "de"))
    month = _month(tokens, behind)
    return None if month is None else _Read([f"{day}/{month}"], behind + 1 - i)


def _of_numbers(day: int, month: int, year: str) -> _Read | None:
    """A date of numbers alone; none where there is no such day."""
    return _Read([f"{day}/{month}", year], 1) if day <= _MAX_DAY and month <= _MAX_MONTH else None


def _month(tokens: Sequence[str], i: int) -> int | None:
    return MONTH_OF.get(_at(tokens, i)) if tokens[i : i + 1] and tokens[i][:1].isupper() else None


def _day(token: str) -> int | None:
    number = ordinal[1] if (ordinal := _ORDINAL.fullmatch(token)) is not None else token
    number = str(_ORDINALS.get(token.lower(), number))
    return int(number) if _DAY.fullmatch(number) and 1 <= int(number) <= _MAX_DAY else None


def _clock(tokens: Sequence[str], i: int) -> _Read | None:
    """ "3 pm", "3pm", "15:00", "16 Uhr", "half past three", "noon"."""
    token = tokens[i].lower()
    if token in _WORDS_OF_TIME:
        return _Read([_WORDS_OF_TIME[token]], 1)
    if token in _PAST and _at(tokens, i + 1) in ("past", "to"):
        hour, length = _number(tokens, i + 2)
        if length and 1 <= hour <= _MAX_HOUR:
            to = _at(tokens, i + 1) == "to"
            return _half(hour - to, 60 - _PAST[token] if to else _PAST[token], tokens, i, 2 + length)
    joined = _WITH_UNIT.fullmatch(token)
    if joined is not None and joined[2] in _HALF_OF_DAY and joined[1].isdecimal():
        return _Read([_of_half(int(joined[1]), 0, joined[2])], 1)
    if (clock := _CLOCK.fullmatch(token)) is not None and (
        ":" in token or _at(tokens, i + 1) in _OF_CLOCK or _at(tokens, i + 1) in _HALF_OF_DAY
    ):
        return _half(int(clock[1]), int(clock[2]), tokens, i, 1)
    hour, length = _number(tokens, i)
    if length and hour <= _MAX_HOUR and _at(tokens, i + length) in {*_OF_CLOCK, *_HALF_OF_DAY}:
        return _half(hour, 0, tokens, i, length)
    return None


def _half(hour: float, minute: int, tokens: Sequence[str], i: int, length: int) -> _Read:
    after = _at(tokens, i + length)
    if after in _HALF_OF_DAY:
        return _Read([_of_half(hour, minute, after)], length + 1)
    return _Read([_spelled(hour, minute)], length + (after in _OF_CLOCK))


def _of_half(hour: float, minute: int, half: str) -> str:
    """Before noon it is said: nine may be either."""
    later = _HALF_OF_DAY[half]
    return _spelled(hour % 12 + later, minute) + ("" if later or hour == 12 else "am")


def _spelled(hour: float, minute: int) -> str:
    return f"{int(hour)}:{minute:02}" if minute else str(int(hour))


def _counted(tokens: Sequence[str], i: int) -> _Read | None:
    """A number, with its unit behind it or its currency before it."""
    token = tokens[i]
    if token in "€$£" and (read := _counted(tokens, i + 1) if i + 1 < len(tokens) else None) is not None:
        return _Read([read.spelling[0], token], 1 + read.length)
    joined = _WITH_UNIT.fullmatch(token)
    if joined is not None and joined[2].lower() == "k":
        return _Read([_plain(float(joined[1].replace(",", ".")) * 1_000)], 1)
    if joined is not None and (unit := UNIT_OF.get(joined[2].lower())) is not None:
        return _Read(_measured(joined[1], unit), 1)
    number, length = _number(tokens, i)
    if not length:
        return None
    if _DOTTED_THOUSANDS.fullmatch(token) and _CURRENCIES & {_at(tokens, i + 1), _at(tokens, i - 1)}:
        number, token = float(token.replace(".", "")), ""  # of money: 1.200 € has no thousandths
    spelling = _plain(number)
    if length == 1 and token[:1].isdecimal() and not _THOUSANDS.fullmatch(token):
        spelling = token  # 3.10 is no 3.1, and 007 no 7
    unit = UNIT_OF.get(_at(tokens, i + length))
    return _Read([spelling] if unit is None else _measured(spelling, unit), length + (unit is not None))


def _measured(number: str, unit: str) -> list[str]:
    """A number with its unit: of hours, kilometres, kilograms and litres in the smaller one."""
    parts, smaller = _PARTS.get(unit, (1, unit))
    if parts == 1 or _FIGURE.fullmatch(number) is None:
        return [number, unit]
    return [_plain(round(float(number) * parts, 6)), smaller]


def _number(tokens: Sequence[str], i: int) -> tuple[float, int]:
    """The number that some tokens say, and how many these are; 0 tokens where they say none."""
    total, current, length = 0.0, 0.0, 0
    while (token := _at(tokens, i + length)) and (length == 0 or token in _LARGE or token in _SMALL):
        parts = token.split("-")
        if all(part in _SMALL for part in parts):
            if length and (current % 10 or current == 0 or sum(_SMALL[part] for part in parts) >= 10) and current % 100:
                break  # "two three" are two numbers
            current += sum(_SMALL[part] for part in parts)
        elif length == 0 and (figure := _figure(token)) is not None:
            current = figure
        elif token in _LARGE and length:
            current *= _LARGE[token]
            if _LARGE[token] > 100:
                total, current = total + current, 0.0
        else:
            break
        length += 1
    return total + current, length


def _figure(token: str) -> float | None:
    """A number in digits, or a German or Spanish word for one."""
    if token in _OTHERS:
        return float(_OTHERS[token])
    plain = token.replace(",", "") if _THOUSANDS.fullmatch(token) else token
    return float(plain) if _FIGURE.fullmatch(plain) else None


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def _word(tokens: Sequence[str], i: int) -> _Read:
    """A short name of a weekday or month in full, and "twice"; else as it stands."""
    token = tokens[i]
    if (ordinal := _ORDINAL.fullmatch(token)) is not None or token.lower() in _ORDINALS:
        return _Read([f"{ordinal[1] if ordinal is not None else _ORDINALS[token.lower()]}."], 1)
    if token in _TIMES:
        return _Read([_TIMES[token], "times"], 1)
    if token[:1].isupper() and (day := DAY_OF.get(token.lower())) is not None:
        return _Read([day], 1)
    if token[:1].isupper() and len(token) > 2 and (month := MONTH_OF.get(token.lower())) is not None:
        return _Read([f"month {month}"], 1)
    return _Read([token], 1)


_READERS = (_date, _clock, _counted, _word)
