"""Where the settings name a language model, it is asked about memories that are stored while the process lives."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from context_graph.errors import EndpointFailed
from context_graph.index.corpus import Corpus
from context_graph.ingest.extracting import extracted, left_open
from context_graph.models import NodeKind
from context_graph.runtime.tasks import OnChange, Round, task
from context_graph.store import Change

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["extract_new"]

NEW = "new"
"""Stands for whatever was stored since the process began and is left open."""

CHOSEN_AT_ONCE = 32
RETRY_S = 600.0
"""How long a model is left alone that did not answer."""


def _stored(memory: "Runtime", corpus: Corpus, changes: Sequence[Change]) -> list[str]:
    settings = memory.settings
    if not settings.extractor_url or not settings.extractor_model or memory.background.is_put_off("extract"):
        return []
    memories = (
        change for change in changes
        if change.table == "nodes" and change.inserted and (change.after or {}).get("kind") == NodeKind.MEMORY
    )  # fmt: skip
    return [NEW] if any(memories) else []


@task("extract", trigger=OnChange(_stored), lease=True, slow=True)
def extract_new(memory: "Runtime", round: Round) -> Iterable[str]:
    """Ask about one memory; the rest is planned again, behind other work that waits."""
    from context_graph.endpoints.chat import ChatModel

    model = ChatModel(memory.settings, attempts=1)
    if round.items == (NEW,):
        return left_open(memory, model.name, CHOSEN_AT_ONCE, since=memory.started_at)
    problem = ""
    try:
        for one in extracted(memory, model, round.items, stop=round.over):
            problem = one.problem
            if not problem:
                return round.items[round.items.index(one.node.id) + 1 :] or (NEW,)
    except EndpointFailed as error:
        problem = str(error)
    if problem:
        memory.background.put_off("extract", (NEW,), RETRY_S)
        raise EndpointFailed(problem)
    return ()
