"""Minutes of mixed load on one server, and dozens of servers one after the other: nothing grows but what is stored."""

import os
import signal
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles

import pytest
from library import PEOPLE, PLACES, QUESTIONS, THINGS, fill
from server_process import Server

from context_graph.memory import Memory
from context_graph.settings import Settings
from context_graph.store import Store

MEMORIES = 1_500
CYCLES = 50
CYCLES_NEED_S = 120
"""A shorter soak has fewer cycles."""

KB = 1_024
GROWTH_PER_MEMORY = 24 * KB
"""Resident bytes that a stored memory may cost: vectors, words and columns are about 10 KB."""

SLACK = 32 * KB * KB
"""What an allocator may hold on to: SQLite's page caches, arrays that grow in steps, and the room for what a permanent
deletion reads: all events that counted how often the memory was read leave the log and stand, without it, in the event
of the deletion, and in that of the next."""

LOG_BYTES = 24 * KB * KB
"""The write-ahead log is taken into the store every 16 MB; a commit may be on top of that."""

FILES_OF_A_CONNECTION = 2
"""The store and its log; what the log is shared by is open once for all."""

COME_AND_GO = {"files": 2 * FILES_OF_A_CONNECTION + 1, "threads": 4}
"""Files: a connection that two calls at once need, that which moves a long log into the store, and a lease. Threads:
one that moves the log, and on a busy machine a second and third for calls: the next call is read before the thread that
answered the last one waits again. A thread left behind by one call in a hundred would be seventy."""

STAY = {"files": 2, "threads": 3}
"""A reader; the thread of the log, and those for calls."""

FAST_ENOUGH_S = 0.025
"""Times below are one scheduler's mood apart."""

GARBAGE = (b"what?\n", b"{}\n", b"[]\n", b"\xff\xfe\n", b'{"jsonrpc":"2.0","method":"nowhere"}\n')


@dataclass
class Course:
    """What was measured on the way."""

    rss: list[tuple[float, int]] = field(default_factory=list)
    files: list[tuple[float, int]] = field(default_factory=list)
    threads: list[tuple[float, int]] = field(default_factory=list)
    log: list[int] = field(default_factory=list)
    searches: list[tuple[float, float]] = field(default_factory=list)
    """Share of the time gone, and seconds."""

    counts: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def between(self, values: list[tuple[float, float]], start: float, end: float) -> list[float]:
        return [value for share, value in values if start <= share < end]


