"""The strongest path is that of the definition, and rests only on what the caller may rest on."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph import Draft
from context_graph.derived import ConceptNames
from context_graph.errors import ConceptNotFound, InvalidInput, NodeNotFound
from context_graph.graph.naming import concept_key
from context_graph.inference.evidence import Evidence, Link
from context_graph.inference.paths import find, strongest, without
from context_graph.ingest.forget import forget, restore
from context_graph.models import Edge, EdgeType
from tests.requirements import requirement


def link(source, target, weight):
    edge = Edge(
        id=f"{source}{target}", source=source, target=target, edge_type=EdgeType.CAUSAL, weight=weight,
        confidence=0.6, created_at=0, last_accessed=0,
    )  # fmt: skip
    return Link(source, target, edge, ())


def by_trying_all(links, start, end, hops, *, directed):
    """The largest product of weights over simple paths."""
    arcs = {}
    for one in links:
        for pair in [(one.source, one.target)] + ([] if directed else [(one.target, one.source)]):
            arcs[pair] = max(arcs.get(pair, 0.0), one.weight)
    things = sorted({thing for pair in arcs for thing in pair} - {start, end})
    best = 0.0
    for n in range(hops):
        for middle in itertools.permutations(things, n):
            way = [start, *middle, end]
            best = max(best, math.prod(arcs.get(pair, 0.0) for pair in itertools.pairwise(way)))
    return best


@requirement("inference:strongest-path")
@given(
    edges=st.dictionaries(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(lambda pair: pair[0] != pair[1]),
        st.floats(0.05, 1.0), max_size=14,
    ),
    hops=st.integers(1, 5),
    directed=st.booleans(),
)  # fmt: skip
def test_the_strongest_path_is_the_best_of_all_paths(edges, hops, directed):
    links = [link(*pair, weight) for pair, weight in edges.items()]
    path = strongest(links, {"a": 1.0}, {"f": 1.0}, hops, directed=directed)
    expected = by_trying_all(links, "a", "f", hops, directed=directed)
    assert (path.confidence if path else 0.0) == pytest.approx(expected, rel=1e-5)
    if path:
        assert (path.start, path.end) == ("a", "f") and len(path.steps) <= hops
        for other in without(links, path, hops, directed=directed):
            assert other != path and other.confidence <= path.confidence * (1 + 1e-6)


CHAIN = ("The night backup causes a full disk.", "A full disk causes a database crash.")


@pytest.fixture
def chain(tell):
    return [tell(text) for text in CHAIN]


def path_of(memory, start="night backup", end="database crash", caller=None, **how):
    return find(memory, start, end, caller or memory.caller, kind="causal", **how)


def test_every_step_names_the_memory_that_states_it(memory, chain):
    found = path_of(memory)
    assert [step.link.stated_in for step in found.path.steps] == [(chain[0],), (chain[1],)]
    assert found.path.confidence == pytest.approx(math.prod(step.link.weight for step in found.path.steps))


@requirement("inference:rests-on-what-holds")
def test_what_is_forgotten_past_or_in_quarantine_proves_nothing(memory, chain, tell):
    tell("A database crash causes lost orders."), tell("The night backup causes noise.")  # their ends stay known
    gone = forget(memory, chain[1], "obsolete")
    assert path_of(memory).path is None
    restore(memory, gone.reversal_hash, preview=False)
    assert path_of(memory).path is not None
    tell("The disk is watched now and never fills.", metadata={"supersedes": chain[0]})
    assert path_of(memory).path is None


@requirement("inference:rests-on-what-holds")
def test_another_session_states_nothing_here(memory, chain, tell):
    own, other = memory.caller.within("mine"), memory.caller.within("theirs")
    memory.remember(Draft("A database crash causes lost orders.", "seen once", scope="session"), caller=other)
    tell("Lost orders are bad.")
    tell("We talked about lost orders.")
    assert path_of(memory, end="lost orders", caller=other).path is not None
    assert path_of(memory, end="lost orders", caller=own).path is None, "both concepts are known, the statement is not"
    links = Evidence(memory, own).links([memory.view(ConceptNames).alike(node)[0] for node in _concepts(memory)])
    assert all("theirs" not in memory.store.node(id).session_id for one in links for id in one.stated_in)


def _concepts(memory):
    return [node.id for node in memory.store.concepts()]


@requirement("inference:one-thing-in-all-its-forms")
def test_concepts_that_differ_in_inflection_are_one_thing(memory, tell):
    for text in (
        "A whale is a mammal.",
        "Mammals are a kind of animal.",
        "The database crashed because rain causes floods.",
    ):
        tell(text)
    found = find(memory, "whales", "the animal", memory.caller)
    assert [memory.store.node(found.evidence.face(step.thing).id).name for step in found.path.steps] == [
        "mammal",
        "animal",
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Failed logins", "a failed login", True), ("database crash", "the database crashed", True),
        ("cause", "caused", True), ("sleep", "no sleep", False), ("C", "C++", False), ("new", "old", False),
        ("universe", "university", False),
    ],
)  # fmt: skip
def test_what_counts_as_one_name(one, other, same):
    assert (concept_key(one) == concept_key(other)) is same


@pytest.mark.parametrize("phrase", ["night backup", "the nightly", "nihgt backup", "NIGHT-BACKUP", "backup"])
def test_a_phrase_finds_its_concept_or_says_that_there_is_none(memory, chain, phrase):
    if phrase == "the nightly":
        with pytest.raises(ConceptNotFound, match="no concept is called 'the nightly'"):
            path_of(memory, start=phrase)
    else:
        assert path_of(memory, start=phrase).start[0].node.name == "night backup"


def test_an_id_and_a_tag_name_a_node_that_the_caller_may_see(memory, chain):
    own, other = memory.caller.within("mine"), memory.caller.within("theirs")
    hidden = memory.remember(Draft("Snow causes late trains.", "seen once", scope="session"), caller=other).node.id
    for reference in (hidden, f"node_{hidden.replace('-', '')}"):
        with pytest.raises((NodeNotFound, LookupError)):
            path_of(memory, start=reference, caller=own)
        assert path_of(memory, start=reference, caller=other).path is None


@pytest.mark.parametrize("phrase", ["", "   ", "x" * 201])
def test_a_phrase_that_is_none_is_refused(memory, phrase):
    with pytest.raises(InvalidInput, match="start_concept"):
        path_of(memory, start=phrase)


def test_a_search_that_could_not_read_all_says_so(memory, chain, tell, monkeypatch):
    monkeypatch.setattr("context_graph.inference.paths.MAX_EXPANDED", 1)
    for effect in ("noise", "heat", "dust"):
        tell(f"A full disk causes {effect}.")
    found = path_of(memory, end="dust", hops=6)
    assert found.path is None or found.complete is False
    assert path_of(memory, start="noise", end="night backup", hops=6).path is None


def test_names_follow_what_is_told_and_deleted(memory, chain):
    names = memory.view(ConceptNames)
    (disk,) = names.readings("full disk")
    assert names.readings("disk") == {disk: 0.75}
    with memory.store.write("renamed", memory.author(memory.caller)) as tx:
        tx.update(disk, name="packed drive")
    memory.committed(tx.committed)
    assert disk not in names.readings("full disk") and names.readings("packed drive")[disk] == 1.0
    memory.store.purge(disk, memory.author(memory.caller))
    memory.committed()
    assert disk not in memory.view(ConceptNames).readings("packed drive")
