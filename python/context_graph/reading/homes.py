"""That somebody lives elsewhere now, in languages whose words of change nothing else joins with "Where do I live?"."""

import re

from context_graph.reading import cues
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.regex import regex

__all__ = ["asks_for_home", "asks_for_home_of_another", "moved_home", "moved_home_of_another"]

READ = 300
"""Characters of a statement that are looked at."""

_ASKS = regex(
    r"^\W*(?:yo \W*)?(?:(?:wo|in welche[rm] \w+|wohin) (?:wohne|lebe|wohnen|leben) (?:ich|wir)\b"
    r"|(?:d[oó]nde|en qu[eé] \w+) (?:vivo|vivimos|estoy viviendo|estamos viviendo)\b"
    r"|(?:where|(?:in )?(?:what|which) \w+) (?:do (?:i|we) live|(?:i|we) live|(?:am i|are we) living)\b"
    r"|(?:i )?(?:where|in (?:what|which) \w+)(?: is what)? ?(?:i|we)? ?live(?: (?:i|we))?(?: now)? ?\W*$)",
    re.I,
)
"""A question that `cues.readable` has read may begin with "Yo", and has the words of other languages in their order: "I
where live?"."""

_ASKS_OF_ANOTHER = regex(
    r"^\W*(?:yo \W*)?(?:(?:wo|in welche[rm] \w+) (?:wohn|leb)(?:t|en) (?!(?:wir|ich)\b)\w"
    r"|(?:wohn|leb)(?:t|en) (?:[\w-]+ ){1,4}?(?:noch|immer|weiterhin|jetzt)\b"
    r"|(?:d[oó]nde|en qu[eé] \w+) viven?\b|siguen? viviendo\b|(?:todav[ií]a|a[uú]n) viven?\b"
    r"|viven? (?:todav[ií]a|a[uú]n)\b|where (?:do|does) (?!(?:i|we|you)\b)[\w' ’-]{1,40} live\b)",
    re.I,
)

_LIVES = regex(
    r"\b(?:(?:ich|wir) (?:wohnen?|leben?)|(?:wohnen?|leben?) (?:ich|wir)"
    r"|viv(?:o|imos)(?: \w+){0,2}? en|(?:estoy|estamos) viviendo en)\b",
    re.I,
)
_MOVED = regex(
    r"\b(?:(?:bin|sind) (?:[\wäöüß.]+ ){0,6}nach (?:[\wäöüß-]+ ){1,3}(?:um|zurück)?gezogen"
    r"|(?:ziehe|ziehen|zogen|zog) (?:[\wäöüß]+ ){0,3}nach \w+"
    r"|(?:wohnen?|leben?) (?:(?:ich|wir) )?(?:jetzt|nun|inzwischen|mittlerweile|seit \w+)"
    r"|(?:me|nos) (?:mud[eé]|mudamos|he mudado|hemos mudado|traslad[eé]|trasladamos|he trasladado|hemos trasladado) a"
    r"|(?:me|nos) (?:fui|fuimos|he ido|hemos ido|voy|vamos) a vivir a"
    r"|(?:ahora|ya|ahora ya) (?:viv(?:o|imos)|(?:estoy|estamos) (?:viviendo|instalad[oa]s?)) en"
    r"|(?:estoy|estamos) instalad[oa]s? (?:ya )?en)\b",
    re.I,
)
_LIVES_OF_ANOTHER = regex(
    r"\b(?:(?:wohn|leb)(?:t|en)|zieht|ziehen|(?:ist|sind)(?= .*(?:ein|aus|um)gezogen\b)|viven?|se mud(?:[óa]|aron|an)"
    r"|se han? mudado)\b",
    re.I,
)
_MOVED_OF_ANOTHER = regex(
    r"\b(?:(?:ist|sind) (?:[\wäöüß.]+ ){0,6}(?:nach|zu|in) (?:[\wäöüß-]+ ){1,4}(?:um|zurück|ein)?gezogen"
    r"|(?:zog|zogen) (?:[\wäöüß.]+ ){0,4}nach \w+"
    r"|(?:wohn|leb)(?:t|en) (?:(?:er|sie) )?(?:jetzt|nun|inzwischen|mittlerweile|seit \w+)"
    r"|se (?:mudó|mudaron|han? mudado|trasladó|trasladaron|han? trasladado) a"
    r"|se (?:fue|fueron|han? ido) a vivir a"
    r"|(?:ahora|ya|ahora ya) (?:viven?|est[áa]n? viviendo) en)\b",
    re.I,
)
_NAME = regex(r"\b[A-ZÀ-Þ][a-zà-ÿ]+(?:-[A-ZÀ-Þ][a-zà-ÿ]+)?\b")
_WORD = regex(r"[^\W\d_]+")
_TO = regex(r" (?:nach|zu|in|a) ")

