"""Storing what a preview has shown: memories become cases by one write."""

from dataclasses import dataclass

from context_graph.cases.adding import drafted
from context_graph.cases.model import models
from context_graph.cases.preview import Plan, planned_cases
from context_graph.citations import tag_of
from context_graph.errors import InvalidInput, NameTaken
from context_graph.ingest.batch import remember_together
from context_graph.ingest.remember import Remembered
from context_graph.models import Caller, NodeState
from context_graph.runtime import Runtime

__all__ = ["Taken", "take_cases"]

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a plan.

    Attributes
    ----------
    stored : tuple of Remembered
        The cases, as the plan lists them.
    event_hash : str
        Undoes all of it; empty where all that could be a case was taken already.
    """

    plan: Plan
    stored: tuple[Remembered, ...]
    event_hash: str

    @property
    def quarantined(self) -> int:
        """Cases that read like an order to an agent: no prediction uses them."""
        return sum(one.node.state == NodeState.QUARANTINED for one in self.stored)


def take_cases(memory: Runtime, plan: Plan, caller: Caller) -> Taken:
    """Store the cases of a plan by one write: all of them, or none.

    Raises
    ------
    NameTaken
        A memory is a case already, and the plan says that this is an error.
    InvalidInput
        The plan makes no case, or something that it was made of has changed since.
    """
    with memory.writing:
        entry = models(memory, caller).get(plan.model)
        now = planned_cases(memory, entry.value, entry.name, plan.selection, plan.mapping, plan.on_conflict, caller)
        if now.planned != plan.planned:
            raise InvalidInput(
                f"expected the memories to be as they were shown, and they have changed: {_difference(plan, now)}; "
                "look at the preview again",
                field="plan",
            )
        if conflicts := plan.conflicts:
            named = ", ".join(f"{tag_of(one.node_id)} is case {one.taken_as!r:.80}" for one in conflicts[:SHOWN])
            raise NameTaken(
                f"{len(conflicts)} of {len(plan.becoming)} memories are taken already: {named}; on_conflict skip "
                "leaves them out, update takes the place of their cases, keep_both adds others",
                field="on_conflict",
            )
        if not plan.becoming and any(one.taken_as is not None for one in plan.planned):
            return Taken(plan, (), "")
        if not plan.becoming:
            reasons = "; ".join(dict.fromkeys(one.left_out for one in plan.planned[:SHOWN]))
            raise InvalidInput(f"no memory becomes a case: {reasons}"[:1_000], field="plan")
        drafts = []
        for one in plan.becoming:
            values = {name: reading.value for name, reading in one.readings.items()}
            source = memory.store.node(one.node_id)
            result = one.outcome.value if one.outcome else None
            drafts.append(drafted(one.case_id, plan.model, values, result, replaces=one.replaces, source=source))
        stored = remember_together(memory, drafts, caller=caller)
    return Taken(plan, tuple(stored), next((one.event_hash for one in stored if one.event_hash), ""))


def _difference(plan: Plan, now: Plan) -> str:
    before, after = ({one.node_id: one for one in each.planned} for each in (plan, now))
    changed = [id for id in {**before, **after} if before.get(id) != after.get(id)]
    return ", ".join(map(tag_of, changed[:SHOWN]))
