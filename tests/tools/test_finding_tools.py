"""How well it finds, by which way, and what to ask: measured on a memory that the test fills."""

import numpy as np
import pytest

from context_graph.evaluation.needles import interval
from context_graph.server.dispatch import call
from context_graph.tools import find
from tests.tools.contract import ask, keep, refused

TOPICS = (
    "clarinet", "harbour", "bicycle", "lantern", "glacier", "saffron", "telescope", "orchard", "compass", "violin",
    "granite", "monsoon", "tapestry", "walnut", "aquarium", "brewery", "cathedral", "dynamo", "embassy", "furnace",
)  # fmt: skip


@pytest.fixture
def library(memory):
    return [
        keep(
            memory,
            f"The {topic} in house {number} was repaired on Monday by a {TOPICS[number - 7]} maker named Ole{number}.",
            rationale=f"needed when the {topic} breaks again",
        )
        for number, topic in enumerate(TOPICS)
    ]


# test_recall_accuracy


def test_a_memory_that_is_found_by_its_words_says_so(memory, library):
    answer = ask(memory, "test_recall_accuracy", needle_count=10)
    assert answer["fuse_moe_accuracy"] == 1.0 and answer["test_details"]["needles_found"] == 10
    assert "recall@10 100 % (95 % interval 72 to 100)" in answer["recommendation"]
    assert "among the best 10 of 20" in answer["recommendation"] and "E1, computed here" in answer["recommendation"]
    assert answer == {
        **ask(memory, "test_recall_accuracy", needle_count=10),
        "p95_latency_ms": answer["p95_latency_ms"],
    }


def test_a_retrieval_that_finds_nothing_is_found_out(memory, library, monkeypatch):
    from context_graph.evaluation import variants

    monkeypatch.setattr(variants, "whole", lambda memory, corpus, vectors, mask, k: _Nothing)
    answer = ask(memory, "test_recall_accuracy", test_type="semantic_similarity", baseline_model="none")
    assert answer["fuse_moe_accuracy"] == 0.0 and answer["test_details"]["false_positives"] == 20
    assert answer["baseline_accuracy"] == answer["improvement_percent"] == 0.0
    assert "0 of 20" in answer["recommendation"] and "Too many are missed" in answer["recommendation"]


class _Nothing:
    rows = np.zeros(0, np.int64)


def test_causes_are_asked_for_by_their_effects(memory):
    none = ask(memory, "test_recall_accuracy", test_type="causal_inference")
    assert "no memory here seems to state a cause" in none["recommendation"]
    keep(memory, "The outage was caused by the migration of the billing database.")
    keep(memory, "The harbour was closed because the crane had fallen over in the storm.")
    answer = ask(memory, "test_recall_accuracy", test_type="causal_inference")
    assert answer["test_details"]["needles_found"] == 2 and "2 of 2" in answer["recommendation"]
    both = ask(memory, "test_recall_accuracy", test_type="full_suite")
    assert both["test_details"]["needles_found"] > 2


def test_a_rationale_that_all_share_asks_for_none(memory):
    for number in range(12):
        keep(memory, f"The crane in house {number} is green.", rationale="said in a conversation")
    answer = ask(memory, "test_recall_accuracy", test_type="semantic_similarity")
    assert answer["recommendation"].startswith("Nothing was measured")


def test_an_empty_memory_measures_nothing(memory):
    answer = ask(memory, "test_recall_accuracy")
    assert answer["recommendation"].startswith("Nothing was measured") and answer["p95_latency_ms"] == 0


def test_a_self_test_leaves_no_trace(memory, library):
    before = memory.store.effects.pending, memory.session(memory.caller.session_id).pulse.interactions
    find("test_recall_accuracy").run(memory, {"needle_count": 5}, memory.caller)
    find("debug_compare_retrieval").run(memory, {"query": "clarinet"}, memory.caller)
    find("generate_search_plan").run(memory, {"goal": "find the clarinet"}, memory.caller)
    assert (memory.store.effects.pending, memory.session(memory.caller.session_id).pulse.interactions) == before


def test_the_interval_is_that_of_wilson():
    low, high = interval([True] * 10)
    assert (round(low, 4), high) == (0.7225, 1.0)
    assert [round(bound, 4) for bound in interval([True, False])] == [0.0945, 0.9055]
    assert interval([]) == (0.0, 1.0)


# debug_compare_retrieval


