"""kg_graph_generate: the documents of a folder as a graph."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.models import Caller
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_graph_generate"]

MAX_SHOWN = 50
"""Errors, broken links and orphans in one answer; all are counted."""


class KgGraphGenerateInput(KgInput):
    docs_path: str = "docs"
    """Folder, inside the project root."""

    force: bool = False
    """Write every document anew, also one that is the same."""

    incremental: bool = False
    """Parse only what changed."""

    passages: bool = True
    """Also remember the folder as context-graph seed does, in the background."""


class BrokenLink(KgModel):
    source: str
    """Path of the document."""

    target: str
    line: int
    reason: str


class GenerateData(KgModel):
    mode: Literal["full", "incremental"]
    files_processed: int
    """Markdown files that were read."""

    nodes_generated: int
    """Documents that were made or made anew."""

    edges_created: int
    """Pairs of documents with a link, one in the folder; incremental: those that none joined before."""

    nodes_added: int | None = None
    nodes_updated: int | None = None
    """Changed or moved."""

    nodes_removed: int | None = None
    nodes_unchanged: int | None = None
    errors: list[str]
    """What could not be read, by file; at most 50."""

    error_count: int
    broken_links: list[BrokenLink]
    """At most 50."""

    broken_link_count: int
    orphans: list[str]
    """Paths of documents that no link joins with another; at most 50."""

    orphan_count: int


class GenerateMetadata(KgMetadata):
    project_root: str
    docs_path: str


class KgGraphGenerateOutput(KgOutput):
    data: GenerateData
    metadata: GenerateMetadata = Field()
    _passages: bool = PrivateAttr(False)

    def notes(self) -> list[str]:
        return ["The passages become memories in the background; search_graph finds them."] if self._passages else []


@tool(family="kg", title="Kg graph generate", tier=2, read_only=False)
def kg_graph_generate(memory: "Memory", args: KgGraphGenerateInput, caller: Caller) -> KgGraphGenerateOutput:
    """Read a folder of Markdown into the document graph: links, tags, front matter; tells broken links and orphans. A
    file that moved keeps its id. Run it again, incremental, when files changed.
    """
    from context_graph.connectors.folder.graph import generate
    from context_graph.connectors.folder.passages import plan_passages

    run = generate(memory, args.docs_path, incremental=args.incremental, force=args.force)
    if args.passages:
        plan_passages(memory, run.folder)
    incremental = args.incremental and not args.force
    output = KgGraphGenerateOutput(
        success=True,
        data=GenerateData(
            mode="incremental" if incremental else "full",
            files_processed=run.files,
            nodes_generated=run.generated,
            edges_created=run.new_edges,
            nodes_added=run.added if incremental else None,
            nodes_updated=run.updated if incremental else None,
            nodes_removed=run.removed if incremental else None,
            nodes_unchanged=run.unchanged if incremental else None,
            errors=[error[:300] for error in run.errors[:MAX_SHOWN]],
            error_count=len(run.errors),
            broken_links=[
                BrokenLink(source=one.source, target=one.target[:200], line=one.line, reason=one.reason[:200])
                for one in run.broken[:MAX_SHOWN]
            ],
            broken_link_count=len(run.broken),
            orphans=list(run.orphans[:MAX_SHOWN]),
            orphan_count=len(run.orphans),
        ),
        metadata=GenerateMetadata(item_count=run.files, project_root=run.project.as_posix(), docs_path=run.folder),
    )
    output._passages = args.passages
    return output
