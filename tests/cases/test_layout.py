"""Where the parts of a picture stand: below their parents, and spread evenly where there are too many."""

import numpy as np
import pytest

from context_graph.cases.base import Case, CaseArrays
from context_graph.cases.layout import case_map, layers
from context_graph.errors import NotFound
from context_graph.inference.networks import Network, Variable
from context_graph.models import Scope


def arrays_of(features):
    arrays = CaseArrays(None, {}, lambda text: np.zeros(4, np.float32))
    cases = [Case(f"n{i}", f"c{i}", None, one, None, {}, Scope.USER, "s", None) for i, one in enumerate(features)]
    arrays.update(cases, np.ones(len(cases), bool), 1)
    return arrays


def test_each_variable_stands_below_its_parents_and_no_two_in_one_place():
    even = {0: np.array([0.5, 0.5]), 1: np.full((2, 2), 0.5), 2: np.full((2, 2, 2), 0.5)}
    parents = {"a": (), "b": (), "c": ("a", "b"), "d": ("c",), "e": ("a", "d")}
    network = Network.of([Variable(name, ("x", "y"), those, even[len(those)]) for name, those in parents.items()])
    places = layers(network, list(parents))
    assert all(places[name][1] < places[parent][1] for name, those in parents.items() for parent in those)
    assert len(set(places.values())) == len(parents)
    assert set(layers(network, ["a", "c"])) == {"a", "c"}, "of the variables asked for alone"


def test_of_too_many_cases_some_are_shown_spread_evenly():
    arrays = arrays_of([{"x": float(number)} for number in range(100)])
    whole, some = (case_map(arrays, np.ones(100, bool), most) for most in (100, 12))
    assert (whole.base, len(whole.rows)) == (100, 100) and (some.base, len(some.rows)) == (100, 12)
    assert (some.rows[0], some.rows[-1]) == (0, 99) and set(np.diff(some.rows)) == {9}
    masked = case_map(arrays, np.arange(100) < 30)
    assert masked.rows.tolist() == list(range(30)) and masked.base == 30


def test_cases_that_are_alike_stand_together_and_those_that_differ_apart():
    arrays = arrays_of([{"kind": "a", "x": 0.0}, {"kind": "a", "x": 0.0}, {"kind": "b", "x": 1.0}, {"kind": "b"}])
    drawn = case_map(arrays, np.ones(4, bool))
    assert drawn.places[0].tolist() == drawn.places[1].tolist()
    assert np.linalg.norm(drawn.places[0] - drawn.places[2]) > np.linalg.norm(drawn.places[2] - drawn.places[3])
    assert np.isfinite(drawn.places).all() and sum(drawn.shown) == pytest.approx(1.0)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_cases_make_no_map(count):
    with pytest.raises(NotFound, match=f"two cases or more to draw, there are {count}"):
        case_map(arrays_of([{"x": 1.0}] * 3), np.arange(3) < count)
