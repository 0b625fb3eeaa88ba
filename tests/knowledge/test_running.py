"""Agents, workflows and trajectories: fixed jobs, written down, taken up again."""

from dataclasses import replace

import pytest

from context_graph.agents.jobs import JOBS
from context_graph.knowledge.project import documents, project_name
from context_graph.knowledge.running import Agent, Trajectory, Workflow
from context_graph.runtime.records import Records
from tests.requirements import requirement
from tests.tools import contract


@pytest.fixture
def generated(ask):
    ask("kg_graph_generate", passages=False)
    return ask


@requirement("knowledge:agents")
def test_a_researcher_finds_the_documents_of_its_task(generated):
    data = generated("kg_agent_spawn", type="researcher", task="How is a token signed?", name="Rita")
    assert data["agentName"] == "Rita" and data["metrics"]["tokensUsed"] == 0
    best = data["taskResult"]["findings"][0]
    assert best["path"] == "docs/concepts/Tokens.md" and "signed with a key" in best["passage"]
    agents = generated("kg_agent_list", type="researcher")
    assert [(one["id"], one["status"], one["completedTasks"]) for one in agents["agents"]] == [
        (data["agentId"], "completed", 1)
    ]
    assert {one["type"] for one in agents["registeredTypes"]} == set(JOBS)
    assert agents["stats"]["instancesByStatus"] == {"completed": 1}
    assert generated("kg_agent_list", status="failed")["count"] == 0


def test_analyst_architect_and_tester_say_what_is_so(generated):
    analyst = generated("kg_agent_spawn", type="analyst", task="what is missing?")["taskResult"]
    assert {one["broken"] for one in analyst["findings"] if "broken" in one} == {
        "Authentication flow.png", "../index.md#nowhere", "gone.md",
    }  # fmt: skip
    architect = generated("kg_agent_spawn", type="architect", task="how is it built?")["taskResult"]
    assert architect["findings"][0]["path"] == "docs/index.md"
    tester = generated("kg_agent_spawn", type="tester", task="is it sound?")["taskResult"]
    assert tester["findings"][-1]["ok"] is True


@requirement("knowledge:agents")
def test_what_cannot_be_done_is_refused_in_the_words_of_the_contract(generated, refused):
    message, hint = refused("kg_agent_spawn", type="reviewer", task="review the code")
    assert message == "Agent type 'reviewer' is not registered" and "researcher" in hint
    message, hint = refused("kg_agent_spawn", type="coder", task="write a login page")
    assert "no language model" in message and "unused imports, __all__, bare excepts" in hint
    assert refused("kg_agent_spawn", task="x")[0] == "Agent type is required"
    assert refused("kg_agent_spawn", type="tester")[0] == "Task description is required"
    assert refused("kg_agent_spawn", type="tester", task=" \n") == (
        "Task description is required",
        "task holds only blanks; say what to do",
    )
    assert "takes its goal from a document" in refused("kg_workflow_start", workflowId="custom")[0]
    outside = {"options": {"watchPaths": ["../elsewhere"]}}
    assert "must stay inside" in refused("kg_workflow_start", workflowId="sync", input=outside)[0]
    assert "no code" in refused("kg_workflow_start", workflowId="sync", input={"options": {"autoStart": True}})[0]


def test_without_a_graph_nobody_reads_documents(refused):
    assert refused("kg_agent_spawn", type="researcher", task="x")[0] == "Database not initialized"
    assert refused("kg_workflow_start", workflowId="analysis")[0] == "Database not initialized"


def test_an_agent_keeps_to_its_time_and_its_retries(generated, memory):
    options = {"timeout": 0, "maxRetries": 2}
    values = contract.failed(memory, "kg_agent_spawn", type="analyst", task="x", options=options)
    assert "longer than its timeout of 0 ms" in values["error"]
    agent = generated("kg_agent_list")["agents"][0]
    assert (agent["status"], agent["errorCount"]) == ("failed", 3)


@requirement("knowledge:trajectories")
def test_each_step_is_written_down(generated, memory):
    agent = generated("kg_agent_spawn", type="analyst", task="x")["agentId"]
    generated("kg_agent_spawn", type="analyst", task="y")
    told = generated("kg_trajectory_list", agentId=agent, includeSteps=True)
    assert told["count"] == 1 and told["trajectories"][0]["success"] is True
    steps = told["trajectories"][0]["steps"]
    assert [one["action"] for one in steps] == ["check links", "find orphans", "measure marks", "read code"]
    assert steps[0]["outcome"] == "3 links lead nowhere" and steps[0]["state"]["findings"] == 3
    assert told["stats"]["learningRecords"] == 1 and told["stats"]["detectedPatterns"] == 0
    kinds = [event.type for event in memory.store.events(100)]
    assert kinds.count("trajectory") >= 2 * (4 + 1), "four steps and the end, each by an event of its own"
    assert "stats" not in generated("kg_trajectory_list", includeStats=False)
    assert generated("kg_trajectory_list", workflowId="none")["count"] == 0


