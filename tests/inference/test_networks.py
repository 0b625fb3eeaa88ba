"""Networks of any tables: exact answers equal enumeration, wrong networks are told, and evidence that cannot be."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from context_graph.errors import InvalidInput, NotApplicable
from context_graph.inference import bayes
from context_graph.inference.networks import METHODS, Network, Variable, infer, largest_clique
from tests.requirements import requirement

EXACT = ("variable_elimination", "lazy_propagation")
ROUNDING = {"rtol": 1e-9, "atol": 1e-12}


def random_network(seed: int, count: int, *, parents: int = 2, zeros: bool = False) -> Network:
    """Variables of two or three states, each with some of those before it as parents."""
    dice = np.random.default_rng(seed)
    variables: list[Variable] = []
    for number in range(count):
        others = dice.permutation(number)[: dice.integers(0, parents + 1)]
        states = int(dice.integers(2, 4))
        shape = (*(len(variables[other].states) for other in others), states)
        table = dice.random(shape) + 0.05
        if zeros:
            table[..., 0] *= dice.random(shape[:-1]) > 0.3
        names = tuple(variables[other].name for other in others)
        table /= table.sum(axis=-1, keepdims=True)
        variables.append(Variable(f"v{number}", tuple("abc"[:states]), names, table))
    return Network.of(variables)


def enumerated(
    network: Network, targets, evidence, do=None
) -> tuple[dict[str, list[float]], dict[tuple, float], float]:
    """By brute force: distributions, joint weights of the targets, and the probability of the evidence."""
    names, do = list(network.variables), do or {}
    sums = {name: np.zeros(len(network.variables[name].states)) for name in targets}
    joint: dict[tuple, float] = {}
    total = 0.0
    for values in product(*(range(len(network.variables[name].states)) for name in names)):
        at = dict(zip(names, values, strict=True))
        weight = 1.0
        for name, variable in network.variables.items():
            if name in do:
                weight *= variable.states[at[name]] == do[name]
            else:
                weight *= variable.table[(*(at[parent] for parent in variable.parents), at[name])]
            if name in evidence:
                seen = evidence[name]
                weight *= seen[at[name]] if isinstance(seen, list) else variable.states[at[name]] == seen
        total += weight
        for name in targets:
            sums[name][at[name]] += weight
        together = tuple(at[name] for name in targets)
        joint[together] = joint.get(together, 0.0) + weight
    return {name: (one / total).tolist() for name, one in sums.items()}, joint, total


@pytest.fixture
def needs_pyagrum():
    pytest.importorskip("pyagrum", reason="pyAgrum is not installed (extra [causal])")


@pytest.fixture
def in_this_process(needs_pyagrum, monkeypatch):
    """The same questions, answered without a child process: a hundred of those would take a minute."""
    from context_graph.inference import exact, networks

    monkeypatch.setattr(networks, "answers", lambda *asked, **_: [exact.answer(one) for one in asked])


def by_pgmpy(network: Network, target: str, evidence: dict[str, str]) -> list[float]:
    """What another library says, by variable elimination of its own."""
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

    theirs = DiscreteBayesianNetwork(
        [(parent, name) for name, one in network.variables.items() for parent in one.parents]
    )
    theirs.add_nodes_from(network.variables)
    for name, one in network.variables.items():
        sizes = [len(network.variables[parent].states) for parent in one.parents]
        table = one.table.reshape(-1, len(one.states)).T
        named = {each: list(network.variables[each].states) for each in (name, *one.parents)}
        theirs.add_cpds(
            TabularCPD(name, len(one.states), table, list(one.parents) or None, sizes or None, state_names=named)
        )
    found = VariableElimination(theirs).query([target], evidence=evidence, show_progress=False)
    return [float(found.get_value(**{target: state})) for state in network.variables[target].states]


@requirement("inference:networks-are-exact")
@pytest.mark.parametrize("seed", range(6))
def test_exact_methods_agree_with_another_library_where_enumeration_is_too_long(in_this_process, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own deprecations, when it is imported
        pytest.importorskip("pgmpy.inference", reason="pgmpy, the other library, is not installed")
    network = random_network(seed, 25)
    evidence = {"v3": "a", "v24": "b"}
    expected = by_pgmpy(network, "v11", evidence)
    for method in EXACT:
        found = infer(network, ["v11"], evidence=evidence, method=method)
        assert_allclose(found.probabilities["v11"], expected, rtol=1e-7)


@requirement("inference:networks-are-exact")
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), count=st.integers(1, 7), data=st.data())
def test_exact_methods_equal_enumeration(in_this_process, seed, count, data):
    network = random_network(seed, count)
    names = list(network.variables)
    targets = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    evidence, do = {}, {}
    for name in data.draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
        states = network.variables[name].states
        kind = data.draw(st.sampled_from(["hard", "soft", "do"]))
        if kind == "soft":
            evidence[name] = [data.draw(st.floats(0.1, 1.0)) for _ in states]
        else:
            (do if kind == "do" else evidence)[name] = data.draw(st.sampled_from(states))
    expected, joint, _ = enumerated(network, targets, evidence, do)
    for method in EXACT:
        found = infer(network, targets, evidence=evidence, do=do, method=method, jointly=True)
        for name in targets:
            assert_allclose(found.probabilities[name], expected[name], **ROUNDING)
        best = max(joint.values()) / sum(joint.values())
        assert_allclose(found.joint_probability, best, **ROUNDING)
        at = tuple(network.variables[name].states.index(found.joint[name]) for name in targets)
        assert_allclose(joint[at] / sum(joint.values()), best, **ROUNDING)


@requirement("inference:networks-are-exact")
def test_the_child_process_answers_alike_and_tells_how_likely_the_evidence_was(needs_pyagrum):
    network = random_network(3, 6)
    evidence = {"v5": "a", "v1": "b"}
    expected, _, likely = enumerated(network, ["v0"], evidence)
    found = infer(network, ["v0"], evidence=evidence)
    assert_allclose(found.probabilities["v0"], expected["v0"], **ROUNDING)
    assert_allclose(found.evidence_probability, likely, **ROUNDING)


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1_000))
def test_loopy_propagation_is_exact_in_a_tree(in_this_process, seed):
    network = random_network(seed, 6, parents=1)
    evidence = {"v5": "a"}
    found = infer(network, ["v0", "v2"], evidence=evidence, method="loopy_belief_propagation")
    expected, _, _ = enumerated(network, ["v0", "v2"], evidence)
    for name, likely in expected.items():
        assert_allclose(found.probabilities[name], likely, atol=1e-4)
    assert found.spread is not None and found.iterations > 0


@requirement("inference:sampling-says-how-far-it-got")
def test_gibbs_comes_near_twice_alike_and_says_how_near(in_this_process):
    network = random_network(5, 6)
    expected, _, _ = enumerated(network, ["v0", "v3"], {"v5": "a"})
    once = infer(network, ["v0", "v3"], evidence={"v5": "a"}, method="gibbs")
    again = infer(network, ["v0", "v3"], evidence={"v5": "a"}, method="mcmc")  # another name of it
    assert once == again, "the seed is fixed"
    for name, likely in expected.items():
        assert_allclose(once.probabilities[name], likely, atol=0.02)
    assert 0 <= once.spread < 0.02 and once.iterations == 100_000


@pytest.mark.filterwarnings("ignore")  # what the other library says of itself
def test_an_independent_library_agrees(in_this_process):
    pytest.importorskip("pgmpy.inference", reason="pgmpy is not installed", exc_type=ImportError)
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

    for seed in range(10):
        network = random_network(seed, 8)
        theirs = DiscreteBayesianNetwork()
        theirs.add_nodes_from(network.variables)
        for name, one in network.variables.items():
            theirs.add_edges_from([(parent, name) for parent in one.parents])
        for name, one in network.variables.items():
            sizes = [len(network.variables[parent].states) for parent in one.parents]
            flat = one.table.reshape(-1, len(one.states)).T
            theirs.add_cpds(TabularCPD(name, len(one.states), flat, list(one.parents) or None, sizes or None))
        told = VariableElimination(theirs).query(["v0"], {"v7": 0, "v4": 1}, show_progress=False).values
        found = infer(network, ["v0"], evidence={"v7": "a", "v4": "b"})
        assert_allclose(found.probabilities["v0"], told, **ROUNDING)


SPRINKLER = [
    Variable("rain", ("yes", "no"), (), np.array([0.2, 0.8])),
    Variable("sprinkler", ("on", "off"), ("rain",), np.array([[0.01, 0.99], [0.4, 0.6]])),
    Variable("wet", (True, False), ("rain", "sprinkler"), np.array([[[0.99, 0.01], [0.8, 0.2]], [[0.9, 0.1], [0, 1]]])),
]


@requirement("inference:impossible-evidence-is-named")
@pytest.mark.parametrize("method", METHODS)
def test_evidence_that_cannot_be_is_named_without_what_could_be(in_this_process, method):
    dry = Variable("month", ("june", "july"), (), np.array([0.5, 0.5]))
    network = Network.of([*SPRINKLER, dry])
    seen = {"month": "june", "wet": True, "sprinkler": "off", "rain": "no"}
    with pytest.raises(
        InvalidInput, match="impossible in this network: wet = True, sprinkler = off, rain = no"
    ) as told:
        infer(network, ["month"], evidence=seen, method=method)
    assert "june" not in str(told.value)


def test_seeing_and_doing_are_not_the_same(in_this_process):
    network = Network.of(SPRINKLER)
    seen = infer(network, ["rain"], evidence={"sprinkler": "on"}).probabilities["rain"]
    done = infer(network, ["rain"], do={"sprinkler": "on"}).probabilities["rain"]
    assert seen[0] < 0.01 and done == pytest.approx([0.2, 0.8])
    with pytest.raises(InvalidInput, match="both seen and made so"):
        infer(network, ["rain"], evidence={"sprinkler": "on"}, do={"sprinkler": "on"})


def even(name: str, parents: tuple[str, ...] = (), states: int = 2) -> Variable:
    shape = (*(states for _ in parents), states)
    return Variable(name, tuple(range(states)), parents, np.full(shape, 1 / states))


@requirement("inference:dense-networks-are-refused")
def test_a_network_that_is_linked_too_densely_is_told_before_memory_is_taken(in_this_process):
    roots = [even(f"r{i}") for i in range(60)]
    pairs = [(a, b) for a in range(60) for b in range(a)]
    network = Network.of([*roots, *(even(f"p{a}_{b}", (f"r{a}", f"r{b}")) for a, b in pairs[:130])])
    dense = Network.of(
        [*(even(f"r{i}", states=4) for i in range(16)),
         *(even(f"p{a}_{b}", (f"r{a}", f"r{b}"), 4) for a in range(16) for b in range(a))]
    )  # fmt: skip
    assert largest_clique(network, list(network.variables)) < 2**22 < largest_clique(dense, list(dense.variables))
    asked = {f"p{a}_{b}": 0 for a in range(16) for b in range(a)}
    with pytest.raises(NotApplicable, match=r"a table of [\d,]+ numbers.*loopy_belief_propagation or gibbs"):
        infer(dense, ["r0"], evidence=asked)
    assert infer(dense, ["r0"]).probabilities["r0"] == [0.25] * 4, "what leads to none of both changes nothing"


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ([], "1 to 200 variables, got 0"),
        ([even("a", ("b",)), even("b", ("a",))], "no circle, got (a <- b <- a|b <- a <- b)"),
        ([even("a", ("x",))], "there is no variable 'x'; variables: a"),
        ([Variable("a", ("x", "y"), (), np.array([0.5, 0.6]))], "must sum to 1, got 1.1"),
        ([Variable("a", ("x", "y"), (), np.array([np.nan, 1.0]))], "finite numbers of 0 or more"),
        ([Variable("a", ("x", "y"), (), np.array([-0.5, 1.5]))], "finite numbers of 0 or more"),
        ([Variable("a", ("x", "y"), (), np.array([1.0]))], "must have 2 numbers .* got 1"),
    ],
)
def test_a_network_that_is_none_is_told(variables, says):
    with pytest.raises(InvalidInput, match=says):
        Network.of(variables)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"query": ["fog"]}, "no variable 'fog' in the network; variables: rain"),
        ({"query": ["rain"], "evidence": {"wet": "moist"}}, "must be one of True, False; got 'moist'"),
        ({"query": ["rain"], "evidence": {"wet": [0.0, 0.0]}}, "one of them above 0"),
        ({"query": ["rain"], "evidence": {"wet": [float("nan"), 1]}}, "finite likelihood"),
        ({"query": ["rain"], "evidence": {"wet": {"true": 1}}}, "must be one of True, False"),
        ({"query": ["rain"], "method": "magic"}, "method must be one of variable_elimination"),
        ({"query": ["rain"], "method": "gibbs", "jointly": True}, "need an exact method"),
    ],
)
def test_a_question_that_cannot_be_asked_is_told(asked, says):
    with pytest.raises(InvalidInput, match=says):
        infer(Network.of(SPRINKLER), **asked)


def test_a_number_is_put_into_its_bin():
    one = Variable("cover", ("low", "mid", "high"), (), np.full(3, 1 / 3), (0.5, 0.9))
    assert [one.place(value) for value in (0.1, 0.5, 0.89, 0.9, 7, "mid")] == [0, 1, 1, 2, 2, 1]
    with pytest.raises(InvalidInput, match="or a number; got nan"):
        one.place(float("nan"))


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(bayes, "find_spec", lambda name: None)
    with pytest.raises(NotApplicable, match=r"pip install 'ultimate-context-graph\[causal\]'"):
        infer(Network.of(SPRINKLER), ["rain"])
