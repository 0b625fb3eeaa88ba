"""What was sold, given away, lost or has died: what was said of it before is past."""

import re

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.reading import cues
from context_graph.reading.past_events import tells_what_happened
from context_graph.reading.subjects import WORD, content_stems, subject_of
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["is_gone", "tells_disposal"]

READ = 240
"""Characters of a statement that are looked at."""

_WORDS = r"(?P<thing>(?:[\w'’-]+ ){0,2}?[\w'’-]+)"
_THING = rf"{_WORDS}(?= (?:to|for|on|at|last|yesterday|today|because|and|this|in|with|y|und|para|por)\b|\W*$|[,.;!])"
_FORMS = [
    regex(form, re.I)
    for form in (
        r"^\W*(?:(?:so|ok|well|finally),? )?"
        r"(?:(?:i|we|he|she|they|my \w+|(?-i:[A-ZÀ-Þ])[\w-]+)(?:['’]ve| have| has)? )?"
        r"(?:now |just |finally )?"
        rf"(?:sold|scrapped|gave away|given away|got rid of|gotten rid of|threw (?:out|away)|binned|donated)"
        rf" (?:the|my|our|that) {_THING}",
        rf"^\W*(?:i|we)(?:['’]ve| have)? (?:had to (?:give|put)|gave|given) (?:the |my |our )?{_WORDS} "
        r"(?:away|up|down)\b",
        rf"^\W*(?:i|we) had to (?:give|let) (?:the |my |our )?{_WORDS} (?:to|go)\b",
        rf"^\W*(?:the|my|our) {_WORDS} (?:was|is|has been|got|were) (?:sold|scrapped|stolen|given away|written off)\b",
        rf"^\W*(?:(?:my|our|the) )?{_WORDS}(?: has| have)? "
        r"(?:died|passed away|was put down|didn['’]t survive|did not survive)\b",
        r"^\W*(?:ich habe|wir haben) (?:den|die|das|meinen?|meine|unseren?|unsere|unser|mein) "
        rf"{_WORDS} (?:verkauft|verschenkt)\b",
        r"^\W*(?:(?:meine?|unsere?|der|die|das) )?(?P<thing>(?:[\w-]+ )??[\w-]+) ist (?:\w+ ){0,3}gestorben\b",
        rf"^\W*(?:he|hemos) vendido (?:el|la|mi|nuestr[oa]) {_THING}",
        r"^\W*(?:(?:mi|nuestr[oa]|el|la) )?(?P<thing>[\w-]+) (?:ha muerto|murió)\b",
    )
]
_HAS_OR_IS = regex(
    r"\b(?:have|has|own|owns|drive|drives|got|keep|haben|habe|fahre|fahren|tengo|tenemos)\b"
    r"|^\W*(?:my|our|the) \w+(?: \w+)? (?:is|are) an? ",
    re.I,
)


@kept_for_texts(maxsize=512)
def _gone(text: str) -> frozenset[str]:
    """Stems of what is gone; empty where a statement tells of no such thing."""
    text = text[:READ]
    match = next((found for form in _FORMS if (found := form.search(text))), None)
    return content_stems(match["thing"]) if match else frozenset()


def is_gone(earlier: str, later: str) -> bool:
    """Whether a later statement says that the thing, the animal or the person is gone that the earlier one tells of,
    which tells of nothing that happened once.

    Examples
    --------
    >>> is_gone("The car needs new brakes.", "We sold the car to my cousin.")
    True
    >>> is_gone("Our car is a Skoda.", "Ole sold the Skoda, we have a Dacia now.")
    True
    >>> is_gone("We sold the car.", "I sold the car."), is_gone("Anna drives the car.", "We sold the caravan.")
    (False, False)
    """
    thing = _gone(later)
    if not thing or _gone(earlier) or tells_what_happened(earlier) or cues.CORRECTED.search(later):
        return False
    if not thing <= content_stems(earlier):
        return False
    subject = subject_of([word.lower() for word in WORD.findall(earlier)])
    return not thing.isdisjoint(subject) or language_of(earlier) != ENGLISH or bool(_HAS_OR_IS.search(earlier))


def tells_disposal(text: str) -> bool:
    """Whether a statement tells that anything is gone."""
    return bool(_gone(text))
