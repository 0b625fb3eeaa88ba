"""What stands before a statement and states nothing: "FYI:", "just so you know", "please remember that"."""

import re

from context_graph.regex import regex

__all__ = ["without_preamble"]

_PREAMBLE = regex(
    r"^\W*(?:(?:(?:hey|hi|hello|oh|okay|ok|well|so|and|btw|by the way|one more thing|also)\b"
    r"(?=[\s,!:.–-]*[,!:.–-]|\s+and\b)"
    r"|oh and"
    r"|(?:fyi|for your information|for the record|just so you know|so you know|heads up|quick update)\b"
    r"|(?:update|news|reminder|info|note(?: to self)?|remember|memo|important|hinweis|info|notiz|nota)(?=\s*[:–-])"
    r"|(?:please |kindly )?(?:remember|note|keep in mind|be aware|save|store|write down|make a note) that\b"
    r"|(?:please |kindly )?(?:save|store|remember|note) (?:this|the following)(?=\s*[:.–-])"
    r"|(?:i (?:just |also )?(?:wanted|want|would like|have|need)|i['’]d like|let me|i (?:must|should)) "
    r"(?:to )?(?:tell you|let you know|add|mention|say)(?: that)?\b"
    r"|you (?:should|must|need to) know(?: that)?\b"
    r"|(?:bitte )?merk dir(?: bitte)?[,:]? dass|nur damit du(?:'s| es)? weißt|übrigens)"
    r"[\s,!:.–-]*)+(?=\w)",
    re.I,
)
_COURTESY = regex(r"(?<=[.!])\s+(?:thanks|thank you|thx|cheers|danke|gracias)\W*$", re.I)


def without_preamble(text: str) -> str:
    """A statement without what announces it.

    Examples
    --------
    >>> without_preamble("FYI: the band rehearses on Tuesdays."), without_preamble("Hey! I moved to Bonn. Thanks!")
    ('the band rehearses on Tuesdays.', 'I moved to Bonn.')
    >>> without_preamble("Please remember that Kai plays drums."), without_preamble("Remember to call mum.")
    ('Kai plays drums.', 'Remember to call mum.')
    """
    return _COURTESY.sub("", _PREAMBLE.sub("", text, count=1))
