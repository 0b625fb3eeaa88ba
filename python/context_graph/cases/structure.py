"""Edges of a network found in cases: greedy search over acyclic graphs by the Bayesian information criterion.

Source: Schwarz, Estimating the dimension of a model, 1978; Chickering, Optimal structure identification with greedy
search, 2002, for what a greedy search may promise.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["MAX_SEARCHED", "MIN_WHOLE", "Structure", "learned_structure"]

MAX_SEARCHED = 20
"""Variables whose edges are searched for."""

MAX_FAMILY_PARENTS = 3
MAX_MOVES = 200
MAX_FAMILY_CELLS = 4_096
"""Of the table of a variable and its parents."""

MIN_WHOLE = 20
"""Cases that have a state of each variable."""

GAIN = 1e-9
PATIENCE = 15
"""Moves that make nothing better, to graphs not seen before, until the search ends: out of a local optimum (tabu)."""

Parents = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Structure:
    """What a search found.

    Attributes
    ----------
    edges : tuple of (str, str)
        Parent and child; those that were given come first.
    cases : int
        Those that have a state of each variable.
    score, score_of_given : float
        Logarithm of the likelihood less half of log(cases) for each free number: of these edges, and of the given ones
        alone.
    """

    edges: tuple[tuple[str, str], ...]
    cases: int
    score: float
    score_of_given: float


def learned_structure(
    rows: Sequence[Mapping[str, int]], sizes: Mapping[str, int], fixed: Sequence[tuple[str, str]] = ()
) -> Structure | None:
    """Add, turn and take away one edge after another, the best first, until none makes the score better for a while.

    Which way an edge leads is decided by the score alone, and where both ways say the same, by the order of names: an
    edge means that two variables depend, not that one causes the other.

    Parameters
    ----------
    rows : sequence of mapping
        Of each case, the place of its state by variable.
    sizes : mapping
        How many states each variable has.
    fixed : sequence of (str, str)
        Edges that stay.

    Returns
    -------
    Structure or None
        None where too few cases have a state of each variable.
    """
    names = sorted(sizes)
    whole = [row for row in rows if len(row.keys() & sizes.keys()) == len(sizes)]
    if len(whole) < MIN_WHOLE:
        return None
    data = np.array([[row[name] for name in names] for row in whole], np.int64)
    search = _Search(dict(zip(names, data.T, strict=True)), sizes, frozenset(fixed))
    start: Parents = {name: tuple(parent for parent, child in fixed if child == name) for name in names}
    best = search.climbed(start)
    added = [(parent, name) for name in names for parent in best[name] if (parent, name) not in fixed]
    return Structure((*fixed, *added), len(whole), search.total(best), search.total(start))


class _Search:
    def __init__(
        self, columns: Mapping[str, np.ndarray], sizes: Mapping[str, int], fixed: frozenset[tuple[str, str]]
    ) -> None:
        self._columns, self._sizes, self._fixed = columns, sizes, fixed
        self._cases = len(next(iter(columns.values())))
        self._scores: dict[tuple[str, frozenset[str]], float] = {}

    def climbed(self, parents: Parents) -> Parents:
        best, most = parents, self.total(parents)
        visited, patience = {_key(parents)}, PATIENCE
        for _ in range(MAX_MOVES):
            moves = [(self._gain(parents, moved), parents | moved) for moved in self._moves(parents)]
            moves = [one for one in moves if _key(one[1]) not in visited]
            if not moves or patience == 0:
                break
            parents = max(moves, key=lambda one: one[0])[1]
            visited.add(_key(parents))
            total = self.total(parents)
            best, most, patience = (parents, total, PATIENCE) if total > most + GAIN else (best, most, patience - 1)
        return best

    def _gain(self, parents: Parents, moved: Parents) -> float:
        return sum(self._score(name, those) - self._score(name, parents[name]) for name, those in moved.items())

    def total(self, parents: Parents) -> float:
        return sum(self._score(name, those) for name, those in parents.items())

    def _moves(self, parents: Parents) -> Iterator[Parents]:
        """What adding, taking away or turning one edge makes of the parents of its ends."""
        for child in parents:
            for other in parents:
                if other == child:
                    continue
                if other not in parents[child]:
                    if self._fits(child, (*parents[child], other)) and not _reaches(parents, child, other):
                        yield {child: (*parents[child], other)}
                elif (other, child) not in self._fixed:
                    rest = {child: tuple(one for one in parents[child] if one != other)}
                    yield rest
                    if self._fits(other, (*parents[other], child)) and not _reaches(parents | rest, other, child):
                        yield rest | {other: (*parents[other], child)}

    def _fits(self, name: str, those: Sequence[str]) -> bool:
        return (
            len(those) <= MAX_FAMILY_PARENTS
            and math.prod(self._sizes[one] for one in (name, *those)) <= MAX_FAMILY_CELLS
        )

    def _score(self, name: str, those: Sequence[str]) -> float:
        key = name, frozenset(those)
        if key not in self._scores:
            self._scores[key] = self._scored(name, sorted(those))
        return self._scores[key]

    def _scored(self, name: str, those: Sequence[str]) -> float:
        rows, place = math.prod(self._sizes[one] for one in those), np.zeros(self._cases, np.int64)
        for one in those:
            place = place * self._sizes[one] + self._columns[one]
        states = self._sizes[name]
        counts = np.bincount(place * states + self._columns[name], minlength=rows * states).reshape(rows, states)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        likelihood = float((counts * np.log(np.where(counts > 0, shares, 1.0))).sum())
        return likelihood - 0.5 * math.log(self._cases) * rows * (states - 1)


def _key(parents: Parents) -> frozenset[tuple[str, str]]:
    return frozenset((parent, name) for name, those in parents.items() for parent in those)


def _reaches(parents: Parents, start: str, end: str) -> bool:
    """Whether a way leads from one variable to another along the edges: an edge back would close a circle."""
    waiting, ancestors = [end], set()
    while waiting:
        name = waiting.pop()
        if name == start:
            return True
        if name not in ancestors:
            ancestors.add(name)
            waiting += parents[name]
    return False
