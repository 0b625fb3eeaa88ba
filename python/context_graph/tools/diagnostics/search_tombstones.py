"""search_tombstones: the trash, searched by words."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.errors import InvalidInput
from context_graph.models import Caller, Event, Node, to_iso
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting, shared
from context_graph.presentation.reversals import removal_of
from context_graph.tools.base import Id, Instant, Maybe, Moment, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["search_tombstones"]

MAX_SCANNED = 2_000
MAX_TOMBSTONES = 50
DAY_US = 86_400_000_000
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


class Tombstone(WireModel):
    node_id: Id
    original_content: str
    deletion_reason: str
    deleted_at: Moment
    deleted_by: str
    """Agent id, 'user', or which session an agent without a name was in; 'system' where a merge was taken back."""

    recoverable: bool
    explanation: str
    reversal_hash: str | None = None
    """For restore_from_hash."""


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
    stones = [_stone(memory, node, piece.text, caller) for node, piece in zip(ranked, pieces, strict=True)]
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


def _stone(memory: "Memory", node: Node, content: str, caller: Caller) -> Tombstone:
    at = node.state_at or 0
    deadline = at + round(memory.settings.undo_retention_days * DAY_US)
    removal = removal_of(memory, node.id)
    reversal = removal.hash[:16] if removal is not None and memory.clock() <= deadline else None
    until = f"until {to_iso(deadline)[:10]}" if reversal else f"ended on {to_iso(deadline)[:10]}"
    return Tombstone(
        node_id=node.id,
        original_content=content,
        deletion_reason=node.state_reason or "unknown",
        deleted_at=to_iso(at),
        deleted_by=_remover(memory, node, removal, caller),
        recoverable=reversal is not None,
        explanation=f"{node.name!r} was removed as {node.state_reason}; recovery is possible {until}"
        if reversal
        else f"{node.name!r} was removed as {node.state_reason}; "
        + (f"the time for recovery {until}" if memory.clock() > deadline else "undoing that needs context-graph undo"),
        reversal_hash=reversal,
    )


def _remover(memory: "Memory", node: Node, removal: Event | None, caller: Caller) -> str:
    """Who removed a node; of an agent without a name, whether it was in this session: another's is not named."""
    if node.state_by and (node.state_by != "system" or removal is None):
        return node.state_by
    if removal is None:
        return "an agent without a name"
    if removal.author.agent_id:
        return removal.author.agent_id
    here = removal.author.session_id == memory.author(caller).session_id
    return f"an agent without a name in {'this' if here else 'another'} session"


def _recovery(stones: list[Tombstone]) -> str:
    if not stones:
        return (
            "Nothing in the trash matches. Use other words, or deletion_reason=all; what was deleted for good is gone."
        )
    hashes = [stone.reversal_hash for stone in stones if stone.reversal_hash]
    if not hashes:
        return "None of these can come back: the time for recovery is over."
    return f"restore_from_hash(reversal_hash='{hashes[0]}', preview=false) brings the first of these back."
