"""Homes that know each other, in one process: what the tests of synchronisation write and look at."""

import itertools
import uuid
from collections.abc import Callable
from pathlib import Path

from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.settings import Settings
from context_graph.store import keys
from context_graph.sync.exchange import Answering, Exchanged, exchange
from context_graph.sync.limits import Limits
from context_graph.sync.peers import Peer, Peers
from context_graph.sync.state import state_hash, state_rows

__all__ = ["NOON", "PATIENT", "USER", "Clock", "Home", "acquainted", "converge"]

NOON = 1_795_262_400_000_000
USER = ("user",)
PATIENT = Limits(share=1.0, at_least=10_000)
"""Lets everything be taken away."""


class Clock:
    """Stands still until moved; every reading is a millisecond later."""

    def __init__(self, ahead_s: float = 0) -> None:
        self.now, self._ahead_s = NOON, 0.0
        self.set_ahead(ahead_s)

    def __call__(self) -> int:
        self.now += 1_000
        return self.now

    def set_ahead(self, seconds: float) -> None:
        """Put it so far before the clocks of others, or behind."""
        self.now += round((seconds - self._ahead_s) * 1_000_000)
        self._ahead_s = seconds


class Home:
    """One memory with a key, and a server side that can be asked in process."""

    def __init__(
        self, folder: Path, name: str, *, ahead_s: float = 0, limits: Limits | None = None, first_id: int = 1
    ) -> None:
        numbers = itertools.count(first_id)
        self.name, self.clock, self.limits = name, Clock(ahead_s), limits
        self.path = folder / name
        self._ids: Callable[[], str] = lambda: str(uuid.uuid5(uuid.NAMESPACE_OID, f"{name} {next(numbers)}"))
        self.open()
        self.key = keys.public_key(self.path)

    def open(self) -> None:
        settings = Settings(home=self.path, tier="base")
        self.memory = Memory(settings, clock=self.clock, ids=self._ids, session_id=f"session of {self.name}")
        self.answering = Answering(self.memory, limits=self.limits)

    def close(self) -> None:
        self.memory.close()

    @property
    def store(self):
        return self.memory.store

    @property
    def peers(self) -> Peers:
        return Peers(self.path)

    def knows(self, other: "Home", **more) -> None:
        self.peers.add(Peer(other.name, other.key, **more))

    def tell(self, text: str, **fields) -> str:
        """Store a text; returns the node's id."""
        return self.memory.remember(Draft(text, "worth keeping for later", **fields)).node.id

    def meet(self, other: "Home", **more) -> Exchanged:
        """Exchange all with another home, as over HTTP but without it."""
        return exchange(self.memory, self.peers.of(other.name), other.answering.answer, limits=self.limits, **more)

    def hash(self, scopes=USER) -> str:
        return state_hash(self.store, self.key, scopes)

    def rows(self, scopes=USER) -> list:
        return state_rows(self.store, self.key, scopes)

    def answers(self, question: str) -> list[str]:
        return [hit.node.content for hit in self.memory.recall(question)]


def acquainted(*homes: Home, **more) -> None:
    """Let each home know each other one."""
    for home in homes:
        for other in homes:
            if home is not other:
                home.knows(other, **more)


def converge(*homes: Home, passes: int = 6) -> None:
    """Let all pairs meet until all have the same state."""
    for _ in range(passes):
        for one, other in itertools.combinations(homes, 2):
            one.meet(other)
        if len({home.hash() for home in homes}) == 1:
            return
    raise AssertionError("homes differ: " + "\n".join(str(difference(homes[0], other)) for other in homes[1:]))


def difference(one: Home, other: Home) -> tuple[list, list]:
    """What either has and the other has not."""
    mine, theirs = one.rows(), other.rows()
    return [row for row in mine if row not in theirs], [row for row in theirs if row not in mine]
