"""Exact inference agrees with trying every case, where pyAgrum is installed."""

import itertools
import random

import pytest

from context_graph.errors import NotApplicable
from context_graph.inference import bayes
from context_graph.inference.bayes import LEAK, Cause, acyclic, answers, best_explanation, necessity, posteriors
from tests.requirements import requirement


@pytest.fixture
def exact():
    pytest.importorskip("pyagrum", reason="pyagrum is not installed (extra: causal)")


def worlds(causes, things):
    """Every way in which causes work and things come of themselves, and how likely it is."""
    chances = [(("works", i), cause.strength) for i, cause in enumerate(causes)] + [(("leak", t), LEAK) for t in things]
    for values in itertools.product((False, True), repeat=len(chances)):
        likely = 1.0
        for value, (_, chance) in zip(values, chances, strict=True):
            likely *= chance if value else 1 - chance
        yield likely, {name: value for value, (name, _) in zip(values, chances, strict=True)}


def come_about(causes, things, chances, forced):
    state = {}
    for thing in things:  # in the order of their names, which causes precede
        by = [chances["works", i] and state[c.source] for i, c in enumerate(causes) if c.target == thing]
        state[thing] = forced.get(thing, chances["leak", thing] or any(by))
    return state


def by_trying_all(causes, things, what, given, forced=None):
    """P(what | given, do(forced)); both are functions of what has come about."""
    both = known = 0.0
    for likely, chances in worlds(causes, things):
        state = come_about(causes, things, chances, forced or {})
        weight = likely * given(state)
        known += weight
        both += weight * what(state, chances)
    return both / known


def some_causes(seed):
    rng = random.Random(seed)
    pairs = [pair for pair in itertools.combinations("abcd", 2) if rng.random() < 0.7 or pair == ("a", "d")]
    return [Cause(*pair, round(rng.uniform(0.1, 0.95), 2)) for pair in pairs]


def weight_of(seen):
    def given(state):
        weight = 1.0
        for thing, value in seen.items():
            weight *= value if state[thing] else 1 - value
        return weight

    return given


@requirement("inference:exact-not-guessed")
def test_seen_and_done_are_as_in_every_case(exact):
    things, cases = "abcd", []
    for seed in range(8):
        for forced in ({}, {"b": True}, {"b": False}):
            for seen in ({}, {"a": 1.0}, {"a": 0.0, "c": 1.0}, {"d": 0.8}):
                cases.append((some_causes(seed), forced, seen))
    found = answers(*(posteriors(causes, ["a", "d"], observed=seen, forced=forced) for causes, forced, seen in cases))
    for (causes, forced, seen), likely in zip(cases, found, strict=True):
        for target in ("a", "d"):
            wanted = by_trying_all(causes, things, lambda state, _: state[target], weight_of(seen), forced)  # noqa: B023
            assert likely[target] == pytest.approx(wanted, abs=1e-9)


@requirement("inference:exact-not-guessed")
def test_what_would_have_been_is_as_in_every_case(exact):
    networks = [some_causes(seed) for seed in range(8)]
    for causes, likely in zip(networks, answers(*(necessity(causes, "a", "d") for causes in networks)), strict=True):
        things = sorted({end for cause in causes for end in (cause.source, cause.target)})
        wanted = by_trying_all(
            causes, things,
            lambda state, chances: not come_about(causes, things, chances, {"a": False})["d"],  # noqa: B023
            lambda state: state["a"] and state["d"],
        )  # fmt: skip
        assert likely == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_explanation_is_the_likeliest_set_of_causes(exact, seed):
    causes = [cause for cause in some_causes(seed) if cause.target in "cd" and cause.source in "ab"]
    things = "abcd"
    ((found, likely, none, ties),) = answers(best_explanation(causes, ["a", "b"], {"d": 1.0}))
    cases = {
        values: by_trying_all(
            causes, things,
            lambda state, _: (state["a"], state["b"]) == values, lambda state: state["d"],  # noqa: B023
        )
        for values in itertools.product((False, True), repeat=2)
    }  # fmt: skip
    assert none == pytest.approx(cases.pop((False, False)), abs=1e-9)
    best = max(cases, key=cases.get)
    assert found == [name for name, there in zip("ab", best, strict=True) if there]
    assert likely == pytest.approx(cases[best], abs=1e-9)
    assert ties == [], "of different strengths none is as likely as another"


def test_explanations_that_are_as_likely_are_all_given(exact):
    causes = [Cause(cause, "d", 0.6) for cause in "abc"]
    ((found, _, _, ties),) = answers(best_explanation(causes, ["a", "b", "c"], {"d": 1.0}))
    assert sorted([found, *ties]) == [["a"], ["b"], ["c"]]


def test_seeing_is_not_doing(exact):
    causes = [Cause("summer", "ice cream", 0.9), Cause("summer", "drowning", 0.5)]
    seen, done, plain = (
        found["drowning"]
        for found in answers(
            posteriors(causes, ["drowning"], observed={"ice cream": 1.0}),
            posteriors(causes, ["drowning"], forced={"ice cream": True}),
            posteriors(causes, ["drowning"]),
        )
    )
    assert done == pytest.approx(plain) and seen > 10 * done


def test_a_circle_is_cut_at_its_weakest_cause():
    circle = [Cause("a", "b", 0.5), Cause("b", "c", 0.2), Cause("c", "a", 0.9), Cause("c", "d", 0.1)]
    kept, cut = acyclic(circle)
    assert cut == [circle[1]] and set(kept) == set(circle) - set(cut)
    two = [*circle, Cause("b", "a", 0.4)]
    kept, cut = acyclic(two)
    assert {(one.source, one.target) for one in cut} == {("b", "c"), ("b", "a")}
    assert acyclic(kept) == (kept, [])


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setattr(bayes, "find_spec", lambda name: None)
    with pytest.raises(NotApplicable, match=r"pip install 'ultimate-context-graph\[causal\]'"):
        answers(posteriors([Cause("a", "b", 0.5)], ["b"]))


def test_a_child_that_falls_over_is_an_error_and_no_more(exact, monkeypatch):
    with pytest.raises(NotApplicable, match="gave no answer"):
        answers({"kind": "nothing of the sort", "causes": []})
    monkeypatch.setattr(bayes, "LIMIT_S", 0.001)
    with pytest.raises(NotApplicable, match=r"0\.001 s were over"):
        answers(posteriors([Cause("a", "b", 0.5)], ["b"]))
