"""A disk that fails: every write is whole or refused with a typed error, and goes on once the fault is gone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import apsw
import pytest
from store_scenes import AUTHOR, Clock, forget, ids, link, remember, tables
from tapped_vfs import Tap, TappedFile, tapped

from context_graph.errors import StoreError
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget as forget_memory
from context_graph.ingest.forget import restore
from context_graph.ingest.goals import add_goal
from context_graph.memory import Memory
from context_graph.settings import Settings
from context_graph.store import Store

FAULTS = {
    "a full disk": ("write", apsw.SQLITE_FULL),
    "a failing write": ("write", apsw.SQLITE_IOERR_WRITE),
    "a failing read": ("read", apsw.SQLITE_IOERR_READ),
    "a failing sync": ("sync", apsw.SQLITE_IOERR_FSYNC),
    "a failing truncation": ("truncate", apsw.SQLITE_IOERR_TRUNCATE),
    "a failing opening": ("open", apsw.SQLITE_CANTOPEN),
    "a failing deletion": ("delete", apsw.SQLITE_IOERR_DELETE),
}
"""What fails, and how SQLite's own file system would tell."""


class Faults(Tap):
    """Once armed, fails the nth call of a kind and all of that kind after it, until mended."""

    def __init__(self) -> None:
        self.mend()

    def arm(self, kind: str, nth: int, code: int) -> None:
        self.kind, self.left, self.code, self.struck = kind, nth, code, False

    def mend(self) -> None:
        self.kind, self.left, self.code, self.struck = "", 0, 0, False

    def _call(self, kind: str) -> None:
        if kind == self.kind:
            self.left -= 1
            if self.left <= 0:
                self.struck = True
                raise apsw.exception_for(self.code)

    def open(self, name: str, flags: int) -> None:
        self._call("open")

    def read(self, file: TappedFile, amount: int, offset: int) -> None:
        self._call("read")

    def write(self, file: TappedFile, data: bytes, offset: int) -> None:
        self._call("write")

    def truncate(self, file: TappedFile, size: int) -> None:
        self._call("truncate")

    def sync(self, file: TappedFile) -> None:
        self._call("sync")

    def delete(self, name: str, sync_folder: bool) -> None:
        self._call("delete")


@pytest.fixture
def faults(tmp_path) -> Iterator[Faults]:
    found = Faults()
    with tapped(found, tmp_path / "home"):
        yield found
        found.mend()


def at_every_call(faults: Faults, fault: str, attempt: Callable[[int], Callable[[], object]], look: Callable) -> int:
    """Let each call of the fault's kind fail in turn, until an attempt does without one that fails.

    Parameters
    ----------
    attempt : callable
        Prepares the next write, by its number; what it returns does that write.
    look : callable
        What readers see now.

    Returns
    -------
    int
        How many attempts failed.
    """
    kind, code = FAULTS[fault]
    nth = failed = 0
    while True:
        nth += 1 + nth // 6  # the store grows with every attempt, and so do the calls of a write
        write = attempt(nth)
        before = look()
        faults.arm(kind, nth, code)
        try:
            write()
        except StoreError:
            assert faults.struck
            failed += 1
            if kind != "read":
                faults.left = 1_000_000  # a look is no attempt; the write stays undone whether mended or not
            else:
                faults.mend()
            assert look() == before, f"{fault} at call {nth}: something was written, and an error told"
            faults.mend()
            write()
            assert look() != before
            continue
        struck = faults.struck
        faults.mend()
        assert look() != before, f"{fault} at call {nth}: nothing was written, and no error told"
        if not struck:
            return failed


def _storing(store: Store, nth: int) -> Callable[[], object]:
    return lambda: remember(store, f"new-{nth}", f"The memory {nth}. " * 300)


def _forgetting(store: Store, nth: int) -> Callable[[], object]:
    _storing(store, nth)()
    link(store, f"edge-{nth}", f"new-{nth}", "first")
    return lambda: forget(store, f"new-{nth}")


def _undoing(store: Store, nth: int) -> Callable[[], object]:
    _storing(store, nth)()
    removal = forget(store, f"new-{nth}")
    return lambda: store.undo(removal.hash, AUTHOR)


def _purging(store: Store, nth: int) -> Callable[[], object]:
    _storing(store, nth)()
    return lambda: store.purge(f"new-{nth}", AUTHOR)


