"""kg_trajectory_list: what agents, workflows and callers of tools did, step by step."""

from itertools import islice
from typing import TYPE_CHECKING, Any

from pydantic import Field, PrivateAttr

from context_graph.models import Caller, to_iso
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput, NullableText
from context_graph.tools.kg.nodes import room_for
from context_graph.tools.kg.running import formatted
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.knowledge.running import CallChain, Trajectory
    from context_graph.memory import Memory

__all__ = ["kg_trajectory_list"]


class KgTrajectoryListInput(KgInput):
    agent_id: Maybe[str] = None
    """Agent."""

    limit: int = Field(20, ge=1, le=100)
    """Most items to return."""

    include_steps: bool = False
    """Add the steps."""

    workflow_id: Maybe[str] = None
    """Workflow."""

    success_only: bool = False
    """Only successful ones."""

    include_stats: bool = True
    """Add totals."""


class StepView(KgModel):
    action: str
    outcome: str
    duration: float
    """Milliseconds."""

    duration_formatted: str
    timestamp: str
    state: dict[str, Any]
    metadata: dict[str, Any]


class TrajectoryView(KgModel):
    id: str
    agent_id: str
    success: bool
    step_count: int
    total_duration: float
    """Milliseconds, of all steps."""

    total_duration_formatted: str
    started_at: str
    completed_at: str
    """Empty while it is under way."""

    workflow_id: str | None = None
    project: str | None = None
    """Folder of the project that it was done in; none where an older version wrote it."""

    action_summary: list[str]
    steps: list[StepView] | None = None


class TrajectoryFilters(KgModel):
    agent_id: NullableText
    workflow_id: NullableText
    success_only: bool


class TrajectoryStats(KgModel):
    total_trajectories: int
    active_trajectories: int
    success_rate: float
    """Of those that ended."""

    avg_duration: float
    avg_duration_formatted: str
    detected_patterns: int
    """Sequences of two to five actions that occur at least three times; those within a longer one with as many repeats
    are not counted."""

    learning_records: int
    """Chains of tool calls that patterns are found in."""


class TrajectoryData(KgModel):
    trajectories: list[TrajectoryView]
    """The newest first."""

    count: int
    filters: TrajectoryFilters
    stats: TrajectoryStats | None = None


class TrajectoryMetadata(KgMetadata):
    include_steps: bool


class KgTrajectoryListOutput(KgOutput):
    data: TrajectoryData
    metadata: TrajectoryMetadata

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="kg", title="Kg trajectory list", tier=2, read_only=True)
def kg_trajectory_list(memory: "Memory", args: KgTrajectoryListInput, caller: Caller) -> KgTrajectoryListOutput:
    """What agents and workflows did step by step, and which tools were called in a row; the newest first."""
    from context_graph.agents.chains import known_chains, trajectory_of
    from context_graph.knowledge.running import CallChain, Trajectory
    from context_graph.runtime.records import Records

    chains = known_chains(memory)
    own = [entry.value for entry in Records(memory, Trajectory).all()]
    every: list[Trajectory | CallChain] = [*own, *chains]
    every.sort(key=lambda one: (one.started_at, one.id), reverse=True)
    page = list(islice((one for one in every if _chosen(one, args)), args.limit))
    trajectories = [trajectory_of(one) if isinstance(one, CallChain) else one for one in page]  # of a page alone
    views = room_for([_view(one, args.include_steps) for one in trajectories])
    output = KgTrajectoryListOutput(
        success=True,
        data=TrajectoryData(
            trajectories=views,
            count=len(views),
            filters=TrajectoryFilters(
                agent_id=args.agent_id, workflow_id=args.workflow_id, success_only=args.success_only
            ),
            stats=_stats(memory, own, chains) if args.include_stats else None,
        ),
        metadata=TrajectoryMetadata(item_count=len(views), include_steps=args.include_steps),
    )
    output._notes = [f"{one}; without it all are listed." for one in _unknown(every, args)]
    return output


def _unknown(every: "list[Trajectory | CallChain]", args: KgTrajectoryListInput) -> list[str]:
    """What is said of an agent or a workflow that did nothing."""
    from context_graph.knowledge.running import CallChain

    agents = {one.agent if isinstance(one, CallChain) else one.agent_id for one in every}
    workflows = {one.workflow_id for one in every if not isinstance(one, CallChain)}
    unknown = []
    if args.agent_id is not None and args.agent_id not in agents:
        unknown.append(f"No trajectory is of an agent with the id {args.agent_id[:80]!r}")
    if args.workflow_id is not None and args.workflow_id not in workflows:
        unknown.append(f"No trajectory is of a workflow with the id {args.workflow_id[:80]!r}")
    return unknown


def _chosen(one: "Trajectory | CallChain", args: KgTrajectoryListInput) -> bool:
    from context_graph.knowledge.running import CallChain

    agent, workflow = (one.agent, "") if isinstance(one, CallChain) else (one.agent_id, one.workflow_id)
    return (
        args.agent_id in (None, agent)
        and args.workflow_id in (None, workflow)
        and (one.success or not args.success_only)
    )


def _view(one: "Trajectory", with_steps: bool) -> TrajectoryView:
    total = round(sum(step.duration_ms for step in one.steps), 3)
    view = TrajectoryView(
        id=one.id, agent_id=one.agent_id, success=one.success, step_count=len(one.steps), total_duration=total,
        total_duration_formatted=formatted(total), started_at=to_iso(one.started_at),
        completed_at=to_iso(one.completed_at) if one.completed_at else "", workflow_id=one.workflow_id or None,
        project=one.project or None, action_summary=[step.action for step in one.steps],
    )  # fmt: skip
    if with_steps:
        view.steps = [
            StepView(
                action=step.action, outcome=step.outcome, duration=step.duration_ms,
                duration_formatted=formatted(step.duration_ms), timestamp=to_iso(step.at), state=dict(step.state),
                metadata=dict(step.metadata),
            )
            for step in one.steps
        ]  # fmt: skip
    return view


def _stats(memory: "Memory", own: "list[Trajectory]", chains: "list[CallChain]") -> TrajectoryStats:
    from context_graph.agents.chains import habits
    from context_graph.inference.patterns import closed, repeated

    durations = [sum(step.duration_ms for step in one.steps) for one in own if one.completed_at]
    durations += [sum(one.ms) for one in chains if one.ended]
    succeeded = sum(one.success for one in own if one.completed_at) + sum(one.success for one in chains if one.ended)
    mean = sum(durations) / max(1, len(durations))
    of_jobs = repeated([step.action for step in one.steps] for one in own)  # no step is called like a tool
    return TrajectoryStats(
        total_trajectories=len(own) + len(chains),
        active_trajectories=len(own) + len(chains) - len(durations),
        success_rate=round(succeeded / max(1, len(durations)), 4),
        avg_duration=round(mean, 3),
        avg_duration_formatted=formatted(mean),
        detected_patterns=sum(1 for one in (habits(memory).patterns(), of_jobs) for _ in closed(one)),
        learning_records=len(chains),
    )
