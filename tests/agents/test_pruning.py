"""Runs that ended long ago make room for new ones; what has not ended stays, however old it is."""

from dataclasses import replace

import pytest

from context_graph.agents.pruning import prune_runs
from context_graph.ingest.forget import restore
from context_graph.knowledge.running import Agent, AgentResult, Trajectory, Workflow
from context_graph.runtime.records import Records
from tests.knowledge.conftest import contract

HOUR_US = 3_600_000_000
KINDS = ("agent", "agent_result", "trajectory", "workflow")


def agent(memory, number, status="completed"):
    """An agent that ended so many hours ago, with its result and trajectory."""
    id, then = f"agent-{number}", round(memory.clock() - number * HOUR_US)
    run = Agent(
        id, "shop", "tester", id, "what is untested?", f"task-{number}", f"way-{number}", status, then, then, 10_000.0
    )
    Records(memory, Agent).add(id, run)
    Records(memory, AgentResult).add(id, AgentResult(recommendations=(id,)))
    Records(memory, Trajectory).add(run.trajectory, Trajectory(run.trajectory, id, then, completed_at=then))


def workflow(memory, number, status="completed"):
    id, then = f"workflow-{number}", memory.clock() - number * HOUR_US
    run = Workflow(id, "shop", "analysis", status, "", f"path-{number}", then, then, then if status != "running" else 0)
    Records(memory, Workflow).add(id, run)
    Records(memory, Trajectory).add(run.trajectory, Trajectory(run.trajectory, id, then, id))


def names(memory):
    return {kind: {one.name for one in memory.store.records(kind)} for kind in KINDS}


def test_the_runs_that_ended_last_are_kept_with_all_that_is_theirs(opened):
    with opened(agent_runs=2) as memory:
        for number in (2, 5, 4):
            agent(memory, number)
        workflow(memory, 3)
        workflow(memory, 6)
        assert prune_runs(memory) == 3
        assert names(memory) == {
            "agent": {"agent-2"}, "agent_result": {"agent-2"}, "workflow": {"workflow-3"},
            "trajectory": {"way-2", "path-3"},
        }  # fmt: skip
        head = memory.store.head()
        assert prune_runs(memory) == 0 and memory.store.head() == head, "nothing is written where nothing goes"
        assert memory.store.verify().ok


@pytest.mark.parametrize("status", ["idle", "running", "paused"])
def test_an_agent_that_has_not_ended_is_never_taken_away(opened, status):
    with opened(agent_runs=0) as memory:
        agent(memory, 1_000, status)
        agent(memory, 999)
        assert prune_runs(memory) == 1
        assert names(memory)["agent"] == names(memory)["agent_result"] == {"agent-1000"}
        assert names(memory)["trajectory"] == {"way-1000"}


@pytest.mark.parametrize("status", ["running", "suspended"])
def test_a_workflow_that_has_not_ended_is_never_taken_away(opened, status):
    with opened(agent_runs=0) as memory:
        workflow(memory, 1_000, status)
        workflow(memory, 999, "failed")
        assert prune_runs(memory) == 1
        assert names(memory)["workflow"] == {"workflow-1000"} and names(memory)["trajectory"] == {"path-1000"}


def test_what_ended_within_the_hour_can_still_be_read(opened):
    with opened(agent_runs=0) as memory:
        agent(memory, 0.5)
        assert prune_runs(memory) == 0 and names(memory)["agent"] == {"agent-0.5"}


def test_undo_brings_the_runs_back(opened):
    with opened(agent_runs=1) as memory:
        agent(memory, 2)
        agent(memory, 3)
        before = names(memory)
        prune_runs(memory)
        restore(memory, memory.store.events(1)[0].hash, preview=False, only=None)
        assert names(memory) == before


def test_the_end_of_a_run_makes_room(opened, shop):
    with opened(agent_runs=1) as memory:
        agent(memory, 3)
        agent(memory, 2)
        contract.ask(memory, "kg_graph_generate", passages=False)
        fresh = contract.ask(memory, "kg_agent_spawn", type="tester", task="what is untested?")["data"]["agentId"]
        memory.background.wait()
        assert names(memory)["agent"] == {fresh}, "the two old ones made room"


def test_a_record_that_names_no_trajectory_goes_alone(opened):
    with opened(agent_runs=0) as memory:
        agent(memory, 2)
        (entry,) = Records(memory, Agent).all()
        Records(memory, Agent).change(entry, replace(entry.value, trajectory=""))
        assert prune_runs(memory) == 1 and names(memory)["trajectory"] == {"way-2"}
