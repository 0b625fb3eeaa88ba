"""What is done again and again: sequences of actions that recur, and which action probably comes next."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

__all__ = [
    "MIN_REPEATS",
    "Foresight",
    "Pattern",
    "PatternCounts",
    "closed",
    "counted_sequences",
    "patterns_of",
    "repeated",
    "unlike",
]

Actions = tuple[str, ...]

MIN_REPEATS = 3
CERTAIN_REPEATS = 10
"""Repeats from which on a pattern has a confidence of 1."""

MAX_PATTERN_ACTIONS = 5


@dataclass(frozen=True, slots=True)
class Pattern:
    """Actions that followed each other, and how often they did."""

    actions: tuple[str, ...]
    times: int

    @property
    def confidence(self) -> float:
        """min(1, times / 10)."""
        return min(1.0, self.times / CERTAIN_REPEATS)


def counted_sequences(chains: Iterable[Sequence[str]], *, longest: int = MAX_PATTERN_ACTIONS) -> Counter[Actions]:
    """How often each sequence of two and more actions occurs."""
    counts: Counter[Actions] = Counter()
    for chain in chains:
        actions = tuple(chain)
        for length in range(2, longest + 1):
            counts.update(zip(*(actions[start:] for start in range(length)), strict=False))
    return counts


def patterns_of(counts: Mapping[Actions, int]) -> list[Pattern]:
    """The sequences that occur at least three times, the most frequent and then the longest first."""
    patterns = [Pattern(actions, times) for actions, times in counts.items() if times >= MIN_REPEATS]
    return sorted(patterns, key=_rank)


def _rank(one: Pattern) -> tuple[int, int, Actions]:
    return -one.times, -len(one.actions), one.actions


def repeated(chains: Iterable[Sequence[str]], *, longest: int = MAX_PATTERN_ACTIONS) -> list[Pattern]:
    """The patterns of some chains.

    Examples
    --------
    >>> [(one.actions, one.times, one.confidence) for one in repeated([["look", "read", "keep"]] * 4, longest=2)]
    [(('look', 'read'), 4, 0.4), (('read', 'keep'), 4, 0.4)]
    """
    return patterns_of(counted_sequences(chains, longest=longest))


def closed(patterns: Iterable[Pattern]) -> Iterator[Pattern]:
    """Those that are no part of a longer one with as many repeats, of patterns in the order of `patterns_of`."""
    covered: set[tuple[Actions, int]] = set()
    for one in patterns:
        if (one.actions, one.times) not in covered:
            yield one
            covered.update(
                (one.actions[start : start + length], one.times)
                for length in range(2, len(one.actions))
                for start in range(len(one.actions) - length + 1)
            )


def unlike(patterns: Iterable[Pattern]) -> Iterator[Pattern]:
    """Those whose actions come in another order than in any before: one repeated three times is the same as twice.

    Examples
    --------
    >>> list(unlike(repeated([["keep"] * 5, ["look", "keep"] * 3], longest=3)))[0]
    Pattern(actions=('keep', 'keep'), times=4)
    """
    known: set[Actions] = set()
    for one in patterns:
        order = tuple(action for action, _ in groupby(one.actions))
        if order not in known:
            known.add(order)
            yield one


class Foresight:
    """Which action comes next, by the patterns: the longest one whose beginning is what was done last decides.

    Examples
    --------
    >>> foresight = Foresight(repeated([["look", "read", "keep"]] * 3))
    >>> foresight.next(["look", "read"])
    Pattern(actions=('look', 'read', 'keep'), times=3)
    """

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._by_beginning: dict[tuple[str, ...], Pattern] = {}
        for one in patterns:  # the most frequent first
            self._by_beginning.setdefault(one.actions[:-1], one)

    def next(self, actions: Sequence[str]) -> Pattern | None:
        """The pattern that what was done begins; its last action is the one foreseen. None where nothing recurs."""
        for length in range(min(len(actions), MAX_PATTERN_ACTIONS - 1), 0, -1):
            if pattern := self._by_beginning.get(tuple(actions[-length:])):
                return pattern
        return None


class PatternCounts:
    """The patterns of many chains, ranked once, and of the actions that followed since: those cost a few counts each.

    Examples
    --------
    >>> counts = PatternCounts([["look", "read"]] * 2)
    >>> counts.add(["look", "read"])
    >>> list(counts.patterns())
    [Pattern(actions=('look', 'read'), times=3)]
    """

    def __init__(self, chains: Iterable[Sequence[str]] = ()) -> None:
        self._fresh: dict[Actions, int] = {}
        self.count(chains)

    def count(self, chains: Iterable[Sequence[str]]) -> None:
        """Count and rank the chains that everything else is added to."""
        self._counts = counted_sequences(chains)
        self._ranked = patterns_of(self._counts)
        self._by_beginning: dict[Actions, list[Pattern]] = defaultdict(list)
        for one in self._ranked:
            self._by_beginning[one.actions[:-1]].append(one)

    def add(self, actions: Sequence[str]) -> None:
        """Count the last action of a chain with those before it."""
        for length in range(2, min(len(actions), MAX_PATTERN_ACTIONS) + 1):
            sequence = tuple(actions[-length:])
            self._fresh[sequence] = self._fresh.get(sequence, 0) + 1

    def patterns(self) -> Iterator[Pattern]:
        """In the order of `patterns_of`."""
        fresh, risen = self._risen()
        return heapq.merge((one for one in self._ranked if one.actions not in fresh), risen, key=_rank)

    def next(self, actions: Sequence[str]) -> Pattern | None:
        """As `Foresight.next`."""
        fresh, risen = self._risen()
        beginnings = [tuple(actions[-length:]) for length in range(1, MAX_PATTERN_ACTIONS)]
        known = (one for beginning in beginnings for one in self._by_beginning.get(beginning, ()))
        return Foresight(sorted((*(one for one in known if one.actions not in fresh), *risen), key=_rank)).next(actions)

    def _risen(self) -> tuple[Mapping[Actions, int], list[Pattern]]:
        """What was added, and the patterns that it belongs to."""
        fresh = dict(self._fresh)  # others may add meanwhile
        return fresh, patterns_of({actions: times + self._counts[actions] for actions, times in fresh.items()})
