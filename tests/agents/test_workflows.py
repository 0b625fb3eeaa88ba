"""Workflows: what each does, plans, and going on after a process was killed at each of its steps."""

import json
import signal
import subprocess
import sys

import pytest

from context_graph.agents.workflows import ACTIONS
from context_graph.knowledge.project import project_name
from context_graph.knowledge.running import Trajectory, Workflow
from context_graph.runtime.records import Records
from tests.requirements import requirement
from tests.tools import contract

GOAL = "---\ngoal: [report.written, patch.proposed]\n---\n# Release\n\nWhat is to be done before a release.\n"


@pytest.fixture
def generated(shop, ask):
    (shop / "docs/goal.md").write_text(GOAL, "utf-8")
    ask("kg_graph_generate", passages=False)
    return ask


def started(ask, type, **inputs):
    return ask("kg_workflow_start", workflowId=type, input=inputs)


@requirement("knowledge:sections")
def test_the_analysis_says_what_each_document_lacks(generated, shop):
    words = "one two three four five six seven eight nine ten " * 2
    (shop / "docs/login.md").write_text(f"# Login\n\n{words}\n\n## Requirements\n\n{words}\n", "utf-8")
    generated("kg_graph_generate", passages=False)
    report = started(generated, "analysis", docPath="docs/login.md", options={"threshold": 0.6})["artifacts"][0]
    (row,) = report["findings"]
    assert row["completeness"] == 0.5 and row["missing"] == ["acceptance criteria", "technical specification"]
    assert report["outcome"] == "1 documents, on average 0.50 complete, 1 below 0.6"
    assert report["recommendations"] == ["add to docs/login.md: acceptance criteria, technical specification"]


def test_a_file_that_is_not_in_the_graph_yet_says_how_it_gets_there(generated, refused, shop):
    (shop / "docs/later.md").write_text(GOAL, "utf-8")
    later = {"workflowId": "custom", "input": {"docPath": "docs/later.md"}}
    message, hint = refused("kg_workflow_start", **later)
    assert "a file that is not in it yet" in message and "kg_graph_generate" in hint
    generated("kg_graph_generate", passages=False)
    assert generated("kg_workflow_start", **later)["outcome"] == "completed"
    message, hint = refused("kg_workflow_start", workflowId="custom", input={"docPath": "docs/none.md"})
    assert "not in it yet" not in message and "kg_query" in hint


@requirement("knowledge:plans")
def test_a_plan_is_shown_and_runs_only_where_that_is_asked_for(generated):
    shown = started(generated, "custom", docPath="docs/goal.md")
    (plan,) = shown["artifacts"]
    assert shown["outcome"] == "completed" and plan["type"] == "plan" and "nothing was run" in plan["outcome"]
    assert [one["action"] for one in plan["findings"]] == [
        "sync documents", "measure gaps", "analyse code", "propose patch", "write report",
    ]  # fmt: skip
    run = started(generated, "custom", docPath="docs/goal.md", options={"autoStart": True})
    names = [one["name"] for one in run["artifacts"]]
    assert run["outcome"] == "completed" and names[0] == "plan"
    assert "proposed.patch" in names and names[-1] == "report.md"
    report = run["artifacts"][-1]["content"]
    assert "no language model" in report and "## 2. measure gaps" in report
    status = generated("kg_workflow_status", workflowId=run["workflowId"])["workflow"]
    assert status["stepsDone"][0] == "plan" and len(status["stepsDone"]) == 6


@requirement("knowledge:plans")
def test_a_document_may_bring_actions_of_its_own(generated, shop):
    (shop / "docs/goal.md").write_text(
        "---\ngoal: ready\nfacts: [asked]\nactions:\n"
        "- {name: quick look, does: measure gaps, gives: [ready], needs: [asked, documents.current], cost: 0.5}\n"
        "- {name: long look, does: agent analyst, gives: [ready], cost: 9}\n---\n# Release\n",
        "utf-8",
    )
    generated("kg_graph_generate", passages=False)
    plan = started(generated, "custom", docPath="docs/goal.md")["artifacts"][0]
    assert [one["action"] for one in plan["findings"]] == ["sync documents", "quick look"]
    assert "of cost 1.5" in plan["outcome"]


@pytest.mark.parametrize(
    ("matter", "words"),
    [
        ("title: x", "names no goal"),
        ("goal: [world.peace]", "no action gives world.peace"),
        ("goal: 7", "goal in the front matter must be a list of facts"),
        ("goal: [a]\nactions: {}", "must be a list"),
        ("goal: [a]\nactions: [{name: x, does: rm -rf, gives: [a]}]", "does must be one of"),
        ("goal: [a]\nactions: [{name: x, does: measure gaps, gives: []}]", "must have a name and give a fact"),
        ("goal: [a]\nactions: [{name: x, does: measure gaps, gives: [a], cost: -1}]", "cost must be a number above 0"),
        ("goal: [a]\nactions: [{name: x, does: agent coder, gives: [a], task: write it}]", "task of a coder"),
        (
            "goal: [a]\nactions: [{name: x, does: measure gaps, gives: [a], shell: true}]",
            "must have name, does and gives",
        ),
        ("goal: [a]\nactions: [{name: x, does: measure gaps, gives: [a], needs: [b]}]", "no sequence of actions"),
    ],
)
def test_a_wrong_goal_is_refused_and_nothing_is_written(generated, refused, shop, matter, words):
    if matter.endswith("{}"):
        matter = matter.replace("{}", "{a: b}")
    (shop / "docs/goal.md").write_text(f"---\n{matter}\n---\n# Release\n", "utf-8")
    generated("kg_graph_generate", passages=False)
    assert words in refused("kg_workflow_start", workflowId="custom", input={"docPath": "docs/goal.md"})[0]


