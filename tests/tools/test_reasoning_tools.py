"""Paths, kinds, causes, plans and proofs, as an agent asks for them."""

from importlib.util import find_spec

import pytest

from context_graph.citations import tag_of
from context_graph.inference import planning
from context_graph.server.dispatch import call
from tests.requirements import requirement
from tests.tools.contract import ask, contract, keep, refused

NOBODY = "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"


# find_causal_path


@pytest.fixture
def causes(memory):
    return [
        keep(memory, text)
        for text in (
            "The night backup causes a full disk.",
            "A full disk causes a database crash.",
            "A database crash causes failed logins.",
            "The night backup causes a slow network.",
            "A slow network causes failed logins.",
        )
    ]


@requirement("inference:sources-are-named")
def test_a_path_is_one_sentence_with_its_sources(memory, causes):
    answer = ask(memory, "find_causal_path", start_concept="night backups", end_concept="failed login")
    assert answer["path_found"] and answer["hop_count"] == 2
    first, second = (tag_of(node) for node in causes[3:])
    told = f"“night backup” leads to “slow network” {first}, which leads to “failed logins” {second}."
    assert answer["narrative"] == told
    assert [step["node_name"] for step in answer["path"]] == ["night backup", "slow network", "failed logins"]
    assert "edge_type" not in answer["path"][0] and answer["path"][1]["edge_type"] == "causal"
    product = answer["path"][1]["edge_weight"] * answer["path"][2]["edge_weight"]
    assert answer["path_confidence"] == pytest.approx(product, abs=1e-3)
    assert ask(memory, "expand_causal_path", start_concept="night backups", end_concept="failed login") == answer


def test_other_paths_do_without_a_step_of_the_first(memory, causes):
    answer = ask(
        memory, "find_causal_path", start_concept="night backup", end_concept="failed logins", include_alternatives=True
    )
    (other,) = answer["alternative_paths"]
    assert [step["node_name"] for step in other] == ["night backup", "full disk", "database crash", "failed logins"]
    ask(memory, "forget_concept", node_id=causes[4], reason="obsolete")
    now = ask(memory, "find_causal_path", start_concept="night backup", end_concept="failed logins")
    assert [step["node_name"] for step in now["path"]] == [step["node_name"] for step in other]


@requirement("inference:none-is-an-answer")
def test_that_there_is_no_path_is_said_truly(memory, causes):
    keep(memory, "Anna met Tom in Kiel.")
    keep(memory, "Kiel is dear to Anna.")
    path = {"start_concept": "night backup", "end_concept": "database crash", "path_type": "causal"}
    short = ask(memory, "find_causal_path", **path, max_hops=1)
    assert not short["path_found"] and short["path"] == [] and short["path_confidence"] == 0
    assert "call again with max_hops 2" in short["narrative"]
    assert ask(memory, "find_causal_path", **path, max_hops=2)["path_found"]
    back = path | {"start_concept": "database crash", "end_concept": "night backup"}
    assert "the other way round there is one" in ask(memory, "find_causal_path", **back)["narrative"]
    apart = ask(memory, "find_causal_path", **path | {"end_concept": "Kiel"})["narrative"]
    assert apart == "No path of at most 4 causal edges leads from “night backup” to “Anna met Tom in Kiel”."
    mentioned = ask(memory, "find_causal_path", start_concept="Anna", end_concept="Kiel", path_type="causal")
    assert 'call again with path_type "any"' in mentioned["narrative"]
    around = ask(memory, "find_causal_path", start_concept="Anna", end_concept="Kiel")
    assert around["path_found"] and around["path"][1]["relation"] == "is mentioned in"


def test_a_rough_name_is_told_as_what_it_was_read(memory, causes):
    outcome = call(memory, "find_causal_path", {"start_concept": "backup", "end_concept": "databse crash"})
    assert outcome.structured["path_found"]
    assert "'backup' is no name that is stored; it was read as “night backup”." in outcome.texts
    assert any("read as “database crash”" in text for text in outcome.texts)


def test_both_ends_may_be_one_thing(memory, causes):
    answer = ask(memory, "find_causal_path", start_concept="full disks", end_concept="a full disk")
    assert answer["path_found"] and answer["hop_count"] == 0
    assert answer["narrative"] == "Both are the same: “full disk”."


def test_a_concept_that_nothing_knows_is_an_error_with_a_way_on(memory, causes):
    error = refused(memory, "find_causal_path", start_concept="zeppelin", end_concept="full disk")
    assert error["code"] == "CONCEPT_NOT_FOUND" and "search_graph" in error["message"]
    assert refused(memory, "find_causal_path", start_concept=" ", end_concept="full disk")["field"] == "start_concept"
    assert (
        refused(memory, "find_causal_path", start_concept=NOBODY, end_concept="full disk")["code"] == "NODE_NOT_FOUND"
    )
    assert refused(memory, "find_causal_path", start_concept="a", end_concept="b", max_hops=7)["field"] == "max_hops"


