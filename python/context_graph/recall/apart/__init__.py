"""What ends nothing: a later statement about another person, thing or matter than the question asks for."""

from context_graph.reading.contradiction import contradiction
from context_graph.reading.ellipsis import completes_another
from context_graph.reading.identifiers import asked_number_apart, numbered_apart
from context_graph.recall.apart.answers import answer_apart, mentioned_apart, somebody_apart
from context_graph.recall.apart.aspects import aspect_apart
from context_graph.recall.apart.code import code_name_apart, tracked_apart, version_apart, work_apart
from context_graph.recall.apart.corrections import correction_apart
from context_graph.recall.apart.elaborations import environment_apart, kind_apart, part_apart, step_apart
from context_graph.recall.apart.entries import entry_apart
from context_graph.recall.apart.holders import holders_apart
from context_graph.recall.apart.moves import move_apart, other_move_apart, own_move_apart
from context_graph.recall.apart.persons import (
    denied_of_another_apart,
    hearsay_apart,
    introduction_apart,
    kin_of_another_apart,
    other_name_apart,
    person_apart,
    title_apart,
)
from context_graph.recall.apart.single_events import (
    acts_apart,
    aversion_apart,
    exception_apart,
    next_time_apart,
    once_apart,
)
from context_graph.recall.apart.statements import (
    added_apart,
    attempt_apart,
    beside_apart,
    booked_out_apart,
    cancelled_apart,
    cause_apart,
    days_apart,
    events_apart,
    instruction_apart,
    postponed_apart,
    proposal_apart,
    reason_apart,
    report_apart,
    turned_apart,
    value_gone,
    wish_apart,
)
from context_graph.recall.apart.topics import (
    amount_apart,
    asked_apart,
    matter_apart,
    record_apart,
    share_but_names,
    stays_apart,
    subject_apart,
    topic_apart,
    trouble_apart,
    uncovered_apart,
    unlike_apart,
    unrelated_apart,
)
from context_graph.recall.apart.values import (
    age_apart,
    introduced_apart,
    nobody_apart,
    qualifier_apart,
    setting_apart,
    ticket_apart,
    value_kind_apart,
)

__all__ = [
    "CERTAIN",
    "ENDS",
    "SURE",
    "apart",
    "never_replaces",
    "record_apart",
    "share_but_names",
    "surely_apart",
    "value_gone",
]

SURE, ENDS, CERTAIN = 0.0, 1.6, 3.0
"""Log odds of two statements from which on they need no help; from which on the earlier one is told with its end; and
from which on they alone decide, and nobody needs to be asked. Of 1,116 questions about lives of
`benchmarks.quality.lives` 51 lines had a false end at 1, 33 at 1.6."""

_ALWAYS_OF_TWO = (
    attempt_apart, events_apart, days_apart, postponed_apart, report_apart, beside_apart, reason_apart, move_apart,
    setting_apart, title_apart, proposal_apart, booked_out_apart, ticket_apart, instruction_apart,
    denied_of_another_apart, added_apart, cause_apart, turned_apart, once_apart, wish_apart,
    cancelled_apart, part_apart, environment_apart, kind_apart, tracked_apart, completes_another, hearsay_apart,
)  # fmt: skip
_ALWAYS_OF_ASKED = (
    asked_apart, person_apart, introduction_apart, amount_apart, stays_apart, value_kind_apart, nobody_apart,
    introduced_apart, qualifier_apart, other_move_apart, own_move_apart, other_name_apart, next_time_apart, age_apart,
    step_apart, asked_number_apart, acts_apart, code_name_apart, version_apart, work_apart, aspect_apart,
    entry_apart,
)  # fmt: skip
_NEVER = (holders_apart, aversion_apart, exception_apart, correction_apart, numbered_apart)
"""What no reading of two statements may overrule, neither a denial nor a disposal."""

_BELOW_ENDS = (answer_apart, uncovered_apart, trouble_apart)
_BELOW_CERTAIN = (somebody_apart, mentioned_apart, kin_of_another_apart, matter_apart)


def never_replaces(earlier: str, later: str) -> bool:
    """Whether the later of two statements ends nothing of the earlier one, whatever is asked and by whatever words.

    Examples
    --------
    >>> never_replaces("I'm allergic to cats.", "Turns out my son isn't allergic to cats.")
    True
    >>> never_replaces("I'm allergic to cats.", "Turns out I'm not allergic to cats.")
    False
    """
    return any(of_two(earlier, later) for of_two in _NEVER)


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
    if surely_apart(*texts):
        return True
    if at_once and contradiction(*pair) is not None:
        return True
    if odds is None:
        return any(of_asked(*texts) for of_asked in (somebody_apart, mentioned_apart, topic_apart, *_BELOW_ENDS))
    if odds < ENDS and any(of_asked(*texts) for of_asked in _BELOW_ENDS):
        return True
    if odds < SURE and (unrelated_apart(*texts) or subject_apart(*texts)):
        return True
    if odds < SURE and unlike_apart("" if whole else question, *pair):
        return True
    return odds < CERTAIN and any(of_asked(*texts) for of_asked in _BELOW_CERTAIN)


def surely_apart(question: str, earlier: str, later: str) -> bool:
    """Whether `apart` holds by a reading that is seldom wrong even where the trees of `claim_model` say a change."""
    of_two = any(apart_by(earlier, later) for apart_by in _ALWAYS_OF_TWO)
    return of_two or any(apart_by(question, earlier, later) for apart_by in _ALWAYS_OF_ASKED)
