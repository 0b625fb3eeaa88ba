"""Who was away, ill or about to leave, and is back or stays: "Rahul is back", "Chen stays after all"."""

import re

from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["ends_absence", "tells_return"]

MAX_RETURN_WORDS, MAX_RETURN_CHARS = 12, 160
"""Words and characters of a statement that says no more than that."""

_WHO = r"^\W*(?:(?:so|good news|fyi|update|hey|oh|well)[,:]? )?(?P<who>(?:[\w'’.-]+ ){0,3}?[\w.-]+)"
_PLACE = (
    r"(?:(?:at|behind|in|on|with|to|among|under) )?(?:(?:his|her|their|its|the|my|our) )?(?:usual |old |own )?"
    r"(?:desk|wheel|posts?|jobs?|work|duty|shifts?|feet|saddle|office|reception|counter|wards?|kitchen|classroom|team|till"
    r"|us|shop|store|lab|studio|bar|bakery|school|class|surgery|clinic|practice|choir|band|training|rehearsals?"
    r"|action|charge|harness|helm|normal|full (?:time|strength)|form|rota|bench|stage|pitch|place|spot|it)\b"
)
"""Where somebody is when they do what they always did."""

_RETURN = regex(
    rf"{_WHO}(?:['’]s| is| are| was| has| have|['’]ve)? (?:now |finally |already |also )?"
    r"(?:(?:come |came |coming |got )?(?:back|home)(?: again)?"
    r"(?= *$|[.!,;]| (?:from|since|today|yesterday|now|at work|in the office|on \w+day|this|after|and)\b"
    rf"| {_PLACE}(?= *$|[.!,;]| (?:again|now|today|and|so|from|since|as)\b))"
    r"|(?:at|behind|in|on|with) (?:the|his|her|their|my|our) (?:\w+ )?\w+ again(?= *$|[.!,;])"
    r"|(?:open|opens|opened|working|works|running|runs|up and running|fixed|mended|repaired|healed|dry|usable)"
    r" (?:again|once more)\b(?! on| at| from| until| till)"
    r"|return(?:ed|s)?(?= *$|[.!,;]| (?:from|today|yesterday|this|to work|last|on)\b)"
    r"|(?:stay(?:s|ing)?|remain(?:s|ing)?|keeps? (?:on|going|working))\b.{0,40}\bafter all\b"
    r"|(?:well|fit|healthy|fine|better|recovered) (?:again|now)\b|recovered\b)",
    re.I,
)
_RETURN_ELSEWHERE = regex(
    r"^\W*(?P<who>(?:[\w'’.-]+ ){0,3}?[\w.-]+) "
    r"(?:ist (?:jetzt |endlich )?(?:wieder|zurück)\b(?! \w+ \w+ \w+)|bleibt (?:\w+ ){0,3}doch\b"
    r"|ya (?:ha vuelto|está de vuelta|volvió)\b|ha vuelto\b|al final se queda\b)",
    re.I,
)
_GIVES = regex(
    r"\b(?:pa(?:id|ys?)|g[ai]ves?|given|sen[dt]s?|brought|puts?|took|takes|called|wrote|writes|hand(?:ed|s)|pushed|pulled"
    r"|cuts?|bought|moved|wants?|needs?|held|looked)\b",
    re.I,
)
"""What is done "back" to somebody."""

_ABSENCE = regex(
    r"\b(?:sick|ill|unwell|holidays?|vacation|leave|leaving|left|away|off|out|moving|moves|quits?|resign\w*|sabbatical"
    r"|hospital|broke \w+|abroad|cover(?:s|ing|ed)?|stands? in|fills? in|gone|absent|parental|until"
    r"|flu|fever|cold|covid|migraine|injur\w*|sprained|twisted|hurts?|broken?|down|shut|closed"
    r"|flooded|stuck|jammed|garage|workshop|repairs?|out of order|can['’]t (?:come|make it|play)"
    r"|krank\w*|urlaub|verreist|elternzeit|weg|fällt aus|vertritt|kündigt|zieht weg|bis"
    r"|enferm[oa]|de baja|vacaciones|fuera|se va|deja|hasta)\b",
    re.I,
)
"""Somebody is away, or something does not work."""


@kept_for_texts(maxsize=1_024)
def tells_return(text: str) -> frozenset[str]:
    """Stems of who is back or stays, where a statement says that and little more; empty else.

    Examples
    --------
    >>> bool(tells_return("Rahul is back.")), bool(tells_return("Marco is back from holiday."))
    (True, True)
    >>> bool(tells_return("Benoit's at the stove again.")), bool(tells_return("Rahul paid me back."))
    (True, False)
    """
    if len(text) > MAX_RETURN_CHARS or len(text.split()) > MAX_RETURN_WORDS:
        return frozenset()
    match = _RETURN.match(text) or _RETURN_ELSEWHERE.match(text)
    return content_stems(match["who"]) if match and not _GIVES.search(match["who"]) else frozenset()


def ends_absence(absence: str, later: str) -> bool:
    """Whether a later statement says that somebody is back or stays, of whom the earlier one told an absence.

    Examples
    --------
    >>> ends_absence("Rahul is ill this week, Ines does billing.", "Rahul returned today.")
    True
    >>> ends_absence("Tobias is in Australia for half a year.", "Tobias is back from Australia!")
    True
    >>> ends_absence("Rahul owns billing.", "Rahul returned today.")
    False
    """
    who, of = tells_return(later), content_stems(absence)
    if not who or not who <= of or tells_return(absence):
        return False
    return bool(_ABSENCE.search(absence)) or bool((of & content_stems(later)) - who)
