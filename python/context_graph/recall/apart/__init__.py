"""What ends nothing: a later statement about another person, thing or matter than the question asks for."""

from context_graph.reading.contradiction import contradiction
from context_graph.recall.apart.answers import answer_apart, somebody_apart
from context_graph.recall.apart.persons import (
    definition_apart,
    introduction_apart,
    kin_apart,
    kin_of_another_apart,
    person_apart,
)
from context_graph.recall.apart.statements import (
    beside_apart,
    days_apart,
    events_apart,
    handed_apart,
    kind_apart,
    postponed_apart,
    reason_apart,
    report_apart,
    subject_apart,
    value_gone,
    wish_apart,
)
from context_graph.recall.apart.topics import (
    amount_apart,
    asked_apart,
    matter_apart,
    stays_apart,
    thing_apart,
    topic_apart,
    uncovered_apart,
    unlike_apart,
    unrelated_apart,
)

__all__ = ["CERTAIN", "ENDS", "SURE", "apart", "value_gone"]

SURE, ENDS, CERTAIN = 0.0, 1.0, 3.0
"""Log odds of two statements from which on they need no help; from which on the earlier one is told with its end; and
from which on they alone decide, and nobody needs to be asked. At 0 a fiftieth of what was told of the lives "fitted" of
`benchmarks.quality.lives` had a false end, at 0.5 a hundredth, at 1 nothing."""

_ALWAYS_OF_TWO = (
    kind_apart, events_apart, days_apart, handed_apart, reason_apart, postponed_apart, report_apart, beside_apart,
)  # fmt: skip
_ALWAYS_OF_ASKED = (asked_apart, person_apart, introduction_apart, amount_apart, stays_apart, definition_apart)
_BELOW_ENDS = (answer_apart, uncovered_apart)
_BELOW_CERTAIN = (somebody_apart, kin_of_another_apart, matter_apart)
_BELOW_SURE = (kin_apart, unrelated_apart)
_JOINED_BY_THE_QUESTION = (topic_apart, thing_apart)


def apart(question: str, earlier: str, later: str, odds: float | None, *, whole: bool, at_once: bool) -> bool:
    """Whether two statements are about two matters, or of one moment: that one was stored after the other says nothing.

    Parameters
    ----------
    odds : float, optional
        Log odds that the later one takes the place of the earlier one; None where only the question joins them.
    whole : bool
        The question asks for all of a kind.
    at_once : bool
        Both were told at one moment.
    """
    texts, pair = (question, earlier, later), (earlier, later)
    if any(of_asked(*texts) for of_asked in _ALWAYS_OF_ASKED) or any(of_two(*pair) for of_two in _ALWAYS_OF_TWO):
        return True
    if at_once and contradiction(*pair) is not None:
        return True
    if odds is None:
        joined = any(of_asked(*texts) for of_asked in (somebody_apart, *_BELOW_ENDS, *_JOINED_BY_THE_QUESTION))
        return joined or subject_apart(*pair) or kin_apart(*texts) or wish_apart(*pair)
    if odds < ENDS and any(of_asked(*texts) for of_asked in _BELOW_ENDS):
        return True
    if odds < SURE and (any(of_asked(*texts) for of_asked in _BELOW_SURE) or wish_apart(*pair)):
        return True
    if odds < SURE and unlike_apart("" if whole else question, *pair):
        return True
    return odds < CERTAIN and any(of_asked(*texts) for of_asked in _BELOW_CERTAIN)