def _reading(store: Store, nth: int) -> Callable[[], object]:
    store.effects.add(AUTHOR, nodes=["first"], state={"turn": nth})
    return store.effects.flush


WRITES = {
    "store": _storing, "forget": _forgetting, "undo": _undoing, "purge": _purging, "flush effects": _reading,
    "sign": lambda store, nth: lambda: store.checkpoint(AUTHOR),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("write", WRITES)
def test_a_failing_disk_leaves_no_half_write(faults, tmp_path, write, fault):
    home = tmp_path / "home"
    with ExitStack() as stack:
        store, other = (
            stack.enter_context(Store.open(home, clock=Clock(), new_id=ids(seed), flush_seconds=None))
            for seed in (1, 2)
        )
        remember(store, "first")

        def attempt(nth: int) -> Callable[[], object]:
            ready = WRITES[write](store, nth)
            remember(other, f"other-{nth}")  # so that the store must read what has changed
            return ready

        failed = at_every_call(faults, fault, attempt, lambda: _seen(store, other))
        assert failed or FAULTS[fault][0] not in ("write", "sync", "read")
        assert store.verify().ok
    with Store.open(home, clock=Clock(), new_id=ids(3), flush_seconds=None) as after:
        assert after.verify().ok


def _seen(*stores: Store) -> tuple:
    seen = [(tables(store), store.head()) for store in stores]
    assert all(one == seen[0] for one in seen), "readers see different things"
    return seen[0]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_disk_leaves_no_half_store(tmp_path, fault):
    """Each call of a first opening fails once; the same folder opens when the fault is gone."""
    kind, code = FAULTS[fault]
    for nth in range(1, 1_000):
        home, faults = tmp_path / f"home-{nth}", Faults()
        with tapped(faults, home):
            faults.arm(kind, nth, code)
            try:
                with Store.open(home, clock=Clock(), new_id=ids(), flush_seconds=None):
                    pass
            except (StoreError, apsw.Error) as error:  # of closing, see below
                assert isinstance(error, StoreError) or faults.struck
            struck = faults.struck
            faults.mend()
            with Store.open(home, clock=Clock(), new_id=ids(), flush_seconds=None) as store:
                remember(store, "first")
                assert store.verify().ok
        if not struck:
            return
    raise AssertionError("an opening makes fewer calls")


def _draft(nth: int) -> Draft:
    return Draft(f"House number {nth} was painted in {nth} days by Anna.", "the history of the street")


def _superseding(memory: Memory, nth: int) -> Callable[[], object]:
    old = memory.remember(_draft(nth)).node.id
    draft = Draft(f"No, house {nth} took {nth + 1} days.", "a correction of it", metadata={"supersedes": [old]})
    return lambda: memory.remember(draft)


def _removing(memory: Memory, nth: int, soft: bool = True) -> Callable[[], object]:
    id = memory.remember(_draft(nth)).node.id
    return lambda: forget_memory(memory, id, "user_requested", soft=soft)


def _restoring(memory: Memory, nth: int) -> Callable[[], object]:
    hash = _removing(memory, nth)().reversal_hash
    return lambda: restore(memory, hash, preview=False)


MEMORY_WRITES = {
    "remember": lambda memory, nth: lambda: memory.remember(_draft(nth)),
    "supersede": _superseding,
    "forget": _removing,
    "purge": lambda memory, nth: _removing(memory, nth, soft=False),
    "restore": _restoring,
    "add a goal": lambda memory, nth: lambda: add_goal(memory, f"finish the house number {nth}"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("write", MEMORY_WRITES)
def test_what_a_memory_could_not_write_it_does_not_call_written(faults, tmp_path, clock, ids, write, fault):
    """Also an error that comes after the commit is not told as if nothing had been written."""
    with Memory(Settings(home=tmp_path / "home", tier="base"), clock=clock, ids=ids) as memory:
        memory.remember(Draft("The street has forty houses.", "the beginning of the story"))
        failed = at_every_call(
            faults, fault, lambda nth: MEMORY_WRITES[write](memory, nth), lambda: _without_traces(memory.store)
        )
        assert failed or FAULTS[fault][0] not in ("write", "sync")
        assert memory.store.verify().ok


def _without_traces(store: Store) -> dict:
    return {name: rows for name, rows in tables(store).items() if name not in ("sessions", "pairs")}
