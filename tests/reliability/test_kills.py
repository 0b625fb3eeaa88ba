"""Real servers are killed in the middle of writes; what they had acknowledged is there, and the next one just opens."""

import os
import select
import shutil
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from ledger import Known, Ledger, Write
from server_process import Server
from store_scenes import memory

from context_graph.models import Node, NodeState
from context_graph.runtime.runtime import now
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
            assert not result.get("isError"), (self.ledger.pending.get(message["id"]), result["content"])
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


@pytest.mark.longer
def test_servers_killed_while_they_write_lose_nothing_acknowledged(tmp_path, pytestconfig):
    kills = pytestconfig.getoption("kills") or (200 if pytestconfig.getoption("long") else 6)
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


LIES = {
    "an acknowledged memory is missing": lambda nodes, vectors: nodes.pop("kept"),
    "a forgotten memory is back": lambda nodes, vectors: _change(nodes, "forgotten", state=NodeState.LIVE),
    "a memory nobody forgot is forgotten": lambda nodes, vectors: _change(nodes, "kept", state=NodeState.FORGOTTEN),
    "a purged memory is back": lambda nodes, vectors: nodes.update(purged=memory("purged", 9, "purged")),
    "a memory is there that nobody stored": lambda nodes, vectors: nodes.update(new=memory("new", 9, "new")),
    "a memory is there twice": lambda nodes, vectors: nodes.update(copy=memory("copy", 9, "kept")),
    "a memory lacks a vector": lambda nodes, vectors: vectors.update(kept=3),
    "a memory is not superseded": lambda nodes, vectors: _change(nodes, "old", superseded_by=None),
    "a memory is superseded by an absent one": lambda nodes, vectors: nodes.pop("cut off"),
}


def _change(nodes: dict[str, Node], name: str, **columns) -> None:
    nodes[name] = replace(nodes[name], **columns)


def told() -> tuple[Ledger, dict[str, Node], dict[str, int]]:
    """A ledger, and a store that agrees with it."""
    ledger = Ledger("control", Random(0))
    for text in ("kept", "forgotten", "purged", "old", "new one", "older", "cut off"):
        ledger.known[text] = Known()
        ledger.ask(text, Write("store", text, {"new one": "old", "cut off": "older"}.get(text)))
        if text != "cut off":
            ledger.answer(text, {"node_id": text, "already_known": False})
    for kind, text in (("forget", "forgotten"), ("purge", "purged")):
        ledger.ask(text, Write(kind, text))
        ledger.answer(text, {"reversal_hash": "hash"})
    ledger.cut_off()
    nodes = {text: memory(text, n, text) for n, text in enumerate(ledger.known) if text != "purged"}
    _change(nodes, "forgotten", state=NodeState.FORGOTTEN)
    _change(nodes, "old", superseded_by="new one")
    _change(nodes, "older", superseded_by="cut off")
    return ledger, nodes, dict.fromkeys(nodes, 4)


def test_the_ledger_takes_what_may_be():
    ledger, nodes, vectors = told()
    ledger.check(nodes.values(), vectors)
    ledger, nodes, vectors = told()
    del nodes["cut off"]  # it was never acknowledged
    _change(nodes, "older", superseded_by=None)
    ledger.check(nodes.values(), vectors)


@pytest.mark.parametrize("lie", LIES)
def test_the_ledger_notices_what_may_not_be(lie):
    """The control: a checker that believes anything would pass every kill."""
    ledger, nodes, vectors = told()
    LIES[lie](nodes, vectors)
    with pytest.raises(AssertionError):
        ledger.check(nodes.values(), vectors)


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
