"""Records of what runs: agents, workflows, and the steps that they took."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from context_graph.runtime.records import record_type

__all__ = [
    "Agent", "AgentResult", "AgentStatus", "AgentType", "CallChain", "PlannedAction", "Priority", "Step", "Trajectory",
    "Workflow", "WorkflowStatus", "WorkflowType",
]  # fmt: skip

AgentType = Literal[
    "researcher", "analyst", "architect", "tester", "coder", "reviewer", "coordinator", "optimizer", "documenter"
]
AgentStatus = Literal["idle", "running", "paused", "completed", "failed", "terminated"]
WorkflowType = Literal["collaboration", "analysis", "sync", "custom"]
WorkflowStatus = Literal["running", "completed", "failed", "suspended"]
Priority = Literal["low", "medium", "high", "critical"]


@record_type("agent")
@dataclass(frozen=True, slots=True)
class Agent:
    """One agent and its task.

    Attributes
    ----------
    timeout_ms : float
        What one attempt may take.
    attempts : int
        Begun so far; one that a process did not live to end counts.
    error : str
        Why the last attempt failed.
    started_at : int
        When its first attempt began; 0 while it waits for its turn.
    process : mapping
        What the process that read code said of itself: its network, time and memory.
    """

    id: str
    project: str
    type: AgentType
    name: str
    task: str
    task_id: str
    trajectory: str
    status: AgentStatus
    created_at: int
    last_activity: int
    timeout_ms: float
    max_retries: int = 0
    priority: Priority = "medium"
    attempts: int = 0
    errors: int = 0
    error: str = ""
    duration_ms: float = 0.0
    started_at: int = 0
    process: Mapping[str, Any] = field(default_factory=dict)


@record_type("agent_result")
@dataclass(frozen=True, slots=True)
class AgentResult:
    """What an agent found and made, under the agent's id: read only where somebody asks for it.

    Attributes
    ----------
    findings_total : int
        How many there were; not all may be kept.
    artifacts : tuple of mapping
        Each with type, name, mediaType and content.
    """

    findings: tuple[Mapping[str, Any], ...] = ()
    findings_total: int = 0
    recommendations: tuple[str, ...] = ()
    artifacts: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """One action of a plan: what is done, which facts must hold before, and which hold afterwards."""

    name: str
    does: str
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    cost: float
    task: str = ""


@record_type("workflow")
@dataclass(frozen=True, slots=True)
class Workflow:
    """One run of a workflow.

    Attributes
    ----------
    done : tuple of str
        The steps that ended: a run that is taken up again does not repeat them.
    attempts : int
        Processes that began since its last step ended.
    error : str
        Why it failed.
    goal, plan : tuple
        Of a custom one: the facts that shall hold, and what leads there.
    auto_start : bool
        Whether its plan is run, not only shown.
    """

    id: str
    project: str
    type: WorkflowType
    status: WorkflowStatus
    step: str
    trajectory: str
    started_at: int
    last_event_at: int
    completed_at: int = 0
    doc_path: str = ""
    watch_paths: tuple[str, ...] = ()
    threshold: float = 0.0
    done: tuple[str, ...] = ()
    attempts: int = 0
    error: str = ""
    artifacts: tuple[Mapping[str, Any], ...] = ()
    goal: tuple[str, ...] = ()
    plan: tuple[PlannedAction, ...] = ()
    auto_start: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One step and what it came to."""

    action: str
    outcome: str
    duration_ms: float
    at: int
    state: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)


@record_type("trajectory")
@dataclass(frozen=True, slots=True)
class Trajectory:
    """What an agent or a workflow did, written step by step.

    Attributes
    ----------
    project : str
        In which it was done; empty where that is not known, as of what older versions wrote.
    """

    id: str
    agent_id: str
    started_at: int
    workflow_id: str = ""
    completed_at: int = 0
    success: bool = False
    steps: tuple[Step, ...] = ()
    project: str = ""


@record_type("calls")
@dataclass(frozen=True, slots=True)
class CallChain:
    """Calls of tools that followed each other: which, how long each took and whether it failed, and nothing else.

    Attributes
    ----------
    offsets_ms : tuple of int
        When each call ended, from the first one on.
    failed : tuple of int
        The places of the calls that failed.
    project : str
        Of the process that was called; empty where that is not known.
    """

    id: str
    agent: str
    started_at: int
    last_at: int
    tools: tuple[str, ...]
    ms: tuple[float, ...]
    offsets_ms: tuple[int, ...]
    failed: tuple[int, ...] = ()
    ended: bool = False
    project: str = ""

    @property
    def success(self) -> bool:
        """Whether the last call succeeded."""
        return len(self.tools) - 1 not in self.failed
