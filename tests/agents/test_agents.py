"""Agents as callers meet them: what they say, leave and refuse, and how they wait for their turn."""

import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest

from context_graph.agents import runner
from context_graph.agents.jobs import JOBS
from context_graph.agents.work import StepResult, artefact, bounded
from context_graph.embed import Embedder
from context_graph.errors import Cancelled
from context_graph.ingest.batch import SMALL_BATCH
from context_graph.knowledge.running import Agent
from context_graph.presentation.answer_budget import ANSWER_BYTES
from context_graph.progress import followed
from context_graph.runtime.records import Records
from context_graph.store import note_of
from tests.agents.conftest import CODE
from tests.requirements import requirement
from tests.tools import contract

PATIENCE_S = 60

TASKS = {
    "analyst": "look at the quality", "architect": "how is it built?", "tester": "what is untested?",
    "coder": "remove unused imports", "researcher": "How is a token signed?",
}  # fmt: skip


@pytest.fixture
def spawned(shop, ask):
    ask("kg_graph_generate", passages=False)
    return lambda type, task=None, **more: ask("kg_agent_spawn", type=type, task=task or TASKS[type], **more)


@requirement("knowledge:agents")
@pytest.mark.parametrize("type", TASKS)
def test_each_leaves_something_and_says_that_no_language_model_made_it(spawned, ask, type):
    data = spawned(type)
    assert "no language model" in data["taskResult"]["note"] and data["metrics"]["tokensUsed"] == 0
    assert data["taskResult"]["findingsTotal"] >= len(data["taskResult"]["findings"]) > 0
    trajectory, *made = data["artifacts"]
    assert trajectory["type"] == "trajectory" and made
    listed = ask("kg_agent_list", agentId=data["agentId"])["artifacts"]
    assert [(one["name"], one["chars"]) for one in listed] == [(one["name"], one["chars"]) for one in made]
    if type != "researcher":
        assert data["metrics"]["network"] == "none" or "not cut off" in data["metrics"]["network"]
        assert data["metrics"]["cpu"] > 0 and data["metrics"]["memory"] > 0


@requirement("knowledge:agents-cite")
@pytest.mark.parametrize("type", TASKS)
def test_every_finding_about_code_or_a_text_has_its_place(spawned, shop, type):
    for one in spawned(type)["taskResult"]["findings"]:
        if "kind" in one or "passage" in one:
            assert "memory" in one or one["line"] <= (shop / one["path"]).read_text("utf-8").count("\n") + 1


def test_a_long_artefact_is_read_on(spawned, shop, ask):
    many = "".join(f"def f{i}(a):\n    return a\n\n\n" for i in range(900))
    (shop / "src/shop/many.py").write_text(many, "utf-8")
    data = spawned("analyst")
    (report,) = [one for one in data["artifacts"] if one["type"] == "report"]
    text, offset = report["content"], report["nextOffset"]
    while offset is not None:
        (piece,) = ask("kg_agent_list", agentId=data["agentId"], artifact=report["name"], offset=offset)["artifacts"]
        text, offset = text + piece["content"], piece.get("nextOffset")
    assert len(text) == report["chars"] and text.count("many.py") > 500


def test_an_answer_fits_into_its_line(shop, memory):
    for i in range(60):
        (shop / f"src/shop/ä{i}.py").write_text(
            "import os\n" * 50 + "".join(f"def f{j}(): pass\n" for j in range(50)), "utf-8"
        )
    for type in ("analyst", "architect", "tester", "coder"):
        answer = contract.ask(memory, "kg_agent_spawn", type=type, task=TASKS[type], options={"timeout": 60_000})
        assert len(str(answer).encode()) < 1.2 * ANSWER_BYTES, type


@requirement("knowledge:agents-in-the-project")
def test_a_path_in_the_task_is_kept_to_and_one_outside_is_refused(spawned, refused, shop):
    for task, paths in (
        ("look at src/shop/cart.py, please", {"src/shop/cart.py"}),
        ("tests/ alone", {"tests/test_cart.py"}),
        ("look at `src/`.", {path for path in CODE if path.startswith("src/") and "__init__" not in path}),
    ):
        data = spawned("analyst", task)
        assert {one["path"] for one in data["taskResult"]["findings"]} <= paths, task
        assert paths == {"tests/test_cart.py"} or data["taskResult"]["findings"][-1]["path"] in paths
    rows = spawned("analyst", "what is wrong in docs/guides?")["taskResult"]["findings"]
    assert {one["path"] for one in rows} == {"docs/guides/auth.md"}
    for type in ("architect", "tester"):
        rows = spawned(type, "look at src/shop")["taskResult"]["findings"]
        assert not [one for one in rows if one.get("path", "").endswith(".md")]
    (shop.parent / "secret").mkdir(exist_ok=True)
    for task in ("look at ../secret/", "read /etc/passwd", "look at src/../../x", "check ../../none/none.md"):
        assert "does not lie in the project" in refused("kg_agent_spawn", type="analyst", task=task)[0]
    assert "error" not in spawned("analyst", "look at the and/or of it")["taskResult"]
    assert "has no such file" in refused("kg_agent_spawn", type="tester", task="test src/shop/none.py")[0]


