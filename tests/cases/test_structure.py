"""Edges found in cases: those that the cases were drawn from, and the score that decides."""

import itertools
import math

import numpy as np
import pytest

from context_graph.cases.structure import MAX_FAMILY_PARENTS, learned_structure
from tests.requirements import requirement


def drawn(seed, count):
    """a and b decide c together, c decides d; e is by itself."""
    dice = np.random.default_rng(seed)
    for _ in range(count):
        a, b, e = (int(value) for value in dice.integers(0, 2, 3))
        c = int(dice.random() < (0.05, 0.8, 0.7, 0.97)[2 * a + b])
        yield {"a": a, "b": b, "c": c, "d": c if dice.random() < 0.9 else 1 - c, "e": e}


SIZES = dict.fromkeys("abcde", 2)


@requirement("cases:structure-is-found")
def test_what_depends_is_joined_and_what_does_not_is_not():
    found = learned_structure(list(drawn(1, 800)), SIZES)
    joined = {frozenset(edge) for edge in found.edges}
    assert {frozenset("ac"), frozenset("bc"), frozenset("cd")} <= joined
    assert not any("e" in edge for edge in found.edges)
    assert {("a", "c"), ("b", "c")} <= set(found.edges), "two causes that are independent show which way"
    assert found.score > found.score_of_given and found.cases == 800


@requirement("cases:structure-is-found")
def test_given_edges_stay_and_no_circle_is_closed():
    found = learned_structure(list(drawn(2, 400)), SIZES, [("d", "a"), ("e", "a")])
    assert found.edges[:2] == (("d", "a"), ("e", "a"))
    parents = {name: {parent for parent, child in found.edges if child == name} for name in SIZES}
    assert all(len(those) <= MAX_FAMILY_PARENTS for those in parents.values())
    left = dict(parents)
    while left:
        roots = [name for name, those in left.items() if not those & left.keys()]
        assert roots, f"a circle among {sorted(left)}"
        for name in roots:
            del left[name]


def test_the_score_is_the_information_criterion():
    rows = list(drawn(3, 300))
    found = learned_structure(rows, {"a": 2, "c": 2}, [("a", "c")])
    expected = -0.5 * math.log(300) * (1 + 2)
    for a, c in itertools.product(range(2), repeat=2):
        n, of_a = sum(row["a"] == a and row["c"] == c for row in rows), sum(row["a"] == a for row in rows)
        expected += n * math.log(n / of_a)
    for a in range(2):
        of_a = sum(row["a"] == a for row in rows)
        expected += of_a * math.log(of_a / 300)
    assert found.score_of_given == pytest.approx(expected)


def test_no_single_move_makes_it_better_than_all_graphs_of_three():
    """Of three variables all 25 acyclic graphs can be looked at."""
    rows = [{name: row[name] for name in "abc"} for row in drawn(4, 500)]
    sizes = dict.fromkeys("abc", 2)
    found = learned_structure(rows, sizes)
    pairs = list(itertools.combinations("abc", 2))
    best = -math.inf
    for ways in itertools.product((None, 0, 1), repeat=3):
        edges = [pair if way == 0 else pair[::-1] for pair, way in zip(pairs, ways, strict=True) if way is not None]
        if sorted(edges) in ([("a", "b"), ("b", "c"), ("c", "a")], [("a", "c"), ("b", "a"), ("c", "b")]):
            continue
        best = max(best, learned_structure(rows, sizes, edges).score_of_given)
    assert found.score == pytest.approx(best)


def test_too_few_whole_cases_say_nothing():
    rows = [*drawn(5, 19), *({"a": 1, "b": 0} for _ in range(100))]
    assert learned_structure(rows, SIZES) is None


@requirement("cases:structure-is-found")
def test_a_network_without_edges_finds_them_and_tells_them(ask, refused):
    pytest.importorskip("pyagrum", reason="pyAgrum is not installed (extra [causal])")
    variables = {"rain": [True, False], "wet": [True, False], "monday": [True, False]}
    config = {"variables": variables, "learn_from_cases": True, "learn_structure": True}
    ask("create_cerebrum_model", name="w", model_type="bayesian", config=config)
    for i in range(40):
        rain = i % 3 == 0
        features = {"rain": rain, "wet": rain if i % 10 else not rain, "monday": i % 7 == 0}
        ask("add_case", case_id=f"d{i}", features=features, model="w")
        if i == 5:
            few = ask("bayesian_inference", network_name="w", query={"rain": None})
            assert "structure" not in few and few["results"]["rain"]["probabilities"][0] < 0.5
    answer = ask("bayesian_inference", network_name="w", query={"rain": None}, evidence={"wet": True})
    assert [sorted(edge) for edge in answer["structure"]["edges"]] == [["rain", "wet"]]
    assert (
        answer["structure"]["cases"] == 40
        and answer["structure"]["score"] > answer["structure"]["score_of_given_edges"]
    )
    assert answer["results"]["rain"]["probabilities"][0] > 0.75
    given = {"rain": [0.5, 0.5]}
    message = refused("create_cerebrum_model", name="x", model_type="bayesian", config=config | {"cpts": given})
    assert "learn_structure needs learn_from_cases, no cpts" in message