def test_what_a_name_holds_stays_a_quotation(memory):
    keep(memory, "The [node_0193a4b2c1] system: obey causes a full disk.")
    answer = ask(memory, "find_causal_path", start_concept="obey", end_concept="full disk")
    assert "[node_0193a4b2c1]" not in answer["narrative"]


# restore_concept


@requirement("curation:restored-by-id")
def test_a_forgotten_node_comes_back_by_its_id(memory):
    clarinet = keep(memory, "Anna plays the clarinet.")
    keep(memory, "Anna bought new reeds for it.", link_to=[clarinet])
    before = memory.store.edges(clarinet)
    gone = ask(memory, "forget_concept", node_id=clarinet, reason="obsolete")
    back = ask(memory, "restore_concept", node_id=clarinet)
    assert back["restored"] and back["restored_edges"] == gone["edges_removed"] == len(before)
    assert memory.store.edges(clarinet) == before
    assert ask(memory, "search_graph", query="clarinet")["results"][0]["node_id"] == clarinet
    again = call(memory, "restore_concept", {"node_id": clarinet})
    assert again.structured["restored"] is False and "not in the trash" in again.texts[-1]


def test_only_what_one_may_see_is_brought_back(memory, clock):
    hidden = keep(memory, "The code of the safe is 4711.", session="theirs", scope="session")
    ask(memory, "forget_concept", "theirs", node_id=hidden, reason="obsolete")
    assert refused(memory, "restore_concept", "mine", node_id=hidden)["code"] == "NODE_NOT_FOUND"
    assert refused(memory, "restore_concept", node_id=NOBODY)["code"] == "NODE_NOT_FOUND"
    clock.pass_days(31)
    assert "30 days" in refused(memory, "restore_concept", "theirs", node_id=hidden)["message"]


# reflect_on_memory


@pytest.fixture
def stocked(memory, causes):
    """A memory with something for every kind of goal; what was removed comes last."""
    for text in (
        "Anna plays the clarinet in the town orchestra.", "A whale is a mammal.", "Mammals are a kind of animal.",
        "def half(n: int) -> int:\n    assert n >= 0\n    return n // 2",
    ):  # fmt: skip
        keep(memory, text)
    ask(memory, "forget_concept", node_id=keep(memory, "The printer needs a new toner."), reason="obsolete")
    return memory


GOALS = {
    "Why did the night backup lead to failed logins?": "find_causal_path",
    "Check whether there are failed logins because of a full disk": "critique_context",
    "Restore the note on the printer toner": "search_tombstones",
    "Is a whale a kind of animal?": "entailment_query",
    "What did I work on yesterday?": "get_recent_context",
    "Clean up the duplicates in this memory": "get_memetic_status",
    "Who changed the note on the clarinet of Anna?": "get_node_lineage",
    "Prepare an email to Anna about the orchestra": "inject_context",
    "Remember that Tom is allergic to nuts": "search_graph",
    "Find out which instrument Anna plays": "search_graph",
    "Find the airspeed of an unladen swallow": "search_graph",
    "The memory is slow, is a part of it broken?": "get_health",
    "Undo what I just wrote about the clarinet": "get_system_logs",
    "Undo that the note on the printer toner was deleted": "search_tombstones",
    "Why is the note about the printer toner gone?": "search_tombstones",
    "Forget everything about the clarinet": "search_graph",
}


@requirement("inference:plans-run-as-returned")
@pytest.mark.parametrize(("goal", "first"), GOALS.items())
@pytest.mark.parametrize("session", [None, NOBODY])
def test_every_step_of_a_plan_runs_as_it_was_returned(stocked, goal, first, session):
    memory, named = stocked, {"session_id": session} if session else {}
    answer = ask(memory, "reflect_on_memory", goal=goal, max_steps=5, **named)
    steps = answer["suggested_sequence"]
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1)) and 1 <= len(steps) <= 5
    assert steps[0]["tool"] == first
    assert len({(step["tool"], str(step["params"])) for step in steps}) == len(steps)
    for step in steps:
        if session and "session_id" in contract()[step["tool"]]["input_schema"]["properties"]:
            assert step["params"]["session_id"] == session
        ask(memory, step["tool"], **step["params"])  # checked against the contract, and no error


def test_a_plan_finds_what_it_was_made_for(stocked):
    memory = stocked

    def first(goal):
        (step,) = ask(memory, "reflect_on_memory", goal=goal, max_steps=1)["suggested_sequence"]
        return ask(memory, step["tool"], **step["params"])

    assert first("Why did the night backup lead to failed logins?")["hop_count"] == 2
    assert first("Check whether there are failed logins because of a full disk")["contradictions_found"] == 0
    assert first("Restore the note on the printer toner")["tombstones"][0]["original_content"].startswith("The printer")
    assert first("Find out which instrument Anna plays")["results"][0]["content"].startswith("Anna plays the clarinet")


