"""Texts about something that one reads of, as in an encyclopedia, beside notes of what is one's own."""

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["is_impersonal", "is_passage"]

SHORT = 200
"""Characters of a note; what is longer and speaks of nobody is more often a text about something."""

OPENING = 300
"""Characters in which such a text says what it is about."""

_SPOKEN = regex(
    r"\b(?:my|our|ours|mine|we|we['’]\w+|i['’]\w+|us|meine?[rnms]?|unsere?[rnms]?|wir|ich|nuestr[oa]s?)\b"
    r"|(?:^|[.!?:;,–-] |\b(?:and|but|that|when|if|then|because|as|so|where|what|than|or) )"
    r"(?:I|We|My|Our|I['’]\w+|We['’]\w+)\b"
)
"""Says whose it is; not the "I" of a title."""

_CAPITAL = r"[^\W_a-zà-þß-ÿ][\w’'.&:–-]*"
_NAMED = regex(
    rf"(?!(?:Mr|Mrs|Ms|Dr|Frau|Herr)\b|[^\W_]+['’]s )[\"“'«(]*(?:(?:The|An?) )?{_CAPITAL}[\"”'»,)]*"
    rf" (?:(?:of|the|and|in|on|for|at|to|de|von|la) )*[\"“'(]*{_CAPITAL}"
)
"""Begins with a name of several words, or of a word and a year."""

_DEFINES = regex(
    r"\b(?:is|was|are|were) (?:an?|one of|the|any|among)\b"
    r"|\((?:born|died|[^()]{0,40}\b1\d{3}|[^()]{0,40}\b20\d\d)[^()]{0,60}\)"
    r"|\b(?:is|was|are|were) (?:\w+ed|known|born|located) (?:in|by|as|on|for)\b"
)
"""Says what something is, or when somebody lived."""

_IS_A = regex(r"\b(?:is|was) an? \S")


def is_impersonal(text: str) -> bool:
    """Whether a text is longer than a note, and nobody says in it what is theirs."""
    return len(text) > SHORT and not _is_spoken(text)


@kept_for_texts(maxsize=512)
def _is_spoken(text: str) -> bool:
    """Whether somebody says in its opening what is theirs."""
    return bool(_SPOKEN.search(text[: 2 * OPENING]))


def is_passage(text: str) -> bool:
    """Whether a text tells what something with a name is, and nothing of who keeps it.

    Examples
    --------
    >>> is_passage("Short Bus is a debut album by Filter."), is_passage("Moved in with Kai on the weekend.")
    (True, False)
    >>> is_passage("Bistro Verde is the biggest customer."), is_passage("Anna Berg is a friend of mine.")
    (False, False)
    """
    if _is_spoken(text):
        return False
    opening = text[:OPENING]
    if len(text) <= SHORT:
        return bool(_NAMED.match(opening) and _IS_A.search(opening))
    return bool(_DEFINES.search(opening))
