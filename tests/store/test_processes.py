"""Several processes share one directory."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from store_scenes import AUTHOR, ids, remember

from context_graph.store import Store

PROGRAM = """
import sys, time, uuid
from pathlib import Path
from store_scenes import AUTHOR, remember
from context_graph.store import Store

home, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
store = Store.open(home, clock=lambda: time.time_ns() // 1000, new_id=lambda: str(uuid.uuid4()))
for i in range(count):
    remember(store, f"{name}-{i}")
    store.effects.add(AUTHOR, nodes=[f"{name}-{i}"])
    if name == "killed":
        print(f"{name}-{i}", flush=True)
store.close()
"""


def start(home: Path, name: str, count: int, **options) -> subprocess.Popen:
    import context_graph

    paths = [str(Path(__file__).parent), str(Path(context_graph.__file__).parents[1]), *sys.path]
    return subprocess.Popen(
        [sys.executable, *(["-S"] if sys.flags.no_site else []), "-c", PROGRAM, str(home), name, str(count)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


def finish(process: subprocess.Popen) -> None:
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors


def test_writes_of_another_process_are_seen(store, home):
    remember(store, "mine")
    head, version = store.head()[0], store.data_version()
    assert store.data_version() == version
    finish(start(home, "theirs", 2))
    assert store.data_version() != version
    assert [e.payload["note"]["nodes"] for e in store.events_since(head) if e.type == "created"] == [
        ["theirs-0"],
        ["theirs-1"],
    ]
    assert store.node("theirs-1").ordinal == 2
    remember(store, "after")
    assert store.node("after").ordinal == 3
    assert store.verify().ok


def test_processes_that_write_at_once_lose_nothing_and_lock_nobody_out(home, clock):
    """Also the very first opening is contested."""
    processes = [start(home, f"p{i}", 50) for i in range(2)]
    for process in processes:
        finish(process)
    with Store.open(home, clock=clock, new_id=ids()) as store:
        assert store.counts()["memories"] == 100
        assert [node.ordinal for node in store.memories()] == list(range(100))
        assert sum(node.access_count for node in store.memories()) == 100
        report = store.verify()
        assert report.ok, report


@pytest.mark.parametrize("after", [1, 7])
def test_what_was_acknowledged_survives_a_kill(home, clock, after):
    process = start(home, "killed", 10_000)
    assert process.stdout is not None
    told = [process.stdout.readline().strip() for _ in range(after)]
    process.kill()
    told += process.stdout.read().split()
    process.communicate()
    with Store.open(home, clock=clock, new_id=ids()) as store:
        assert len(told) >= after
        assert {node.id for node in store.nodes(told)} >= set(told[:-1]), "the last line may be cut"
        assert store.verify().ok


@pytest.mark.parametrize("seed", range(12))
def test_a_log_torn_at_any_byte_gives_a_prefix_of_the_writes(store, home, tmp_path, clock, seed):
    """What a power cut may leave of writes not yet acknowledged: the first ones whole, no half one."""
    random = Random(seed)
    for i in range(6):
        remember(store, f"n{i}", f"memory {i} " * random.randint(1, 600))
    database, log = (home / "graph.sqlite3").read_bytes(), bytearray((home / "graph.sqlite3-wal").read_bytes())
    cut = random.randrange(len(log))
    if seed % 2:
        del log[cut:]
    else:
        log[cut : cut + 512] = random.randbytes(min(512, len(log) - cut))  # a torn sector, with more after it
    torn = tmp_path / "torn"
    torn.mkdir()
    (torn / "graph.sqlite3").write_bytes(database)
    (torn / "graph.sqlite3-wal").write_bytes(log)
    with Store.open(torn, clock=clock, new_id=ids(1)) as left:
        report = left.verify()
        assert report.ok, report
        assert report.events < 6
        assert [node.id for node in left.memories()] == [f"n{i}" for i in range(report.events)]
        remember(left, "after")
        assert left.verify().ok


def test_a_long_read_elsewhere_does_not_stop_a_write(store, home, clock):
    remember(store, "n1")
    with Store.open(home, clock=clock, new_id=ids(1), flush_seconds=None) as other, other.snapshot() as then:
        assert then.head()[0] == 1
        remember(store, "n2")
        assert then.head()[0] == 1
    assert store.events(1)[0].author == AUTHOR