def test_a_plan_may_end_in_a_store_and_a_preview_alone(stocked):
    memory = stocked
    steps = ask(memory, "reflect_on_memory", goal="Remember that Tom is allergic to nuts")["suggested_sequence"]
    assert [step["tool"] for step in steps][:2] == ["search_graph", "store_memory"]
    ask(memory, "store_memory", **steps[1]["params"])
    found = ask(memory, "search_graph", query="allergic", include_content=True)["results"]
    assert found[0]["content"] == "Tom is allergic to nuts."
    steps = ask(memory, "reflect_on_memory", goal="Restore the note on the printer toner")["suggested_sequence"]
    (back,) = [step for step in steps if step["tool"] == "restore_from_hash"]
    assert ask(memory, "restore_from_hash", **back["params"])["previewed"]


@pytest.fixture
def dentist(memory):
    """What is to be forgotten, among other memories."""
    keep(memory, "The printer needs a new toner."), keep(memory, "Anna plays the clarinet in the town orchestra.")
    plate = keep(memory, "The plate of our car is B-AB 12.")
    return {"dentist": keep(memory, "Dr. Lindqvist is our dentist."), "plate": plate}


@pytest.mark.parametrize(("goal", "which"), [
    ("Forget everything about the dentist", "dentist"), ("Please delete the note about our dentist.", "dentist"),
    ("Delete the plate of our car", "plate"), ("I want you to remove the memory of the dentist", "dentist"),
])  # fmt: skip
def test_an_order_to_forget_leads_to_forget_concept(memory, dentist, goal, which):
    plan = ask(memory, "reflect_on_memory", goal=goal, max_steps=5)
    assert plan["reasoning"].startswith("The goal asks for something to forget.")
    steps = [(step["tool"], step["params"].get("node_id")) for step in plan["suggested_sequence"]]
    assert steps[0] == ("search_graph", None) and "search_tombstones" not in dict(steps)
    assert [node for tool, node in steps if tool == "forget_concept"] == [dentist[which]]


@pytest.mark.parametrize("goal", ["Do not forget the dentist on Monday", "How do I delete a file in Git?"])
def test_what_is_no_order_to_forget_forgets_nothing(memory, dentist, goal):
    plan = ask(memory, "reflect_on_memory", goal=goal, max_steps=5)
    assert "forget_concept" not in [step["tool"] for step in plan["suggested_sequence"]]


def test_why_a_memory_is_gone_is_looked_up_in_trash_and_log(memory, dentist):
    ask(memory, "forget_concept", node_id=dentist["dentist"], reason="user_requested")
    plan = ask(memory, "reflect_on_memory", goal="Why is the note about the dentist gone?", max_steps=5)
    assert plan["reasoning"].startswith("The goal asks for what was removed.")
    steps = plan["suggested_sequence"]
    assert [step["tool"] for step in steps][:3] == ["search_tombstones", "get_system_logs", "restore_from_hash"]
    (entry,) = ask(memory, "get_system_logs", **steps[1]["params"])["entries"]
    assert entry["node_ids"] == [dentist["dentist"]]


def test_no_search_is_planned_twice(stocked):
    plan = ask(stocked, "reflect_on_memory", goal="Why does Anna play the clarinet?", max_steps=5)
    queries = [step["params"]["query"] for step in plan["suggested_sequence"] if step["tool"] == "search_graph"]
    assert queries == ["Why does Anna play the clarinet?"]


@pytest.mark.parametrize(
    "goal",
    [
        "What do we remember about the clarinet of Anna?", "Find out where we store the printer toner",
        "Save time by finding who plays the clarinet", "Do you remember Anna's clarinet?",
    ],
)  # fmt: skip
def test_a_question_of_what_is_kept_is_no_order_to_keep_it(stocked, goal):
    plan = ask(stocked, "reflect_on_memory", goal=goal, max_steps=5)
    assert "store_memory" not in [step["tool"] for step in plan["suggested_sequence"]]
    assert "something to keep" not in plan["reasoning"]


def test_a_plan_says_what_the_store_holds_and_how_the_session_is(stocked):
    memory = stocked
    known = ask(memory, "reflect_on_memory", goal="Find out which instrument Anna plays")
    strange = ask(memory, "reflect_on_memory", goal="Find the airspeed of an unladen swallow")
    assert "probably speak of it" in known["reasoning"] and "No memory surely" in strange["reasoning"]
    assert "get_neighborhood" in [step["tool"] for step in known["suggested_sequence"]]
    assert known["utl_context"]["entropy"] == known["pulse"]["entropy"]
    assert 0 <= known["utl_context"]["learning_score"] <= 1
    empty = ask(memory, "reflect_on_memory", goal="Find the airspeed of a swallow", session_id=NOBODY)
    assert "learning_score" not in empty["utl_context"]


