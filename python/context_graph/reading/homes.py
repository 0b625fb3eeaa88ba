"""That somebody lives elsewhere now, in languages whose words of change nothing else joins with "Where do I live?"."""

import re

from context_graph.regex import regex

__all__ = ["asks_for_home", "moved_home"]

_ASKS = regex(r"^\W*(?:wo (?:wohne|lebe|wohnen|leben) (?:ich|wir)\b|d[oó]nde (?:vivo|vivimos)\b)", re.I)
_LIVES = regex(r"\b(?:(?:ich|wir) (?:wohnen?|leben?)|(?:wohnen?|leben?) (?:ich|wir)|viv(?:o|imos) en)\b", re.I)
_MOVED = regex(
    r"\b(?:(?:bin|sind) (?:[\wäöüß]+ ){0,4}nach (?:[\wäöüß-]+ ){1,3}(?:um)?gezogen"
    r"|(?:ziehe|ziehen|zogen|zog) (?:[\wäöüß]+ ){0,3}nach \w+"
    r"|(?:wohnen?|leben?) (?:(?:ich|wir) )?(?:jetzt|nun|inzwischen|seit \w+)"
    r"|(?:me|nos) (?:mud[eé]|mudamos|he mudado|hemos mudado) a|(?:ahora|ya) viv(?:o|imos) en)\b",
    re.I,
)


def asks_for_home(question: str) -> bool:
    """Whether a question in German or Spanish asks where who asks lives.

    Examples
    --------
    >>> asks_for_home("Wo wohne ich?"), asks_for_home("Wo wohnt Klara?")
    (True, False)
    """
    return bool(_ASKS.match(question))


def moved_home(earlier: str, later: str) -> bool:
    """Whether one statement says where somebody lives and the later one that they moved.

    Examples
    --------
    >>> moved_home("Ich wohne in Ulm und bin Tischlerin.", "Wir sind nach Halle gezogen, die Miete ist höher.")
    True
    >>> moved_home("Ich wohne in Ulm.", "Wir sind mit dem Büro nach Halle gefahren.")
    False
    """
    return bool(_LIVES.search(earlier) and _MOVED.search(later))
