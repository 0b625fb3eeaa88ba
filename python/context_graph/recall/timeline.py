"""Memories by when they happened, the last first, in pages that may begin anywhere."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.models import Caller, Node
from context_graph.recall.selection import Selection, selected

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Page", "timeline"]


class Page(NamedTuple):
    """A part of a timeline.

    Attributes
    ----------
    total : int
        Memories of the whole timeline.
    """

    total: int
    nodes: list[Node]


def timeline(
    memory: "Runtime", caller: Caller, *, offset: int = 0, limit: int = 100, selection: Selection | None = None
) -> Page:
    """The memories that a caller may see, live and past, of a selection if any, the last that happened first.

    The order is taken from the index, so that a page of 100,000 memories costs as much wherever it begins.
    """
    corpus = memory.corpus
    with corpus.lock:
        columns = corpus.columns
        shown = columns.live & corpus.shared(memory.viewer(caller))
        rows = np.flatnonzero(shown if selection is None else shown & selected(memory, corpus, selection))
        latest = rows[np.lexsort((-rows, -columns.occurred_at[rows]))]
        ids = [corpus.ids[row] for row in latest[offset : offset + limit]]
    nodes = {node.id: node for node in memory.store.nodes(ids)}
    return Page(len(rows), [nodes[id] for id in ids if id in nodes])
