"""Chains of tool calls: each session's calls one after the other, kept within bounds, with nothing that was said."""

import json
from dataclasses import replace

import pytest

from context_graph import Memory
from context_graph.agents import chains
from context_graph.agents.chains import known_chains, write_chains
from context_graph.errors import NodeNotFound
from context_graph.inference.patterns import Foresight, repeated
from context_graph.knowledge.project import project_name
from context_graph.knowledge.running import CallChain
from context_graph.runtime.calls import MAX_CHAIN_CALLS, PAUSE_US, CallChains, ToolCall
from context_graph.runtime.records import Records
from context_graph.server.dispatch import call
from context_graph.settings import Settings
from context_graph.store import note_of
from tests.requirements import requirement
from tests.tools import contract

S, T = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
SECRET = "the password of the lighthouse is Zarathustra"


@pytest.fixture
def listed(memory):
    """The trajectories of kg_trajectory_list, without those calls themselves."""

    def told(**arguments):
        return contract.ask(memory, "kg_trajectory_list", T, includeSteps=True, **arguments)["data"]

    return told


@requirement("knowledge:chains")
def test_calls_of_a_session_are_a_trajectory_with_steps_times_and_success(memory, listed):
    contract.ask(memory, "search_graph", S, query="Who keeps the lighthouse?")
    contract.refused(memory, "search_graph", S, query="x", top_k=-1)
    contract.ask(memory, "use_tool", S, name="get_health", arguments={})
    (chain,) = listed()["trajectories"]
    assert chain["actionSummary"] == ["search_graph", "search_graph", "get_health"]
    assert [step["outcome"] for step in chain["steps"]] == ["answered", "failed", "answered"]
    assert chain["success"] and chain["completedAt"] == "" and chain["agentId"].startswith("session-")
    assert chain["stepCount"] == 3 and chain["totalDuration"] > 0
    later = listed(limit=1)["trajectories"][0]
    assert later["actionSummary"] == ["kg_trajectory_list"], "that call was one too, of another session"
    assert listed(agentId=chain["agentId"])["count"] == 1


@requirement("knowledge:chains-say-nothing")
def test_nothing_of_arguments_answers_or_session_is_kept(memory, tmp_path):
    contract.ask(memory, "search_graph", S, query=SECRET)
    call(memory, "get_health", {"also": SECRET}, caller=memory.caller.within(S))
    write_chains(memory)
    (record,) = memory.store.records("calls")
    written = [note_of(event)["operation"] for event in memory.store.events(100) if event.type == "calls"]
    assert written == ["calls_written"]
    text = json.dumps(dict(record.data))
    assert "Zarathustra" not in text and S not in text and S[:8] not in text
    assert set(record.data) == {
        "id", "agent", "started_at", "last_at", "tools", "ms", "offsets_ms", "failed", "ended", "project"
    }  # fmt: skip


def test_they_are_there_after_a_restart_and_a_chain_ends_with_its_process(opened):
    with opened() as memory:
        contract.ask(memory, "get_health", S)
        contract.ask(memory, "get_health", S)
        (before,) = known_chains(memory)
    with opened() as again:
        assert known_chains(again) == [replace(before, ended=True)]


def test_a_chain_that_goes_on_is_written_anew_and_an_unchanged_one_is_not(memory):
    contract.ask(memory, "get_health", S)
    assert write_chains(memory) == 0, "one call alone is followed by nothing"
    contract.ask(memory, "get_health", S)
    assert (write_chains(memory), write_chains(memory)) == (1, 0)
    head = memory.store.head()
    contract.ask(memory, "get_health", S)
    assert write_chains(memory) == 1 and memory.store.head() != head
    (entry,) = Records(memory, CallChain).all()
    assert len(entry.value.tools) == 3


def test_the_oldest_makes_room(memory, monkeypatch):
    monkeypatch.setattr(chains, "MAX_CHAINS", 3)
    begun = []
    for i in range(5):
        session = f"{i:08}{S[8:]}"
        contract.ask(memory, "get_health", session)
        contract.ask(memory, "get_health", session)
        write_chains(memory)
        begun.append(known_chains(memory)[-1].started_at)
    written = sorted(entry.value.started_at for entry in Records(memory, CallChain).all())
    assert written == begun[-3:] and len(memory.store.records("calls")) == 3


@requirement("knowledge:chains-off")
def test_they_can_be_switched_off(opened):
    with opened("silent", trajectories=False) as memory:
        contract.ask(memory, "get_health")
        contract.ask(memory, "get_health")
        assert known_chains(memory) == [] and write_chains(memory) == 0


