"""The rows of the index that may be answered, while memories are added one after the other."""

import numpy as np

from context_graph.index.corpus import Corpus
from context_graph.visibility import ANYONE, Viewer

__all__ = ["VisibleRows"]


class VisibleRows:
    """As `Corpus.visible`; the rows that are there when it is made are looked at again only where that may matter.

    Parameters
    ----------
    viewer : Viewer
        Who mostly asks.
    now : int
        Microseconds: the moment that validity is judged at.
    """

    def __init__(self, corpus: Corpus, viewer: Viewer, *, now: int) -> None:
        self._viewer, self._now, self._until = viewer, now, corpus.unchanged_until(now)
        self._changes, self._mask = corpus.changes, corpus.visible(viewer, now=now)
        self._shared_with_all = bool(corpus.shared(ANYONE).all())

    def of(self, corpus: Corpus, viewer: Viewer, *, now: int) -> np.ndarray:
        """Which rows somebody may be answered with now: bool (n,)."""
        known_viewer = self._shared_with_all or viewer == self._viewer
        if not known_viewer or corpus.changes != self._changes or not self._now <= now < self._until:
            return corpus.visible(viewer, now=now)
        return np.concatenate([self._mask, corpus.visible(viewer, now=now, first=len(self._mask))])
