"""Runs agents and workflows in the background: each step is written down, and what a process left is taken up again."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from context_graph.agents.code.report import MAX_ARTEFACT_CHARS
from context_graph.agents.jobs import JOBS, check_task
from context_graph.agents.pruning import prune_runs
from context_graph.agents.work import StepResult, Work, bounded, bounded_rows
from context_graph.agents.workflows import WORKFLOWS, planned, steps_of
from context_graph.errors import Cancelled, ContextGraphError, InvalidInput, NotApplicable, Refused
from context_graph.index.corpus import Corpus
from context_graph.knowledge.project import folder_in, graph_of, project_name, project_root
from context_graph.knowledge.running import Agent, AgentResult, Step, Trajectory, Workflow
from context_graph.progress import unwanted
from context_graph.runtime.records import Entry, Records
from context_graph.runtime.tasks import OnLoad, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = [
    "DEFAULT_TIMEOUT_MS",
    "cancel",
    "find_agent",
    "find_workflow",
    "result_of",
    "run",
    "spawn",
    "start",
    "take_up",
]

DEFAULT_TIMEOUT_MS = 10_000.0
MAX_WAIT_S = 20.0
"""How long a call waits for what it started; then it goes on in the background."""

LOOK_S = 0.1
"""How often a call that waits looks whether anybody waits for it."""

MAX_RETRY_S = 1.0
"""How long a call that waits leaves another process alone which runs agents, after shorter times at first."""

MAX_WORKFLOW_ATTEMPTS = 3
"""Processes that may end within one step."""

MAX_RUN_CHARS = 300_000
"""Of all artefacts or all findings of an agent or workflow: a record has a bound."""

MAX_TIMEOUT_MS, MAX_RETRIES = 600_000.0, 10
"""Of one agent: the others wait for it, and each attempt is written down."""

MAX_STEP_ARTEFACT_CHARS = 20_000
"""Of an artefact of a workflow, which has those of several agents."""

DEFECT = "a defect of this version ended it; the server's log has it"
URGENCY = {"low": 0, "medium": 1, "high": 2, "critical": 3}

_endings: dict[str, threading.Event] = {}
"""By id of an agent or workflow that a call waits for: set when it has ended."""

_cancelled: set[str] = set()
"""Ids of agents that nobody wants any more."""


def spawn(memory: "Runtime", agent: Agent) -> Agent:
    """Start an agent and wait for it as long as its timeout is; it may still be running then."""
    if agent.type not in JOBS:
        raise NotApplicable(
            f"Agent type '{agent.type}' is not registered",
            hint=f"registered: {', '.join(JOBS)}; the others need somebody who understands what is written, and no "
            "language model runs here",
        )
    if not agent.timeout_ms <= MAX_TIMEOUT_MS or agent.max_retries > MAX_RETRIES:
        raise InvalidInput(
            f"options.timeout may be {MAX_TIMEOUT_MS:g} ms and options.maxRetries {MAX_RETRIES} at most, got "
            f"{agent.timeout_ms:g} and {agent.max_retries}: the other agents wait for this one",
            field="options",
        )
    check_task(memory, agent.type, agent.task)
    Records(memory, Agent).add(agent.id, agent)
    try:
        _wait(memory, f"agent:{agent.id}", agent.timeout_ms * (1 + agent.max_retries) / 1_000)
    except Cancelled:
        cancel(agent.id)
        raise
    return find_agent(memory, agent.id).value


def start(memory: "Runtime", workflow: Workflow) -> Workflow:
    """Start a workflow and wait for it for a while."""
    if workflow.type not in WORKFLOWS:
        raise NotApplicable(
            f"a workflow of type '{workflow.type}' is not known", hint=f"there are: {', '.join(WORKFLOWS)}"
        )
    root = project_root(memory)
    for path in workflow.watch_paths:
        folder_in(root, path, field="watchPaths")
    if workflow.type == "custom":
        workflow = planned(memory, workflow)
    elif workflow.type != "sync":
        graph_of(memory)
    Records(memory, Workflow).add(workflow.id, workflow)
    _wait(memory, f"workflow:{workflow.id}", MAX_WAIT_S)
    return find_workflow(memory, workflow.id).value


def cancel(agent_id: str) -> None:
    """Have an agent of this process end without a result; one that waits ends when its turn comes."""
    _cancelled.add(agent_id)


def find_agent(memory: "Runtime", id: str) -> Entry[Agent]:
    """An agent by its id."""
    return Records(memory, Agent).get(id)


def result_of(memory: "Runtime", agent_id: str) -> AgentResult:
    """What an agent found and made; nothing where it has not completed."""
    entry = Records(memory, AgentResult).named(agent_id)
    return AgentResult() if entry is None else entry.value


def find_workflow(memory: "Runtime", id: str) -> Entry[Workflow]:
    """A run of a workflow by its id."""
    return Records(memory, Workflow).get(id)


def _wait(memory: "Runtime", item: str, seconds: float) -> None:
    """Plan an item, and wait until it has ended; raises `Cancelled` where nobody waits for the answer any more."""
    ended = _endings.setdefault(item, threading.Event())
    try:
        memory.background.plan("agents", [item])
        pause, again = LOOK_S, time.monotonic() + LOOK_S
        end = time.monotonic() + min(seconds + 1.0, MAX_WAIT_S)
        while not ended.wait(LOOK_S) and (now := time.monotonic()) < end and not memory.background.closing:
            if unwanted():
                raise Cancelled(f"nobody waits for this answer any more; {item.partition(':')[0]} given up")
            if now >= again:
                memory.background.look_again("agents", item)  # another process may have ended what it ran
                pause = min(2 * pause, MAX_RETRY_S)
                again = now + pause
    finally:
        _endings.pop(item, None)


def _ended(item: str) -> None:
    if (waiting := _endings.get(item)) is not None:
        waiting.set()


def take_up(memory: "Runtime") -> None:
    """Have the agents and workflows go on in the background that a process left which ended."""
    if items := tuple(_unfinished(memory)):
        memory.background.plan("agents", items)


def _unfinished(memory: "Runtime", corpus: Corpus | None = None) -> Iterator[str]:
    for kind in ("agent", "workflow"):
        for one in memory.store.records(kind):
            if one.data.get("status") in _UNENDED:
                yield f"{kind}:{one.name}"


_UNENDED = ("idle", "running")


@task("agents", trigger=OnLoad(_unfinished), lease=True, awaited=True, waiting="agents and workflows wait")
def run(memory: "Runtime", round: Round) -> None:
    """Run what was started, or was left by a process that ended; of the agents that wait, the most urgent first."""
    for item in round.items:
        kind, _, id = item.partition(":")
        if kind == "agent":
            while not round.over() and (entry := _before(memory, id)) is not None:
                try:
                    _run_agent(memory, entry, round.over)
                except Exception:
                    _broke(memory, entry.name)
                    raise
                finally:
                    _ended(f"agent:{entry.name}")
            _ended(item)  # another process may have run it
        else:
            workflow = find_workflow(memory, id)
            try:
                if workflow.value.project == project_name(memory) and workflow.value.status == "running":
                    _run_workflow(memory, workflow, round.over)
            except Exception:
                _broke_workflow(memory, id)
                raise
            finally:
                _ended(item)
    prune_runs(memory)


# Agents


def _before(memory: "Runtime", id: str) -> Entry[Agent] | None:
    """The agent to run now where one was asked for: itself, or one that is more urgent; None where it has ended."""
    project = project_name(memory)
    every = [one for one in Records(memory, Agent).all() if one.value.project == project]
    waiting = [one for one in every if one.value.status in _UNENDED]
    if all(one.value.id != id for one in waiting):
        return None
    return min(waiting, key=lambda one: (-URGENCY[one.value.priority], one.value.created_at, one.value.id))


def _run_agent(memory: "Runtime", entry: Entry[Agent], over: Callable[[], bool]) -> None:
    shelf, id = Records(memory, Agent), entry.value.id
    while True:
        agent = entry.value
        if id in _cancelled:
            _cancelled.discard(id)
            _close_trajectory(memory, agent, success=False)
            shelf.change(entry, _at_end(memory, agent, "terminated", error="nobody waits for it any more"))
            return
        if agent.attempts > agent.max_retries:
            reason = agent.error or "its process ended before it did, and it had no retry left"
            _close_trajectory(memory, agent, success=False)
            shelf.change(entry, _at_end(memory, agent, "failed", error=reason, errors=max(1, agent.errors)))
            return
        now = memory.clock()
        begun = replace(
            agent, status="running", attempts=agent.attempts + 1, last_activity=now, started_at=agent.started_at or now
        )
        entry = shelf.change(entry, begun)
        began = time.monotonic()
        work = Work(memory, begun.task, begun.timeout_ms / 1_000, lambda: over() or id in _cancelled)
        try:
            result = _attempt(memory, begun, work)
        except ContextGraphError as error:
            if over():
                return  # the memory is being closed: the next process takes it up
            if id not in _cancelled:
                failed = replace(begun, errors=begun.errors + 1, error=str(error)[:500], process=work.process)
                entry = shelf.change(entry, failed)
            continue
        took = round(1_000 * (time.monotonic() - began), 3)
        _close_trajectory(memory, begun, success=True)
        _keep_result(memory, id, result)
        done = _at_end(memory, begun, "completed", duration_ms=took, error="", process=work.process)
        shelf.change(entry, done)
        return


def _broke(memory: "Runtime", id: str) -> None:
    """Say of an agent that met a defect that it failed; the log of the server has the defect."""
    entry = find_agent(memory, id)
    if entry.value.status in _UNENDED:
        Records(memory, Agent).change(entry, _at_end(memory, entry.value, "failed", error=DEFECT))


def _broke_workflow(memory: "Runtime", id: str) -> None:
    """The same of a workflow."""
    entry, now = find_workflow(memory, id), memory.clock()
    if entry.value.status == "running":
        failed = replace(entry.value, status="failed", error=DEFECT, last_event_at=now, completed_at=now)
        Records(memory, Workflow).change(entry, failed)


def _keep_result(memory: "Runtime", id: str, result: AgentResult) -> None:
    """Write what came out; in the place of what a process left that ended just then."""
    shelf = Records(memory, AgentResult)
    if (entry := shelf.named(id)) is None:
        shelf.add(id, result)
    else:
        shelf.change(entry, result)


def _attempt(memory: "Runtime", agent: Agent, work: Work) -> AgentResult:
    findings: list[Mapping[str, Any]] = []
    recommendations: list[str] = []
    artifacts: list[Mapping[str, Any]] = []
    total = 0
    last = time.monotonic()
    for step in JOBS[agent.type].work(work):
        now = time.monotonic()
        ms = 1_000 * (now - last) if step.ms is None else step.ms
        _note_step(memory, agent, step, ms, {"attempt": agent.attempts})
        last = now
        findings += step.findings
        total += step.findings_total
        recommendations += step.recommendations
        artifacts += step.artifacts
        if work.left_s and work.over():
            raise Refused("it was stopped between two steps")
    return AgentResult(
        findings=tuple(bounded_rows(findings, MAX_RUN_CHARS)),
        findings_total=total,
        recommendations=tuple(recommendations[:100]),
        artifacts=tuple(bounded(artifacts, each=MAX_ARTEFACT_CHARS, total=MAX_RUN_CHARS)),
    )


def _at_end(memory: "Runtime", agent: Agent, status: Any, **more: Any) -> Agent:
    return replace(agent, status=status, last_activity=memory.clock(), **more)


# Workflows


def _run_workflow(memory: "Runtime", entry: Entry[Workflow], over: Callable[[], bool]) -> None:
    shelf = Records(memory, Workflow)
    workflow = replace(entry.value, attempts=entry.value.attempts + 1)
    try:
        if workflow.attempts > MAX_WORKFLOW_ATTEMPTS:
            raise Refused(f"{MAX_WORKFLOW_ATTEMPTS} processes ended in its step {workflow.step!r}")
        for name in steps_of(memory, workflow, over):
            if name in workflow.done:
                continue
            workflow = replace(workflow, step=name, last_event_at=memory.clock())
            entry = shelf.change(entry, workflow)
            began = time.monotonic()
            result = steps_of(memory, workflow, over)[name]()
            ms = 1_000 * (time.monotonic() - began)
            _note_step(memory, workflow, result, ms, {"step": name})
            before = workflow.artifacts
            rows = bounded_rows(result.findings, MAX_RUN_CHARS - sum(len(repr(one.get("findings"))) for one in before))
            spent = sum(len(str(one.get("content", ""))) for one in before)
            artifacts = bounded(result.artifacts, each=MAX_STEP_ARTEFACT_CHARS, total=MAX_RUN_CHARS - spent)
            report = {
                "type": "plan" if name == "plan" else "report",
                "name": name,
                "outcome": result.outcome,
                "findings": rows,
                "findingsTotal": result.findings_total,
                "recommendations": list(result.recommendations[:20]),
            }
            workflow = replace(
                workflow, done=(*workflow.done, name), artifacts=(*before, report, *artifacts),
                attempts=0, last_event_at=memory.clock(),
            )  # fmt: skip
            entry = shelf.change(entry, workflow)
            if over():
                return  # the next process goes on behind this step
    except ContextGraphError as error:
        if over():
            return
        now = memory.clock()
        _close_trajectory(memory, workflow, success=False)
        shelf.change(
            entry, replace(workflow, status="failed", error=str(error)[:500], last_event_at=now, completed_at=now)
        )
        return
    now = memory.clock()
    _close_trajectory(memory, workflow, success=True)
    shelf.change(entry, replace(workflow, status="completed", step="", last_event_at=now, completed_at=now))


# Trajectories


def _trajectory(memory: "Runtime", of: Agent | Workflow) -> Entry[Trajectory]:
    """The trajectory of an agent or workflow, begun at its first step."""
    shelf = Records(memory, Trajectory)
    if (entry := shelf.named(of.trajectory)) is not None:
        return entry
    if isinstance(of, Workflow):
        made = Trajectory(of.trajectory, of.id, of.started_at, of.id, project=of.project)
    else:
        made = Trajectory(of.trajectory, of.id, of.created_at, project=of.project)
    return shelf.add(of.trajectory, made)


def _note_step(
    memory: "Runtime", of: Agent | Workflow, step: StepResult, ms: float, metadata: Mapping[str, Any]
) -> None:
    """Write a step down; one that is taken again, as its process ended before it was done, replaces what it left."""
    entry = _trajectory(memory, of)
    state = {"findings": step.findings_total, "recommendations": len(step.recommendations)}
    made = Step(step.action, step.outcome, round(ms, 3), memory.clock(), state, metadata)
    before = tuple(one for one in entry.value.steps if "step" not in metadata or one.metadata != metadata)
    Records(memory, Trajectory).change(entry, replace(entry.value, steps=(*before, made)))


def _close_trajectory(memory: "Runtime", of: Agent | Workflow, *, success: bool) -> None:
    entry = _trajectory(memory, of)
    Records(memory, Trajectory).change(entry, replace(entry.value, completed_at=memory.clock(), success=success))
