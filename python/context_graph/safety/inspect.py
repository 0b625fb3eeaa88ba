"""Whether a text tries to give orders: content is data, so it is kept, marked, and never obeyed."""

import re
import unicodedata

from context_graph.regex import regex
from context_graph.texts import caseless

__all__ = ["QUARANTINE_FROM", "suspicion"]

QUARANTINE_FROM = 0.9
"""Suspicion from which a memory is kept in quarantine: listed and explained, never answered."""

# Signatures of seed 001 section 10, each with the least context that makes it an order rather than a report.
_SIGNATURES = (
    (
        regex(
            r"\b(?:ignore|disregard|forget) (?:all |any )?(?:the |your |of the )?"
            r"(?:(?:previous|prior|above|earlier) (?:instructions?|prompts?|rules?|directions?)"
            r"|system (?:prompt|instructions?|rules?|message))",
            re.I,
        ),
        0.9,
    ),
    (regex(r"\boverride (?:the |your )?system (?:prompt|instructions?|rules?|message)", re.I), 0.9),
    (regex(r"^[ \t]{0,40}(?:new instructions?|override|system)\s*:", re.I | re.M), 0.5),
    (regex(r"\byou are now (?:a|an|in|the|no longer|free|DAN)\b", re.I), 0.5),
    (regex(r"\bdo not (?:tell|inform|reveal (?:this )?to) the user\b", re.I), 0.6),
)
_WORDS = ("instruction", "prompt", "rule", "direction", "system", "override", "you are now ", "do not ")
"""One of these stands in all that a signature matches."""

_INVISIBLE = regex("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_TALKS_ABOUT = regex(r"[\"“'`][^\"”'`]{0,200}$")


def suspicion(text: str) -> float:
    """How much a text reads like an injected order, in [0, 1].

    These signatures find only plain attacks (about 3 % of a wide collection); they mark, they are no defence.
    A signature inside quotation marks counts half: notes about attacks quote them.
    """
    plain = text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    low = caseless(plain)
    if not any(word in low for word in _WORDS):
        return 0.0  # as nearly always
    score = 0.0
    for signature, weight in _SIGNATURES:
        for match in signature.finditer(plain):
            quoted = _TALKS_ABOUT.search(plain[max(0, match.start() - 200) : match.start()])
            score = max(score, weight / 2 if quoted else weight)
    return score
