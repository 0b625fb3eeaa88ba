"""Runs agents and workflows in the background: each step is written down, and what a process left is taken up again."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from context_graph.agents.jobs import JOBS, StepResult, completeness
from context_graph.connectors.folder.graph import generate
from context_graph.errors import ContextGraphError, InvalidInput, NotApplicable, Refused
from context_graph.index.corpus import Corpus
from context_graph.knowledge.project import exists_in, folder_in, graph_of, project_name, project_root, trees
from context_graph.knowledge.running import Agent, Step, Trajectory, Workflow
from context_graph.runtime.records import Entry, Records
from context_graph.runtime.tasks import OnLoad, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["DEFAULT_TIMEOUT_MS", "WORKFLOWS", "find_agent", "find_workflow", "run", "spawn", "start"]

DEFAULT_TIMEOUT_MS = 10_000.0
MAX_WAIT_S = 20.0
"""How long a call waits for what it started; then it goes on in the background."""

MAX_WORKFLOW_ATTEMPTS = 3


def spawn(memory: "Runtime", agent: Agent) -> Agent:
    """Start an agent and wait for it as long as its timeout is; it may still be running then."""
    if agent.type not in JOBS:
        raise NotApplicable(
            f"Agent type '{agent.type}' is not registered",
            hint=f"registered: {', '.join(JOBS)}; the others write or review code, which this server cannot",
        )
    graph_of(memory)
    Records(memory, Trajectory).add(agent.trajectory, Trajectory(agent.trajectory, agent.id, agent.created_at))
    Records(memory, Agent).add(agent.id, agent)
    _wait(memory, f"agent:{agent.id}", agent.timeout_ms / 1_000)
    return find_agent(memory, agent.id).value


def start(memory: "Runtime", workflow: Workflow) -> Workflow:
    """Start a workflow and wait for it for a while."""
    if workflow.type not in WORKFLOWS:
        raise NotApplicable(
            f"a workflow of type '{workflow.type}' cannot be done here",
            hint=f"there are: {', '.join(WORKFLOWS)}; custom plans would need steps that nobody has checked",
        )
    root = project_root(memory)
    for path in workflow.watch_paths:
        folder_in(root, path, field="watchPaths")
    if workflow.type != "sync":
        graph_of(memory)
    made = Trajectory(workflow.trajectory, workflow.id, workflow.started_at, workflow.id)
    Records(memory, Trajectory).add(workflow.trajectory, made)
    Records(memory, Workflow).add(workflow.id, workflow)
    _wait(memory, f"workflow:{workflow.id}", MAX_WAIT_S)
    return find_workflow(memory, workflow.id).value


def find_agent(memory: "Runtime", id: str) -> Entry[Agent]:
    """An agent by its id."""
    return Records(memory, Agent).get(id)


def find_workflow(memory: "Runtime", id: str) -> Entry[Workflow]:
    """A run of a workflow by its id."""
    return Records(memory, Workflow).get(id)


def _wait(memory: "Runtime", item: str, seconds: float) -> None:
    memory.background.plan("agents", [item])
    memory.background.finished("agents", item, min(seconds + 1.0, MAX_WAIT_S))


def _unfinished(memory: "Runtime", corpus: Corpus) -> Iterator[str]:
    for kind in ("agent", "workflow"):
        for one in memory.store.records(kind):
            if one.data.get("status") == "running":
                yield f"{kind}:{one.name}"


@task("agents", trigger=OnLoad(_unfinished), lease=True, waiting="agents and workflows wait")
def run(memory: "Runtime", round: Round) -> None:
    """Run what was started, or was left by a process that ended."""
    for item in round.items:
        kind, _, id = item.partition(":")
        if kind == "agent":
            entry = find_agent(memory, id)
            if entry.value.project == project_name(memory) and entry.value.status == "running":
                _run_agent(memory, entry, round.over)
        else:
            workflow = find_workflow(memory, id)
            if workflow.value.project == project_name(memory) and workflow.value.status == "running":
                _run_workflow(memory, workflow, round.over)


# Agents


def _run_agent(memory: "Runtime", entry: Entry[Agent], over: Callable[[], bool]) -> None:
    shelf = Records(memory, Agent)
    while entry.value.status == "running":
        agent = entry.value
        if agent.attempts > agent.max_retries:
            reason = agent.error or "its process ended before it did, and it had no retry left"
            shelf.change(entry, _ended(memory, agent, "failed", error=reason, errors=max(1, agent.errors)))
            _close_trajectory(memory, agent.trajectory, success=False)
            return
        began = time.monotonic()
        entry = shelf.change(entry, replace(agent, attempts=agent.attempts + 1, last_activity=memory.clock()))
        try:
            result = _attempt(memory, entry.value, began, over)
        except ContextGraphError as error:
            if over():
                return  # the memory is being closed: the next process takes it up
            failed = replace(entry.value, errors=entry.value.errors + 1, error=str(error)[:500])
            entry = shelf.change(entry, failed)
            continue
        took = round(1_000 * (time.monotonic() - began), 3)
        shelf.change(entry, _ended(memory, entry.value, "completed", result=result, duration_ms=took, error=""))
        _close_trajectory(memory, agent.trajectory, success=True)
        return


def _attempt(memory: "Runtime", agent: Agent, began: float, over: Callable[[], bool]) -> dict[str, Any]:
    findings: list[Mapping[str, Any]] = []
    recommendations: list[str] = []
    last = time.monotonic()
    for step in JOBS[agent.type].work(memory, agent.task):
        now = time.monotonic()
        _note_step(memory, agent.trajectory, step, 1_000 * (now - last), {"attempt": agent.attempts})
        last = now
        findings += step.findings
        recommendations += step.recommendations
        if 1_000 * (now - began) > agent.timeout_ms:
            raise Refused(f"it took longer than its timeout of {agent.timeout_ms:g} ms")
        if over():
            raise Refused("the memory is being closed")
    return {"findings": findings, "recommendations": recommendations}


def _ended(memory: "Runtime", agent: Agent, status: Any, **more: Any) -> Agent:
    return replace(agent, status=status, last_activity=memory.clock(), **more)


# Workflows


def _gaps(memory: "Runtime", workflow: Workflow) -> StepResult:
    graph, root = graph_of(memory), project_root(memory)
    broken = [one.source for one in graph.broken(lambda path: exists_in(root, path))]
    rows = []
    for place, node in enumerate(graph.nodes):
        path = node.document.path
        if workflow.doc_path in ("", path) or path.startswith(f"{workflow.doc_path.rstrip('/')}/"):
            score = completeness(node.document, len(graph.outgoing[place]), broken.count(path))
            rows.append({"path": path, "completeness": round(score, 4), "brokenLinks": broken.count(path)})
    if not rows:
        raise InvalidInput(f"no document of the graph is {workflow.doc_path[:80]!r} or lies below it", field="docPath")
    below = [row for row in rows if float(str(row["completeness"])) < workflow.threshold]
    mean = sum(float(str(row["completeness"])) for row in rows) / len(rows)
    outcome = f"{len(rows)} documents, on average {mean:.2f} complete, {len(below)} below {workflow.threshold:g}"
    return StepResult("measure gaps", outcome, tuple(sorted(rows, key=lambda row: str(row["completeness"]))[:50]))


def _steps_of(memory: "Runtime", workflow: Workflow) -> dict[str, Callable[[], StepResult]]:
    """The steps of a workflow by name, in their order."""
    if workflow.type == "sync":
        paths = workflow.watch_paths or tuple(entry.value.folder for entry in trees(memory)) or ("docs",)
        return {f"sync {path}": lambda path=path: _sync(memory, path) for path in paths}  # type: ignore[misc]
    steps: dict[str, Callable[[], StepResult]] = {"measure gaps": lambda: _gaps(memory, workflow)}
    if workflow.type == "collaboration":
        task_text = workflow.doc_path or "the documents of the project"
        for type in JOBS:
            steps[f"agent {type}"] = lambda type=type: _joined(memory, type, task_text)  # type: ignore[misc]
    return steps


def _sync(memory: "Runtime", path: str) -> StepResult:
    run = generate(memory, path, incremental=True)
    counts = {"added": run.added, "updated": run.updated, "removed": run.removed, "unchanged": run.unchanged}
    return StepResult(
        f"sync {path}", ", ".join(f"{n} {what}" for what, n in counts.items()), ({"path": path} | counts,)
    )


def _joined(memory: "Runtime", type: str, text: str) -> StepResult:
    steps = list(JOBS[type].work(memory, text))
    return StepResult(
        f"agent {type}",
        "; ".join(step.outcome for step in steps),
        tuple(one for step in steps for one in step.findings)[:20],
        tuple(one for step in steps for one in step.recommendations),
    )


def _run_workflow(memory: "Runtime", entry: Entry[Workflow], over: Callable[[], bool]) -> None:
    shelf = Records(memory, Workflow)
    workflow = replace(entry.value, attempts=entry.value.attempts + 1)
    try:
        if workflow.attempts > MAX_WORKFLOW_ATTEMPTS:
            raise Refused(f"{MAX_WORKFLOW_ATTEMPTS} processes ended before it did")
        for name, step in _steps_of(memory, workflow).items():
            if name in workflow.done:
                continue
            workflow = replace(workflow, step=name, last_event_at=memory.clock())
            entry = shelf.change(entry, workflow)
            began = time.monotonic()
            result = step()
            _note_step(memory, workflow.trajectory, result, 1_000 * (time.monotonic() - began), {"step": name})
            artifact = {
                "type": "report", "name": name, "outcome": result.outcome, "findings": list(result.findings),
                "recommendations": list(result.recommendations),
            }  # fmt: skip
            workflow = replace(
                workflow, done=(*workflow.done, name), artifacts=(*workflow.artifacts, artifact),
                last_event_at=memory.clock(),
            )  # fmt: skip
            entry = shelf.change(entry, workflow)
            if over():
                return  # the next process goes on behind this step
    except ContextGraphError as error:
        now = memory.clock()
        shelf.change(
            entry, replace(workflow, status="failed", error=str(error)[:500], last_event_at=now, completed_at=now)
        )
        _close_trajectory(memory, workflow.trajectory, success=False)
        return
    now = memory.clock()
    shelf.change(entry, replace(workflow, status="completed", step="", last_event_at=now, completed_at=now))
    _close_trajectory(memory, workflow.trajectory, success=True)


WORKFLOWS = {
    "collaboration": "gaps, then each registered agent",
    "analysis": "gaps of the documents",
    "sync": "the documents in step with their files, once",
}
"""The types that can be run, and what they do."""


# Trajectories


def _note_step(memory: "Runtime", trajectory: str, step: StepResult, ms: float, metadata: Mapping[str, Any]) -> None:
    shelf = Records(memory, Trajectory)
    entry = shelf.get(trajectory)
    state = {"findings": len(step.findings), "recommendations": len(step.recommendations)}
    made = Step(step.action, step.outcome, round(ms, 3), memory.clock(), state, metadata)
    shelf.change(entry, replace(entry.value, steps=(*entry.value.steps, made)))


def _close_trajectory(memory: "Runtime", trajectory: str, *, success: bool) -> None:
    shelf = Records(memory, Trajectory)
    entry = shelf.get(trajectory)
    shelf.change(entry, replace(entry.value, completed_at=memory.clock(), success=success))
