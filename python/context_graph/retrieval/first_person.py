"""A question in the voice of the one it is about: "When did Ann move?" becomes "Ann: When did I move?".

People speak of themselves as "I" and "my", and a turn is embedded after its speaker's name. A model that reads words in
their sentence finds such a turn nearer to a question that is put alike.
"""

import re

from context_graph.index.corpus import Corpus
from context_graph.reading import intent as fields
from context_graph.regex import regex
from context_graph.retrieval.rules import named_speakers

__all__ = ["in_first_person", "to_first_person"]

_ENGLISH = regex(
    r"\b(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|would|will|could|can"
    r"|should|might)\b",
    re.I,
)
_AFTER_OBJECT = r"(?:to|that|about|in|on|at|with|when|how|for|from|of|by|and|or|after|before|during|if|as|so|because)\b"
_FIRST_PERSON = tuple(
    (regex(pattern, re.I), replacement)
    for pattern, replacement in (
        (r"\b(?:s?he)\b", "I"),
        (r"\b(?:him|her)self\b", "myself"),
        (r"\bhers\b", "mine"),
        (rf"\bher\b(?=\s+(?!{_AFTER_OBJECT})\w)", "my"),
        (r"\bhis\b", "my"),
        (r"\b(?:him|her)\b", "me"),
        (r"\bdoes I\b", "do I"),
        (r"\bhas I\b", "have I"),
        (r"\bis I\b", "am I"),
        (r"\bI does\b", "I do"),
        (r"\bI has\b", "I have"),
        (r"\bI is\b", "I am"),
    )
)
"""Pronouns, and then the verbs that go with "I"."""


def in_first_person(corpus: Corpus, question: str) -> tuple[str, str]:
    """The first speaker whom a question names, and the question as they would put it; both empty if there is none."""
    for code in named_speakers(corpus, question)[:1]:
        speaker = corpus.speakers.texts[code]
        if (rewritten := to_first_person(question, speaker)) is not None:
            return speaker, rewritten
    return "", ""


def to_first_person(question: str, speaker: str) -> str | None:
    """An English question about a speaker as that speaker would put it; None where it cannot be put so.

    What is asked of two together ("Ann and Bob") is in the voice of neither.

    Parameters
    ----------
    speaker : str
        Whole name; the question may have the first part of it alone.
    """
    mention = fields.name_in(question, speaker)
    if mention is None or not _ENGLISH.search(question):
        return None
    name = rf"(?<!\w){re.escape(mention[0])}"
    if re.search(rf"{name}\s+and\b|\band\s+{name}(?!\w)", question, re.I):
        return None
    rewritten = re.sub(rf"{name}(?:['’]s\b|s['’])", "my", question, flags=re.I)
    rewritten = re.sub(rf"{name}(?!\w)", "I", rewritten, flags=re.I)
    for pattern, replacement in _FIRST_PERSON:
        rewritten = pattern.sub(replacement, rewritten)
    return rewritten
