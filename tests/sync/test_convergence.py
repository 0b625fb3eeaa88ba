"""Whatever is written, delivered late, twice or in another order: homes that have told each other all are equal."""

import itertools
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sync_scenes import PATIENT, USER, Home, acquainted, converge

from context_graph.errors import ContextGraphError
from context_graph.ingest.forget import forget, restore
from context_graph.ingest.goals import add_goal, remove_goal
from context_graph.models import NodeKind, NodeState
from context_graph.store import Position
from context_graph.sync.batch import Batch
from context_graph.sync.fold import fold
from context_graph.sync.outgoing import batch_after
from tests.requirements import requirement

TEXTS = (
    "Anna plays the cello in the Riga orchestra.",
    "The Riga orchestra rehearses on Mondays.",
    "Anna lives in Riga because the orchestra is there.",
    "Omar mended the boiler of the Riga opera in March.",
    "The boiler of the opera is a Viessmann from 1998.",
    "Klara opens a bakery beside the opera.",
)
HOMES = st.integers(0, 2)
PICK = st.integers(0, 30)
STEPS = st.one_of(
    st.tuples(st.just("tell"), HOMES, st.integers(0, len(TEXTS) - 1)),
    st.tuples(st.just("supersede"), HOMES, PICK),
    st.tuples(st.just("edit"), HOMES, PICK),
    st.tuples(st.just("rewrite"), HOMES, PICK),
    st.tuples(st.just("forget"), HOMES, PICK),
    st.tuples(st.just("undo"), HOMES, PICK),
    st.tuples(st.just("purge"), HOMES, PICK),
    st.tuples(st.just("goal"), HOMES, PICK),
    st.tuples(st.just("skew"), HOMES, st.integers(-240, 240)),
    st.tuples(st.just("capture"), HOMES, HOMES),
    st.tuples(st.just("deliver"), HOMES, PICK),
    st.tuples(st.just("deliver"), HOMES, PICK),
    st.tuples(st.just("meet"), HOMES, HOMES),
)


class World:
    """Three homes, and the messages between them, of which none is ever thrown away."""

    def __init__(self, folder: Path) -> None:
        self.homes = [Home(folder, name, limits=PATIENT) for name in ("ada", "ben", "cleo")]
        acquainted(*self.homes)
        self.messages: list[tuple[int, int, dict]] = []
        self.counter = itertools.count(1)

    def memories(self, home: Home):
        nodes = [node for node in home.store.memories() if node.state == NodeState.LIVE]
        return nodes or None

    def step(self, action: str, at: int, what: int) -> None:
        home = self.homes[at]
        try:
            getattr(self, action)(home, what)
        except ContextGraphError as error:
            if action not in ("undo", "supersede"):  # what cannot be taken back stays
                raise AssertionError(f"{action}: {error}") from error

    def tell(self, home: Home, what: int) -> None:
        home.tell(f"{TEXTS[what]} Note {next(self.counter)}.")

    def supersede(self, home: Home, what: int) -> None:
        if nodes := self.memories(home):
            home.tell(
                f"Since then it is otherwise, {next(self.counter)}.",
                metadata={"supersedes": nodes[what % len(nodes)].id},
            )

    def edit(self, home: Home, what: int) -> None:
        if nodes := self.memories(home):
            with home.store.write("edited", home.memory.author(home.memory.caller)) as tx:
                columns = (
                    {"importance": what / 30, "importance_by_user": True}, {"metadata": {"note": what}},
                    {"rationale": f"reason {what}"},
                )[what % 3]  # fmt: skip
                tx.update(nodes[what % len(nodes)].id, **columns)

    def rewrite(self, home: Home, what: int) -> None:
        if nodes := self.memories(home):
            with home.store.write("reread", home.memory.author(home.memory.caller)) as tx:
                tx.update(
                    nodes[what % len(nodes)].id, content=f"{TEXTS[what % len(TEXTS)]} Rewritten {next(self.counter)}."
                )

    def forget(self, home: Home, what: int) -> None:
        if nodes := self.memories(home):
            forget(home.memory, nodes[what % len(nodes)].id, "user_requested", cascade_edges=bool(what % 2))

    def undo(self, home: Home, what: int) -> None:
        events = home.store.events(12)
        if events:
            restore(home.memory, events[what % len(events)].hash, preview=False, only=None)

    def purge(self, home: Home, what: int) -> None:
        if nodes := self.memories(home):
            forget(home.memory, nodes[what % len(nodes)].id, "user_requested", soft=False)

    def goal(self, home: Home, what: int) -> None:
        goals = home.store.goals()
        if goals and what % 2:
            remove_goal(home.memory, goals[what % len(goals)].id)
        else:
            add_goal(home.memory, f"Finish chapter {next(self.counter)} of the book.")

    def skew(self, home: Home, what: int) -> None:
        home.clock.set_ahead(what)

    def capture(self, home: Home, what: int) -> None:
        other = self.homes[what]
        if other is not home:
            with other.store.registers.opened() as rows:
                cursor = rows.cursor(home.key) or [0, 0, "", ""]
            batch = batch_after(home.store, home.key, USER, Position(*cursor[:3]), cursor[3], max_rows=1 + what * 3)
            self.messages.append((self.homes.index(home), what, batch.to_json()))

    def deliver(self, home: Home, what: int) -> None:
        if self.messages:
            source, target, message = self.messages[what % len(self.messages)]
            there, sender = self.homes[target], self.homes[source]
            fold(there.memory, Batch.from_json(sender.key, message), there.key, sender.name, USER, limits=PATIENT)

    def meet(self, home: Home, what: int) -> None:
        if self.homes[what] is not home:
            home.meet(self.homes[what])


def live_memories(home: Home) -> dict:
    return {
        node.id: (node.content, node.rationale, dict(node.metadata), node.superseded_by)
        for node in home.store.memories()
        if node.state == NodeState.LIVE and node.kind == NodeKind.MEMORY
    }


def check(world: World) -> None:
    converge(*world.homes)
    first = world.homes[0]
    for home in world.homes:
        found = home.store.verify()
        assert found.ok, (found.reason, found.differences)
        before = home.hash()
        (home.path / "sync.sqlite3").unlink()
        assert home.hash() == before == first.hash(), "the registers are folded from the log alone"
        purged = set(home.rows()[-1][1:])
        assert not home.store.existing(purged)
    live = [live_memories(home) for home in world.homes]
    assert live[0] == live[1] == live[2]
    for home in world.homes:
        home.memory.catch_up()
        for id, (content, *_) in live[0].items():
            assert id in home.memory.corpus.row_of, content


@requirement("sync:homes-converge")
@pytest.mark.parametrize("examples", [10, pytest.param(40, marks=pytest.mark.long)])
def test_homes_converge(examples):
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.lists(STEPS, min_size=4, max_size=24))
    def converged(steps):
        with tempfile.TemporaryDirectory(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")) as folder, ExitStack() as closing:
            world = World(Path(folder))
            for home in world.homes:
                closing.callback(home.close)
            for step in steps:
                world.step(*step)
            check(world)

    converged()
