"""Power cuts at any moment of any write: what was acknowledged is there, of what was not there is all or nothing."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import apsw
import pytest
import store_scenes
from power_cut_vfs import Disk, powered
from store_scenes import AUTHOR, Clock, forget, ids, link, memory, remember, tables

from context_graph.errors import StoreError
from context_graph.store import Store

OLD_SQLITE = "3.40.1"
SCENES = 30
"""Different sequences of writes; the cuts asked for are spread over them."""

STEPS = 10
FAILED = (StoreError, apsw.Error)
"""SQLite keeps to itself what fails while it closes; a Python VFS raises it."""


class Scene:
    """Writes of one seed on one folder; the same seed makes the same writes."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.random = Random(seed)
        self.clock = Clock()
        self.new_id = ids(seed)
        self.store: Store | None = None
        self.live: list[str] = []
        self.removals: list[tuple[str, str]] = []
        """Node and event hash."""

        self.backups: list[tuple[Path, list[str]]] = []

    def steps(self) -> Iterator[str]:
        """Do one write after the other; yields the name of each as it is acknowledged."""
        self.open()
        yield "opening"
        for step in range(STEPS):
            self.clock.now += 1_000_000
            kind = self.random.choice([kind for kind in KINDS if self.live or kind in ("remember", "reopen")])
            KINDS[kind](self, f"n{self.seed}-{step}")
            yield kind

    def open(self) -> None:
        self.store = Store.open(self.folder, clock=self.clock, new_id=self.new_id, flush_seconds=None)

    def abandon(self) -> None:
        """What a process without power does not do; SQLite's handles must go all the same."""
        if self.store is not None:
            self.store.effects._queued = type(self.store.effects._queued)()
            self.store.close()

    def _any(self) -> str:
        return self.random.choice(self.live)

    def remember(self, id: str) -> None:
        remember(self.store, id, f"Memory {id}. " + "It was long. " * self.random.choice((0, 3, 40, 2_000)))
        self.live.append(id)

    def link(self, id: str) -> None:
        link(self.store, f"e{id}", self._any(), self._any())

    def forget(self, id: str) -> None:
        node = self._any()
        self.live.remove(node)
        self.removals.append((node, forget(self.store, node).hash))

    def undo(self, id: str) -> None:
        if self.removals:
            node, hash = self.removals.pop()
            self.store.undo(hash, AUTHOR)
            self.live.append(node)

    def supersede(self, id: str) -> None:
        old = self._any()
        with self.store.write("created", AUTHOR) as tx:
            tx.put(memory(id, tx.next_ordinal(), f"The new {id}"))
            tx.put_vector(id, "E1", "static-1", id.encode() * 100)
            tx.update(old, valid_to=tx.now, superseded_by=id)
        self.live.append(id)

    def purge(self, id: str) -> None:
        node = self._any()
        self.live.remove(node)
        self.store.purge(node, AUTHOR)

    def sign(self, id: str) -> None:
        self.store.checkpoint(AUTHOR)

    def read(self, id: str) -> None:
        self.store.effects.add(AUTHOR, nodes=self.live, pairs=[(self._any(), self._any())], state={"at": id})
        self.store.effects.flush()

    def empty_log(self, id: str) -> None:
        """SQLite's checkpoint: the log's pages go into the database file."""
        mode = self.random.choice(("PASSIVE", "FULL", "RESTART", "TRUNCATE"))
        with self.store._writer.alone() as writing:
            writing.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()

    def backup(self, id: str) -> None:
        self.backups.append((self.store.backup(), [*self.live]))

    def restore(self, id: str) -> None:
        """All becomes what a backup holds, in one write."""
        if self.backups:
            source, self.live = self.random.choice(self.backups)
            self.live, self.removals = [*self.live], []
            self.store.restore(source, AUTHOR)

    def reopen(self, id: str) -> None:
        self.store.close()
        self.open()


KINDS: dict[str, Callable[[Scene, str], None]] = {
    "remember": Scene.remember, "link": Scene.link, "forget": Scene.forget, "undo": Scene.undo,
    "supersede": Scene.supersede, "purge": Scene.purge, "sign": Scene.sign, "read": Scene.read,
    "empty_log": Scene.empty_log, "reopen": Scene.reopen, "backup": Scene.backup, "restore": Scene.restore,
}  # fmt: skip

Tables = dict[str, list[tuple]]


@dataclass
class Course:
    """What a scene comes to without a cut."""

    calls: int = 0
    kinds: list[str] = field(default_factory=list)
    states: list[Tables] = field(default_factory=list)
    events: list[int] = field(default_factory=list)


def course(folder: Path, seed: int) -> Course:
    """Run a scene to its end and write down the tables after each step."""
    found = Course()
    scene = Scene(folder / "home", seed)
    with powered(Disk(folder / "home")) as disk:
        for kind in scene.steps():
            found.kinds.append(kind)
            found.states.append(tables(scene.store))
            found.events.append(scene.store.head()[0])
            found.calls = disk.calls
        scene.store.close()
    return found


def cut(folder: Path, seed: int, at: int, random: Random) -> tuple[Path, list[str]]:
    """Run a scene until the power is cut; returns the folder that survives and the steps acknowledged."""
    folder.mkdir()
    scene, done = Scene(folder / "home", seed), []
    with powered(Disk(folder / "home", cut_at=at)) as disk:
        try:
            for kind in scene.steps():
                done.append(kind)
        except FAILED:
            assert disk.off, "only the cut may fail"
        disk.lose_power(random, folder / "left")
        with suppress(*FAILED):
            scene.abandon()
    return folder / "left", done