def test_an_agent_that_made_nothing_of_a_name_says_what_there_is(spawned, refused):
    id = spawned("coder")["agentId"]
    message, _ = refused("kg_agent_list", agentId=id, artifact="other.patch")
    assert "made proposed.patch" in message
    assert "names no agent" in refused("kg_agent_list", agentId="none", artifact="other.patch")[0]


@pytest.mark.parametrize(
    ("tool", "argument", "message"),
    [
        ("kg_agent_list", "agentId", "No agent of this project has the id 'nope'"),
        ("kg_trajectory_list", "agentId", "No trajectory is of an agent with the id 'nope'"),
        ("kg_trajectory_list", "workflowId", "No trajectory is of a workflow with the id 'nope'"),
        ("kg_workflow_status", "workflowId", "No run of this project has the id 'nope'"),
    ],
)
def test_an_id_that_nobody_has_is_told_alike(shop, memory, tool, argument, message):
    outcome = contract.call(memory, tool, {argument: "nope"})
    assert not outcome.is_error and message in outcome.texts[-1]


def test_findings_about_documents_say_what_is_wrong_and_why(spawned, shop):
    findings = spawned("analyst")["taskResult"]["findings"]
    by_kind = {one["kind"]: one for one in findings if one["path"].endswith(".md")}
    assert by_kind["orphan"]["reason"] == "no document links to it, and it links to none"
    assert by_kind["few marks"]["reason"].startswith(f"{round(by_kind['few marks']['marks'] * 6)} of 6 marks; it lacks")
    assert by_kind["broken link"]["reason"]


@pytest.mark.parametrize("type", ["architect", "tester"])
def test_a_file_that_is_no_python_is_named_as_skipped(spawned, type):
    result = spawned(type)["taskResult"]
    (unread,) = [one for one in result["findings"] if one.get("kind") == "unread"]
    assert unread["path"] == "src/shop/broken.py" and "invalid syntax" in unread["message"]


@requirement("knowledge:agents-cite")
def test_a_researcher_follows_what_the_best_results_name(shop, ask, memory):
    (shop / "docs/signing.md").write_text("# Signing\n\nA `Lantern Key` signs the harbour permits.\n", "utf-8")
    (shop / "docs/keys.md").write_text("# Keys\n\nThe Lantern Key lies in the safe of the pier.\n", "utf-8")
    ask("kg_graph_generate", passages=False)
    tag = f"[node_{contract.keep(memory, 'Harbour permits are renewed each March.').replace('-', '')[:10]}]"
    data = ask("kg_agent_spawn", type="researcher", task="Who signs the harbour permits?")
    findings = {one.get("path", one.get("memory")): one for one in data["taskResult"]["findings"]}
    assert findings["docs/signing.md"]["hop"] == 1 and findings["docs/signing.md"]["line"] == 3
    assert findings["docs/keys.md"]["hop"] == 2 and "names “Lantern Key”" in findings["docs/keys.md"]["why"]
    assert findings[tag]["passage"] == "Harbour permits are renewed each March."
    report = data["artifacts"][1]["content"]
    statements = [line for line in report.split("\n") if line.startswith("- ")]
    assert len(statements) == len(findings) and all(line.endswith(")") for line in statements)
    assert "(docs/keys.md:3; names" in report and tag in report


@requirement("knowledge:queue")
def test_the_most_urgent_runs_first(shop, memory, monkeypatch):
    order, begun, go = [], threading.Event(), threading.Event()

    def work(work):
        order.append(work.task)
        begun.set()
        go.wait(20)
        return iter(())

    monkeypatch.setitem(JOBS, "architect", JOBS["architect"].__class__(("x",), work))
    threads = []
    for task, priority in (("first", "low"), ("low", "low"), ("critical", "critical"), ("medium", "medium")):
        options = {"priority": priority}
        thread = threading.Thread(
            target=contract.ask,
            args=(memory, "kg_agent_spawn"),
            kwargs={"type": "architect", "task": task, "options": options},
        )
        thread.start()
        threads.append(thread)
        begun.wait(20)
        while len(Records(memory, Agent).all()) < len(threads):
            thread.join(0.01)
    go.set()
    for thread in threads:
        thread.join()
    assert order == ["first", "critical", "medium", "low"]
    agents = {one.value.task: one.value for one in Records(memory, Agent).all()}
    assert all(one.status == "completed" for one in agents.values())