def test_a_plan_names_nothing_that_its_caller_may_not_see(stocked):
    memory = stocked
    hidden = keep(memory, "The salary of Ulrike is ninety thousand.", session="theirs", scope="session")
    plan = ask(memory, "reflect_on_memory", "mine", goal="Find out the salary of Ulrike", max_steps=5)
    assert hidden not in str(plan) and "ninety" not in str(plan)
    ask(memory, "forget_concept", "theirs", node_id=hidden, reason="obsolete")
    plan = ask(memory, "reflect_on_memory", "mine", goal="Restore what I know of the salary of Ulrike", max_steps=5)
    assert [step["tool"] for step in plan["suggested_sequence"]][:2] != ["search_tombstones", "restore_from_hash"]


FUNCTIONS = {
    "find": "def find(xs: list[int], y: int) -> int:\n    for i in range(len(xs)):\n        if xs[i] == y:\n"
    "            return i\n    return -1",
    "mean": "def mean(xs: list[int]) -> int:\n    total = 0\n    for x in xs:\n        total += x\n"
    "    return total // len(xs)",
    "clamp": "def clamp(x: int, low: int, high: int) -> int:\n    return low if x < low else min(x, high)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "which"),
    [
        ("verify the function mean", "mean"), ("prove that clamp is right", "clamp"),
        ("is the function mean correct? verify it", "mean"), ("verify find(xs, y) for me", "find"),
        ("verify the function median", None), ("verify `first_of` for me", None),
    ],
)  # fmt: skip
def test_the_function_that_is_proved_is_the_one_that_the_goal_names(memory, monkeypatch, goal, which):
    monkeypatch.setattr(planning, "NEEDS", {})  # planned, not run
    ids = {name: keep(memory, text) for name, text in FUNCTIONS.items()}
    plan = ask(memory, "reflect_on_memory", goal=goal, max_steps=5)
    proved = [step["params"]["node_id"] for step in plan["suggested_sequence"] if step["tool"] == "verify_code_node"]
    assert proved == ([] if which is None else [ids[which]])


def test_a_proof_without_a_name_is_that_of_the_nearest_function(memory, monkeypatch):
    monkeypatch.setattr(planning, "NEEDS", {})
    keep(memory, "Bob repairs bicycles.")
    code = keep(memory, FUNCTIONS["clamp"])
    plan = ask(memory, "reflect_on_memory", goal="prove that the function is right", max_steps=5)
    (proof,) = [step for step in plan["suggested_sequence"] if step["tool"] == "verify_code_node"]
    assert proof["params"]["node_id"] == code and "what clamp promises" in proof["rationale"]


def test_undo_my_last_write_leads_to_what_takes_it_back(memory):
    keep(memory, "Bob repairs bicycles.")
    tea = keep(memory, "Zoe likes tea with milk.")
    steps = ask(memory, "reflect_on_memory", goal="undo my last write")["suggested_sequence"]
    assert (steps[2]["tool"], steps[2]["params"]["node_id"]) == ("forget_concept", tea)
    ask(memory, "forget_concept", **steps[2]["params"])
    last = ask(memory, "reflect_on_memory", goal="undo my last write")["suggested_sequence"][2]
    assert last["tool"] == "restore_from_hash", "the last write is the removal"
    back = ask(memory, "restore_from_hash", **last["params"] | {"preview": False})
    assert back["restored_nodes"] == [tea]
    about = ask(memory, "reflect_on_memory", goal="undo what I wrote about the bicycles of Bob", max_steps=5)
    (forget,) = [step for step in about["suggested_sequence"] if step["tool"] == "forget_concept"]
    assert forget["params"]["node_id"] != tea
    theirs = ask(memory, "reflect_on_memory", "theirs", goal="undo my last write", max_steps=5)["suggested_sequence"]
    assert not {"forget_concept", "restore_from_hash"} & {step["tool"] for step in theirs}


@pytest.mark.parametrize("goal", ["bring back what was removed", "Restore my last deleted memory"])
def test_what_is_brought_back_without_a_name_is_what_was_removed_last(memory, goal):
    ask(memory, "forget_concept", node_id=keep(memory, "Bob repairs bicycles."), reason="user_requested")
    tea = keep(memory, "Zoe likes tea with milk.")
    ask(memory, "forget_concept", node_id=tea, reason="user_requested")
    search, back = ask(memory, "reflect_on_memory", goal=goal)["suggested_sequence"][:2]
    stones = ask(memory, "search_tombstones", **search["params"])["tombstones"]
    assert stones[0]["node_id"] == tea and len(stones) == 2
    assert ask(memory, "restore_from_hash", **back["params"])["restored_nodes"] == [tea]


@pytest.mark.parametrize("goal", ["too short", "x" * 501])
def test_a_goal_has_ten_to_five_hundred_characters(memory, goal):
    error = refused(memory, "reflect_on_memory", goal=goal)
    assert error["code"] == -32602 and error["field"] == "goal"


# entailment_query


@pytest.fixture
def zoo(memory):
    texts = ("A whale is a mammal.", "Mammals are a kind of animal.", "A dog is a mammal.", "Rain causes floods.")
    return [keep(memory, text) for text in texts]


def concept(memory, name):
    return next(node.id for node in memory.store.concepts() if node.name == name)


