"""The times that memories name, each memory read when a question about a time first asks for it."""

from collections.abc import Iterable, Mapping

import numpy as np

from context_graph.derived.view import IndexedView, view
from context_graph.index.corpus import Corpus
from context_graph.retrieval.time_fit import RowTimes, times_in
from context_graph.store import Change, Reader

__all__ = ["MentionedTimes"]


@view("times", "store")
class MentionedTimes(IndexedView):
    """The times that memories name, in RAM: one question after another asks for those of the same last memories."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self._news: set[str] = set()
        self._of: dict[int, RowTimes | None] = {}

    def apply(self, change: Change) -> None:
        if change.table == "nodes" and (change.concerns("content") or change.concerns("occurred_at")):
            self._news.add(change.id)

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        for row in rows.values():
            self._of.pop(row, None)

    def of(self, corpus: Corpus, rows: np.ndarray) -> list[RowTimes | None]:
        """The times that each row names; None for one that names none."""
        with self._taking_in(corpus):
            news, self._news = self._news, set()
            for id in news:
                self._of.pop(corpus.row_of.get(id, -1), None)
            wanted = rows.tolist()
            if fresh := [row for row in wanted if row not in self._of]:
                contents = dict(self._store.columns_of(["id", "content"], [corpus.ids[row] for row in fresh]))
                for row in fresh:
                    text = contents.get(corpus.ids[row], "")
                    self._of[row] = times_in(text, int(corpus.columns.occurred_at[row]))
            return [self._of[row] for row in wanted]