class Load:
    """One client, whose calls follow from a seed."""

    def __init__(self, server: Server, home: Path, seconds: float) -> None:
        self.server = server
        self.home = home
        self.seconds = seconds
        self.random = Random(1)
        self.course = Course()
        self.live: list[str] = []
        self.gone: list[tuple[str, str]] = []
        self.stored = self.purged = 0

    def run(self) -> Course:
        began = time.monotonic()
        looked = -1.0
        while (share := (time.monotonic() - began) / self.seconds) < 1:
            kind = self.random.choices(
                ("search", "inject", "store", "forget", "restore", "purge", "wrong", "garbage"),
                (60, 25, 2, 3, 3, 1, 6, 2),
            )[0]
            started = time.monotonic()
            getattr(self, f"_{kind}")()
            if kind == "search":
                self.course.searches.append((share, time.monotonic() - started))
            self.course.counts[kind] += 1
            if share - looked > 0.005:
                looked = share
                self._look(share)
        return self.course

    def _look(self, share: float) -> None:
        process = Path(f"/proc/{self.server.popen.pid}")
        status = dict(line.split(":", 1) for line in (process / "status").read_text(encoding="utf-8").splitlines())
        self.course.rss.append((share, int(status["VmRSS"].split()[0]) * KB))
        self.course.threads.append((share, int(status["Threads"])))
        self.course.files.append((share, len(os.listdir(process / "fd"))))
        self.course.log.append(_size(self.home / "graph.sqlite3-wal"))

    def _good(self, name: str, /, **arguments) -> dict:
        result = self.server.call(name, **arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    def _question(self) -> str:
        return f"{self.random.choice(QUESTIONS)} {self.random.choice(PEOPLE)} {self.random.choice(PLACES)}"

    def _search(self) -> None:
        self._good("search_graph", query=self._question(), top_k=10)

    def _inject(self) -> None:
        self._good("inject_context", query=self._question())

    def _store(self) -> None:
        self.stored += 1
        text = f"{self.random.choice(PEOPLE)} took {self.stored} {self.random.choice(THINGS)} to the market."
        self.live.append(self._good("store_memory", content=text, rationale="the book of the market")["node_id"])

    def _forget(self) -> None:
        if self.live:
            id = self.live.pop(self.random.randrange(len(self.live)))
            self.gone.append((id, self._good("forget_concept", node_id=id, reason="obsolete")["reversal_hash"]))

    def _restore(self) -> None:
        if self.gone:
            id, hash = self.gone.pop()
            arguments = {"reversal_hash": hash, "preview": False}
            assert self._good("use_tool", name="restore_from_hash", arguments=arguments)["restored_nodes"] == [id]
            self.live.append(id)

    def _purge(self) -> None:
        if self.live:
            id = self.live.pop(self.random.randrange(len(self.live)))
            told = self._good("forget_concept", node_id=id, reason="user_requested", soft_delete=False)
            assert "reversal_hash" not in told
            self.purged += 1

    def _wrong(self) -> None:
        name, arguments = self.random.choice(
            (
                ("search_graph", {"query": ""}), ("search_graph", {"top_k": 3}), ("store_memory", {"content": "x"}),
                ("forget_concept", {"node_id": "no id", "reason": "obsolete"}), ("use_tool", {"name": "no_such_tool"}),
                ("store_memory", {"content": "y" * 70_000, "rationale": "far too long a text"}),
            )
        )  # fmt: skip
        assert self.server.call(name, **arguments)["isError"]

    def _garbage(self) -> None:
        self.server.write(self.random.choice(GARBAGE))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[98]


@pytest.fixture
def seconds(pytestconfig: pytest.Config) -> float:
    given = pytestconfig.getoption("soak")
    return float(os.environ.get("CG_SOAK", 300) if given is None else given)


@pytest.mark.long
def test_a_server_under_load_for_minutes_grows_by_what_is_stored_and_by_nothing_else(start, tmp_path, seconds):
    home = tmp_path / "home"
    with Memory(Settings(home=home, tier="base")) as memory:
        fill(memory, MEMORIES, an_event=1)  # as they are stored one by one: what a deletion reads is an event or two
    before = time.monotonic()
    _cycles(tmp_path / "cycles", round(CYCLES * min(1, seconds / CYCLES_NEED_S)))
    with (tmp_path / "errors").open("wb") as errors:
        server = start(home, stderr=errors)
    server.begin()
    load = Load(server, home, max(seconds - (time.monotonic() - before), seconds / 3))
    course = load.run()
    assert server.leave() == 0
    early, late = (median(course.between(course.rss, *span)) for span in ((0.2, 0.3), (0.9, 1.0)))
    first, last = (_p99(course.between(course.searches, *span)) for span in ((0.0, 1 / 3), (2 / 3, 1.0)))
    at_first, at_last = (median(course.between(course.searches, *span)) for span in ((0.02, 0.1), (0.9, 1.0)))
    print(
        f"{sum(course.counts.values())} calls in {load.seconds:.0f} s, {load.stored} stored; "
        f"resident {early / 1e6:.1f} then {late / 1e6:.1f} MB; "
        f"a search takes {at_first * 1e3:.1f} then {at_last * 1e3:.1f} ms, "
        f"the slowest of a hundred {first * 1e3:.1f} then {last * 1e3:.1f} ms; "
        f"log at most {max(course.log) / 1e6:.1f} MB; files {sorted({n for _, n in course.files})}, "
        f"threads {sorted({n for _, n in course.threads})}"
    )
    assert late - early <= SLACK + 0.8 * load.stored * GROWTH_PER_MEMORY
    for name, counted in (("files", course.files), ("threads", course.threads)):
        at_times, always = (max(course.between(counted, 0.0, 0.3)), median(course.between(counted, 0.0, 0.3)))
        assert max(course.between(counted, 0.3, 1.0)) <= at_times + COME_AND_GO[name]
        assert median(course.between(counted, 0.9, 1.0)) <= always + STAY[name]
    assert max(course.log) <= LOG_BYTES
    assert last <= max(2 * first, FAST_ENOUGH_S)
    assert at_last <= max(2 * at_first, FAST_ENOUGH_S)  # what slows each call down a little slows the thirds alike
    assert "incident" not in (tmp_path / "errors").read_text(encoding="utf-8")
    with Store.open(home, clock=lambda: 0, new_id=lambda: "x", flush_seconds=None) as store:
        counts = store.counts()
        assert counts["memories"] + counts["forgotten"] == MEMORIES + load.stored - load.purged
        assert counts["forgotten"] == len(load.gone)
        assert store.verify().ok


def _cycles(home: Path, count: int) -> None:
    """Start and end servers on one home, two at a time, by a kill, a signal or the end of input."""
    logs: list[int] = []

    def live_and_die(number: int) -> int:
        server = Server(home, measured=False)
        try:
            server.begin()
            text = f"Server number {number} was here, with {number * 7} others."
            told = server.call("store_memory", content=text, rationale="the book of the guests")
            assert not told["isError"], told
            if number % 3 == 0:
                server.popen.kill()
            elif number % 3 == 1:
                server.popen.send_signal(signal.SIGTERM)
            else:
                server.popen.stdin.close()
            server.wait()
            logs.append(_size(home / "graph.sqlite3-wal"))
            return server.popen.pid
        finally:
            server.end()

    with ThreadPoolExecutor(2) as pool:
        pids = list(pool.map(live_and_die, range(count)))
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists() and _is_server(pid)]
    assert max(logs) <= LOG_BYTES
    with Store.open(home, clock=lambda: 0, new_id=lambda: "x", flush_seconds=None) as store:
        assert store.counts()["memories"] == count
        assert store.verify().ok


def _is_server(pid: int) -> bool:
    """The number may have gone to another process since."""
    return b"context_graph.server" in Path(f"/proc/{pid}/cmdline").read_bytes()