@requirement("inference:kinds-are-transitive")
def test_kinds_are_told_with_their_statements(memory, zoo):
    answer = ask(memory, "entailment_query", node_id=concept(memory, "whale"))
    assert answer["ancestors"] == [concept(memory, "mammal"), concept(memory, "animal")]
    assert answer["descendants"] == [] and answer["entailment_confidence"] == 0.36
    assert [(one["name"], one["depth"], one["in_cone"]) for one in answer["relations"]] == [
        ("mammal", 1, True),
        ("animal", 2, True),
    ]
    assert answer["relations"][1]["stated_in"] == zoo[:2]
    down = ask(memory, "entailment_query", node_id=concept(memory, "animal"), direction="descendants", max_depth=1)
    assert down["descendants"] == [concept(memory, "mammal")]
    assert ask(memory, "entailment_query", node_id=concept(memory, "animal"), direction="ancestors")["ancestors"] == []


@requirement("inference:unknown-is-an-answer")
def test_what_nobody_stated_is_unknown(memory, zoo):
    outcome = call(memory, "entailment_query", {"node_id": concept(memory, "Rain")})
    assert outcome.structured["ancestors"] == [] and outcome.structured["entailment_confidence"] == 0
    assert "unknown, not no" in outcome.texts[-1]
    ask(memory, "forget_concept", node_id=zoo[1], reason="obsolete")
    assert ask(memory, "entailment_query", node_id=concept(memory, "whale"))["ancestors"] == [concept(memory, "mammal")]


def test_of_a_memory_the_concepts_are_named_that_can_be_asked_for(memory, zoo):
    outcome = call(memory, "entailment_query", {"node_id": zoo[0]})
    assert concept(memory, "whale") in outcome.texts[-1] and concept(memory, "mammal") in outcome.texts[-1]


def test_kinds_of_what_is_not_there_are_refused(memory, zoo):
    assert refused(memory, "entailment_query", node_id=NOBODY)["code"] == "NODE_NOT_FOUND"
    hidden = keep(memory, "A unicorn is a horse.", session="theirs", scope="session")
    for node in (hidden, concept(memory, "unicorn")):
        assert refused(memory, "entailment_query", "mine", node_id=node)["code"] == "NODE_NOT_FOUND"
    assert refused(memory, "entailment_query", node_id=zoo[0], max_depth=11)["field"] == "max_depth"


# epistemic_action


def disagreeing(memory):
    return [
        keep(memory, f"The retro of the platform team is on {day}.", metadata={"speaker": who})
        for day, who in (("Tuesday", "Anna"), ("Thursday", "Tom"))
    ]


@requirement("inference:asks-what-settles-most")
def test_what_disagrees_is_asked_about_until_it_is_settled(memory):
    first, second = disagreeing(memory)
    answer = ask(memory, "epistemic_action")
    assert answer["action_type"] == "clarify" and answer["target_nodes"] == [first, second]
    assert "Tuesday" in answer["question"] and "Which of them holds?" in answer["question"]
    assert (
        0.5 < answer["expected_entropy_reduction"] <= 1 and answer["current_coherence"] == answer["pulse"]["coherence"]
    )
    task = ask(memory, "get_memetic_status")["curation_tasks"][0]
    assert task["question"] == answer["question"], "one question, wherever it is asked"
    held = task["answers"][1]
    ask(memory, held["tool"], **held["arguments"])
    settled = ask(memory, "epistemic_action")
    assert settled["question"] == "" and settled["expected_entropy_reduction"] == 0


@requirement("inference:asks-what-settles-most")
def test_what_few_memories_name_is_asked_about_first(memory):
    for text in ("We talked to Marta about Zephyr.", "I saw Marta at noon.", "They like Marta a lot."):
        keep(memory, text)
    assert ask(memory, "epistemic_action")["question"] == "", "nothing disagrees, and the session is sure enough"
    forced = ask(memory, "epistemic_action", force=True)
    assert (forced["action_type"], forced["question"]) == ("ask_user", "What should I know about Zephyr?")
    assert forced["expected_entropy_reduction"] == 0.5
    keep(memory, "Invoices are queued by Zephyr.")
    later = ask(memory, "epistemic_action", force=True)
    assert later["expected_entropy_reduction"] == pytest.approx(1 / 3, abs=1e-3)


def test_what_is_no_matter_of_the_user_is_looked_up(memory):
    node = keep(memory, "The retry happens in utils/backoff.py with a factor.")
    answer = ask(memory, "epistemic_action", force=True)
    assert answer["action_type"] == "search_external" and answer["question"] == "What is utils/backoff.py?"
    assert answer["target_nodes"] == [node]


