"""Which memories were written lately, for who watches a list of them."""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from context_graph.derived.view import MaterializedView, view
from context_graph.store import Change

__all__ = ["Changed", "News"]

MAX_REMEMBERED_CHANGES = 4_096


class Changed(NamedTuple):
    """What was written since a moment.

    Attributes
    ----------
    number : int
        Of the last write, from which to ask next time.
    nodes : set of str, optional
        Ids of memories and concepts; None where this is not known, as after a permanent deletion.
    """

    number: int
    nodes: frozenset[str] | None


@view("news")
class News(MaterializedView):
    """The last nodes that any process has written, each with the number of its change."""

    def __init__(self) -> None:
        self._number = 0
        super().__init__()

    def rebuild(self) -> None:
        self._number += 1
        self._known_from = self._number
        self._nodes: deque[tuple[int, str]] = deque(maxlen=MAX_REMEMBERED_CHANGES)

    def apply(self, change: Change) -> None:
        if change.table == "nodes":
            self._number += 1
            if len(self._nodes) == MAX_REMEMBERED_CHANGES:
                self._known_from = self._nodes[0][0]
            self._nodes.append((self._number, change.id))

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        self.rebuild()

    def since(self, number: int) -> Changed:
        """What was written after the change of a number."""
        with self._lock:
            if number < self._known_from:
                return Changed(self._number, None)
            return Changed(self._number, frozenset(id for each, id in self._nodes if each > number))