def test_a_memory_that_cannot_be_written_drops_them(memory, monkeypatch):
    contract.ask(memory, "get_health", S)
    contract.ask(memory, "get_health", S)
    monkeypatch.setattr(memory.store, "unwritable", "the disk is read only")
    head = memory.store.head()
    assert write_chains(memory) == 0 and memory.store.head() == head


def test_undo_and_the_log_pass_over_them(memory):
    stored = contract.keep(memory, "Anna plays the clarinet.")
    contract.ask(memory, "get_health")
    assert write_chains(memory) == 1
    assert memory.store.events(1)[0].type == "calls"
    memory.undo()
    with pytest.raises(NodeNotFound):
        memory.store.node(stored)


@requirement("reasoning:habits")
def test_reflect_on_memory_offers_what_is_called_again_and_again(memory):
    for _ in range(4):
        for name in ("get_health", "get_graph_manifest", "get_memetic_status"):
            contract.ask(memory, name, S)
    contract.ask(memory, "get_health", S)
    contract.ask(memory, "get_graph_manifest", S)
    answer = contract.ask(memory, "reflect_on_memory", S, goal="Find out who keeps the lighthouse")
    first = answer["habits"][0]
    assert first["next"] == "get_memetic_status" and first["tools"][-2:] == ["get_graph_manifest", "get_memetic_status"]
    assert first["confidence"] == pytest.approx(min(1, first["times"] / 10)) and first["times"] >= 3
    assert len(answer["habits"]) <= 5
    fresh = contract.ask(memory, "reflect_on_memory", T, goal="Find out who keeps the lighthouse")
    assert all("next" not in one for one in fresh["habits"]), "nothing was called in that session"


def test_a_tool_that_is_called_many_times_in_a_row_is_one_habit(memory):
    for _ in range(9):
        contract.ask(memory, "get_health", S)
    habits = contract.ask(memory, "reflect_on_memory", T, goal="Find out who keeps the lighthouse")["habits"]
    assert [set(one["tools"]) for one in habits] == [{"get_health"}]


def test_without_repeats_nothing_is_offered(memory):
    assert "habits" not in contract.ask(memory, "reflect_on_memory", goal="Find out who keeps the lighthouse")


@requirement("knowledge:patterns")
def test_patterns_are_counted_from_three_repeats_on(memory, listed):
    told = []
    for _ in range(3):
        for name in ("get_health", "get_graph_manifest", "get_memetic_status"):
            contract.ask(memory, name, S)
        told.append(listed()["stats"]["detectedPatterns"])
    assert told == [0, 0, 1], "the three in their order; what lies within them is not counted again"


def test_a_pause_a_full_chain_and_too_many_sessions_end_chains():
    followed = CallChains(b"salt")
    for i in range(MAX_CHAIN_CALLS + 1):
        followed.add(S, None, ToolCall("a", True, 1.0, i))
    first, second = followed.all(0)
    assert (len(first.calls), first.ended, len(second.calls), second.ended) == (MAX_CHAIN_CALLS, True, 1, False)
    assert all(one.ended for one in followed.all(MAX_CHAIN_CALLS + PAUSE_US + 1))
    assert followed.of_session(S) == []
    for i in range(1_000):
        followed.add(f"session {i}", None, ToolCall("a", True, 1.0, i))
    assert len(followed.all(0)) <= 512


def test_the_chains_of_two_sessions_do_not_mix(memory):
    for session in (S, T, S, T):
        contract.ask(memory, "get_health", session)
    assert [len(one.tools) for one in known_chains(memory)] == [2, 2]
    assert len({one.agent for one in known_chains(memory)}) == 2


def test_a_memory_without_a_server_keeps_none(tmp_path):
    with Memory(Settings(home=tmp_path / "own", tier="base")) as memory:
        memory.remember("Anna plays the clarinet.")
        assert known_chains(memory) == []


@requirement("knowledge:patterns")
def test_patterns_follow_each_call_without_counting_all_chains_again(memory, monkeypatch):
    tools = ("get_health", "kg_stats", "search_graph")
    for i in range(3):
        memory.calls.add(f"old-{i}", None, ToolCall("get_health", True, 1.0, memory.clock()))
        memory.calls.add(f"old-{i}", None, ToolCall("kg_stats", True, 1.0, memory.clock()))
    habits = chains.habits(memory)
    monkeypatch.setattr(chains, "_count", None)
    for i in range(4):
        for tool in tools:
            memory.calls.add(f"new-{i}", None, ToolCall(tool, True, 1.0, memory.clock()))
    assert chains.habits(memory) is habits
    every = [one.tools for one in known_chains(memory)]
    assert list(habits.patterns()) == repeated(every)
    for last in (["get_health"], ["kg_stats"], ["get_health", "kg_stats"], ["search_graph"], []):
        assert habits.next(last) == Foresight(repeated(every)).next(last)


