"""Whether a statement denies what an earlier one says, in its words."""

import re
from collections.abc import Sequence

from context_graph.embed.chunks import clauses
from context_graph.reading import cues
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["denies", "may_deny"]

MIN_DENIED = 2
"""Content words that a denied clause has: one alone is soon in anything."""

_DENIED = regex(r"\b(?:not|nicht|no longer|\w{2,6}n['’]t)\b")
_NOT_SO = regex(r"\b(?:if|unless|only|just|yet|sure|know|think|remember|why|until|enough|too|wenn|nur|noch)\b|\?", re.I)
"""What makes of a denial something else: a condition, a doubt, a degree."""


def denies(earlier: str, later: str) -> bool:
    """Whether a clause of the later one denies a clause of the earlier one: all of its content words are said there.

    Examples
    --------
    >>> denies("The water is off, and the shed key hangs at Erwin's.", "No, the key isn't at Erwin's, it's at Ada's.")
    True
    >>> denies("The key is at Erwin's.", "The key isn't at Ada's."), denies("I eat fish.", "I don't eat much fish.")
    (False, False)
    """
    if not (denied := _denied(later)):
        return False
    stated = [content_stems(clause) for clause in (earlier, *clauses(earlier)) if not cues.NEGATED.search(clause)]
    return any(thing <= words for thing in denied for words in stated)


@kept_for_texts(maxsize=256)
def _denied(text: str) -> Sequence[frozenset[str]]:
    """Content words of each clause that denies something."""
    parts = [part for part in clauses(text) if _DENIED.search(part.lower()) and not _NOT_SO.search(part)]
    words = [content_stems(_DENIED.sub(" ", part.lower())) for part in parts]
    return [frozenset(of) for of in words if len(of) >= MIN_DENIED]


def may_deny(text: str) -> bool:
    """Whether a statement denies anything."""
    return bool(_denied(text))
