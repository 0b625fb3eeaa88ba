"""kg_agent_spawn: a fixed job over the documents and the code of a project."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from context_graph.client_model import client_model
from context_graph.errors import InvalidInput
from context_graph.models import Caller
from context_graph.tools.base import Maybe, WireModel
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.running import AgentStatus, AgentType, artifacts_shown, fitting_values
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_agent_spawn"]

FINDINGS_BYTES, ADVICE_BYTES, ARTIFACT_BYTES = 8_000, 3_000, 12_000
"""Of JSON, of what one answer tells."""

NOTE = "Found by fixed rules and search; no language model is behind it."
STEPS_HINT = "kg_trajectory_list with its agentId tells which steps it took"
LATE_HINT = "give it more time by options.timeout, in milliseconds, or name a folder or file in the task"
GOES_ON = "It goes on in the background: kg_agent_list with its agentId says how far it is, and what it has made."


class SpawnOptions(WireModel):
    timeout: Maybe[float] = Field(default=None, ge=0)
    """Milliseconds."""

    maxRetries: Maybe[int] = Field(default=None, ge=0)
    """Retries."""

    priority: Literal["low", "medium", "high", "critical"] = "medium"
    """Priority: of those that wait, the most urgent runs first."""


class KgAgentSpawnInput(KgInput):
    problem_texts: ClassVar = {
        "type:missing": "Agent type is required",
        "task:missing": "Task description is required",
        "task:string_too_short": "Task description is required",
    }

    type: AgentType
    """Agent type."""

    name: Maybe[str] = None
    """Own name."""

    task: str = Field(min_length=1)
    """Task."""

    options: Maybe[SpawnOptions] = None
    """Time and retries."""


class TaskResult(KgModel):
    findings: list[Any] | None = None
    recommendations: list[Any] | None = None
    error: str | None = None
    """Why it failed."""

    findings_total: int | None = None
    """How many there are; as many are listed as fit."""

    note: str | None = None
    """Who found it: no language model."""


class SpawnMetrics(KgModel):
    duration: float
    """Milliseconds."""

    tokens_used: int
    """0: no language model runs here."""

    attempts: int | None = None
    waited: float | None = None
    """Milliseconds before its turn."""

    cpu: float | None = None
    """Milliseconds of processor time of the process that read code."""

    memory: float | None = None
    """The most that process held, in MiB."""

    network: str | None = None
    """Which one that process had: none, or why it could not be cut off."""


class SpawnData(KgModel):
    agent_id: str
    agent_type: AgentType
    agent_name: str
    task_id: str
    task_result: TaskResult
    metrics: SpawnMetrics
    artifacts: list[dict[str, Any]]
    """The trajectory, which kg_trajectory_list tells, and what was made: a report, a diagram, tests or a patch, with as
    much of its content as fits; kg_agent_list with agentId, artifact and offset gives the rest."""


class SpawnMetadata(KgMetadata):
    status: AgentStatus


class KgAgentSpawnOutput(KgOutput):
    data: SpawnData
    metadata: SpawnMetadata


@tool(family="kg", title="Kg agent spawn", tier=2, read_only=False)
def kg_agent_spawn(memory: "Memory", args: KgAgentSpawnInput, caller: Caller) -> KgAgentSpawnOutput:
    """Run a fixed job over documents and Python code: researcher (what is known of a task), analyst (what is wrong),
    architect (imports, circles), tester (what tests leave out), coder (a patch, never applied). It runs no code; no
    language model is behind it.
    """
    from context_graph.agents.runner import DEFAULT_TIMEOUT_MS, result_of, spawn
    from context_graph.agents.summary import summarised
    from context_graph.knowledge.project import project_name
    from context_graph.knowledge.running import Agent

    if not args.task.strip():
        raise InvalidInput("Task description is required", field="task", hint="task holds only blanks; say what to do")
    options, id, now = args.options or SpawnOptions(), memory.new_id(), memory.clock()
    agent = spawn(
        memory,
        Agent(
            id=id, project=project_name(memory), type=args.type, name=args.name or f"{args.type}-{id[:8]}",
            task=args.task, task_id=memory.new_id(), trajectory=memory.new_id(), status="running", created_at=now,
            last_activity=now, timeout_ms=DEFAULT_TIMEOUT_MS if options.timeout is None else options.timeout,
            max_retries=options.maxRetries or 0, priority=options.priority,
        ),
    )  # fmt: skip
    result = result_of(memory, agent.id)
    done = agent.status == "completed"
    result, summary = summarised(memory, agent, result, client_model()) if done else (result, "")
    trajectory = {"type": "trajectory", "id": agent.trajectory}
    process = agent.process
    output = KgAgentSpawnOutput(
        success=True,
        data=SpawnData(
            agent_id=agent.id, agent_type=agent.type, agent_name=agent.name, task_id=agent.task_id,
            task_result=TaskResult(
                findings=fitting_values(result.findings, FINDINGS_BYTES) if done else None,
                recommendations=fitting_values(result.recommendations, ADVICE_BYTES) if done else None,
                findings_total=result.findings_total if done else None,
                error=agent.error or None,
                note=" ".join(filter(None, (NOTE, summary if done or agent.error else GOES_ON))),
            ),
            metrics=SpawnMetrics(
                duration=agent.duration_ms, tokens_used=0, attempts=agent.attempts,
                waited=(agent.started_at - agent.created_at) / 1_000 if agent.started_at else None,
                cpu=process.get("cpuMs"), memory=process.get("peakMiB"), network=process.get("network"),
            ),
            artifacts=[trajectory, *artifacts_shown(result.artifacts, ARTIFACT_BYTES)],
        ),
        metadata=SpawnMetadata(status=agent.status),
    )  # fmt: skip
    if agent.status not in ("failed", "terminated"):
        return output
    reason = agent.error or f"the agent is {agent.status}"
    return output.failing(reason, LATE_HINT if "timeout" in reason else STEPS_HINT)