def reopened(folder: Path, at: int, random: Random, seed: int) -> Path:
    """Cut the power again while the store is opened and written to after the first cut."""
    again = folder.parent / "again"
    with powered(Disk(folder, cut_at=at)) as disk:
        try:
            with Store.open(folder, clock=Clock(), new_id=ids(seed + 1_000), flush_seconds=None) as store:
                tables(store)
        except FAILED:
            if not disk.off:  # the first cut has done damage already
                return folder
        disk.lose_power(random, again)
    return again


def damage(left: Path, expected: Course, acknowledged: int, seed: int) -> str:
    """What is wrong with what survived; empty when every promise is kept."""
    if acknowledged and not left.exists():
        return "lost: the whole folder"
    with powered(Disk(left)):
        try:
            with Store.open(left, clock=Clock(), new_id=ids(seed + 2_000), flush_seconds=None) as store:
                report = store.verify()
                if not report.ok:
                    return f"damaged: {report}"
                now, events = tables(store), store.head()[0]
                remember(store, "after")
                allowed = range(max(acknowledged - 1, 0), min(acknowledged + 1, len(expected.states)))
                if not any(now == expected.states[i] and events == expected.events[i] for i in allowed):
                    before = [i for i in range(len(expected.states)) if now == expected.states[i]]
                    return f"lost: {acknowledged} steps were acknowledged, the tables are as after {before or 'none'}"
                if "sign" in expected.kinds[:acknowledged] and not (left / "ed25519.key").exists():
                    return "lost: the key that signed a checkpoint"
        except FAILED as error:
            return f"damaged: {error}"
    return ""


def damages(tmp_path: Path, count: int, first_seed: int = 0) -> list[str]:
    """Cut the power `count` times, spread over the scenes; every third time once more during the reopening."""
    found = []
    for seed in range(first_seed, first_seed + min(SCENES, count)):
        expected = course(tmp_path / f"course-{seed}", seed)
        for turn in range(-(-count // SCENES)):
            random = Random(seed << 32 | turn)
            folder, at = tmp_path / f"cut-{seed}-{turn}", random.randint(1, expected.calls + 5)
            left, done = cut(folder, seed, at, random)
            if left.exists() and turn % 3 == 2:
                left = reopened(left, random.randint(1, 40), random, seed)
            if problem := damage(left, expected, len(done), seed):
                found.append(f"seed {seed}, call {at}, after {done}: {problem}")
    return found


@pytest.fixture
def cuts(pytestconfig):
    return pytestconfig.getoption("cuts") or (300 if pytestconfig.getoption("long") else 60)


@pytest.mark.longer
def test_a_power_cut_loses_nothing_acknowledged_and_leaves_nothing_half(tmp_path, cuts):
    assert damages(tmp_path, cuts) == []


@pytest.mark.longer
def test_neither_does_it_without_the_log(tmp_path, cuts, monkeypatch):
    """An SQLite with the WAL-reset race gets a rollback journal, which rests on other syncs."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: OLD_SQLITE)
    assert damages(tmp_path, cuts // 5, first_seed=1_000) == []


@pytest.mark.parametrize("seed", range(3))
def test_a_power_cut_in_a_migration_leaves_the_old_format_or_the_new(tmp_path, seed):
    (old,) = Path(store_scenes.__file__).parent.glob("formats/format-1.sqlite3.gz")
    kept, random, calls = None, Random(seed), 0
    while True:  # cut at the first call, the second, ... until the migration is through
        calls += 1
        home, left = tmp_path / f"home-{calls}", tmp_path / f"left-{calls}"
        home.mkdir()
        (home / "graph.sqlite3").write_bytes(gzip.decompress(old.read_bytes()))
        with powered(Disk(home, cut_at=calls)) as disk:
            with suppress(*FAILED):
                Store.open(home, clock=Clock(), new_id=ids(), flush_seconds=None).close()
            through = not disk.off
            disk.lose_power(random, left)
        with powered(Disk(left)), Store.open(left, clock=Clock(), new_id=ids(), flush_seconds=None) as store:
            assert store.verify().ok
            found = tables(store)
            assert found == (kept or found)
            kept = found
        if through:
            break
    assert calls > 10


def test_verification_tells_of_a_blob_that_was_torn_out(tmp_path):
    """A damaged page may say what the schema forbids, and is a finding all the same."""
    with Store.open(tmp_path / "home", clock=Clock(), new_id=ids(), flush_seconds=None) as store:
        remember(store, "first")
        with store._writer.alone() as writing:
            writing.execute("PRAGMA writable_schema = ON")
            loose = (
                "UPDATE sqlite_schema SET sql = replace(sql, 'data BLOB NOT NULL', 'data BLOB') WHERE name = 'blobs'"
            )
            writing.execute(loose)
        with store._writer.alone() as writing:
            writing.execute("PRAGMA writable_schema = RESET")
            writing.execute("UPDATE blobs SET data = NULL")
        report = store.verify()
        assert not report.ok and "blobs" in report.differences[0]


@pytest.mark.parametrize(
    ("mode", "journal", "expected"),
    [
        ("OFF", "wal", "damaged"),
        ("NORMAL", "wal", "lost"),
        pytest.param("OFF", "delete", "damaged", marks=pytest.mark.long),
        ("FULL", "delete", "lost"),
    ],
)
def test_the_same_cuts_find_stores_that_do_not_sync(tmp_path, monkeypatch, mode, journal, expected):
    """The control: were the harness blind, these would pass."""

    class Careless(apsw.Connection):
        def execute(self, statements, *values, **more):
            return super().execute(statements.replace("synchronous = EXTRA", f"synchronous = {mode}"), *values, **more)

    monkeypatch.setattr(apsw, "Connection", Careless)
    if journal == "delete":
        monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: OLD_SQLITE)
    found = damages(tmp_path, 25)
    assert any(expected in problem for problem in found), found
