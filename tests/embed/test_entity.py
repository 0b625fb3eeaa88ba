"""E11: names as points that steps lead between, and that the place of each carries something."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from context_graph.derived import EntitySpace
from context_graph.embed import entity
from context_graph.kernels import transe
from context_graph.recall.question import Question

CAPITALS = ("paris france", "rome italy", "madrid spain", "vienna austria", "lisbon portugal", "oslo norway")
NAMES = sorted({name for pair in CAPITALS for name in pair.split()})
FACTS = np.array([[NAMES.index(a), 0, NAMES.index(b)] for a, b in map(str.split, CAPITALS)])


def share_found(space: entity.Entities) -> float:
    """How many tails are the nearest to their head and relation."""
    points, steps = space.points, space.steps
    found = 0
    for head, relation, tail in FACTS:
        scores = transe.score(
            np.repeat(points[[head]], len(NAMES), axis=0), np.repeat(steps[[relation]], len(NAMES), axis=0), points
        )
        scores[head] = -np.inf
        found += int(scores.argmax() == tail)
    return found / len(FACTS)


def test_every_half_of_the_points_and_the_step_matter():
    space = entity.learned(FACTS, NAMES, ["capital of"])
    assert share_found(space) == 1.0
    permuted = np.roll(space.points, 1, axis=0)
    assert share_found(space._replace(points=permuted)) <= 0.5
    assert share_found(space._replace(points=np.zeros_like(space.points))) <= 0.5
    for half in (slice(0, 128), slice(128, 256)):
        mixed = space.points.copy()
        mixed[:, half] = permuted[:, half]
        head, _, tail = FACTS[0]
        near = [entity.nearness(one, np.array([head]))[tail] for one in (space._replace(points=mixed), space)]
        assert near[0] < near[1]


def test_the_same_facts_give_the_same_bits():
    first, second = (entity.learned(FACTS, NAMES, ["capital of"]) for _ in range(2))
    assert_array_equal(first.points, second.points)
    assert_array_equal(first.steps, second.steps)
    np.testing.assert_allclose(np.linalg.norm(first.points, axis=1), 1.0, atol=1e-5)


def test_what_was_learned_before_is_where_learning_goes_on():
    before = -entity.learned(FACTS, NAMES, ["capital of"]).points
    again = entity.learned(FACTS, NAMES, ["capital of"], dict(zip(NAMES, before, strict=True)))
    fresh = entity.learned(FACTS, NAMES, ["capital of"])
    assert np.linalg.norm(again.points - before) < 0.5 * np.linalg.norm(fresh.points - before)
    assert share_found(again) == 1.0


def test_nothing_is_told_of_names_in_both_or_of_none():
    space = entity.learned(FACTS, NAMES, ["capital of"])
    near = entity.nearness(space, np.array([1]))
    assert np.isnan(near[1]) and np.isfinite(np.delete(near, 1)).all()
    assert np.isnan(entity.nearness(space, np.array([], np.int64))).all()
    assert entity.learned(np.zeros((0, 3), np.int64), [], []).points.shape == (0, 256)


@pytest.fixture
def ports(tell):
    tell("Rotterdam was built by Alma Ferry near Delft.")
    tell("Alma Ferry lives in Delft and walks to Rotterdam.")
    tell("The archive of Delft holds a letter of Ruben Slate.")
    tell("Ruben Slate paints in Kiel.")
    return tell("Nobody is named here.")


def test_names_that_stand_together_lie_near(memory, ports):
    rows = np.arange(len(memory.corpus))
    scores = memory.view(EntitySpace).scores(memory.corpus, "Who is Alma Ferry?", rows)
    assert np.isfinite(scores[:3]).any() and (scores[np.isfinite(scores)] <= 0).all()
    assert np.isnan(scores[4])
    assert np.isnan(memory.view(EntitySpace).scores(memory.corpus, "Who is Zed Unknown?", rows)).all()
    whole = memory.ranking["base"]
    memory.ranking["base"] = whole.changed((table, "entity", 1.0) for table in whole.tables)
    hits = memory.recall(Question("What do we know about Alma Ferry?", record=False)).hits
    assert any(hit.parts["entity"] for hit in hits)