@requirement("knowledge:queue")
def test_one_whose_call_is_cancelled_ends_without_a_result(shop, memory, monkeypatch):
    begun = threading.Event()

    def work(work):
        begun.set()
        while not work.over():
            begun.wait()
        raise runner.Refused("it was stopped")
        yield

    monkeypatch.setitem(JOBS, "architect", JOBS["architect"].__class__(("x",), work))
    with pytest.raises(Cancelled), followed(lambda *told: None, begun.is_set):
        now = memory.clock()
        runner.spawn(
            memory,
            Agent("one", runner.project_name(memory), "architect", "one", "x", "t", "r", "idle", now, now, 60_000.0),
        )  # fmt: skip
    memory.background.wait()
    agent = runner.find_agent(memory, "one").value
    assert (agent.status, agent.error) == ("terminated", "nobody waits for it any more")
    data = contract.ask(memory, "kg_agent_list", status="terminated")["data"]
    assert data["stats"]["instancesByStatus"] == {"terminated": 1} and data["count"] == 1


@requirement("knowledge:agents")
def test_a_child_that_takes_too_long_is_ended_and_tried_again(spawned, ask, memory):
    task, options = TASKS["coder"], {"timeout": 1, "maxRetries": 1}
    values = contract.failed(memory, "kg_agent_spawn", type="coder", task=task, options=options)
    data = values["data"]
    assert values["error"] == data["taskResult"]["error"] and values["metadata"]["status"] == "failed"
    assert "options.timeout" in values["details"]["hint"]
    assert "longer than its timeout of 1 ms" in values["error"] and data["metrics"]["attempts"] == 2
    (agent,) = ask("kg_agent_list", type="coder")["agents"]
    assert (agent["status"], agent["errorCount"]) == ("failed", 2)
    trajectory = ask("kg_trajectory_list", agentId=data["agentId"])["trajectories"][0]
    assert trajectory["success"] is False and trajectory["completedAt"]


def test_a_project_without_python_is_no_error(memory, ask):
    data = ask("kg_agent_spawn", type="tester", task="look")
    assert data["taskResult"]["findings"][-1]["ok"] is True
    steps = ask("kg_trajectory_list", agentId=data["agentId"])["trajectories"][0]["actionSummary"]
    assert steps == ["verify the store", "read code"]


def test_a_defect_is_told_and_the_next_agent_runs(memory, ask, monkeypatch, caplog):
    def work(work):
        raise ZeroDivisionError("a mistake in a job")

    monkeypatch.setitem(JOBS, "architect", JOBS["architect"].__class__(("x",), work))
    values = contract.failed(memory, "kg_agent_spawn", type="architect", task="x")
    data = values["data"]
    assert "a defect of this version" in data["taskResult"]["error"]
    memory.background.wait()
    assert "a mistake in a job" in caplog.text
    assert ask("kg_agent_spawn", type="tester", task="x")["taskResult"]["findings"]


def test_what_an_older_version_kept_is_read(memory, ask):
    id = ask("kg_agent_spawn", type="tester", task="look")["agentId"]
    (record,) = memory.store.records("agent")
    with memory.store.write("agent", memory.author(memory.caller)) as tx:
        tx.put(replace(record, data={**record.data, "result": {"findings": []}}))
    assert [one["id"] for one in ask("kg_agent_list")["agents"]] == [id]


def test_results_are_bounded_whatever_a_job_makes(memory, ask, monkeypatch):
    def work(work):
        rows = tuple({"path": "a.py", "line": i, "kind": "x", "message": "m" * 100} for i in range(20_000))
        yield StepResult(
            "much", "very much", rows, (), tuple(artefact("report", f"{i}.md", "x", "é" * 200_000) for i in range(9))
        )

    monkeypatch.setitem(JOBS, "architect", JOBS["architect"].__class__(("x",), work))
    data = ask("kg_agent_spawn", type="architect", task="x")
    assert data["taskResult"]["findingsTotal"] == 20_000
    listed = ask("kg_agent_list", agentId=data["agentId"])["artifacts"]
    assert sum(one["chars"] for one in listed) == runner.MAX_RUN_CHARS
    assert {one["cutFrom"] for one in listed} == {200_000}
    ask("kg_graph_generate", passages=False)
    run = ask("kg_workflow_start", workflowId="collaboration")
    assert run["outcome"] == "completed"


