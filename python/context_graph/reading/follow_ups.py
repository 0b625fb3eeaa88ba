"""Whether a statement tells what became of "it", so that the one before it says what that is."""

import re

from context_graph.reading import cues
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["acts_on_it"]

READ = 160
"""Characters of a statement that are looked at."""

_DONE = (
    r"(?:moved|put|took|taken|gave|given|sold|returned|brought|turned|cancel+ed|lost|found|changed|switched|renamed|deleted"
    r"|dropped|fixed|lent|loaned|left|repaired|mended|threw|thrown|swapped|replaced|paid|finished|picked|sent|declined"
    r"|accepted|rejected|refused|withdrew|deferred|postponed|rescheduled|handed|passed|hid|stole|broke|scrapped|reverted|undid"
    r"|closed|booked)"
)
_ACTS = regex(
    r"^\W*(?:(?:so|but|and|ok(?:ay)?|then|yesterday|today),? )?"
    r"(?:i|we|he|she|they|somebody|someone|(?-i:[A-ZÀ-Þ])[\w’'-]+|(?:my|our) \w+)"
    rf"(?:['’]ve| have| has| had)? (?:(?:just|now|already|finally|then) )?{_DONE}"
    r" (?:it|them|that one|this one)\b(?! (?:is|was|are|were)\b)",
    re.I,
)

_ACTS_ELSEWHERE = regex(
    r"^\W*(?:ich|wir|er|sie|jemand|(?-i:[A-ZÀ-Þ])[\w-]+) (?:habe|haben|hat) (?:ihn|sie|es) (?:[\w-]+ ){0,8}?"
    r"(?:\w*ge\w+(?:t|en)|ver\w+(?:t|en)|zer\w+(?:t|en)|ent\w+(?:t|en))\b"
    r"|^\W*(?:(?:me|se|te|nos) )?(?:lo|la|los|las) "
    r"(?:(?:he|hemos|ha|han) \w+(?:ado|ido|sto|cho|rto)|\w{2,}(?:é|í|ó|imos|amos|aron|ieron)|puse|puso|di|dio|hice"
    r"|hizo)\b",
    re.I,
)


@kept_for_texts(maxsize=512)
def acts_on_it(text: str) -> bool:
    """Whether a statement opens with what somebody did with something that it does not name.

    Examples
    --------
    >>> acts_on_it("I moved it to the meter box."), acts_on_it("I turned it down, the commute is too long.")
    (True, True)
    >>> acts_on_it("I moved the key."), acts_on_it("It is in the meter box."), acts_on_it("Did you move it?")
    (False, False, False)
    """
    text = text[:READ]
    return bool(_ACTS.match(text) or _ACTS_ELSEWHERE.match(text)) and not cues.OPEN.search(text)
