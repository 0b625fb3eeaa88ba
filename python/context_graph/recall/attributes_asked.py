"""Whether a question asks for something of somebody ("Ada's husband") of which nothing that is told has a word."""

import re
from collections.abc import Iterator, Sequence

from context_graph.embed import expansion
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stem_of, stems, term_id
from context_graph.reading.acts import named_in
from context_graph.regex import regex

__all__ = ["asks_for_the_untold"]

_OWNED = regex(r"(?:\b(?:my|our|his|her|their)\b|\b[\w-]{1,40}['’]s\b)((?:\s[\w-]{1,40}(?:['’]s)?){1,3})", re.I)
"""What belongs to somebody: up to three words behind whose it is."""

_WHOM = r"(?:(?:my|our|his|her|their) [\w-]{1,40}|[\w.-]{1,40}['’]s [\w-]{1,40}|(?-i:[A-ZÀ-Þ])[\w.-]{1,40})"
_HAS = regex(
    rf"^\W*(?:does|do|did|has|have) (?:{_WHOM}|we|i|they|he|she) (?:still |already )?(?:have|got|own|keep) "
    r"(?:(?:an?|any|some|the|many|other|more) )?(?P<what>[\w-]{3,40})(?: (?P<more>[\w-]{3,40}))?\W*$",
    re.I,
)
"""Asks whether somebody has one of a kind: "Does Ada have a dog?"."""

_IS = regex(rf"^\W*(?:is|was) {_WHOM} (?:still |already |now )?(?:an? )?(?P<what>[\w-]{{3,40}})\W*$", re.I)
"""Asks whether somebody is so, in a word: "Is Ada married?"."""

_BEHIND = frozenset(
    "at called come did do does for from go has have in is are like live named now on or still that the this to was"
    " were when where with and".split()
)
"""Words that no longer say what it is."""

_OF_ANYTHING = frozenset(stems("name names kind type sort thing things plan plans stuff business full first last own"))


def asks_for_the_untold(question: str, texts: Sequence[str]) -> bool:
    """Whether a question in English asks for what somebody has or is to somebody, and none of the texts told, all in
    English, has a word for that or one near it.

    Of 972 questions about the lives of benchmarks/quality/lives.txt that were looked at, which have an answer, it is so
    of 10, of 226 about the held ones of 3; of 29 of a tester, on which it was made, about things never told, of 8 (ad
    hoc).

    Examples
    --------
    >>> asks_for_the_untold("What's Aoife's husband called?", ["Aoife's birthday is in May."])
    True
    >>> asks_for_the_untold("What is my dog called?", ["Bran is our puppy."])
    False
    >>> asks_for_the_untold("Is Tim married?", ["Tim sang."]), asks_for_the_untold("Has Ada got a dog?", ["Ada left."])
    (True, True)
    """
    words = [*_asked(question)]
    if not words or not texts or any(language_of(text) != ENGLISH for text in (question, *texts)):
        return False
    known = {term_id(stem) for text in texts for stem in stems(text)}
    return not any(term in known for word in words for term in expansion.terms(word))


def _asked(question: str) -> Iterator[str]:
    """The words for what somebody has or is: "dentist" of "my dentist's name", "dog" of "Does Ada have a dog?"."""
    for form in (_HAS, _IS):
        if match := form.match(question):
            groups = match.groupdict()
            word = (groups.get("more") or groups["what"]).lower()
            if stem_of(word) and stem_of(word) not in _OF_ANYTHING:
                yield word
                return
    names = {stem_of(name.lower().removesuffix("'s").removesuffix("’s")) for name in named_in(question)}
    for owned in _OWNED.finditer(question):
        for word in owned[1].lower().split():
            if word in _BEHIND:
                break
            word = word.removesuffix("'s").removesuffix("’s")
            stem = stem_of(word)
            if stem and stem not in _OF_ANYTHING and stem not in names:
                yield word
