"""Where a context tells how the user wants to be answered: first for what is to be done, else behind the facts."""

import re
from collections.abc import Collection, Sequence

from context_graph.reading.requests import wishes
from context_graph.reading.subjects import content_stems
from context_graph.recall.answer import Hit
from context_graph.recall.apart.words import OF_ANYTHING
from context_graph.regex import regex

__all__ = ["with_wishes_behind"]

_ASKS_FOR_FACT = regex(
    r"^\W*(?:(?:and|so|hey|ok(?:ay)?|please tell me|tell me|remind me)[\s,:]+)*"
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
"""What is wanted of every answer, or names its own occasion."""


def with_wishes_behind(question: str, hits: Sequence[Hit], called: Collection[str] = ()) -> list[Hit]:
    """The hits; for a question for a fact, standing wishes that share no word with it behind what answers it, and those
    that are not about answers not at all: "never use axios" has nothing to do with "when do backups run?".

    Parameters
    ----------
    called : collection of str
        Ids of what the question asks for by name or as a whole, which stays.
    """
    if not _ASKS_FOR_FACT.match(question) or _ASKS_TO_DO.search(question):
        return list(hits)
    topic = content_stems(question) - OF_ANYTHING
    beside = [
        hit
        for hit in hits
        if hit.node.id not in called
        and hit.parts.get("wish", 0.0) > 0
        and wishes(hit.node.content)
        and topic.isdisjoint(content_stems(hit.node.content))
    ]
    if not beside or len(beside) == len(hits):
        return list(hits)
    ids = {hit.node.id for hit in beside}
    behind = [hit for hit in beside if _OF_ANSWERS.search(hit.node.content)]
    return [*(hit for hit in hits if hit.node.id not in ids), *behind]
