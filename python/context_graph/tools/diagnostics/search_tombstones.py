"""search_tombstones: the trash, searched by words."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.errors import InvalidInput
from context_graph.models import Caller, Node
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting, shared
from context_graph.presentation.tombstones import Tombstone, tombstone_of
from context_graph.tools.base import Instant, Maybe, ToolInput, ToolOutput
from context_graph.tools.registry import tool
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["search_tombstones"]

MAX_SCANNED = 2_000
MAX_TOMBSTONES = 50
SYNONYMS = {"adversarial_injection": "adversarial"}


class SearchTombstonesInput(ToolInput):
    query: str = Field()
    """What you remember of it."""

    deletion_reason: Literal[
        "all", "semantic_cancer", "obsolete", "adversarial", "user_requested", "glymphatic_clearance"
    ] = "all"
    """Only what was removed for this reason."""

    deleted_after: Maybe[Instant] = None
    """Only nodes deleted later than this."""

    top_k: int = 10
    """Most results to return, at most 50."""


class SearchTombstonesOutput(ToolOutput):
    tombstones: list[Tombstone]
    recovery_instructions: str


@tool(family="diagnostics", title="Search tombstones", tier=2, read_only=True)
def search_tombstones(memory: "Memory", args: SearchTombstonesInput, caller: Caller) -> SearchTombstonesOutput:
    """Search the trash by words: what was removed, when, why, and how it can come back. Use when something you remember
    is no longer found.
    """
    if not args.query.strip():
        raise InvalidInput("Query string is empty; give some words of what was removed", field="query")
    if args.top_k < 1:
        raise InvalidInput(f"top_k must be at least 1, got {args.top_k}", field="top_k")
    ranked = _ranked(memory, args, caller)[: min(args.top_k, MAX_TOMBSTONES)]
    pieces = shared([node.content for node in ranked])
    stones = [tombstone_of(memory, node, piece.text, caller) for node, piece in zip(ranked, pieces, strict=True)]
    stones = fitting(stones, ANSWER_BYTES)
    return SearchTombstonesOutput(tombstones=stones, recovery_instructions=_recovery(stones))


def _ranked(memory: "Memory", args: SearchTombstonesInput, caller: Caller) -> list[Node]:
    """Forgotten nodes that share a word stem with the query, most shared first, then the latest."""
    from context_graph.embed.stems import stems

    query_stems, viewer = set(stems(args.query)), memory.viewer(caller)
    scored = []
    for node in memory.store.tombstones(since=args.deleted_after or 0, limit=MAX_SCANNED):
        reason = SYNONYMS.get(node.state_reason or "", node.state_reason)
        if args.deletion_reason not in ("all", reason) or not may_see(node, viewer):
            continue
        shared_stems = len(query_stems & set(stems(f"{node.name} {node.content} {node.rationale}")))
        if shared_stems or not query_stems:
            scored.append((shared_stems, node.state_at or 0, node))
    return [node for _, _, node in sorted(scored, key=lambda entry: (-entry[0], -entry[1], entry[2].id))]


def _recovery(stones: list[Tombstone]) -> str:
    if not stones:
        return (
            "Nothing in the trash matches. Use other words, or deletion_reason=all; what was deleted for good is gone."
        )
    first = next((stone for stone in stones if stone.recoverable), None)
    if first is None:
        over = all("the time for recovery ended" in stone.explanation for stone in stones)
        return "None of these can come back: " + (
            "the time for recovery is over." if over else "the explanation of each says why."
        )
    if first.reversal_hash is None:
        return f"restore_concept(node_id='{first.node_id}') brings the first of these back."
    return f"restore_from_hash(reversal_hash='{first.reversal_hash}', preview=false) brings the first of these back."