_MOVED_IN = regex(
    r"^\W*(?:(?:so|and|big news|update|finally|just)\W+)*(?:(?:i|we)(?:['’]ve| have)? )?(?:just |finally )?"
    r"moved in with\b",
    re.I,
)
_MOVED_ENGLISH = regex(
    r"^\W*(?:[^.!?]{1,40}[.!?,:]\W+)?(?:(?:i|we)(?:['’]ve| have)? )?(?:just |finally |already )?(?:moved|relocated) "
    r"(?:back )?(?:in)?to (?:a (?:new |bigger |smaller )?(?:flat|place|apartment|room|house)\b|(?-i:[A-Z]))",
    re.I,
)
_MOVED_WORD_BY_WORD = regex(
    r"^\W*(?:[^.!?]{1,40}[.!?,:]\W+)?(?:(?:in|on|i|we|me|us|is|have|his|last|week|month|year|now|finally) ){0,6}"
    r"(?:moved(?:-me|-us)? (?:to|at|in) (?:the )?(?-i:[A-ZÀ-Þ])|to (?-i:[A-ZÀ-Þ])[\w'’-]{1,30} moved\b)",
    re.I,
)
"""As the words of other languages follow each other: "we his last week to Gent moved"."""

_LIVES_ENGLISH = regex(
    r"\b(?:i|we) (?:\w+ )?(?:live|rent|share|stay|own)\b|\b(?:my|our) (?:flat|place|apartment|room|house|address)\b",
    re.I,
)


def asks_for_home(question: str) -> bool:
    """Whether a question asks where who asks lives.

    Examples
    --------
    >>> asks_for_home("Wo wohne ich?"), asks_for_home("Where do we live?"), asks_for_home("Wo wohnt Klara?")
    (True, True, False)
    """
    return bool(_ASKS.match(question))


def asks_for_home_of_another(question: str) -> bool:
    """Whether a question asks where somebody else lives, or whether they still do there.

    Examples
    --------
    >>> asks_for_home_of_another("Wohnt Klara noch bei uns?"), asks_for_home_of_another("Wo wohnen wir?")
    (True, False)
    """
    return bool(_ASKS_OF_ANOTHER.match(question))


def moved_home(earlier: str, later: str) -> bool:
    """Whether one statement in German or Spanish says where who speaks lives, and the later one that they moved, or in
    English that they moved there, or in with somebody.

    Examples
    --------
    >>> moved_home("Ich wohne in Ulm und bin Tischlerin.", "Wir sind nach Halle gezogen, die Miete ist höher.")
    True
    >>> moved_home("Ich wohne in Ulm.", "Wir sind mit dem Büro nach Halle gefahren.")
    False
    >>> home = "I rent a room in Ulm."
    >>> moved_home(home, "Moved in with my sister in Graz."), moved_home(home, "We moved to Chur in June.")
    (True, True)
    """
    earlier, later = earlier[:READ], later[:READ]
    moved = any(form.search(later) for form in (_MOVED_IN, _MOVED_ENGLISH, _MOVED_WORD_BY_WORD))
    joined = moved and _LIVES_ENGLISH.search(earlier)
    return bool(joined or (_LIVES.search(earlier) and _MOVED.search(later)))


def moved_home_of_another(earlier: str, later: str) -> bool:
    """Whether one statement in German or Spanish says where somebody lives, and the later one that the same one moved.

    Examples
    --------
    >>> moved_home_of_another("Anke wohnt bei uns.", "Anke ist am 1. Mai nach Rastede gezogen.")
    True
    >>> moved_home_of_another("Anke wohnt neben Dirk.", "Dirk ist am 1. Mai nach Rastede gezogen.")
    False
    """
    lives, moved = _LIVES_OF_ANOTHER.search(earlier[:READ]), _MOVED_OF_ANOTHER.search(later[:READ])
    if not (lives and moved):
        return False
    movers = _persons(later[: moved.start()]) or _persons(_TO.split(moved[0])[0])
    return not _persons(earlier[: lives.start()]).isdisjoint(movers)


def _persons(text: str) -> set[str]:
    """First names and words for relatives in a text."""
    names = {name for name in _NAME.findall(text) if may_be_a_first_name(name)}
    return names | cues.KIN.intersection(map(str.lower, _WORD.findall(text)))