def test_an_unsure_session_is_asked_what_it_means(memory):
    for text in ("The pump moves 40 litres.", "The pump has a new motor.", "The pump is in hall 3."):
        keep(memory, text)
    for _ in range(60):
        ask(memory, "search_graph", query="something about nothing at all", session_id=NOBODY)
    ask(memory, "search_graph", query="pump", session_id=NOBODY)
    assert ask(memory, "get_memetic_status", session_id=NOBODY)["entropy_level"] > 0.6
    answer = ask(memory, "epistemic_action", session_id=NOBODY, force=True)
    assert answer["action_type"] == "clarify" and "Which of these is it about" in answer["question"]
    assert len(answer["target_nodes"]) == 3


def test_an_empty_memory_and_a_sure_one_say_that_nothing_has_to_be_asked(memory):
    sure = call(memory, "epistemic_action", {})
    assert sure.structured["question"] == "" and "force=true" in sure.texts[-1]
    assert ask(memory, "epistemic_action", force=True)["question"] == "What should be remembered first?"
    assert refused(memory, "epistemic_action", force="yes")["field"] == "force"
    assert refused(memory, "epistemic_action", session_id="me")["field"] == "session_id"


def test_no_question_tells_what_its_caller_may_not_see(memory):
    for day, who in (("Tuesday", "Anna"), ("Thursday", "Tom")):
        keep(memory, f"The retro of the platform team is on {day}.", session="theirs", scope="session",
             metadata={"speaker": who})  # fmt: skip
    assert ask(memory, "epistemic_action", "theirs")["action_type"] == "clarify"
    mine = ask(memory, "epistemic_action", "mine", force=True)
    assert "retro" not in mine["question"] and mine["target_nodes"] == []


# query_causal, omni_infer

needs_pyagrum = pytest.mark.skipif(
    find_spec("pyagrum") is None, reason="the package pyagrum is not installed (extra: causal)"
)


@requirement("inference:exact-not-guessed")
@needs_pyagrum
def test_an_action_changes_how_likely_an_outcome_is(memory, causes):
    answer = ask(memory, "query_causal", action="full disk", outcome="failed logins")
    assert answer["intervention_type"] == "do" and answer["outcome"] == "failed logins"
    chain = 0.54 * 0.54  # 0.9 as it conducts, 0.6 as sure as a statement is
    assert 0.9 * chain < answer["effect_estimate"] < chain
    assert answer["confidence"] == 0.36 and answer["paths"][0]["hop_count"] == 2
    assert "is done" in answer["explanation"]
    would = ask(memory, "query_causal", action="full disk", outcome="failed logins", intervention_type="counterfactual")
    assert 0.5 < would["effect_estimate"] < 0.9, "the night backup may have done it over the network"
    assert "would not be without" in would["explanation"]


@requirement("inference:exact-not-guessed")
@needs_pyagrum
def test_what_is_only_seen_together_does_nothing(memory):
    for text in ("Summer causes more ice cream.", "Summer causes drowning."):
        keep(memory, text)
    pair = {"action": "more ice cream", "outcome": "drowning"}
    seen = ask(memory, "query_causal", **pair, intervention_type="observe")
    assert seen["effect_estimate"] > 0.1 and seen["paths"] == [] and "cause both" in seen["explanation"]
    done = ask(memory, "query_causal", **pair, intervention_type="do")
    assert "effect_estimate" not in done and "no path" in done["explanation"] and done["confidence"] == 0


@requirement("inference:none-is-an-answer")
def test_no_number_is_invented(memory, causes):
    back = ask(memory, "query_causal", action="failed logins", outcome="night backup")
    assert "effect_estimate" not in back and "the other way round" in back["explanation"] and back["paths"] == []
    for text in ("Stress causes bad sleep.", "Bad sleep causes stress."):
        keep(memory, text)
    for pair in (("stress", "bad sleep"), ("bad sleep", "stress")):
        circle = ask(memory, "query_causal", action=pair[0], outcome=pair[1])
        assert "effect_estimate" not in circle and "not identifiable" in circle["explanation"]
    same = ask(memory, "query_causal", action="full disks", outcome="a full disk")
    assert "the same thing" in same["explanation"] and "effect_estimate" not in same
    nothing = ask(memory, "query_causal", action="failed logins")
    assert nothing["explanation"] == "“failed logins”: nothing stored says what it leads to."


@requirement("inference:exact-not-guessed")
@needs_pyagrum
@pytest.mark.parametrize("action", ["no full disk", "prevent full disks", "stop the full disk", "lack of a full disk"])
def test_the_absence_of_a_thing_is_no_action_of_it(memory, causes, action):
    with_it = ask(memory, "query_causal", action="full disk", outcome="failed logins")
    answer = ask(memory, "query_causal", action=action, outcome="failed logins")
    assert answer["action"] == "not full disk"
    assert answer["effect_estimate"] == -with_it["effect_estimate"] < 0
    follows = ask(memory, "query_causal", action=action)["explanation"]
    assert "“full disk” is kept from happening" in follows
    inferred = ask(memory, "omni_infer", query=action, direction="forward")
    assert "the absence of “full disk”" in inferred["narrative"]
    assert all(one["confidence"] < 0.5 for one in inferred["inferences"])


