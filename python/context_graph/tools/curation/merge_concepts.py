"""merge_concepts: several nodes that say the same become one."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.models import Caller
from context_graph.presentation.answer_budget import fitting
from context_graph.tools.base import Id, Maybe, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.ingest.merging import Merged
    from context_graph.memory import Memory

__all__ = ["merge_concepts"]

CITED_BYTES, OMITTED_BYTES = 8_000, 6_000
"""Of the answer, for the sentences of a summary, and for what a merge does not say."""


class MergeConceptsInput(ToolInput):
    source_node_ids: list[NodeRef] = Field(min_length=2)
    """Nodes to merge (two or more)."""

    target_name: str
    """Name of the merged concept."""

    merge_strategy: Literal["keep_newest", "keep_highest", "concatenate", "summarize"] = "keep_highest"
    """Text of the latest, of the most important, all texts, or sentences that cover all."""

    force_merge: bool = False
    """Merge although the priors are incompatible, or numbers, dates, names or the like differ."""

    rationale: Maybe[str] = Field(None, min_length=10, max_length=500)
    """Why these are the same."""


class CitedSentence(WireModel):
    text: str
    source_node_ids: list[Id]
    """The sources that say all of it."""


class OmittedSentence(WireModel):
    text: str


class MergeConceptsOutput(ToolOutput):
    merged_node_id: Id
    """Where nothing was merged, the first source."""

    nodes_merged: int
    edges_redirected: int
    priors_compatible: bool
    """The assumptions behind the sources (domain, agent, "In Python, ...") fit together."""

    relational_edge_created: bool
    """A relational edge was created instead of a merge."""

    relational_note: str | None = None
    """What holds under which assumptions, where no merge was made."""

    reversal_hash: str
    """restore_from_hash undoes it."""

    differences: list[str] | None = None
    """What the sources differ in, and were merged all the same."""

    citations: list[CitedSentence] | None = None
    """Of a summary, the sources of each sentence."""

    left_out: list[OmittedSentence] | None = None
    """Sentences of the sources that the merged text does not say; the sources still say them."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="curation", title="Merge concepts", tier=1, read_only=False, destructive=True)
def merge_concepts(memory: "Memory", args: MergeConceptsInput, caller: Caller) -> MergeConceptsOutput:
    """Merge nodes that mean the same; look at curation_tasks first. The sources stay readable as its past. Where
    assumptions disagree they are linked instead; where numbers, dates or names differ it is refused and says so.
    """
    from context_graph.ingest.merging import merge

    done = merge(
        memory,
        args.source_node_ids,
        args.target_name,
        args.merge_strategy,
        force=args.force_merge,
        rationale=args.rationale or "",
        caller=caller,
    )
    plan = done.plan
    omitted = fitting((OmittedSentence(text=text) for text in plan.omitted), OMITTED_BYTES)
    output = MergeConceptsOutput(
        merged_node_id=done.node.id,
        nodes_merged=0 if plan.related else len(plan.sources),
        edges_redirected=done.redirected,
        priors_compatible=not plan.related and plan.agreement >= _agreeing(),
        relational_edge_created=plan.related and not done.already,
        relational_note=done.note or None,
        reversal_hash=done.reversal_hash,
        differences=[str(one) for one in plan.differences] or None,
        citations=_citations(done) or None,
        left_out=omitted or None,
    )
    output._notes = _told(done, len(plan.omitted) - len(omitted))
    return output


def _agreeing() -> float:
    from context_graph.reading.priors import AGREEING

    return AGREEING


def _citations(done: "Merged") -> list[CitedSentence]:
    from context_graph.ingest.merging import in_time

    sources = in_time(done.plan.sources)
    cited = (
        CitedSentence(text=passage.text, source_node_ids=[sources[place].id for place in passage.sources])
        for passage in done.plan.passages
    )
    return fitting(cited, CITED_BYTES)


def _told(done: "Merged", more: int) -> list[str]:
    if done.already:
        return ["Nothing was merged and nothing was written: these are linked already, for their assumptions disagree."]
    if done.plan.related:
        return [
            "Nothing was merged: the assumptions disagree, so the nodes were linked and each says what it holds under."
        ]
    lines = []
    if done.plan.omitted:
        lines.append(
            f"The merged text leaves out {len(done.plan.omitted)} sentences of its sources, which are its past now and "
            "still say them."
        )
    if more:
        lines.append(f"left_out has no room for {more} more of them; hydrate_citation shows the sources.")
    if done.plan.redactions:
        lines.append(f"Replaced before storing: {', '.join(done.plan.redactions)}.")
    return lines
