"""Answers about the documents that are given again as long as the documents are the same."""

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from context_graph.locks import Rank, lock

__all__ = ["CacheStats", "ShadowCache"]

MAX_CACHED_ANSWERS = 256
MAX_CACHED_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What the cache holds and what it was good for.

    Attributes
    ----------
    stale : int
        Entries of documents that have changed since: they are never given, and go when they are asked for again.
    """

    entries: int
    stale: int
    bytes: int
    hits: int
    misses: int

    @property
    def hit_rate(self) -> float:
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0


class _Entry(NamedTuple):
    hash: str
    text: str


class ShadowCache:
    """The answers of one process, as JSON; the one not asked for longest leaves first.

    Examples
    --------
    >>> cache = ShadowCache()
    >>> cache.answer("q", "h1", lambda: {"a": 1}), cache.answer("q", "h1", lambda: {"a": 2})
    ((False, {'a': 1}), (True, {'a': 1}))
    >>> cache.answer("q", "h2", lambda: {"a": 3}), cache.stats("h2").misses
    ((False, {'a': 3}), 2)
    """

    def __init__(self) -> None:
        self._lock = lock(Rank.LEAF, "ShadowCache")
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._bytes = self._hits = self._misses = 0

    def answer(self, key: str, hash: str, make: Callable[[], Any]) -> tuple[bool, Any]:
        """Whether the answer was there, and the answer.

        Parameters
        ----------
        hash : str
            Of the documents that it follows from.
        make : callable
            Makes the answer, of JSON values, where it is not there.
        """
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and entry.hash == hash:
                self._entries.move_to_end(key)
                self._hits += 1
                return True, json.loads(entry.text)
            self._misses += 1
        values = make()
        self._keep(key, _Entry(hash, json.dumps(values, ensure_ascii=False)))
        return False, values

    def _keep(self, key: str, entry: _Entry) -> None:
        with self._lock:
            self._drop(key)
            self._entries[key] = entry
            self._bytes += _size(key, entry)
            while len(self._entries) > MAX_CACHED_ANSWERS or self._bytes > MAX_CACHED_BYTES:
                self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= _size(key, entry)

    def stats(self, hash: str) -> CacheStats:
        """What it holds, where the documents are those of a hash."""
        with self._lock:
            stale = sum(entry.hash != hash for entry in self._entries.values())
            return CacheStats(len(self._entries), stale, self._bytes, self._hits, self._misses)


def _size(key: str, entry: _Entry) -> int:
    return len(key.encode()) + len(entry.text.encode()) + len(entry.hash)
