"""kg_workflow_start: fixed steps over the documents, taken up again after a restart."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from context_graph.errors import NotApplicable
from context_graph.models import Caller, to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES
from context_graph.tools.base import Maybe, WireModel
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.kg.running import WorkflowType, artifacts_shown, fitting_values
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_workflow_start"]

DEFAULT_THRESHOLD = 0.5
CONTENTS_BYTES, FINDINGS_BYTES = 8_000, 2_500
"""Of JSON: of all contents of an answer, and of the findings of one step."""

FAILED_HINT = "start it again once that is mended; kg_workflow_status with its workflowId tells which steps are done"


class WorkflowOptions(WireModel):
    autoStart: Maybe[bool] = None
    """Run the plan of a custom workflow, which is only shown without."""

    watchPaths: Maybe[list[str]] = None
    """Folders that sync reads and watches from then on; [] ends that."""

    threshold: Maybe[float] = Field(default=None, ge=0, le=1)
    """Completeness threshold."""


class WorkflowInput(WireModel):
    graphId: Maybe[str] = None
    """There is one, of the project."""

    docPath: Maybe[str] = None
    """Document or folder: analysis keeps to it, custom has its goal from it."""

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
    """Run steps over the documents: analysis (which sections are missing), sync (read, and watch watchPaths),
    collaboration (analysis, then agents), custom (a plan for the goal in the front matter of docPath).
    kg_workflow_status tells how far it is.
    """
    from context_graph.agents.runner import start
    from context_graph.agents.watching import stop_watching, watch_documents
    from context_graph.knowledge.project import project_name
    from context_graph.knowledge.running import Workflow

    inputs = args.input or WorkflowInput()
    options, now = inputs.options or WorkflowOptions(), memory.clock()
    if options.autoStart and args.workflow_id != "custom":
        raise NotApplicable(
            f"autoStart cannot be done for {args.workflow_id}: no code is written here",
            hint="leave it out; analysis tells what is missing, and custom runs its plan with it",
        )
    run = start(
        memory,
        Workflow(
            id=memory.new_id(), project=project_name(memory), type=args.workflow_id, status="running", step="",
            trajectory=memory.new_id(), started_at=now, last_event_at=now,
            doc_path=(inputs.docPath or "").removeprefix("./"), watch_paths=tuple(options.watchPaths or ()),
            threshold=DEFAULT_THRESHOLD if options.threshold is None else options.threshold,
            auto_start=bool(options.autoStart),
        ),
    )  # fmt: skip
    if run.type == "sync" and options.watchPaths is not None:
        watch_documents(memory, run.watch_paths) if run.watch_paths else stop_watching(memory)
    artifacts = [_shown(one) for one in artifacts_shown(run.artifacts, CONTENTS_BYTES)]
    outcome: Literal["completed", "running", "failed"] = "running"
    if run.status == "completed" or run.status == "failed":
        outcome = run.status
    output = KgWorkflowStartOutput(
        success=True,
        data=WorkflowStartData(
            workflow_id=run.id, type=run.type, started_at=to_iso(run.started_at),
            completed_at=to_iso(run.completed_at) if run.completed_at else None, outcome=outcome,
            artifacts=fitting_values(artifacts, ANSWER_BYTES),
            error=run.error or None,
        ),
        metadata=WorkflowStartMetadata(service_status="stopped" if memory.store.unwritable else "running"),
    )  # fmt: skip
    return output if outcome != "failed" else output.failing(run.error or "the workflow failed", FAILED_HINT)


def _shown(artifact: dict[str, Any]) -> dict[str, Any]:
    """A report with as many of its findings as fit."""
    if "findings" not in artifact:
        return artifact
    findings = fitting_values(artifact["findings"], FINDINGS_BYTES)
    return artifact | {"findings": findings}
