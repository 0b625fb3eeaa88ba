"""Plans for a workflow (GOAP): the cheapest sequence of actions after which all facts of a goal hold, found by A*."""

import heapq
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from context_graph.errors import InvalidInput, NotApplicable

__all__ = ["Action", "cheapest_plan"]

MAX_PLAN_STATES = 20_000
"""Sets of facts that are looked at; a goal that needs more is refused."""


@dataclass(frozen=True, slots=True)
class Action:
    """What can be done, what must hold before, and what holds afterwards.

    Attributes
    ----------
    does : str
        The step that is run: "sync documents", "measure gaps", "write report" or "agent TYPE".
    task : str
        What an agent is told.
    """

    name: str
    does: str
    gives: frozenset[str]
    needs: frozenset[str] = frozenset()
    cost: float = 1.0
    task: str = ""


def cheapest_plan(facts: Collection[str], goal: Collection[str], actions: Sequence[Action]) -> list[Action]:
    """The actions to take, in order; none where the goal holds already.

    The estimate of what is left is the cost of the dearest missing fact, each by its cheapest action: it never says too
    much, so the plan is the cheapest there is. Of plans that cost the same, the one whose actions come first is taken.

    Examples
    --------
    >>> look = Action("look", "x", frozenset({"seen"}))
    >>> mend = Action("mend", "x", frozenset({"mended"}), frozenset({"seen"}), 2.0)
    >>> [one.name for one in cheapest_plan([], ["mended"], [mend, look])]
    ['look', 'mend']
    """
    useful = _useful(frozenset(goal) - set(facts), actions)
    cheapest: dict[str, float] = {}
    for one in useful:
        for fact in one.gives:
            cheapest[fact] = min(one.cost, cheapest.get(fact, one.cost))
    unknown = sorted(fact for fact in goal if fact not in facts and fact not in cheapest)
    if unknown:
        known = ", ".join(sorted({fact for one in actions for fact in one.gives}))
        raise InvalidInput(
            f"no action gives {', '.join(unknown)[:200]}; facts that can be reached: {known}", field="goal"
        )

    def left(state: frozenset[str]) -> float:
        return max((cheapest[fact] for fact in goal if fact not in state), default=0.0)

    ties = count()
    start = frozenset(facts)
    waiting: list[tuple[float, int, float, frozenset[str], tuple[Action, ...]]] = [
        (left(start), next(ties), 0.0, start, ())
    ]
    spent = {start: 0.0}
    while waiting:
        _, _, cost, state, steps = heapq.heappop(waiting)
        if state.issuperset(goal):
            return list(steps)
        if cost > spent[state]:
            continue
        for one in useful:
            if one.needs <= state and not one.gives <= state:
                after, total = state | one.gives, cost + one.cost
                if total < spent.get(after, float("inf")):
                    spent[after] = total
                    heapq.heappush(waiting, (total + left(after), next(ties), total, after, (*steps, one)))
        if len(spent) > MAX_PLAN_STATES:
            raise NotApplicable(
                f"no plan was found among {MAX_PLAN_STATES:,} sets of facts", hint="name fewer facts, or fewer actions"
            )
    raise NotApplicable(
        f"no sequence of actions leads to {', '.join(sorted(goal))[:200]}",
        hint="each action of the way needs facts that hold before, or that another action gives",
    )


def _useful(missing: Iterable[str], actions: Sequence[Action]) -> list[Action]:
    """The actions that give what is missing, or what one of them needs; the others lengthen the search alone."""
    wanted, useful = set(missing), list[Action]()
    while more := [one for one in actions if one not in useful and not one.gives.isdisjoint(wanted)]:
        useful += more
        wanted |= {fact for one in more for fact in one.needs}
    return [one for one in actions if one in useful]
