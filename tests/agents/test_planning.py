"""Plans: the cheapest way to a goal."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.agents.planning import Action, cheapest_plan
from context_graph.errors import InvalidInput, NotApplicable
from tests.requirements import requirement

FACTS = st.frozensets(st.sampled_from("abcde"), max_size=2)
SOME = st.frozensets(st.sampled_from("abcde"), min_size=1, max_size=2)
COSTS = st.sampled_from([1.0, 2.0, 5.0])
ACTIONS = st.lists(st.builds(Action, st.sampled_from("uvwxyz"), st.just("x"), SOME, FACTS, COSTS), max_size=5)


def brute_force(facts, goal, actions):
    """The cost of the cheapest sequence, of all that there are; None where none leads there."""
    best = 0.0 if set(goal) <= set(facts) else None
    for length in range(1, len(actions) + 1):
        for sequence in permutations(actions, length):
            state, cost = set(facts), 0.0
            for one in sequence:
                if not one.needs <= state:
                    break
                state |= one.gives
                cost += one.cost
            else:
                if set(goal) <= state and (best is None or cost < best):
                    best = cost
    return best


@requirement("knowledge:plans")
@given(facts=FACTS, goal=FACTS, actions=ACTIONS)
def test_the_plan_is_the_cheapest_there_is_and_runs_as_it_stands(facts, goal, actions):
    expected = brute_force(facts, goal, actions)
    try:
        plan = cheapest_plan(facts, goal, actions)
    except (InvalidInput, NotApplicable):
        assert expected is None
        return
    assert sum(one.cost for one in plan) == expected
    state = set(facts)
    for one in plan:
        assert one.needs <= state
        state |= one.gives
    assert goal <= state


def test_a_fact_that_nothing_gives_is_told_with_those_that_can_be_reached():
    with pytest.raises(InvalidInput, match=r"no action gives peace; facts that can be reached: seen"):
        cheapest_plan([], ["peace"], [Action("look", "x", frozenset({"seen"}))])
    with pytest.raises(NotApplicable, match="no sequence of actions leads to seen"):
        cheapest_plan([], ["seen"], [Action("look", "x", frozenset({"seen"}), frozenset({"light"}))])


def test_many_actions_are_searched_within_bounds():
    useless = [Action(f"u{i}", "x", frozenset({f"u{i}"})) for i in range(500)]
    chain = [Action(f"c{i}", "x", frozenset({f"c{i + 1}"}), frozenset({f"c{i}"})) for i in range(50)]
    assert len(cheapest_plan(["c0"], ["c50"], [*useless, *chain])) == 50
    with pytest.raises(NotApplicable, match="no plan was found among"):
        cheapest_plan([], [f"u{i}" for i in range(500)], useless)