def test_ways_to_rank_stand_side_by_side(memory, library):
    answer = ask(memory, "debug_compare_retrieval", query="Who repaired the clarinet?", top_k=5)
    assert set(answer["results"]) == {"cosine_baseline", "fuse_moe", "causal_pathfinding"}
    assert answer["results"]["fuse_moe"][0]["node_id"] == library[0]
    assert [len(answer["results"][method]) for method in ("cosine_baseline", "fuse_moe")] == [5, 5]
    assert set(answer["metrics"]["latency_ms"]) == set(answer["results"]) and "recall" not in answer["metrics"]
    assert "words alone (BM25)" in answer["recommendation"] and "fusion by rank" in answer["recommendation"]


def test_of_a_long_question_only_as_much_is_read_as_a_search_reads(memory, library, monkeypatch):
    from context_graph.recall import query
    from context_graph.recall.question import MAX_QUERY_CHARS

    texts, original = [], query.question_vectors

    def recorded(memory, corpus, text, *more):
        texts.append(text)
        return original(memory, corpus, text, *more)

    monkeypatch.setattr(query, "question_vectors", recorded)
    ask(memory, "debug_compare_retrieval", query="Who repaired the clarinet? " * 12_000)
    assert len(texts) == 1 and len(texts[0]) <= MAX_QUERY_CHARS


def test_named_results_give_precision_and_recall(memory, library):
    answer = ask(
        memory,
        "debug_compare_retrieval",
        query="Who repaired the clarinet?",
        top_k=4,
        methods=["fuse_moe", "causal_pathfinding"],
        ground_truth_node_ids=[library[0]],
    )
    assert answer["metrics"]["recall"] == {"fuse_moe": 1.0, "causal_pathfinding": 0.0}
    assert answer["metrics"]["precision"] == {"fuse_moe": 0.25, "causal_pathfinding": 0.0}
    assert answer["metrics"]["overlap"] == 0.0
    assert "fuse_moe found most" in answer["recommendation"] and "No causal edge" in answer["recommendation"]


def test_causal_edges_lead_to_what_the_words_do_not(memory):
    cause = keep(memory, "The crane fell over in the storm.")
    effect = keep(memory, "Ships had to wait.", link_to=[cause])
    for i in range(8):
        keep(memory, f"Recipe number {i} needs walnuts.")
    _causal(memory, cause, effect)
    answer = ask(memory, "debug_compare_retrieval", query="crane storm", top_k=3, methods=["causal_pathfinding"])
    found = [node["node_id"] for node in answer["results"]["causal_pathfinding"]]
    seeds = ask(memory, "debug_compare_retrieval", query="crane storm", top_k=3, methods=["fuse_moe"])
    assert (effect in found) != (effect in [node["node_id"] for node in seeds["results"]["fuse_moe"]])
    assert answer["metrics"]["overlap"] == 1.0


def _causal(memory, cause, effect):
    from dataclasses import replace

    from context_graph.models import EdgeType

    with memory.store.write("linked", memory.author(memory.caller)) as tx:
        edge = next(edge for edge in memory.store.edges(cause) if {edge.source, edge.target} == {cause, effect})
        tx.put(replace(edge, id=memory.new_id(), source=cause, target=effect, edge_type=EdgeType.CAUSAL))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": " "}, -32602),
        ({"query": "clarinet", "top_k": 0}, -32602),
        ({"query": "clarinet", "top_k": 101}, -32602),
    ],
)
def test_what_cannot_be_compared_is_refused(memory, arguments, code):
    assert refused(memory, "debug_compare_retrieval", **arguments)["code"] == code


def test_what_is_told_of_kinds_is_a_ranking_of_its_own(memory):
    whale = keep(memory, "A whale is a mammal.")
    mammal = keep(memory, "Mammals are a kind of animal.")
    keep(memory, "The bus was late.")
    answer = ask(memory, "debug_compare_retrieval", query="whale", methods=["hyperbolic_entailment"])
    assert [node["node_id"] for node in answer["results"]["hyperbolic_entailment"]][:2] == [whale, mammal]
    nothing = ask(memory, "debug_compare_retrieval", query="bus", methods=["hyperbolic_entailment"])
    assert nothing["results"]["hyperbolic_entailment"] == [] and "names no concept" in nothing["recommendation"]


# generate_search_plan


def test_a_goal_with_several_names_is_asked_part_by_part(memory, library):
    plan = ask(memory, "generate_search_plan", goal="compare what Ole3 and Ole5 repaired", query_types=["semantic"])
    assert [query["type"] for query in plan["queries"]] == ["semantic"] * len(plan["queries"])
    assert plan["execution_strategy"] == "parallel" and plan["token_estimate"] > 0


FALCON = "Prepare the introduction of a new developer to Falcon: language, team, release and outages"


