"""trigger_dream: consolidate now, by default as proposals."""

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr, field_validator

from context_graph.citations import tag_of
from context_graph.errors import StoreError
from context_graph.models import Caller
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.tools.base import AgentId, Id, Maybe, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.ingest.dreaming import Dreamed
    from context_graph.memory import Memory

__all__ = ["trigger_dream"]

MAX_SAMPLED = 3
"""Memories that the client's model is asked about in one dream: each may take as long as `sampling_seconds`."""

RESTS_ON = (
    "It rests on how often memories were retrieved together, on concepts that they share, and on likeness when they "
    "were stored; walks in hyperbolic space and shortcuts of paths are not built yet."
)


class TriggerDreamInput(ToolInput):
    phase: Literal["nrem", "rem", "full_cycle"] = "full_cycle"
    """nrem, rem or full_cycle (alias: full)."""

    duration_minutes: int = Field(5, ge=1, le=10)
    """Longest time to dream."""

    synthetic_query_count: int = Field(100, ge=10, le=500)
    """Memories from which REM looks for blind spots."""

    blocking: bool = False
    """Wait for the end instead of running in the background."""

    abort_on_query: bool = True
    """Wake at once when a query arrives in this process."""

    apply: bool = False
    """Write what is found (undoable, at most 1 % of the edges) and commit ripe working notes, private ones of
    agent_id alone; else only propose."""

    agent_id: Maybe[AgentId] = None
    """Whose dream it is: its private working notes may be committed, too."""

    @field_validator("phase", mode="before")
    @classmethod
    def _full(cls, given: object) -> object:
        return "full_cycle" if given == "full" else given


class DreamProposal(WireModel):
    kind: Literal["strengthen", "link", "merge"]
    node_ids: list[Id]
    reason: str


class TriggerDreamOutput(ToolOutput):
    phase_completed: str
    """nrem, rem, full_cycle, or none."""

    edges_strengthened: int
    """Edges that were written."""

    blind_spots_discovered: int
    """Pairs that share a concept, are far apart and not linked."""

    new_edges_created: int
    """Edges that were written."""

    duration_ms: int
    was_interrupted: bool
    applied: bool
    """Whether anything but proposals was asked for."""

    proposals: list[DreamProposal]
    """What could be strengthened, linked, or looked at for a merge."""

    notes_committed: int
    """Working notes that became memories."""

    reversal_hash: str | None = None
    """restore_from_hash takes the written edges back."""

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="learning", title="Trigger dream", tier=2, read_only=False)
def trigger_dream(memory: "Memory", args: TriggerDreamInput, caller: Caller) -> TriggerDreamOutput:
    """Consolidate memory: NREM strengthens what was found together, REM looks for blind spots and likely merges. It
    proposes, and writes only with apply=true; in the background unless blocking.
    """
    from context_graph.ingest.dreaming import dream

    memory.store.head()  # of a closed store, an error says so: nothing would be dreamt in the background
    if memory.store.unwritable:
        raise StoreError(f"{memory.store.note}; a dream writes at least what it found into the log")
    if not args.blocking and not memory.background.short:
        memory.background.plan("dream", [_item(args, caller)])
        output = _empty(args)
        output._notes = [
            f"Dreaming in the background; get_system_logs with log_type=dream_actions tells what came of it. {RESTS_ON}"
        ]
        return output
    end, before = time.monotonic() + 60 * args.duration_minutes, memory.interactions

    def over() -> bool:
        return time.monotonic() >= end or (args.abort_on_query and memory.interactions != before)

    outcome = dream(
        memory, args.phase, queries=args.synthetic_query_count, apply=args.apply, caller=caller, over=over
    )  # fmt: skip
    output = _told(args, outcome)
    if args.apply and not over():
        output._notes += _proposed(memory, caller, over)
    return output


def _proposed(memory: "Memory", caller: Caller, over: Callable[[], bool]) -> list[str]:
    """What the client's model proposes of a few memories that the rules leave open, where the user lets it be asked."""
    from context_graph.client_model import client_model
    from context_graph.ingest.extracting import extracted, left_open
    from context_graph.progress import unwanted
    from context_graph.safety.quoting import inline

    ask = client_model()
    ids = [] if ask is None else left_open(memory, None, MAX_SAMPLED)
    notes = []
    for one in extracted(memory, ask, ids, caller=caller, stop=lambda: over() or unwanted()) if ask and ids else ():
        if one.problem:
            notes.append(f"The client's model was asked no further: {inline(one.problem)}.")
            break
        count = len(one.proposals.claims) + len(one.proposals.times) + len(one.proposals.aliases)
        undo = f"; restore_from_hash('{one.reversal_hash}') takes them back" if one.reversal_hash else ""
        notes.append(
            f"The client's model ({one.proposals.model}) proposed of {tag_of(one.node.id)}: {count} kept, "
            f"{sum(one.dropped.values())} dropped{undo}."
        )
    return notes


def _item(args: TriggerDreamInput, caller: Caller) -> str:
    return json.dumps(
        {
            "phase": args.phase, "seconds": 60 * args.duration_minutes, "queries": args.synthetic_query_count,
            "apply": args.apply, "abort_on_query": args.abort_on_query, "session_id": caller.session_id,
            "context_id": caller.context_id, "agent_id": caller.agent_id,
        }
    )  # fmt: skip


def _empty(args: TriggerDreamInput) -> TriggerDreamOutput:
    return TriggerDreamOutput(
        phase_completed="none", edges_strengthened=0, blind_spots_discovered=0, new_edges_created=0, duration_ms=0,
        was_interrupted=False, applied=args.apply, proposals=[], notes_committed=0,
    )  # fmt: skip


def _told(args: TriggerDreamInput, outcome: "Dreamed") -> TriggerDreamOutput:
    whole = {"nrem": ("nrem",), "rem": ("rem",), "full_cycle": ("nrem", "rem")}[args.phase]
    views = fitting(
        (
            DreamProposal(kind=one.kind, node_ids=[one.first, one.second], reason=one.reason)
            for one in outcome.proposals
        ),
        ANSWER_BYTES // 2,
    )
    output = TriggerDreamOutput(
        phase_completed=args.phase if outcome.completed == whole else "".join(outcome.completed[:1]) or "none",
        edges_strengthened=outcome.strengthened,
        blind_spots_discovered=outcome.blind_spots,
        new_edges_created=outcome.created,
        duration_ms=outcome.duration_ms,
        was_interrupted=outcome.interrupted,
        applied=args.apply,
        proposals=views,
        notes_committed=outcome.committed,
        reversal_hash=outcome.reversal_hash,
    )
    if len(views) < len(outcome.proposals):
        output._notes.append(f"{len(outcome.proposals) - len(views)} more proposals had no room.")
    if not args.apply:
        output._notes.append("Nothing was changed: these are proposals, and apply=true writes links and weights.")
    output._notes.append(f"Replayed {outcome.replayed} memories. {RESTS_ON}")
    return output
