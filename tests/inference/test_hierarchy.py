"""Cones trained on statements hold what the statements entail, and nothing that they do not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_graph.inference import coordinates
from context_graph.inference.coordinates import laid_out
from context_graph.inference.hierarchy import kinds
from context_graph.kernels.reference import cones as reference
from tests.requirements import requirement


def closed(parents):
    """Of each thing everything above it; parents come before children."""
    above = []
    for own in parents:
        above.append(tuple(sorted({one for parent in own for one in (parent, *above[parent])})))
    return tuple(above)


def order_of(above):
    wanted = np.eye(len(above), dtype=bool)
    for point, ancestors in enumerate(above):
        wanted[point, list(ancestors)] = True
    return wanted


@requirement("inference:cones-are-trained-to-the-order")
@settings(max_examples=25)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=16))
def test_the_cones_of_a_tree_hold_just_what_lies_below(choices):
    above = closed([(), *((choice % (i + 1),) for i, choice in enumerate(choices))])
    layout = laid_out(len(above), above)
    assert (layout.held == order_of(above)).all()
    assert (reference.ancestors(layout.points, layout.points) == layout.held).all()


@pytest.mark.parametrize("seed", range(3))
def test_of_an_order_with_several_parents_few_pairs_are_wrong(seed):
    rng = np.random.default_rng(seed)
    above = closed([()] + [rng.choice(i, min(i, 2), replace=False).tolist() for i in range(1, 40)])
    wrong = (laid_out(40, above).held != order_of(above)).sum()
    assert wrong <= 24, "15 of a thousand"


def test_the_slope_is_that_of_the_loss():
    rng = np.random.default_rng(5)
    points = coordinates._in_annulus(rng.standard_normal((6, coordinates.DIM)) * 0.05)
    wanted = order_of(closed([(), (0,), (1,), (0,), (3,), (3, 1)]))
    slope = coordinates._slope(points, wanted) / (((1 - (points**2).sum(axis=1)) / 2) ** 2)[:, None]

    def loss(points):
        outside = np.stack([reference.angle(points, point) for point in points]) - reference.aperture(points)
        hinge = np.where(
            wanted, np.maximum(outside + coordinates.MARGIN, 0), np.maximum(coordinates.MARGIN - outside, 0)
        )
        return hinge.sum() - np.trace(hinge)

    for row, column in ((0, 0), (2, 5), (5, 63)):
        step = np.zeros_like(points)
        step[row, column] = 1e-6
        assert (loss(points + step) - loss(points - step)) / 2e-6 == pytest.approx(
            slope[row, column], rel=1e-3, abs=1e-5
        )


def concept(memory, name):
    return next(node for node in memory.store.concepts() if node.name == name)


def names(related):
    return [one.node.name for one in related]


@pytest.fixture
def zoo(tell):
    texts = (
        "A whale is a mammal.",
        "Mammals are a kind of animal.",
        "A dog is a mammal.",
        "An animal is a living thing.",
    )
    return [tell(text) for text in texts]


@requirement("inference:kinds-are-transitive")
def test_what_follows_over_several_statements_is_found_with_all_of_them(memory, zoo):
    answer = kinds(memory, concept(memory, "whale"), memory.caller, depth=10)
    assert names(answer.ancestors) == ["mammal", "animal", "living thing"] and answer.descendants == ()
    assert [link.stated_in[0] for link in answer.ancestors[2].chain] == [zoo[0], zoo[1], zoo[3]]
    assert answer.ancestors[2].confidence == pytest.approx(0.6**3)
    assert all(one.held for one in answer.ancestors) and answer.agreement == 1.0
    below = kinds(memory, concept(memory, "living thing"), memory.caller, depth=2)
    assert names(below.descendants) == ["animal", "mammal"], "two levels"
    assert names(kinds(memory, concept(memory, "dog"), memory.caller, depth=10).ancestors)[0] == "mammal"


@requirement("inference:rests-on-what-holds")
def test_a_statement_that_is_gone_entails_nothing(memory, zoo):
    from context_graph.ingest.forget import forget

    forget(memory, zoo[1], "obsolete")
    assert names(kinds(memory, concept(memory, "whale"), memory.caller, depth=10).ancestors) == ["mammal"]


def test_what_another_session_states_entails_nothing_here(memory, zoo):
    from context_graph import Draft

    memory.remember(Draft("A whale is a kind of fish.", "a joke", scope="session"), caller=memory.caller.within("hers"))
    whale = concept(memory, "whale")
    assert "fish" in names(kinds(memory, whale, memory.caller.within("hers"), depth=10).ancestors)
    assert "fish" not in names(kinds(memory, whale, memory.caller.within("mine"), depth=10).ancestors)


def test_a_circle_is_cut_at_what_was_said_last(memory, zoo, tell):
    tell("An animal is a dog.")
    answer = kinds(memory, concept(memory, "dog"), memory.caller, depth=10)
    assert names(answer.ancestors) == ["mammal", "animal", "living thing"] and answer.descendants == ()
    assert len(answer.circular) == 1


def test_a_large_hierarchy_is_told_to_be_cut(memory, zoo, tell, monkeypatch):
    monkeypatch.setattr("context_graph.inference.hierarchy.MAX_THINGS", 3)
    assert kinds(memory, concept(memory, "whale"), memory.caller, depth=10).complete is False