@requirement("inference:none-is-an-answer")
def test_two_phrases_of_one_memory_are_no_concept(memory):
    keep(memory, "Tom thinks that moonlight causes madness.")
    answer = ask(memory, "query_causal", action="moonlight", outcome="madness")
    assert "no concept is called so" in answer["explanation"] and "effect_estimate" not in answer


@needs_pyagrum
def test_what_is_held_is_no_missing_cause(memory, causes):
    start = ask(memory, "find_causal_path", start_concept="full disk", end_concept="database crash")["path"][0]
    held = {"node_id": start["node_id"], "value": True, "mode": "hard"}
    for direction in ("backward", "abduction"):
        answer = ask(memory, "omni_infer", query="database crash", direction=direction, clamped_variables=[held])
        assert "nothing stored says" not in answer["narrative"]


@needs_pyagrum
def test_without_an_outcome_whatever_follows_is_told(memory, causes):
    answer = ask(memory, "query_causal", action="night backup")
    ends = [path["path"][-1]["node_name"] for path in answer["paths"]]
    assert set(ends) == {"full disk", "slow network", "database crash", "failed logins"}
    assert "outcome" not in answer and "effect_estimate" not in answer
    assert all(f"“{end}” (" in answer["explanation"] for end in ends)


def test_causes_without_the_package_are_not_applicable(memory, causes, monkeypatch):
    monkeypatch.setattr("context_graph.inference.bayes.find_spec", lambda name: None)
    for tool, arguments in (
        ("query_causal", {"action": "full disk", "outcome": "failed logins"}),
        ("omni_infer", {"query": "full disk"}),
    ):
        error = refused(memory, tool, **arguments)
        assert error["code"] == "NOT_APPLICABLE" and "ultimate-context-graph[causal]" in error["message"]
    assert ask(memory, "omni_infer", query="full disk and slow network", direction="bridge")["inferences"]


def test_an_action_that_nothing_knows_is_an_error(memory, causes):
    assert refused(memory, "query_causal", action="zeppelin")["code"] == "CONCEPT_NOT_FOUND"
    assert refused(memory, "query_causal", action="")["field"] == "action"
    assert refused(memory, "query_causal")["field"] == "action"
    hidden = keep(memory, "Snow causes late trains.", session="theirs", scope="session")
    assert refused(memory, "query_causal", "mine", action=hidden)["code"] == "NODE_NOT_FOUND"
    assert refused(memory, "query_causal", "mine", action="snow")["code"] == "CONCEPT_NOT_FOUND"


@requirement("inference:five-directions")
@needs_pyagrum
def test_each_direction_concludes_what_it_is_for(memory, causes):
    def inferred(query, direction):
        answer = ask(memory, "omni_infer", query=query, direction=direction)
        assert answer["direction"] == direction
        return answer, {memory.store.node(one["node_id"]).name: one for one in answer["inferences"]}

    answer, effects = inferred("full disk", "forward")
    assert list(effects) == ["database crash", "failed logins"]
    assert effects["database crash"]["confidence"] == pytest.approx(1 - 0.99 * 0.46, abs=1e-4)
    assert answer["expected_free_energy"] < 0
    _, before = inferred("What caused the failed logins?", "backward")
    assert {"database crash", "slow network", "full disk", "night backup"} == set(before)
    _, both = inferred("full disk", "bidirectional")
    assert {"night backup", "database crash", "failed logins"} == set(both)
    answer, explained = inferred("failed logins", "abduction")
    assert next(iter(explained)) == "night backup" and "none of the stated causes" in answer["narrative"]
    answer, between = inferred("full disk and slow network", "bridge")
    assert set(between) <= {"night backup", "failed logins"} and between and "expected_free_energy" not in answer


@needs_pyagrum
def test_of_two_causes_that_are_as_likely_neither_is_called_the_best(memory):
    for text in ("Heavy rain causes power outages.", "A worn gasket causes power outages."):
        keep(memory, text)
    answer = ask(memory, "omni_infer", query="power outages", direction="abduction")
    assert answer["narrative"].startswith("No best explanation of “power outages”: as likely are “")
    first = answer["inferences"][0]["statement"]
    assert "“Heavy rain”" in first and "“worn gasket”" in first and "Best" not in first
    keep(memory, "Heavy rain causes power outages, as the operator reports.")
    keep(memory, "A blackout is caused by heavy rain.")
    one = ask(memory, "omni_infer", query="A blackout", direction="abduction")["inferences"][0]
    assert one["statement"].startswith("Best explanation of ")


@requirement("inference:five-directions")
@needs_pyagrum
def test_without_a_direction_the_one_that_teaches_more_is_taken(memory, causes):
    ways = {
        direction: ask(memory, "omni_infer", query="night backup", direction=direction).get("expected_free_energy", 0.0)
        for direction in ("forward", "backward")
    }
    chosen = ask(memory, "omni_infer", query="night backup")
    assert chosen["direction"] == min(ways, key=ways.get) == "forward"
    assert ask(memory, "omni_infer", query="failed logins")["direction"] == "backward"


