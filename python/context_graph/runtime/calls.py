"""The calls of tools that a process has answered, as chains, until they are written."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol
from uuid import UUID

from context_graph.instants import MINUTE_US
from context_graph.locks import Rank, lock
from context_graph.models import Microseconds

__all__ = ["MAX_CHAIN_CALLS", "PAUSE_US", "CallChains", "ToolCall", "WaitingChain"]

MAX_CHAIN_CALLS = 64
"""Of one chain; the next call begins a new one."""

MAX_OPEN_CHAINS = 256
"""Sessions whose calls are followed at once; with more, that of the session longest silent is given up."""

MAX_COUNTED_CALLS = 5
"""Of a chain, that whoever counts is told of with each call."""

PAUSE_US = 10 * MINUTE_US
"""Silence after which a chain has ended."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call by its tool, how it ended and how long it took: nothing of what was asked or answered."""

    tool: str
    ok: bool
    ms: float
    at: Microseconds


@dataclass(slots=True)
class WaitingChain:
    """The calls of a session that follow each other, and how many of them are written.

    Attributes
    ----------
    id : str
        Follows from its session, its beginning and the salt of its process.
    """

    id: str
    agent: str
    calls: list[ToolCall] = field(default_factory=list)
    written: int = 0
    ended: bool = False


class Counts(Protocol):
    """Who counts what follows what."""

    def add(self, actions: Sequence[str], /) -> None:
        """Hear of the last tool of a chain, behind those before it."""


class CallChains:
    """The chains of one process: adding costs microseconds and waits for no store. Safe to share between threads.

    Parameters
    ----------
    salt : bytes
        Of ids and names that follow from a session: without it, who guesses a session's name could check the guess.
    """

    def __init__(self, salt: bytes) -> None:
        self._salt = salt
        self._lock = lock(Rank.LEAF, "CallChains._lock")
        self._open: OrderedDict[str, WaitingChain] = OrderedDict()
        self._ended: list[WaitingChain] = []
        self._counting: tuple[Counts, ...] = ()

    def add(self, session: str, agent: str | None, call: ToolCall) -> None:
        """Note a call behind those of its session.

        Parameters
        ----------
        agent : str, optional
            Who called; without, a name that the chains of one session share and that does not tell the session.
        """
        with self._lock:
            chain = self._open.get(session)
            if chain is not None and (len(chain.calls) >= MAX_CHAIN_CALLS or call.at - chain.calls[-1].at > PAUSE_US):
                self._end(session)
                chain = None
            if chain is None:
                id = str(UUID(bytes=self._digest(f"{session} {call.at}")[:16], version=4))
                agent = agent or f"session-{self._digest(session).hex()[:12]}"
                chain = self._open[session] = WaitingChain(id, agent)
                if len(self._open) > MAX_OPEN_CHAINS:
                    self._end(next(iter(self._open)))
            chain.calls.append(call)
            self._open.move_to_end(session)
            for counts in self._counting:
                counts.add([one.tool for one in chain.calls[-MAX_COUNTED_CALLS:]])

    def _end(self, session: str) -> None:
        chain = self._open.pop(session)
        chain.ended = True
        self._ended = [*self._ended, chain][-MAX_OPEN_CHAINS:]

    def _digest(self, text: str) -> bytes:
        """Of a session: who knows its id reads what is in it, so no chain tells it."""
        return blake2b(text.encode(), key=self._salt).digest()

    def of_session(self, session: str) -> list[str]:
        """The tools that a session has called since its last pause."""
        with self._lock:
            chain = self._open.get(session)
            return [] if chain is None else [call.tool for call in chain.calls]

    def all(self, now: Microseconds) -> list[WaitingChain]:
        """Those that are open, and those that have ended and are not written; copies."""
        with self._lock:
            return self._all(now)

    def _all(self, now: Microseconds) -> list[WaitingChain]:
        for session in [one for one, chain in self._open.items() if now - chain.calls[-1].at > PAUSE_US]:
            self._end(session)
        chains = (*self._ended, *self._open.values())
        return [WaitingChain(one.id, one.agent, list(one.calls), one.written, one.ended) for one in chains]

    def told_to(self, counts: Counts, now: Microseconds) -> list[WaitingChain]:
        """All of them as they are at the moment from which on each call is told to somebody who counts, too."""
        with self._lock:
            self._counting = (*self._counting, counts)
            return self._all(now)

    def told_only_to(self, counts: Counts) -> None:
        """Tell nobody else any more."""
        with self._lock:
            self._counting = (counts,)

    def written(self, chains: list[WaitingChain]) -> None:
        """Hear that chains, as `all` gave them, are written or not worth it."""
        counts = {chain.id: len(chain.calls) for chain in chains}
        with self._lock:
            for chain in (*self._ended, *self._open.values()):
                chain.written = max(chain.written, counts.get(chain.id, 0))
            self._ended = [chain for chain in self._ended if chain.written < len(chain.calls)]
