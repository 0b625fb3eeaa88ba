"""A part of the corpus laid out by session, so that a memory's neighbours stand beside it."""

import numpy as np

from context_graph.index.corpus import Corpus

__all__ = ["View"]

REACH = 3
"""How many turns on each side of a candidate belong to the view."""


class View:
    """Candidates and their neighbours in session order.

    Only turns of a dialogue have neighbours: what stands beside a note or a paragraph says nothing about it.

    Attributes
    ----------
    mask : bool (n,)
        Rows of the corpus that the viewer may see.
    rows : int64 (m,)
        Rows of the corpus.
    candidate : bool (m,)
        False for rows that are here as neighbours only.
    """

    def __init__(self, corpus: Corpus, mask: np.ndarray, candidates: np.ndarray | None) -> None:
        """
        Parameters
        ----------
        mask : bool (n,)
            Rows that the viewer may see; others are not even neighbours.
        candidates : int64, optional
            Rows asked about; None for every visible row.
        """
        columns = corpus.columns
        candidate_rows = np.flatnonzero(mask) if candidates is None else np.sort(candidates)
        if not columns.dialogue[candidate_rows].any():  # none has neighbours
            order, chosen = candidate_rows, np.ones(len(candidate_rows), bool)
        else:
            order = corpus.session_order
            order = order[mask[order]]
            wanted = np.zeros(len(mask), bool)
            wanted[candidate_rows] = True
            chosen = wanted[order]
        session = np.where(columns.dialogue[order], columns.session[order], -1 - np.arange(len(order)))
        if not chosen.all():
            near = chosen.copy()
            for step in range(1, REACH + 1):
                same = session[step:] == session[:-step]
                near[step:] |= chosen[:-step] & same
                near[:-step] |= chosen[step:] & same
            order, chosen, session = order[near], chosen[near], session[near]
        self.corpus, self.mask, self.rows, self.candidate = corpus, mask, order, chosen
        self._group = session
        self.place = np.full(len(mask), -1, np.int32)
        self.place[order] = np.arange(len(order), dtype=np.int32)
        self.context = columns.dialogue[order]

    def __len__(self) -> int:
        return len(self.rows)

    def hears(self, speaker: str) -> bool:
        """Whether a speaker, in lower case, has said any of it."""
        return bool((self.corpus.columns.speaker[self.rows] == self.corpus.speakers.known(speaker)).any())

    def around(self, values: np.ndarray, before: int, after: int, merge: np.ufunc) -> np.ndarray:
        """Merge each row's values with those of the turns up to `before` and `after` it: (m, ...) -> (m, ...).

        Parameters
        ----------
        merge : np.add or np.fmax
        """
        merged = values.copy()
        for step in range(1, max(before, after) + 1):
            first = np.flatnonzero(self._group[step:] == self._group[:-step])  # most rows have nobody beside them
            for reach, rows, others in ((before, first + step, first), (after, first, first + step)):
                if step <= reach:
                    merged[rows] = merge(merged[rows], values[others])
        return merged

    def shifted(self, values: np.ndarray) -> np.ndarray:
        """Each row's value in the turn before it; zero for the first."""
        shifted = np.zeros_like(values)
        same = self._group[1:] == self._group[:-1]
        shifted[1:][same] = values[:-1][same]
        return shifted

    def previous(self, among: np.ndarray) -> np.ndarray:
        """Place of the last row of the same session before each that is in `among`, -1 without: int64 (m,)."""
        places = np.where(among, np.arange(len(self)), -1)
        before = np.concatenate([[-1], np.maximum.accumulate(places)[:-1]]).astype(np.int64)
        same = (before >= 0) & (self._group[before] == self._group)
        return np.where(same, before, -1)