@pytest.mark.parametrize("each", [0, 70, 75, 76, 150, 1_000])
def test_a_patch_is_cut_at_the_end_of_a_file(each):
    file = "--- a/{0}\n+++ b/{0}\n@@ -1,2 +1,2 @@\n x\n--- a/y\n+++ b/y\n"  # the last two are lines that change
    parts = [file.format(f"a_longer_name_{i}") for i in range(3)]
    (one,) = bounded([artefact("patch", "p", "text/x-diff", "".join(parts))], each=each, total=1_000)
    whole = min(3, each // len(parts[0]))
    assert one["content"] == "".join(parts[:whole])
    assert one.get("cutFrom", sum(map(len, parts))) == sum(map(len, parts)) and ("cutFrom" in one) == (whole < 3)


@requirement("knowledge:agents")
@pytest.mark.parametrize("options", [{"timeout": 1e308}, {"timeout": 600_001}, {"maxRetries": 11}])
def test_an_agent_cannot_hold_the_others_for_ever(spawned, refused, memory, options):
    assert "at most" in refused("kg_agent_spawn", type="analyst", task="x", options=options)[0]
    assert not memory.store.records("agent")


def test_a_workflow_that_meets_a_defect_has_failed(memory, ask, spawned, monkeypatch, caplog):
    def work(work):
        raise ZeroDivisionError("a mistake in a job")

    monkeypatch.setitem(JOBS, "researcher", JOBS["researcher"].__class__(("x",), work))
    values = contract.failed(memory, "kg_workflow_start", workflowId="collaboration")
    run = values["data"]
    assert run["outcome"] == "failed" and run["error"] == values["error"] and "a defect of this version" in run["error"]
    memory.background.wait()
    assert "a mistake in a job" in caplog.text


@pytest.mark.parametrize("other_runs_it", [False, True])
def test_a_call_that_waits_looks_again_where_another_process_runs_agents(spawned, memory, monkeypatch, other_runs_it):
    """Whether the other one ends its own work alone, or has taken up this one's too."""
    looks, real, agents = [], memory.store.lease, []

    @contextmanager
    def lease(name):
        looks.append(name)
        if name == "agents" and looks.count(name) < 4:
            if other_runs_it and looks.count(name) == 3:
                (entry,) = Records(memory, Agent).all()
                runner._run_agent(memory, entry, lambda: False)
            yield False
            return
        with real(name) as held:
            yield held

    monkeypatch.setattr(memory.store, "lease", lease)
    monkeypatch.setattr(runner, "MAX_WAIT_S", 10 * PATIENCE_S)
    options = {"timeout": 5 * PATIENCE_S * 1_000}
    call = threading.Thread(target=lambda: agents.append(spawned("researcher", options=options)), daemon=True)
    call.start()
    call.join(PATIENCE_S)
    assert not call.is_alive(), "it waits for a process that has ended its work"
    assert looks.count("agents") == 4 and not memory.background.is_put_off("agents")
    (agent,) = Records(memory, Agent).all()
    assert (agent.value.status, agent.value.attempts) == ("completed", 1)


def test_an_agent_does_not_wait_until_the_passages_of_a_folder_are_read(shop, memory, ask, monkeypatch):
    reading, go_on, ahead = threading.Event(), threading.Event(), Embedder.ahead

    def slow(self, memories, **more):
        reading.set()
        assert go_on.wait(PATIENCE_S)
        return ahead(self, memories, **more)

    text = "".join(f"## Boat {number}\n\nBoat {number} lies in the harbour of Ghent.\n\n" for number in range(20))
    (shop / "docs" / "boats.md").write_text(text, "utf-8")
    monkeypatch.setattr(Embedder, "ahead", slow)
    ask("kg_graph_generate")
    assert reading.wait(PATIENCE_S)
    agent = ask("kg_agent_spawn", type="researcher", task=TASKS["researcher"])
    stored = memory.remember("Anna plays the clarinet.").stored
    go_on.set()
    memory.background.wait()
    assert agent["taskResult"]["findingsTotal"] > 0 and stored
    assert "passages are memories" in ask("kg_graph_stats", detailed=True)["passages"]["docs"]
    written = [len(note_of(event).get("nodes", ())) for event in memory.store.events(100, type="created")]
    assert sum(written) > 20 and max(written) <= SMALL_BATCH, "a store that comes meanwhile waits for a small one"
