"""What is left to do as notes of work mark it ("TODO: ...", "- [ ] ..."), and the number by which it is closed."""

import re

from context_graph.reading.subjects import content_stems
from context_graph.regex import regex

__all__ = ["closes", "is_of_other_work", "lists_open_items", "reopens"]

MAX_ITEM_CHARS = 4_000
"""Characters of a text in which an open box is looked for: a list of them is longer than a statement."""

MAX_CLOSING_CHARS = 600
"""Characters of a statement that closes something by its number."""

MIN_SHARED_WORK = 0.5
"""Share of the words of the shorter of two statements from which they are of one piece of work."""

_OPEN_BOX = regex(r"^[ \t]{0,8}(?:[-*+•]|\d{1,2}[.)])?[ \t]{0,3}\[ ?\][ \t]{1,3}\S", re.M)
_MARK = regex(
    r"^\W{0,10}(?:todos?|to-do|fixme|xxx|open|pending|blocked|waiting(?: for)?|next(?: up| steps?)?|remaining"
    r"|left to do|offen|zu tun|zu erledigen|blockiert|pendientes?)\b\W{0,3}",
    re.I,
)
_BESIDE_WORK = regex(r"\([^()\n]{0,80}\)|\bassigned(?: to)? \w+|\bowner:? \w+|#\d+", re.I)
"""Who does it, until when and under which number: two items may share these."""

_NUMBER = r"(?:#\d{1,7}|\b(?:issue|ticket|bug|gh|fehler)[ -]?#?\d{1,7}|\b[a-z][a-z0-9]{1,9}-\d{1,6})\b"
_NAMED = regex(_NUMBER, re.I)
_OF_ANOTHER = regex(
    r"\b(?:once|after|until|unless|before|blocked by|blocks|depends on|depending on|wait(?:s|ing)? (?:for|on)|see|cf\.?"
    r"|like|needs|follow-?up (?:of|to|from)|since|because of|wegen|nach|sobald|bis|wenn|wartet auf|siehe|wie)"
    r" (?:issue |ticket |bug |pr )?$",
    re.I,
)
"""Stands before the number of something else that the work waits for or is like."""

_DONE = (
    r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|solve[sd]|done|completed?|finished|implement(?:s|ed)"
    r"|merged|shipped|dropped|obsolete|schließt|schliesst|behebt|löst|erledigt|behoben|gelöst|geschlossen|fertig"
    r"|cierra|resuelve|cerrad[oa]|resuelt[oa])"
)
_CLOSES = regex(
    rf"\b{_DONE}:? (?:in |mit )?(?P<one>{_NUMBER}(?:(?:,| and| und|, and) ?{_NUMBER}){{0,8}})"
    rf"|(?P<other>{_NUMBER})(?: (?:is|was|has been|got|are|ist|wurde|ya está))?(?: (?:now|finally|already|jetzt|nun))?"
    rf" ?[:=,–-]? ?{_DONE}\b",
    re.I,
)
_NOT_DONE = regex(
    r"\b(?:not|n['’]t|never|yet|will|would|should|must|to be|need(?:s|ed)? to|going to|once|when|if|until|tomorrow|only"
    r"|reopen(?:ed|s)?|partly|partially|nicht|noch|wird|soll|muss|wenn|sobald|teilweise)\b|n['’]t\b",
    re.I,
)
_REOPENS = regex(r"\b(?:re-?open(?:ed|s|ing)?|reverted|is back|came back|again|wieder|reaparece)\b", re.I)


def lists_open_items(text: str) -> bool:
    """Whether a text has a box that is not ticked.

    Examples
    --------
    >>> lists_open_items("- [ ] renew the certificate"), lists_open_items("* [x] renew the certificate")
    (True, False)
    """
    return bool(_OPEN_BOX.search(text[:MAX_ITEM_CHARS]))


def is_of_other_work(one: str, other: str) -> bool:
    """Whether what is open and another statement are of two pieces of work: the mark alone is no common matter.

    Examples
    --------
    >>> is_of_other_work("TODO: renew the certificate", "TODO: delete the old queue")
    True
    >>> is_of_other_work("TODO: set the pool size to 20", "TODO: set the pool size to 40")
    False
    """
    works = [content_stems(_BESIDE_WORK.sub(" ", _MARK.sub("", text[:MAX_CLOSING_CHARS]))) for text in (one, other)]
    least = min(map(len, works))
    return least > 0 and len(works[0] & works[1]) < MIN_SHARED_WORK * least


def closes(task: str, later: str) -> bool:
    """Whether a later statement says that what has the number of a task is done.

    Examples
    --------
    >>> closes("TODO: cache the tiles, issue #71", "Closes #71"), closes("TODO: cache the tiles (#71)", "#71 is done.")
    (True, True)
    >>> closes("TODO: drop the shim once #71 is done", "#71 closed by PR #80")
    False
    >>> closes("TODO: cache the tiles, #71", "We will close #71 next week.")
    False
    """
    own = _own_numbers(task)
    return bool(own) and not own.isdisjoint(_closed_numbers(later))


def reopens(task: str, later: str) -> bool:
    """Whether a later statement takes up again what has the number of a task: "#71 reopened"."""
    later = later[:MAX_CLOSING_CHARS]
    return bool(_REOPENS.search(later)) and not _own_numbers(task).isdisjoint(_numbers(later))


def _own_numbers(task: str) -> frozenset[str]:
    """The numbers under which a task is known, without those of other things that it names."""
    task = task[:MAX_CLOSING_CHARS]
    return frozenset(
        _plain(match[0]) for match in _NAMED.finditer(task) if not _OF_ANOTHER.search(task[: match.start()])
    )


def _closed_numbers(text: str) -> frozenset[str]:
    numbers: set[str] = set()
    for sentence in regex(r"[.!?;\n](?=\s|$)").split(text[:MAX_CLOSING_CHARS]):
        if not _NOT_DONE.search(sentence):
            for match in _CLOSES.finditer(sentence):
                numbers |= _numbers(match["one"] or match["other"])
    return frozenset(numbers)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_plain(match[0]) for match in _NAMED.finditer(text))


def _plain(number: str) -> str:
    """A number as it is compared: "issue 71" and "#71" are one, "KES-71" is another."""
    plain = re.sub(r"[\s#]", "", number.lower())
    return re.sub(r"^(?:issue|ticket|bug|gh|fehler)?-?(?=\d+$)", "", plain)
