"""kg_agent_spawn: a fixed job over the documents."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES
from context_graph.tools.base import Maybe, WireModel
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.running import AgentStatus, AgentType
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_agent_spawn"]


class SpawnOptions(WireModel):
    timeout: Maybe[float] = Field(default=None, ge=0)
    """Milliseconds."""

    maxRetries: Maybe[int] = Field(default=None, ge=0)
    """Retries."""

    priority: Literal["low", "medium", "high", "critical"] = "medium"
    """Priority; kept, not weighed: one job runs at a time."""


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
    """How long it may take, and how often it may be tried again."""


class TaskResult(KgModel):
    findings: list[Any] | None = None
    recommendations: list[Any] | None = None
    error: str | None = None
    """Why it failed."""


class SpawnMetrics(KgModel):
    duration: float
    """Milliseconds."""

    tokens_used: int
    """0: no language model runs here."""


class SpawnData(KgModel):
    agent_id: str
    agent_type: AgentType
    agent_name: str
    task_id: str
    task_result: TaskResult
    metrics: SpawnMetrics
    artifacts: list[dict[str, Any]]
    """The trajectory, which kg_trajectory_list tells."""


class SpawnMetadata(KgMetadata):
    status: AgentStatus


class KgAgentSpawnOutput(KgOutput):
    data: SpawnData
    metadata: SpawnMetadata


@tool(family="kg", title="Kg agent spawn", tier=2, read_only=False)
def kg_agent_spawn(memory: "Memory", args: KgAgentSpawnInput, caller: Caller) -> KgAgentSpawnOutput:
    """Run a fixed job over the documents: researcher (what a task is about), analyst (what is missing), architect (how
    they hang together), tester (links and store). No code is written or run.
    """
    from context_graph.agents.runner import DEFAULT_TIMEOUT_MS, spawn
    from context_graph.knowledge.project import project_name
    from context_graph.knowledge.running import Agent

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
    findings = list(agent.result.get("findings", []))
    while findings and len(str(findings)) > ANSWER_BYTES // 2:
        findings.pop()
    done = agent.status == "completed"
    return KgAgentSpawnOutput(
        success=True,
        data=SpawnData(
            agent_id=agent.id, agent_type=agent.type, agent_name=agent.name, task_id=agent.task_id,
            task_result=TaskResult(
                findings=findings if done else None,
                recommendations=list(agent.result.get("recommendations", [])) if done else None,
                error=agent.error or None,
            ),
            metrics=SpawnMetrics(duration=agent.duration_ms, tokens_used=0),
            artifacts=[{"type": "trajectory", "id": agent.trajectory}],
        ),
        metadata=SpawnMetadata(status=agent.status),
    )  # fmt: skip
