"""kg_workflow_list: the runs of workflows."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from context_graph.models import Caller, to_iso
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.nodes import room_for
from context_graph.tools.kg.running import WorkflowStatus, WorkflowType
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_workflow_list"]

MS = 1_000


class KgWorkflowListInput(KgInput):
    status: Literal["all", "running", "completed", "failed", "suspended"] = "all"
    """State."""

    type: Literal["all", "collaboration", "analysis", "sync", "custom"] = "all"
    """Type."""

    limit: int = Field(50, ge=1)
    """Most items to return."""

    offset: int = Field(0, ge=0)
    """Skip."""

    sort_by: Literal["startedAt", "lastEventAt", "status", "type"] = "startedAt"
    """Sort field."""

    sort_order: Literal["asc", "desc"] = "desc"
    """Order."""


class WorkflowRow(KgModel):
    id: str
    type: WorkflowType
    status: WorkflowStatus
    current_step: str
    started_at: str
    last_event_at: str
    duration: float
    """Milliseconds."""

    is_active: bool


class WorkflowSummary(KgModel):
    total: int
    filtered: int
    returned: int
    by_status: dict[str, int]
    by_type: dict[str, int]


class Pagination(KgModel):
    limit: int
    offset: int
    has_more: bool
    next_offset: Annotated[int | None, WithJsonSchema({"type": ["integer", "null"]})]


class WorkflowService(KgModel):
    is_running: bool
    watched_paths: int
    last_activity: str


class WorkflowListData(KgModel):
    workflows: list[WorkflowRow]
    summary: WorkflowSummary
    pagination: Pagination
    service_status: WorkflowService


class WorkflowListMetadata(KgMetadata):
    filters: dict[str, Any]


class KgWorkflowListOutput(KgOutput):
    data: WorkflowListData
    metadata: WorkflowListMetadata


@tool(family="kg", title="Kg workflow list", tier=2, read_only=True)
def kg_workflow_list(memory: "Memory", args: KgWorkflowListInput, caller: Caller) -> KgWorkflowListOutput:
    """The runs of workflows of this project, filtered, sorted and paged."""
    from context_graph.agents.runner import take_up
    from context_graph.agents.watching import last_activity, watched
    from context_graph.knowledge.project import project_name
    from context_graph.knowledge.running import Workflow
    from context_graph.runtime.records import Records

    take_up(memory)
    project = project_name(memory)
    runs = [entry.value for entry in Records(memory, Workflow).all() if entry.value.project == project]
    chosen = [one for one in runs if args.status in ("all", one.status) and args.type in ("all", one.type)]
    field = {"startedAt": "started_at", "lastEventAt": "last_event_at"}.get(args.sort_by, args.sort_by)
    chosen.sort(key=lambda one: (getattr(one, field), one.started_at, one.id), reverse=args.sort_order == "desc")
    rows = room_for(
        [
            WorkflowRow(
                id=one.id, type=one.type, status=one.status, current_step=one.step, started_at=to_iso(one.started_at),
                last_event_at=to_iso(one.last_event_at),
                duration=((one.completed_at or one.last_event_at) - one.started_at) / MS,
                is_active=one.status == "running",
            )
            for one in chosen[args.offset : args.offset + args.limit]
        ]
    )  # fmt: skip
    after = args.offset + len(rows)
    more = after < len(chosen) and bool(rows)
    return KgWorkflowListOutput(
        success=True,
        data=WorkflowListData(
            workflows=rows,
            summary=WorkflowSummary(
                total=len(runs), filtered=len(chosen), returned=len(rows),
                by_status=dict(Counter(str(one.status) for one in runs)),
                by_type=dict(Counter(str(one.type) for one in runs)),
            ),
            pagination=Pagination(
                limit=args.limit, offset=args.offset, has_more=more, next_offset=after if more else None
            ),
            service_status=WorkflowService(
                is_running=not memory.store.unwritable, watched_paths=len(watched(memory)),
                last_activity=to_iso(last_activity(memory, runs)),
            ),
        ),
        metadata=WorkflowListMetadata(item_count=len(rows), filters={"status": args.status, "type": args.type}),
    )  # fmt: skip
