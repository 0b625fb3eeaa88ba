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
"""Errors, broken links and orphans in one answer, of each; all are counted."""


class KgGraphGenerateInput(KgInput):
    docs_path: str = "docs"
    """Folder, inside the project root."""

    force: bool = False
    """Write every document anew."""

    incremental: bool = False
    """Parse only what changed."""

    passages: bool = True
    """Also remember it as context-graph seed does, in the background."""

    offset: int = Field(0, ge=0)
    """Where the lists go on: a nextOffset."""


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

    nodes_moved: int | None = None
    """Of these, the ones whose path alone is another."""

    nodes_removed: int | None = None
    nodes_unchanged: int | None = None
    errors: list[str]
    """What could not be read, by file; 50 from the offset on."""

    error_count: int
    broken_links: list[BrokenLink]
    """50 from the offset on."""

    broken_link_count: int
    orphans: list[str]
    """Paths of documents that no link joins with another; 50 from the offset on."""

    orphan_count: int


class GenerateMetadata(KgMetadata):
    project_root: str
    docs_path: str
    next_offset: int | None = None
    """Where the longest of the lists goes on, where it was cut."""


class KgGraphGenerateOutput(KgOutput):
    data: GenerateData
    metadata: GenerateMetadata = Field()
    _passages: bool = PrivateAttr(False)

    def notes(self) -> list[str]:
        notes = ["The passages become memories in the background; search_graph finds them."] if self._passages else []
        if (goes_on := self.metadata.next_offset) is not None:
            lists = {"errors": "error_count", "broken_links": "broken_link_count", "orphans": "orphan_count"}
            cut = [
                f"{len(getattr(self.data, name))} of {total} {name.replace('_', ' ')}"
                for name, count in lists.items()
                if (total := getattr(self.data, count)) > goes_on
            ]
            notes.append(f"{', '.join(cut)}: call again with offset={goes_on} for the next.")
        return notes


@tool(family="kg", title="Kg graph generate", tier=2, read_only=False)
def kg_graph_generate(memory: "Memory", args: KgGraphGenerateInput, caller: Caller) -> KgGraphGenerateOutput:
    """Read a folder of Markdown into the document graph: links, tags, front matter; tells broken links and orphans.
    Run it again, incremental, when files changed.
    """
    from context_graph.connectors.folder.graph import generate
    from context_graph.connectors.folder.passages import plan_passages

    run = generate(memory, args.docs_path, incremental=args.incremental, force=args.force)
    if args.passages:
        plan_passages(memory, run.folder)
    incremental = args.incremental and not args.force
    shown = slice(args.offset, args.offset + MAX_SHOWN)
    longest = max(len(run.errors), len(run.broken), len(run.orphans))
    output = KgGraphGenerateOutput(
        success=True,
        data=GenerateData(
            mode="incremental" if incremental else "full",
            files_processed=run.files,
            nodes_generated=run.generated,
            edges_created=run.new_edges,
            nodes_added=run.added if incremental else None,
            nodes_updated=run.updated if incremental else None,
            nodes_moved=run.moved if incremental else None,
            nodes_removed=run.removed if incremental else None,
            nodes_unchanged=run.unchanged if incremental else None,
            errors=[error[:300] for error in run.errors[shown]],
            error_count=len(run.errors),
            broken_links=[
                BrokenLink(source=one.source, target=one.target[:200], line=one.line, reason=one.reason[:200])
                for one in run.broken[shown]
            ],
            broken_link_count=len(run.broken),
            orphans=list(run.orphans[shown]),
            orphan_count=len(run.orphans),
        ),
        metadata=GenerateMetadata(
            item_count=run.files,
            project_root=run.project.as_posix(),
            docs_path=run.folder,
            next_offset=shown.stop if shown.stop < longest else None,
        ),
    )
    output._passages = args.passages
    return output
