"""What storing a text would be worth, without storing it."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_graph.ingest.draft import Draft
from context_graph.ingest.prepare import prepare
from context_graph.ingest.remember import consider
from context_graph.models import Caller
from context_graph.nervous.steering import Reward
from context_graph.nervous.utl import Learning
from context_graph.safety.inspect import QUARANTINE_FROM

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Appraisal", "appraise"]


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What `remember` would have answered.

    Attributes
    ----------
    known : str, optional
        The id of the memory that says the same already: nothing new would be stored.
    quarantined : bool
        It would be kept, and never answered.
    """

    reward: Reward
    learning: Learning
    known: str | None
    redactions: tuple[str, ...]
    quarantined: bool


def appraise(memory: "Runtime", draft: Draft, *, caller: Caller | None = None) -> Appraisal:
    """Judge a draft as `remember` does, and leave store and session as they are."""
    caller = caller or memory.caller
    prepared = prepare(memory, draft, caller)
    with memory.writing:
        state = memory.session(memory.author(caller.within(prepared.draft.session_id)).session_id)
        levels = deque(state.levels, maxlen=state.levels.maxlen)
        try:
            found = consider(memory, memory.store, memory.corpus, prepared, caller)
        finally:
            state.levels = levels  # judging notes how coherent it was; this was only asked
    known = None if found.known is None else found.known.id
    return Appraisal(
        found.reward, found.learning, known, found.prepared.redactions, found.prepared.taint >= QUARANTINE_FROM
    )
