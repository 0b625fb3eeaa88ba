"""Real servers are killed in the middle of writes; what they had acknowledged is there, and the next one just opens."""

import os
import select
import shutil
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from ledger import Ledger
from server_process import Server

from context_graph.memory.memory import now
from context_graph.store import Store

AT_ONCE = 2
KILLS_A_HOME = 10
IN_FLIGHT = 4
"""Requests sent ahead of their answers: as many as a server works on at once."""


class Killing:
    """One home whose servers are killed one after the other."""

    def __init__(self, folder: Path, seed: int, kills: int) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.random = Random(seed)
        self.ledger = Ledger(f"home {seed}", self.random)
        self.kills = kills
        self.ended: Counter[str] = Counter()

    def run(self) -> "Killing":
        for number in range(self.kills):
            with (self.folder / f"errors-{number}").open("wb") as errors:
                server = Server(self.home, measured=False, stderr=errors)
            try:
                self._write_until_killed(server)
            finally:
                server.popen.kill()
                server.wait()
                self._take_answers(server, None)  # what was on the wire is told all the same
                server.end()
            self.ended[f"{len(self.ledger.pending)} pending"] += 1
            self.ledger.cut_off()
            self._check(number)
        with Store.open(self.home, clock=now, new_id=lambda: "x", flush_seconds=None) as store:
            report = store.verify()
            assert report.ok, report
        return self

    def _write_until_killed(self, server: Server) -> None:
        if self.random.random() < 0.1:  # while it starts
            select.select([], [], [], self.random.uniform(0, 1.2))
            return
        server.begin()
        writes = self.random.randint(0, 15)
        sent = 0
        while sent < writes or self.ledger.pending:
            while len(self.ledger.pending) < IN_FLIGHT and sent < writes:
                self._send(server)
                sent += 1
            if sent == writes:
                break
            self._take_answers(server, 1)
        moment = time.monotonic() + self.random.choice((0, 0.002, 0.01, 0.05)) * self.random.random()
        while (left := moment - time.monotonic()) > 0:
            if select.select([server.popen.stdout], [], [], left)[0]:
                self._take_answers(server, 1)

    def _send(self, server: Server) -> None:
        if self.random.random() < 0.15:
            server.request("tools/call", name="search_graph", arguments={"query": "a heron in the lagoon"})
        write, tool, arguments = self.ledger.next()
        self.ledger.ask(server.request("tools/call", name=tool, arguments=arguments), write)

    def _take_answers(self, server: Server, count: int | None) -> None:
        """Take in some answers, or all that are left of a dead server."""
        taken = 0
        while (count is None or taken < count) and (count is None or self.ledger.pending):
            message = server.read()
            if message is None:
                assert count is None, "the server died by itself"
                return
            result = message["result"]
            assert not result.get("isError"), result
            if message["id"] in self.ledger.pending:
                self.ledger.answer(message["id"], result["structuredContent"])
                taken += 1

    def _check(self, number: int) -> None:
        """Look at a copy: the next server must find the home as the killed one has left it."""
        copy = self.folder / f"copy-{number}"
        shutil.copytree(self.home, copy) if self.home.exists() else copy.mkdir()
        with Store.open(copy, clock=now, new_id=lambda: "x", flush_seconds=None) as store:
            assert store._rows("PRAGMA quick_check") == [("ok",)]
            vectors = dict(store._rows("SELECT node_id, count(*) FROM vectors GROUP BY node_id"))
            self.ledger.check(store.memories(), vectors)
        shutil.rmtree(copy)


@pytest.mark.slow
def test_servers_killed_while_they_write_lose_nothing_acknowledged(tmp_path, pytestconfig):
    kills = pytestconfig.getoption("kills")
    homes = []
    for seed, first in enumerate(range(0, kills, KILLS_A_HOME)):
        folder = tmp_path / f"home-{seed}"
        folder.mkdir()
        homes.append(Killing(folder, seed, min(KILLS_A_HOME, kills - first)))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(Killing.run, homes))
    assert sum(home.ledger.acknowledged for home in done) > kills
    assert sum(count for home in done for ended, count in home.ended.items() if ended != "0 pending") > kills / 3
    assert _processes_of(tmp_path) == []


def _processes_of(folder: Path) -> list[int]:
    """Processes that were given a home below this folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if f"CONTEXT_GRAPH_HOME={folder}/".encode() in environment:
                found.append(int(entry.name))
    return found