@requirement("knowledge:plans")
def test_every_action_of_the_page_can_be_planned_and_run(generated, shop):
    goal = ", ".join(sorted({fact for one in ACTIONS for fact in one.gives}))
    (shop / "docs/goal.md").write_text(f"---\ngoal: [{goal}]\n---\n# Release\n", "utf-8")
    generated("kg_graph_generate", passages=False)
    run = started(generated, "custom", docPath="docs/goal.md", options={"autoStart": True})
    assert run["outcome"] in ("completed", "running")
    contract_steps = 1 + len(ACTIONS)
    status = generated("kg_workflow_status", workflowId=run["workflowId"])["workflow"]
    assert run["outcome"] == "running" or len(status["stepsDone"]) == contract_steps


KILLED = {
    "analysis": {"workflowId": "analysis"},
    "sync": {"workflowId": "sync", "input": {"options": {"watchPaths": ["docs", "docs/guides"]}}},
    "collaboration": {"workflowId": "collaboration"},
    "custom": {"workflowId": "custom", "input": {"docPath": "docs/goal.md", "options": {"autoStart": True}}},
}  # fmt: skip
LONG = pytest.mark.long
STEPS = {"analysis": 1, "sync": 2, "collaboration": 5, "custom": 6}


@requirement("knowledge:restart")
@pytest.mark.parametrize("point", ["before the note", "behind the note", "behind the step"])
@pytest.mark.parametrize("type", [*list(KILLED)[:1], *(pytest.param(one, marks=LONG) for one in list(KILLED)[1:])])
def test_a_workflow_that_is_killed_at_each_step_goes_on_to_its_end(shop, opened, tmp_path, type, point):
    (shop / "docs/goal.md").write_text(GOAL, "utf-8")
    with opened() as memory:
        contract.ask(memory, "kg_graph_generate", passages=False)

    def killed(arguments):
        command = [sys.executable, "-m", "tests.agents.killed_workflow", str(tmp_path / "home"), str(shop), point]
        return subprocess.run([*command, json.dumps(arguments)], check=False, timeout=120).returncode

    assert killed(KILLED[type]) == -signal.SIGKILL
    if point == "behind the step":
        for _ in range(STEPS[type] - 1):
            assert killed(None) == -signal.SIGKILL
    with opened() as again:
        contract.ask(again, "kg_stats")
        again.background.wait()
        (entry,) = Records(again, Workflow).all()
        run = entry.value
        assert (run.status, run.error, len(run.done)) == ("completed", "", STEPS[type])
        steps = Records(again, Trajectory).get(run.trajectory).value.steps
        assert [one.metadata["step"] for one in steps] == list(run.done), "each step once, in its order"
        stats = contract.ask(again, "kg_workflow_status", includeMetrics=True)["data"]["stats"]
        assert (stats["totalExecutions"], stats["successfulExecutions"]) == (1, 1)


@requirement("knowledge:restart")
@pytest.mark.parametrize("tool", ["kg_workflow_list", "kg_workflow_status", "kg_agent_list"])
def test_whoever_looks_at_what_a_killed_process_left_has_it_taken_up(generated, opened, memory, tool):
    left = Workflow("w1", project_name(memory), "analysis", "running", "", "t1", started_at=1, last_event_at=1)
    Records(memory, Workflow).add(left.id, left)
    memory.close()
    with opened() as again:
        contract.ask(again, tool)
        again.background.wait()
        assert [entry.value.status for entry in Records(again, Workflow).all()] == ["completed"]


@requirement("knowledge:restart")
@pytest.mark.long
def test_three_processes_that_end_in_one_step_are_enough(shop, opened, tmp_path):
    with opened() as memory:
        contract.ask(memory, "kg_graph_generate", passages=False)
    command = [
        sys.executable,
        "-m",
        "tests.agents.killed_workflow",
        str(tmp_path / "home"),
        str(shop),
        "before the note",
    ]
    for arguments in (KILLED["analysis"], None, None):
        done = subprocess.run([*command, json.dumps(arguments)], check=False, timeout=120)
        assert done.returncode == -signal.SIGKILL
    with opened() as again:
        contract.ask(again, "kg_stats")
        again.background.wait()
        (entry,) = Records(again, Workflow).all()
        assert (entry.value.status, entry.value.error) == ("failed", "3 processes ended in its step 'measure gaps'")