@pytest.mark.parametrize(("goal", "parts"), [
    (FALCON, ["Falcon language", "Falcon team", "Falcon release", "Falcon outages"]),
    ("Find out the language, the team and the release of Falcon", ["Falcon language", "Falcon team", "Falcon release"]),
    ("Who leads Falcon, and when was it released?", ["Who leads Falcon", "Falcon when was it released"]),
    ("Plan the garden party: guests, food", ["garden party guests", "garden party food"]),
])  # fmt: skip
def test_each_part_of_a_list_is_asked_for(memory, goal, parts):
    keep(memory, "Falcon is written in Rust.")
    plan = ask(memory, "generate_search_plan", goal=goal, max_queries=7)
    assert [query["query"] for query in plan["queries"]][: len(parts)] == parts
    assert plan["execution_strategy"] == "parallel"
    assert {query["type"] for query in plan["queries"]} == {"semantic"}, "no cause and no code of a list"


def test_a_part_without_room_is_named(memory):
    keep(memory, "Falcon is written in Rust.")
    outcome = call(memory, "generate_search_plan", {"goal": FALCON})
    assert len(outcome.structured["queries"]) == 3
    assert "No room for Falcon outages; a higher max_queries has it." in outcome.texts[-1]


@pytest.mark.parametrize("goal", ["Find out everything about Grandma Ruth", "Everything about Balu for the vet"])
def test_of_a_person_no_kinds_and_no_causes_are_asked(memory, goal):
    keep(memory, "Grandma Ruth lives in Kiel. Balu is our dog.")
    types = ["semantic", "causal", "code", "temporal", "hierarchical"]
    plan = ask(memory, "generate_search_plan", goal=goal, query_types=types, max_queries=7)
    queries = [query["query"] for query in plan["queries"]]
    name = "Grandma Ruth" if "Ruth" in goal else "Balu"
    assert f"Who or what is {name}?" in queries
    assert not [one for one in queries if one.startswith(("Why", "What kinds", "What led", "function", "When"))]


def test_names_joined_by_and_are_asked_for_each(memory):
    keep(memory, "Caroline paints.")
    goal = "compare the hobbies of Caroline and Melanie"
    plan = ask(memory, "generate_search_plan", goal=goal, query_types=["semantic"])
    assert [query["query"] for query in plan["queries"]] == [
        "the hobbies of Caroline and Melanie",
        "What is known about Caroline?",
        "What is known about Melanie?",
    ]


def test_a_question_why_begins_with_the_cause(memory):
    keep(memory, "The outage was caused by the migration of the billing database.")
    plan = ask(memory, "generate_search_plan", goal="Why did the outage happen?")
    assert [query["type"] for query in plan["queries"]] == ["causal", "semantic", "code"]
    assert plan["execution_strategy"] == "sequential"
    assert all(0 <= query["expected_recall"] <= 1 for query in plan["queries"])


def test_a_question_that_asks_for_no_cause_is_not_asked_why(memory):
    keep(memory, "Ines has read Dune and Emma.")
    types = ["semantic", "causal", "temporal", "code"]
    plan = ask(memory, "generate_search_plan", goal="What books has Ines read?", query_types=types, max_queries=7)
    said = {kind: [query["query"] for query in plan["queries"] if query["type"] == kind] for kind in types}
    assert said["semantic"] == ["What books has Ines read?", "What is known about Ines?"] and said["causal"] == []
    assert said["temporal"] == ["latest about books has Ines read"]
    assert ask(memory, "generate_search_plan", goal="Where does Ines live?", query_types=["causal"])["queries"] == []


def test_words_that_no_memory_holds_are_named(memory, library):
    plan = ask(memory, "generate_search_plan", goal="find out about the zeppelin", max_queries=1)
    (query,) = plan["queries"]
    assert query["query"] == "the zeppelin" and "No memory holds zeppelin" in query["rationale"]


def test_identifiers_dates_and_kinds_have_their_searches(memory, library):
    goal = "understand parse_config in settings.py since May 2024"
    types = ["code", "temporal", "hierarchical"]
    plan = ask(memory, "generate_search_plan", goal=goal, query_types=types, max_queries=7)
    by_type = {kind: [q["query"] for q in plan["queries"] if q["type"] == kind] for kind in types}
    assert set(by_type["code"][0].split()) == {"parse_config", "settings.py"}
    assert "May 2024" in by_type["temporal"][0] and by_type["hierarchical"][0].startswith("What kinds of")
    words = [query["query"].lower() for query in plan["queries"]]
    assert len(words) == len(set(words)) == 6


@pytest.mark.parametrize("goal", ["short", "x" * 501])
def test_a_goal_of_the_wrong_length_is_refused(memory, goal):
    assert refused(memory, "generate_search_plan", goal=goal)["code"] == -32602
