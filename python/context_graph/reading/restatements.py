"""Whether a statement only says again, in other words, what an earlier one said."""

from collections.abc import Sequence

from context_graph.embed.languages import language_of
from context_graph.embed.stems import stem_of
from context_graph.reading import cues, supersession
from context_graph.reading.differences import UNIT_OF, marks_of
from context_graph.reading.news import news_odds
from context_graph.reading.subjects import WORD
from context_graph.texts import kept_for_texts

__all__ = ["restates"]

MIN_SAME_WORDS = 0.6
"""Share of the words of the shorter one that both have."""

MAX_NEWS = -0.4
"""Log odds of a change from which on a statement tells of one, whatever its words."""

_VALUES = ("number", "time", "unit", "name")
_BOUND = ("negation", "modality", "quantity", "direction", "sign")
"""More of these is something else."""


def restates(earlier: str, later: str) -> bool:
    """Whether a later statement names nothing that the earlier one does not, says most of the same words, and tells of
    no change. Of 871 statements and what took their place (benchmarks/quality/lives.txt, the half of `truth` that rules
    were made on) it is so of none in a language whose words of change are known.

    Examples
    --------
    >>> restates("The car needs 95 octane petrol.", "Our car takes petrol with 95 octane.")
    True
    >>> restates("Dad's birthday is the 4th of May.", "Dad was born on May 4th.")
    True
    >>> restates("I run 30 km a week.", "I run 40 km a week."), restates("Ada is at Acme.", "Ada has left Acme.")
    (False, False)
    >>> restates("Support answers by email on Monday.", "Support answers by phone on Monday.")
    False
    """
    if not {language_of(earlier), language_of(later)} <= set(cues.LANGUAGES):
        return False
    one, other = (_plain_stems(text) for text in (earlier, later))
    both = {*one} & {*other}
    if len(both) < MIN_SAME_WORDS * min(len({*one}), len({*other})) or _differ_in_a_word(one, other):
        return False
    change = supersession.change_of(later)
    tells_a_change = change.changed or change.corrected or change.denied or cues.PAST.search(later)
    if tells_a_change or news_odds(later) > MAX_NEWS:
        return False
    before, after = marks_of(earlier, later), marks_of(later, earlier)
    if any(set(before.get(kind, ())) != set(after.get(kind, ())) for kind in _BOUND):
        return False
    values = [value for kind in _VALUES for value in after.get(kind, ())]
    return bool(values) and all(set(after.get(kind, ())) <= set(before.get(kind, ())) for kind in _VALUES)


@kept_for_texts(maxsize=1_024)
def _plain_stems(text: str) -> tuple[str, ...]:
    words = [word.removesuffix("'s").removesuffix("’s") for word in WORD.findall(text.lower())]
    return tuple(stem for word in words if word not in UNIT_OF and (stem := stem_of(word)))


def _differ_in_a_word(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1
