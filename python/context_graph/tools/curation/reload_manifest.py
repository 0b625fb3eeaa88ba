"""reload_manifest: the user's edits of manifest.md."""

from typing import TYPE_CHECKING, Literal

from pydantic import PrivateAttr

from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.tools.base import Id, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["reload_manifest"]

MAX_ERRORS = 50


class ReloadManifestInput(ToolInput):
    pass


class AppliedDirective(WireModel):
    directive: Literal["MERGE", "NOTE"]
    targets: list[str]
    result: str


class ForgottenLine(WireModel):
    node_id: Id
    name: str


class ReloadManifestOutput(ToolOutput):
    path: str
    applied: list[AppliedDirective]
    forgotten: list[ForgottenLine]
    """Memories whose line was removed: in the trash now."""

    pending: int
    """Edits that wait, for one of them cannot be made."""

    errors: list[str]
    """Each line that cannot be followed; where there is any, nothing was changed."""

    reversal_hash: str | None = None
    """restore_from_hash takes all of these edits back."""

    _notices: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notices


@tool(family="curation", title="Reload manifest", tier=2, read_only=False)
def reload_manifest(memory: "Memory", args: ReloadManifestInput, caller: Caller) -> ReloadManifestOutput:
    """Read the user's edits of manifest.md and apply them, all in one step or none: removed lines are forgotten,
    [MERGE: A, B] merged, [NOTE: X] noted. Call when the user says that they edited it; without a file it is written.
    """
    from context_graph.connectors.manifest import reload_manifest as reload

    outcome = reload(memory, caller=caller)
    applied = (
        AppliedDirective(directive=one.directive.kind, targets=list(one.directive.targets), result=one.result)
        for one in outcome.applied
    )
    output = ReloadManifestOutput(
        path=str(outcome.path),
        applied=fitting(applied, ANSWER_BYTES // 2),
        forgotten=[ForgottenLine(node_id=id, name=name) for id, name in outcome.forgotten],
        pending=outcome.pending,
        errors=outcome.problems[:MAX_ERRORS],
        reversal_hash=outcome.reversal_hash,
    )
    output._notices = [f"{notice[:1].upper()}{notice[1:]}." for notice in outcome.notices]
    if outcome.problems:
        output._notices.append("Nothing was changed: correct these lines, then call this again.")
    return output
