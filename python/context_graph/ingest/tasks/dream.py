"""A dream that somebody asked for, after the answer: its result stands in the log."""

import json
import time
from typing import TYPE_CHECKING

from context_graph.ingest.dreaming import dream
from context_graph.models import Caller
from context_graph.runtime.tasks import Budget, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["dream_on"]


@task("dream", budget=Budget(items=1), lease=True, waiting="dreams wait")
def dream_on(memory: "Runtime", round: Round) -> None:
    """Dream as an item says; a search or a store in this process ends it, where the item says so."""
    order = json.loads(round.items[0])
    caller = Caller(order["session_id"], order["context_id"], order["agent_id"])
    end, before = time.monotonic() + order["seconds"], memory.interactions

    def over() -> bool:
        woken = order["abort_on_query"] and memory.interactions != before
        return round.over() or woken or time.monotonic() >= end

    dream(memory, order["phase"], queries=order["queries"], apply=order["apply"], caller=caller, over=over)
