"""Whether a statement calls off what an earlier one planned, by the words that it calls it."""

from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["calls_off"]

_WORDS = r"((?:(?!(?:and|but|if|is|so|then|when|with|because|for)\b)[\w'’.-]+ ){0,3}?[\w'’-]+)"
_WHOLE = r"(?= (?:again|altogether|completely|after all|this|that|in the end)\b|\W*$|[,.;:!])"
_FORMS = [
    regex(form)
    for form in (
        rf"(?i)^\W*(?:(?:so|ok|well|oh),? )?(?:(?:the|our|my) )?{_WORDS} (?:fell|has fallen|falls) through\b",
        rf"(?i)^\W*(?:(?:so|ok|well|oh),? )?(?:(?:the|our|my) )?{_WORDS} (?:is|are|['’]s|was|got|has been|have been) "
        rf"(?:off|cancel+ed|called off|scrapped|not happening){_WHOLE}",
        rf"(?i)^\W*(?:(?:let['’]s|we|i|they)(?:['’]ve|['’]ll)? )?(?:skip|scrap|cancel|drop|call off)(?:p?ed|l?ed|led)? "
        rf"(?:the|our|my|that) {_WORDS}{_WHOLE}",
        rf"(?i)^\W*mit (?:dem|der|den) {_WORDS} (?:hab|habe|haben) (?:ich|wir) aufgehört\b",
        rf"(?i)^\W*(?:(?:der|die|das|unser|unsere|mein|meine) )?{_WORDS} (?:fällt aus|ist abgesagt|wurde abgesagt)\b",
        rf"(?i)^\W*(?:(?:el|la|mi|nuestr[oa]) )?{_WORDS} (?:se (?:ha )?cancel(?:ó|ado)|está cancelad[oa])\b",
    )
]

_OF_ANYTHING = content_stems("thing things bit plan plans idea business one ones stuff whole")
"""Words for whatever was planned."""


def calls_off(earlier: str, later: str) -> bool:
    """Whether a later statement says that something is off, all of whose words the earlier one has.

    Examples
    --------
    >>> calls_off("Meeting with the bank on the 17th.", "The bank thing fell through.")
    True
    >>> calls_off("On Wednesday there's the parents' meeting.", "Skip the parents' meeting, Lasse's dad goes.")
    True
    >>> calls_off("The bank is in Bath.", "The dentist is off."), calls_off("The lights are on.", "It is off.")
    (False, False)
    """
    thing = _called_off(later)
    return bool(thing) and thing <= content_stems(earlier) and not _called_off(earlier)


@kept_for_texts(maxsize=256)
def _called_off(text: str) -> frozenset[str]:
    for form in _FORMS:
        if match := form.search(text):
            return content_stems(match[1].replace("'s", "").replace("’s", "")) - _OF_ANYTHING
    return frozenset()
