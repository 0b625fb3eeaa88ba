"""kg_workflow_start: fixed steps over the documents, taken up again after a restart."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from context_graph.errors import NotApplicable
from context_graph.models import Caller, to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES
from context_graph.tools.base import Maybe, WireModel
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.running import WorkflowType
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_workflow_start"]

DEFAULT_THRESHOLD = 0.5


class WorkflowOptions(WireModel):
    autoStart: Maybe[bool] = None
    """Start development by itself: refused, as no code is written here."""

    watchPaths: Maybe[list[str]] = None
    """Paths to watch: folders that sync brings up to date, once a run."""

    threshold: Maybe[float] = Field(default=None, ge=0, le=1)
    """Completeness threshold."""


class WorkflowInput(WireModel):
    graphId: Maybe[str] = None
    """Graph: there is one, of the project."""

    docPath: Maybe[str] = None
    """Source document or folder: analysis keeps to it."""

    options: Maybe[WorkflowOptions] = None
    """Paths and threshold."""


class KgWorkflowStartInput(KgInput):
    workflow_id: WorkflowType
    """Workflow type."""

    input: Maybe[WorkflowInput] = None
    """What it works on."""


class WorkflowStartData(KgModel):
    workflow_id: str
    """Of the run."""

    type: WorkflowType
    started_at: str
    completed_at: str | None = None
    outcome: Literal["completed", "running", "failed"]
    artifacts: list[dict[str, Any]]
    """A report for each step; as many as fit."""

    error: str | None = None


class WorkflowStartMetadata(KgMetadata):
    service_status: Literal["running", "stopped"]


class KgWorkflowStartOutput(KgOutput):
    data: WorkflowStartData
    metadata: WorkflowStartMetadata


@tool(family="kg", title="Kg workflow start", tier=2, read_only=False)
def kg_workflow_start(memory: "Memory", args: KgWorkflowStartInput, caller: Caller) -> KgWorkflowStartOutput:
    """Run steps over the documents: analysis (what is incomplete), sync (read changed files), collaboration (analysis,
    then each agent). A run outlives the server; kg_workflow_status tells how far it is.
    """
    from context_graph.agents.runner import start
    from context_graph.knowledge.project import project_name
    from context_graph.knowledge.running import Workflow

    inputs = args.input or WorkflowInput()
    options, now = inputs.options or WorkflowOptions(), memory.clock()
    if options.autoStart:
        raise NotApplicable(
            "autoStart cannot be done here: no code is written", hint="leave it out; analysis tells what is missing"
        )
    run = start(
        memory,
        Workflow(
            id=memory.new_id(), project=project_name(memory), type=args.workflow_id, status="running", step="",
            trajectory=memory.new_id(), started_at=now, last_event_at=now,
            doc_path=(inputs.docPath or "").removeprefix("./"), watch_paths=tuple(options.watchPaths or ()),
            threshold=DEFAULT_THRESHOLD if options.threshold is None else options.threshold,
        ),
    )  # fmt: skip
    artifacts = [dict(one) for one in run.artifacts]
    while len(str(artifacts)) > ANSWER_BYTES // 2 and len(artifacts) > 1:
        artifacts.pop()
    outcome: Literal["completed", "running", "failed"] = "running"
    if run.status == "completed" or run.status == "failed":
        outcome = run.status
    return KgWorkflowStartOutput(
        success=True,
        data=WorkflowStartData(
            workflow_id=run.id, type=run.type, started_at=to_iso(run.started_at),
            completed_at=to_iso(run.completed_at) if run.completed_at else None, outcome=outcome, artifacts=artifacts,
            error=run.error or None,
        ),
        metadata=WorkflowStartMetadata(service_status="stopped" if memory.store.unwritable else "running"),
    )  # fmt: skip
