"""Causal paths as an agent asks for them: exact names first, ids of memories, and hedges that stay hedges."""

import pytest

from context_graph.citations import tag_of
from context_graph.server.dispatch import call
from tests.tools.contract import ask, keep


def path(memory, start, end, **more):
    return ask(memory, "find_causal_path", start_concept=start, end_concept=end, **{"path_type": "causal", **more})


def names(answer):
    return [step["node_name"] for step in answer["path"]]


def test_a_hedged_cause_weighs_less_and_is_told_as_one(memory):
    hedged = keep(memory, "Moonlight might cause madness.")
    answer = path(memory, "moonlight", "madness")
    assert answer["narrative"] == f"“Moonlight” may lead to “madness” {tag_of(hedged)}."
    assert answer["path_confidence"] == pytest.approx(0.5, abs=0.02)
    stated = keep(memory, "Moonlight causes madness.")
    assert path(memory, "moonlight", "madness")["narrative"] == f"“Moonlight” leads to “madness” {tag_of(stated)}."


@pytest.mark.parametrize("kind", ["causal", "any"])
def test_the_exact_name_comes_before_a_longer_one(memory, kind):
    for text in (
        "The login failure lasted two days, so Baltic Freight left.",
        "The login failure leads to complaints.",
        "Complaints caused the exit.",
        "Because of the exit, Baltic Freight left.",
    ):
        keep(memory, text)
    answer = path(memory, "login failure", "Baltic Freight left", path_type=kind)
    assert (names(answer)[0], names(answer)[-1]) == ("login failure", "Baltic Freight left")


def test_where_only_a_longer_name_has_a_path_the_answer_says_so(memory):
    for text in ("A bad deploy caused the login failure.", "The login failure lasted long, so Baltic Freight left."):
        keep(memory, text)
    given = {"start_concept": "login failure", "end_concept": "Baltic Freight left", "path_type": "causal"}
    outcome = call(memory, "find_causal_path", given)
    assert outcome.structured["path"][0]["node_name"] == "login failure lasted long"
    assert "No such path starts from “login failure” itself; this one starts from “login failure lasted long”." in (
        outcome.texts
    )


def test_memories_stand_for_the_causes_that_they_state(memory):
    texts = (
        "Debug logging causes disk overflow.", "Disk overflow leads to the checkout failure.",
        "The checkout failure caused the refund wave.",
    )  # fmt: skip
    first, middle, last = (keep(memory, text) for text in texts)
    chain = ["Debug logging", "disk overflow", "checkout failure", "refund wave"]
    for start, end in ((first, last), (tag_of(first), tag_of(last)), (first, "refund wave"), ("debug logging", last)):
        assert names(path(memory, start, end)) == chain
    assert names(path(memory, first, middle)) == chain[:3]
    assert "the other way round there is one" in path(memory, last, first)["narrative"]
    assert path(memory, first, first)["narrative"].startswith("Both are the same")


def test_a_memory_that_states_no_cause_stands_for_what_it_names(memory):
    keep(memory, "Kubernetes leads to the checkout failure.")
    named = keep(memory, "Anna gave a talk about Kubernetes.")
    assert names(path(memory, named, "checkout failure")) == ["Kubernetes", "checkout failure"]


@pytest.mark.parametrize("kind", ["causal", "any"])
def test_two_names_of_one_memory_are_told_as_such(memory, kind):
    only = keep(memory, "The rain did not cause the flood.")
    answer = path(memory, "rain", "flood", path_type=kind)
    told = (
        f"“rain” and “flood” are no concepts: both are found only in one memory, “The rain did not cause the flood” "
        f"{tag_of(only)}, and no path between them is stated there."
    )
    assert not answer["path_found"] and answer["narrative"] == told


def test_a_compound_sentence_gives_a_path(memory):
    keep(memory, "Dust leads to heat, and heat leads to crashes.")
    assert names(path(memory, "dust", "crashes")) == ["Dust", "heat", "crashes"]


@pytest.mark.parametrize("strategy", ["concatenate", "summarize"])
def test_a_merged_text_states_its_causes(memory, strategy):
    texts = ("Slow queries cause high latency.", "A missing index causes slow queries.")
    ids = [keep(memory, text) for text in texts]
    before = path(memory, "missing index", "high latency")
    edges = sorted(memory.store.all_edges(), key=lambda edge: edge.id)
    merged = ask(
        memory, "merge_concepts", source_node_ids=ids, target_name="latency", merge_strategy=strategy,
        force_merge=True, rationale="one story of two notes",
    )  # fmt: skip
    answer = path(memory, "missing index", "high latency")
    assert names(answer) == ["missing index", "Slow queries", "high latency"]
    assert {id for step in answer["path"][1:] for id in step["stated_in"]} == {merged["merged_node_id"]}
    ask(memory, "restore_from_hash", reversal_hash=merged["reversal_hash"], preview=False)
    assert path(memory, "missing index", "high latency") == before
    assert sorted(memory.store.all_edges(), key=lambda edge: edge.id) == edges