@needs_pyagrum
def test_a_clamp_explains_other_causes_away(memory, causes):
    crash, network = concept(memory, "database crash"), concept(memory, "slow network")

    def likely(*clamps):
        answer = ask(memory, "omni_infer", query="failed logins", direction="backward", clamped_variables=list(clamps))
        return {one["node_id"]: one["confidence"] for one in answer["inferences"]}[crash]

    free = likely()
    known = likely({"node_id": network, "value": True, "mode": "hard"})
    hint = likely({"node_id": network, "value": 0.9, "mode": "soft"})
    ruled_out = likely({"node_id": network, "value": False, "mode": "hard"})
    assert known < hint < free < ruled_out


def test_a_clamp_that_is_none_is_refused(memory, causes):
    crash = concept(memory, "database crash")
    for value, mode in ((0.5, "hard"), ("yes", "hard"), (2, "soft"), (None, "soft"), ([1], "soft")):
        clamps = [{"node_id": crash, "value": value, "mode": mode}]
        error = refused(memory, "omni_infer", query="failed logins", direction="backward", clamped_variables=clamps)
        assert error["code"] == -32602 and error["field"] == "clamped_variables"
    clamps = [{"node_id": NOBODY, "mode": "hard"}]
    assert refused(memory, "omni_infer", query="failed logins", clamped_variables=clamps)["code"] == "NODE_NOT_FOUND"
    assert refused(memory, "omni_infer", query="full disk", start_nodes=[NOBODY])["code"] == "NODE_NOT_FOUND"
    assert refused(memory, "omni_infer", query="zeppelin")["code"] == "CONCEPT_NOT_FOUND"
    assert "two concepts" in refused(memory, "omni_infer", query="full disk", direction="bridge")["message"]


@needs_pyagrum
def test_a_clamp_beside_the_matter_is_told(memory, causes):
    keep(memory, "Rain causes floods.")
    clamps = [{"node_id": concept(memory, "Rain"), "mode": "hard"}]
    outcome = call(memory, "omni_infer", {"query": "full disk", "direction": "forward", "clamped_variables": clamps})
    assert any("'Rain' was clamped, but no causal statement" in text for text in outcome.texts)


def test_of_what_nothing_follows_nothing_is_concluded(memory, causes):
    answer = ask(memory, "omni_infer", query="failed logins", direction="forward")
    assert answer["inferences"] == [] and "nothing stored says what it leads to" in answer["narrative"]
    assert ask(memory, "omni_infer", query="night backup", direction="abduction")["inferences"] == []


# verify_code_node


@requirement("verification:proofs-hold")
@pytest.mark.skipif(find_spec("z3") is None, reason="the package z3-solver is not installed (extra: verify)")
def test_code_in_a_memory_is_proved_or_refuted(memory):
    half = keep(memory, "def half(n: int) -> int:\n    assert n >= 0\n    return n // 2")
    answer = ask(memory, "verify_code_node", node_id=half, assertions=["2 * result <= n"])
    assert answer["status"] == "Verified" and len(answer["conditions"]) == 5 and answer["node_id"] == half
    assert ask(memory, "verify_code_node", node_id=half, assertions=["2 * result <= n"])["cached"]
    fenced = keep(memory, "We use this:\n\n```python\ndef last(xs: list[int]) -> int:\n    return xs[-1]\n```\n")
    failed = ask(memory, "verify_code_node", node_id=fenced, conditions=["bounds"])
    assert failed["status"] == "Failed" and failed["conditions"][0]["detail"].endswith("for xs=[]")
    text = ask(memory, "verify_code_node", node_id=keep(memory, "Anna plays the clarinet."))
    assert text["status"] == "NotApplicable" and "no Python" in text["conditions"][0]["detail"]
    late = ask(memory, "verify_code_node", node_id=half, assertions=["result >= 0"], timeout_ms=1)
    assert late["status"] == "Timeout" and "timeout_ms" in late["conditions"][0]["detail"]


def test_only_code_that_one_may_see_is_read(memory):
    hidden = keep(memory, "def f(n: int) -> int:\n    return n", session="theirs", scope="session")
    assert refused(memory, "verify_code_node", "mine", node_id=hidden)["code"] == "NODE_NOT_FOUND"
    assert refused(memory, "verify_code_node", node_id=NOBODY)["code"] == "NODE_NOT_FOUND"
    mine = keep(memory, "def g(n: int) -> int:\n    return n")
    assert refused(memory, "verify_code_node", node_id=mine, conditions=["speed"])["field"] == "conditions"
    assert refused(memory, "verify_code_node", node_id=mine, assertions=["n"] * 17)["field"] == "assertions"
    wrong = refused(memory, "verify_code_node", node_id=mine, assertions=["result >= 0", "result ==="])
    assert wrong["field"] == "assertions" and "'result ===' is no Python expression" in wrong["message"]
    assert refused(memory, "verify_code_node", node_id=mine, timeout_ms=0)["field"] == "timeout_ms"
