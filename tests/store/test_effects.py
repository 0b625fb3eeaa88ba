"""Effects of reads are queued, and written by one writer as one event."""

import queue
import threading
from contextlib import closing
from dataclasses import replace

import apsw
import pytest
from store_scenes import AUTHOR, ids, link, remember

from context_graph.errors import StoreBusy
from context_graph.models import Author
from context_graph.store import Store
from context_graph.store.sqlite.effects import FLUSH_READS
from tests.requirements import requirement


@pytest.fixture
def pair(store):
    remember(store, "n1")
    remember(store, "n2")
    link(store, "e1", "n1", "n2")
    return store


def test_many_reads_become_one_event(pair, clock):
    head = pair.head()[0]
    for i in range(10):
        clock.now += 1_000
        pair.effects.add(AUTHOR, nodes=["n1"] + ["n2"] * (i % 2), edges=["e1"], pairs=[("n2", "n1")], state={"turn": i})
    assert (pair.effects.pending, pair.head()[0]) == (10, head)
    assert pair.effects.flush()
    assert (pair.effects.pending, pair.head()[0]) == (0, head + 1)
    assert (pair.node("n1").access_count, pair.node("n1").last_accessed) == (10, clock.now)
    assert pair.node("n2").access_count == 5
    assert pair.edge("e1").access_count == 10
    assert [(p.first, p.second, p.count) for p in pair.pairs(["n2"])] == [("n1", "n2", 10)]
    assert pair.session("s1").state == {"turn": 9}
    assert pair.events(1)[0].type == "effects"
    assert pair.verify().ok


def test_an_effects_event_holds_no_content(pair):
    pair.effects.add(AUTHOR, nodes=["n1"])
    pair.effects.flush()
    (change,) = pair.events(1)[0].payload["changes"]
    assert change["after"].keys() <= {"access_count", "last_accessed"}


def test_a_count_stops_where_an_import_would_refuse_it(pair):
    node = pair.node("n1")
    with pair.write("created", AUTHOR) as tx:
        tx.put(replace(node, access_count=2**31 - 2))
        tx.count_pair("n1", "n2", times=2**31 - 2)
    pair.effects.add(AUTHOR, nodes=["n1"] * 3, pairs=[("n1", "n2")] * 3)
    pair.effects.flush()
    assert pair.node("n1").access_count == pair.pairs(["n1"])[0].count == 2**31 - 1
    assert pair.verify().ok


def test_nothing_queued_writes_nothing(pair):
    head = pair.head()
    assert not pair.effects.flush()
    assert pair.head() == head


def test_what_is_gone_since_it_was_read_is_passed_over(pair):
    pair.effects.add(AUTHOR, nodes=["n1", "n2", "nowhere"], edges=["e1", "e9"], pairs=[("n1", "n2")])
    pair.purge("n1", AUTHOR)
    pair.effects.flush()
    assert pair.node("n2").access_count == 1
    assert pair.pairs(["n2"]) == []
    assert pair.verify().ok


def test_reads_of_several_sessions_are_written_by_the_system(pair):
    other = Author(session_id="s2", agent_id="second")
    pair.effects.add(AUTHOR, nodes=["n1"], state={"a": 1})
    pair.effects.add(other, nodes=["n1"], state={"b": 2})
    pair.effects.flush()
    assert pair.events(1)[0].author.session_id == "system"
    assert (pair.session("s1").agent_id, pair.session("s2").agent_id) == ("tester", "second")
    assert pair.session("s2").state == {"b": 2}


def test_closing_writes_what_is_left(home, clock):
    with Store.open(home, clock=clock, new_id=ids(), flush_seconds=3600) as store:
        remember(store, "n1")
        store.effects.add(AUTHOR, nodes=["n1"])
    with Store.open(home, clock=clock, new_id=ids(1)) as store:
        assert store.node("n1").access_count == 1


def test_a_store_that_is_busy_keeps_the_queue(pair, home, clock):
    pair.effects.add(AUTHOR, nodes=["n1"], state={"turn": 1})
    pair._writer._connection.set_busy_timeout(0)
    with closing(apsw.Connection(str(home / "graph.sqlite3"))) as other, other:  # as another process does
        other.execute("UPDATE meta SET value = value")
        with pytest.raises(StoreBusy, match="write lock"):
            pair.effects.flush()
        pair.effects.add(AUTHOR, nodes=["n1"], state={"turn": 2})
        assert pair.effects.pending == 2
    pair.effects.flush()
    assert pair.node("n1").access_count == 2
    assert pair.session("s1").state == {"turn": 2}


def test_the_thread_writes_by_itself(home, clock):
    with Store.open(home, clock=clock, new_id=ids(), flush_seconds=3600) as store:
        remember(store, "n1")
        written = threading.Event()
        commit = store.effects._commit

        def watched(batch):
            commit(batch)
            written.set()

        store.effects._commit = watched
        for _ in range(64):  # the 64th read does not wait for the hour to pass
            store.effects.add(AUTHOR, nodes=["n1"])
        assert written.wait(20)
        assert store.node("n1").access_count == 64


def test_adding_never_waits_for_the_store(pair):
    with pair.write("noted", AUTHOR) as tx:
        tx.note["x"] = 1
        pair.effects.add(AUTHOR, nodes=["n1"])  # would deadlock if it did
    assert pair.effects.pending == 1


def test_the_thread_tries_again_what_the_store_refused(home, clock, caplog):
    with Store.open(home, clock=clock, new_id=ids(), flush_seconds=0.001) as store:
        remember(store, "n1")
        written, commit, refusals = threading.Event(), store.effects._commit, [StoreBusy("full"), StoreBusy("full")]

        def reluctant(batch):
            if refusals:
                raise refusals.pop()
            commit(batch)
            written.set()

        store.effects._commit = reluctant
        store.effects.add(AUTHOR, nodes=["n1"])
        assert written.wait(20)
        assert store.node("n1").access_count == 1
    assert "written later: full" in caplog.text


class Watched(threading.Event):
    """Tells each time that the writing thread lies down for so long, and whether something wakes it at once."""

    def __init__(self) -> None:
        super().__init__()
        self.told: queue.Queue[object] = queue.Queue()

    def wait(self, timeout=None):
        self.told.put((timeout, self.is_set()))
        return super().wait(timeout)


@requirement("store:effects-are-gathered")
def test_after_a_full_queue_was_written_reads_are_gathered_again(home, clock):
    with Store.open(home, clock=clock, new_id=ids(), flush_seconds=3600) as store:
        effects, commit = store.effects, store.effects._commit
        effects._wake = wake = Watched()

        def watched(batch):
            commit(batch)
            wake.told.put("written")

        effects._commit = watched
        effects.add(AUTHOR, state={"turn": 0})
        while wake.told.get(timeout=20) != (3600, False):
            pass
        for turn in range(1, FLUSH_READS):
            effects.add(AUTHOR, state={"turn": turn})
        while wake.told.get(timeout=20) != "written":
            pass
        assert wake.told.get(timeout=20) == (None, False)  # asleep until the next read, which gets its five seconds
        effects.add(AUTHOR, state={"turn": FLUSH_READS})
        assert wake.told.get(timeout=20) == (3600, False)
        assert effects.pending == 1 and len(store.events(9, type="effects")) == 1
