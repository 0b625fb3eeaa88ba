"""kg_workflow_status: how far a workflow is."""

from typing import TYPE_CHECKING

from context_graph.models import Caller, to_iso
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.running import WorkflowStatus, WorkflowType
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_workflow_status"]

MS = 1_000


class KgWorkflowStatusInput(KgInput):
    workflow_id: Maybe[str] = None
    """Run id."""

    include_metrics: bool = False
    """Add metrics; without an id always."""

    include_config: bool = False
    """Add configuration."""


class WorkflowState(KgModel):
    id: str
    type: WorkflowType
    status: WorkflowStatus
    current_step: str
    started_at: str
    last_event_at: str
    steps_done: list[str]
    error: str | None = None


class ServiceState(KgModel):
    is_running: bool
    active_workflow_count: int
    watched_paths: list[str]
    """Folders that this server watches since a sync with watchPaths."""

    last_activity: str
    watching: "list[WatchedFolder] | None" = None
    """What came of watching them."""


class WatchedFolder(KgModel):
    path: str
    how: str
    """Whether the system tells of changes, or why all files are looked at."""

    runs: int
    """Times that changed documents were read."""

    added: int
    updated: int
    removed: int
    last_change: str | None = None
    problem: str | None = None
    """Why the last changes were not read yet."""


class WorkflowMetrics(KgModel):
    total_executions: int
    successful_executions: int
    failed_executions: int
    average_duration: float
    """Milliseconds, of those that ended."""

    success_rate: float


class WorkflowConfig(KgModel):
    inactivity_timeout: float
    """0: none."""

    auto_start_threshold: float
    """0: nothing starts by itself."""

    watch_paths: list[str]
    debug: bool


class WorkflowStatusData(KgModel):
    found: bool
    workflow: WorkflowState | None = None
    service: ServiceState
    stats: WorkflowMetrics | None = None
    config: WorkflowConfig | None = None


class WorkflowStatusMetadata(KgMetadata):
    requested_workflow_id: str | None = None


class KgWorkflowStatusOutput(KgOutput):
    data: WorkflowStatusData
    metadata: WorkflowStatusMetadata

    def notes(self) -> list[str]:
        named = self.metadata.requested_workflow_id
        if named is None or self.data.found:
            return []
        return [f"No run of this project has the id {named[:80]!r}; kg_workflow_list lists them."]


@tool(family="kg", title="Kg workflow status", tier=2, read_only=True)
def kg_workflow_status(memory: "Memory", args: KgWorkflowStatusInput, caller: Caller) -> KgWorkflowStatusOutput:
    """How far a run of a workflow is, and why it failed; without an id, how all of them went."""
    from context_graph.agents.runner import take_up
    from context_graph.agents.watching import last_activity, watched
    from context_graph.knowledge.project import project_name
    from context_graph.knowledge.running import Workflow
    from context_graph.runtime.records import Records

    take_up(memory)
    project, folders = project_name(memory), watched(memory)
    runs = [entry.value for entry in Records(memory, Workflow).all() if entry.value.project == project]
    run = next((one for one in runs if one.id == args.workflow_id), None)
    ended = [one for one in runs if one.completed_at]
    good = sum(one.status == "completed" for one in ended)
    data = WorkflowStatusData(
        found=run is not None,
        service=ServiceState(
            is_running=not memory.store.unwritable,
            active_workflow_count=sum(one.status == "running" for one in runs),
            watched_paths=[one.path for one in folders],
            last_activity=to_iso(last_activity(memory, runs)),
            watching=[
                WatchedFolder(
                    path=one.path,
                    how=one.how,
                    runs=one.runs,
                    added=one.added,
                    updated=one.updated,
                    removed=one.removed,
                    last_change=to_iso(one.last_change) if one.last_change else None,
                    problem=one.problem or None,
                )
                for one in folders
            ]
            or None,
        ),
    )
    if run is not None:
        data.workflow = WorkflowState(
            id=run.id, type=run.type, status=run.status, current_step=run.step, started_at=to_iso(run.started_at),
            last_event_at=to_iso(run.last_event_at), steps_done=list(run.done), error=run.error or None,
        )  # fmt: skip
    if args.include_metrics or args.workflow_id is None:
        times = [(one.completed_at - one.started_at) / MS for one in ended]
        data.stats = WorkflowMetrics(
            total_executions=len(runs),
            successful_executions=good,
            failed_executions=len(ended) - good,
            average_duration=round(sum(times) / max(1, len(times)), 3),
            success_rate=round(good / max(1, len(ended)), 4),
        )
    if args.include_config:
        data.config = WorkflowConfig(
            inactivity_timeout=0, auto_start_threshold=0, watch_paths=[one.path for one in folders], debug=False
        )
    metadata = WorkflowStatusMetadata(requested_workflow_id=args.workflow_id)
    return KgWorkflowStatusOutput(success=True, data=data, metadata=metadata)
