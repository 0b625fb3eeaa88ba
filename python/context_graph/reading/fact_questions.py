"""Questions for a fact, and wishes that hold for every answer: what is wanted of one thing says nothing of another."""

import re

from context_graph.regex import regex

__all__ = ["asks_for_fact", "is_of_answers"]

_ASKS_FOR_FACT = regex(
    r"^\W*(?:(?:and|so|hey|ok(?:ay)?|please tell me|tell me|remind me|let['’]s go on)[\s,:.]+)*"
    r"(?:(?:what|which|where|when|who|whose|whom|why)\b"
    r"|how (?:much|many|old|long|large|big|far|often|tall|high|late|early|hot|cold|is|are|was|were|did)\b"
    r"|(?:is|are|was|were|does|do|did|has|have|had)\b)",
    re.I,
)
_ASKS_TO_DO = regex(
    r"\b(?:should|shall|could|(?:can|may|must) (?:i|we|you)|would you|help|recommend|suggest|advise|advice|ideas?|tips?"
    r"|best|better|good|write|draft|make|plan|prepare|suitable|how to|how do (?:i|we)|what if)\b",
    re.I,
)
_OF_ANSWERS = regex(
    r"\b(?:answers?|repl(?:y|ies)|respon[ds]\w*|explain\w*|call me|address me|units?|metric|imperial|currency|emojis?"
    r"|bullet\w*|tables?|short|brief\w*|concise\w*|details?|tone|formal\w*|informal\w*|step by step|sources?|cite\w*"
    r"|summar\w+|format\w*|spell\w*|abbreviat\w*|languages?|english|german|spanish|french|when (?:i|you|we)|if i)\b",
    re.I,
)


def asks_for_fact(question: str) -> bool:
    """Whether a question is for what is so, and not for advice or work.

    Examples
    --------
    >>> asks_for_fact("When do backups run?"), asks_for_fact("What should I cook?"), asks_for_fact("Write a poem.")
    (True, False, False)
    """
    return bool(_ASKS_FOR_FACT.match(question)) and not _ASKS_TO_DO.search(question)


def is_of_answers(wish: str) -> bool:
    """Whether a wish is about every answer, or names its own occasion.

    Examples
    --------
    >>> is_of_answers("Always give metric units."), is_of_answers("Never schedule anything before nine.")
    (True, False)
    """
    return bool(_OF_ANSWERS.search(wish))
