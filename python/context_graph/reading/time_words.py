"""The words of time of each language, as data: English, German, Spanish."""

from collections.abc import Iterable

from context_graph.dates import MONTHS

__all__ = ["DAYS", "FESTIVALS", "MONTHS", "NUMBERS", "PARTS", "SEASONS", "UNITS", "WEEKDAYS", "alternatives"]


def _numbered(*groups: str) -> dict[str, int]:
    """Every word of a group -> its place."""
    return {word: place for place, group in enumerate(groups) for word in group.split()}


WEEKDAYS = _numbered(
    "monday montag lunes",
    "tuesday dienstag martes",
    "wednesday mittwoch miércoles miercoles",
    "thursday donnerstag jueves",
    "friday freitag viernes",
    "saturday samstag sonnabend sábado sabado",
    "sunday sonntag domingo",
)
"""Monday is 0."""

SEASONS = _numbered(
    "spring springtime frühling frühjahr primavera",
    "summer summertime sommer verano",
    "autumn fall herbst otoño",
    "winter wintertime invierno",
)
"""Of the northern half of the earth: spring begins in March, winter in December."""

DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "vorgestern": -2, "anteayer": -2, "antier": -2,
    "yesterday": -1, "gestern": -1, "ayer": -1,
    "today": 0, "heute": 0, "hoy": 0,
    "tomorrow": 1, "morgen": 1, "mañana": 1,
    "the day after tomorrow": 2, "day after tomorrow": 2, "übermorgen": 2, "pasado mañana": 2,
}  # fmt: skip
"""Days from today."""

NUMBERS = {
    word: number
    for number, words in {
        1: "a an one ein eine einem einen einer un una uno",
        2: "two zwei dos",
        3: "three drei tres",
        4: "four vier cuatro",
        5: "five fünf cinco",
        6: "six sechs seis",
        7: "seven sieben siete",
        8: "eight acht ocho",
        9: "nine neun nueve",
        10: "ten zehn diez",
        11: "eleven elf once",
        12: "twelve zwölf doce",
    }.items()
    for word in words.split()
} | {
    "a couple of": 2,
    "einigen": 3,
    "ein paar": 3,
    "couple of": 2,
    "a few": 3,
    "few": 3,
    "paar": 3,
    "unos": 3,
    "unas": 3,
}

UNITS = {
    word: unit
    for unit, words in {
        "minute": "minute minutes minuten minuto minutos",
        "hour": "hour hours stunde stunden hora horas",
        "day": "day days night nights tag tage tagen nächte nächten día días dia dias noches",
        "week": "week weeks woche wochen semana semanas",
        "fortnight": "fortnight",
        "weekend": "weekend weekends wochenende",
        "month": "month months monat monate monaten monats mes meses",
        "quarter": "quarter quarters quartal quartals trimestre",
        "year": "year years jahr jahre jahren jahres año años",
    }.items()
    for word in words.split()
} | {"fin de semana": "weekend"}

PARTS = {
    word: hours
    for hours, words in {
        (0, 12): "morning mornings vormittag vormittags morgen früh mañana",
        (11, 14): "noon midday lunchtime mittag mittags mediodía",
        (12, 18): "afternoon nachmittag nachmittags tarde",
        (17, 24): "evening abend abends",
        (18, 30): "night nacht noche",
    }.items()
    for word in words.split()
}
"""Hours of a day; a morning begins at midnight, for what is said of it is written at any hour of it, and a night ends
the day after."""

FESTIVALS = {
    "christmas eve": (12, 24, 1), "heiligabend": (12, 24, 1), "nochebuena": (12, 24, 1),
    "christmas": (12, 24, 4), "xmas": (12, 24, 4), "weihnachten": (12, 24, 4), "navidad": (12, 24, 4),
    "new year's eve": (12, 31, 1), "silvester": (12, 31, 1), "nochevieja": (12, 31, 1),
    "new year's day": (1, 1, 1), "new year": (1, 1, 1), "neujahr": (1, 1, 1), "año nuevo": (1, 1, 1),
    "valentine's day": (2, 14, 1), "halloween": (10, 31, 1),
    "easter": None, "ostern": None, "pascua": None,
}  # fmt: skip
"""Month, day and length in days; None for Easter, which is computed."""


def alternatives(words: Iterable[str]) -> str:
    """A pattern of any of these words, the longest first."""
    return "(?:" + "|".join(sorted((word.replace(" ", r"\s+") for word in words), key=len, reverse=True)) + ")"