def test_workflows_run_and_are_listed(generated, project, memory):
    done = generated("kg_workflow_start", workflowId="analysis", input={"docPath": "docs/guides"})
    assert done["outcome"] == "completed" and len(done["artifacts"]) == 1
    assert [one["path"] for one in done["artifacts"][0]["findings"]] == ["docs/guides/auth.md"]
    (project / "docs/fresh.md").write_text("# Fresh", "utf-8")
    synced = generated("kg_workflow_start", workflowId="sync")
    assert synced["artifacts"][0]["findings"][0]["added"] == 1
    whole = generated("kg_workflow_start", workflowId="collaboration")
    assert [one["name"] for one in whole["artifacts"]] == [
        "measure gaps", "agent researcher", "research.md", "agent analyst", "agent architect", "agent tester",
    ]  # fmt: skip
    inputs = {"docPath": "docs/none.md"}
    failed = contract.failed(memory, "kg_workflow_start", workflowId="analysis", input=inputs)["data"]
    assert failed["outcome"] == "failed" and "no document of the graph" in failed["error"]
    status = generated("kg_workflow_status", workflowId=done["workflowId"], includeMetrics=True, includeConfig=True)
    assert status["found"] and status["workflow"]["status"] == "completed"
    assert (status["stats"]["totalExecutions"], status["stats"]["failedExecutions"]) == (4, 1)
    assert not generated("kg_workflow_status", workflowId="none")["found"]
    assert generated("kg_workflow_status")["stats"] == status["stats"], "without an id, how all of them went"
    listed = generated("kg_workflow_list", limit=3)
    assert listed["summary"]["total"] == 4 and listed["pagination"]["nextOffset"] == 3
    assert listed["workflows"][0]["id"] == failed["workflowId"] if "workflowId" in failed else True
    rest = generated("kg_workflow_list", limit=3, offset=3)
    assert rest["pagination"]["nextOffset"] is None and len(rest["workflows"]) == 1
    assert generated("kg_workflow_list", status="failed", type="analysis")["summary"]["filtered"] == 1


@requirement("knowledge:restart")
def test_what_a_process_left_is_taken_up_again_or_fails_with_its_reason(generated, memory, opened):
    done = generated("kg_workflow_start", workflowId="collaboration")
    agent = generated("kg_agent_spawn", type="analyst", task="x")["agentId"]
    other = generated("kg_agent_spawn", type="analyst", task="y", options={"maxRetries": 1})["agentId"]
    memory.background.wait()  # or it takes up what is written below
    workflows, agents = Records(memory, Workflow), Records(memory, Agent)
    run = workflows.get(done["workflowId"])
    # As a process leaves them that was killed: running, with what was done so far.
    left = replace(
        run.value, status="running", completed_at=0, done=run.value.done[:2], artifacts=run.value.artifacts[:3]
    )
    workflows.change(run, left)
    for id in (agent, other):
        entry = agents.get(id)
        agents.change(entry, replace(entry.value, status="running"))
    memory.close()
    with opened() as again:
        contract.ask(again, "kg_stats")
        again.background.wait()
        value = Records(again, Workflow).get(run.name).value
        assert value.status == "completed" and value.attempts == 0
        assert [one["name"] for one in value.artifacts] == [one["name"] for one in run.value.artifacts]
        steps = Records(again, Trajectory).get(value.trajectory).value.steps
        assert [one.metadata["step"] for one in steps] == list(value.done), "each is told once"
        first, second = (Records(again, Agent).get(id).value for id in (agent, other))
        assert first.status == "failed" and "its process ended" in first.error
        assert second.status == "completed" and second.attempts == 2


def test_the_steps_of_an_agent_leave_the_graph_of_the_documents_as_it_is(memory, ask):
    ask("kg_graph_generate", passages=False)
    graph = documents(memory).graph(project_name(memory))
    ask("kg_agent_spawn", type="tester", task="look")
    assert documents(memory).graph(project_name(memory)) is graph
