"""Whether a statement goes back to what held before a change: "Scrap that, we keep REST"."""

import re

from context_graph.reading.subjects import content_stems
from context_graph.reading.supersession import former_values
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["goes_back"]

LONGEST = 14
"""Words of a statement that says no more than that."""

_TAKEN_BACK = regex(
    r"^\W*(?:ok(?:ay)?,? |well,? |right,? )?(?:(?:scrap|forget|ignore|undo|cancel|strike|scratch) (?:that|it|this)\b"
    r"|never ?mind\b|nah\b|no,|nope\b|on second thoughts?\b|(?:i|we)(?:['’]ve)? changed (?:my|our) minds?\b"
    r"|change of plans?\b|actually,? no\b|doch nicht\b|vergiss das\b|olvida eso\b)|\bafter all\W*$",
    re.I,
)
_BACK = regex(
    r"\b(?:keep(?:s|ing)?|stay(?:s|ing)?|stick(?:s|ing)?|back|revert(?:s|ed|ing)?|return(?:s|ed|ing)?|still|it['’]?s"
    r"|bleib(?:t|en)|zurück)\b",
    re.I,
)


_GOES_BACK = regex(
    r"\b(?:go|goes|going|went|gone|switch(?:ed|ing)?|chang(?:ed?|ing)|mov(?:ed?|ing)|revert(?:ed|ing)?|return(?:ed|ing)?"
    r"|roll(?:ed|ing)?|put|set|brought) (?:it |them |this |that |everything )?back (?:to|on|onto)\b"
    r"|^\W*(?:(?:so|ok(?:ay)?|well|and),? )?(?:(?:we|i|it)(?:['’](?:re|m|s)| am| are| is) )?back (?:to|on)\b"
    r"|(?:['’](?:re|m|s)|\b(?:am|are|is)) back (?:to|on|with)\b"
    r"|\bwieder zurück (?:auf|zu|bei)\b|\bvuelv\w+ a\b|\bvolv\w+ al?\b|\bde vuelta al?\b",
    re.I,
)


def goes_back(first: str, between: str, later: str) -> bool:
    """Whether the latest of three statements goes back to a word of the first that the one between replaced.

    Examples
    --------
    >>> goes_back("The blog runs on Ghost.", "The blog runs on Hugo.", "The blog is back on Ghost.")
    True
    >>> goes_back("The API is REST.", "We switched the API to GraphQL.", "Scrap that, we keep REST.")
    True
    >>> goes_back("I take 50 mg.", "The doctor raised it to 75.", "We're going back to 50.")
    True
    >>> goes_back("The API is REST.", "We switched the API to GraphQL.", "We keep the REST docs in Notion.")
    False
    """
    if not _may_go_back(later):
        return False
    replacing = content_stems(between) - former_values(between)
    return bool(content_stems(later) & content_stems(first) - replacing)


@kept_for_texts(maxsize=1_024)
def _may_go_back(text: str) -> bool:
    if len(text.split()) > LONGEST:
        return False
    return bool(_GOES_BACK.search(text) or (_TAKEN_BACK.search(text) and _BACK.search(text)))