def test_the_background_counts_anew_only_where_something_was_written(memory, monkeypatch):
    contract.ask(memory, "get_health", S)
    first = chains.habits(memory)
    chains.write(memory, None)
    assert chains.habits(memory) is first
    contract.ask(memory, "get_health", S)
    chains.write(memory, None)
    again = chains.habits(memory)
    assert again is not first
    head = memory.store.head()
    chains.write(memory, None)
    assert chains.habits(memory) is again and memory.store.head() == head, "an idle server does and writes nothing"


@requirement("knowledge:chains-say-nothing")
def test_who_guesses_the_name_of_a_session_cannot_check_it():
    one, other = CallChains(b"one"), CallChains(b"other")
    for followed in (one, other):
        followed.add("anna", None, ToolCall("a", True, 1.0, 1))
    assert one.all(1)[0].agent != other.all(1)[0].agent and one.all(1)[0].id != other.all(1)[0].id


def test_a_list_of_trajectories_makes_steps_of_those_that_it_shows(memory, monkeypatch):
    stored = [
        CallChain(f"chain-{i}", "ada", i + 1, i + 2, ("a", "b"), (1.0, 2.0), (0, 1), (1,) if i % 2 else (), ended=True)
        for i in range(30)
    ]
    Records(memory, CallChain).write_all(added=stored, clean=True)
    shown, trajectory_of = [], chains.trajectory_of
    monkeypatch.setattr(chains, "trajectory_of", lambda chain: shown.append(chain.id) or trajectory_of(chain))
    listed = contract.ask(memory, "kg_trajectory_list", limit=3, agentId="ada", successOnly=True)["data"]
    assert [one["id"] for one in listed["trajectories"]] == shown == ["chain-28", "chain-26", "chain-24"]
    totals = listed["stats"]
    assert (totals["totalTrajectories"], totals["successRate"], totals["avgDuration"]) == (30, 0.5, 3.0)


def test_the_background_counts_before_anybody_asks_where_calls_were_written(memory, monkeypatch):
    chains.write(memory, None)
    assert memory not in chains._counted, "a process that is not used counts nothing"
    for tool in ("get_health", "kg_stats"):
        memory.calls.add(S, None, ToolCall(tool, True, 1.0, memory.clock()))
    chains.write(memory, None)
    monkeypatch.setattr(chains, "_count", None)
    assert chains.habits(memory).next(["get_health"]) is None, "no call counts all chains"


def test_chains_of_two_projects_in_one_memory_are_told_apart(tmp_path):
    """Two checkouts share a home: what was done in each is known by its folder."""
    for name in ("app", "site"):
        (tmp_path / name).mkdir()
        with Memory(Settings(home=tmp_path / "home", tier="base", project=tmp_path / name)) as memory:
            for _ in range(2):
                contract.ask(memory, "get_health", S)
            now = contract.ask(memory, "kg_trajectory_list", T)["data"]["trajectories"]
    assert [one["project"].rpartition("/")[2] for one in now if "get_health" in one["actionSummary"]] == ["site", "app"]


def test_a_chain_of_an_older_version_has_no_project(opened):
    with opened() as memory:
        contract.ask(memory, "get_health", S)
        contract.ask(memory, "get_health", S)
    with opened() as memory:
        (entry,) = Records(memory, CallChain).all()
        data = {key: value for key, value in entry.record.data.items() if key != "project"}
        with memory.store.write("calls", memory.author(memory.caller)) as tx:
            tx.put(replace(entry.record, data=data))
        memory.committed(tx.committed)
        (old,) = contract.ask(memory, "kg_trajectory_list", T)["data"]["trajectories"]
    assert old["actionSummary"] == ["get_health", "get_health"] and old.get("project") is None


def test_the_trajectory_of_an_agent_has_its_project(memory, listed):
    contract.ask(memory, "kg_graph_generate", T, passages=False)
    contract.ask(memory, "kg_agent_spawn", T, type="researcher", task="Who keeps the lighthouse?")
    memory.background.wait()
    (own,) = [one for one in listed()["trajectories"] if not one["agentId"].startswith("session-")]
    assert own["project"] == project_name(memory)
