"""Two processes that synchronise one home, and a shared folder that cannot be written: told in a line, nothing lost."""

import errno
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from server_process import environment
from sync_scenes import USER

from context_graph.sync import alone
from context_graph.sync.folder import write_folder
from context_graph.sync.run import synchronise
from tests.requirements import requirement

WEEKS = "Boiler {} was mended in week {}, because Omar asked for it."


def command(home) -> subprocess.Popen:
    """`context-graph sync` in a process of its own."""
    words = [sys.executable, "-m", "context_graph.cli", "sync", "--json", "--home", str(home.path)]
    return subprocess.Popen(
        words, env=environment(home.path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def pair(homes, tmp_path):
    """Two homes that share a folder, each with texts of its own."""
    shared = tmp_path / "shared"
    shared.mkdir()
    ada, ben = homes("ada", "ben", known=False)
    ada.knows(ben, place=str(shared))
    ben.knows(ada, place=str(shared))
    for home in (ada, ben):
        for number in range(12):
            home.tell(f"{home.name}: {WEEKS.format(number, number)}")
    return ada, ben, shared


@requirement("sync:folder")
def test_processes_that_synchronise_one_home_write_each_thing_once(pair):
    ada, ben, shared = pair
    write_folder(ben.memory, shared, USER)
    ada.close()
    running = [command(ada) for _ in range(3)]
    outcomes = []
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        outcomes += json.loads(out)
    ada.open()
    sent = sorted(outcome["sent"] for outcome in outcomes)
    assert sent[:2] == [0, 0] and sent[2] >= len(ada.rows()) - 1, "the others found all of it written"
    assert sum(outcome["changed"] > 0 for outcome in outcomes) == 1 and ada.store.verify().ok
    ben.clock.now = time.time_ns() // 1_000  # that of the processes
    (outcome,) = synchronise(ben.memory, ben.peers.all())
    assert (outcome.error, outcome.problems, ben.hash()) == ("", [], ada.hash())


def test_who_waits_too_long_is_told_in_a_line(pair, monkeypatch):
    ada, _, _ = pair
    monkeypatch.setattr(alone, "WAIT_S", 0.1)
    with alone.alone(ada.path):
        (outcome,) = synchronise(ada.memory, ada.peers.all())
    assert outcome.error == "another process is synchronising this home; try again when it is done"
    assert synchronise(ada.memory, ada.peers.all())[0].error == ""


@requirement("sync:folder")
def test_a_folder_that_is_full_is_told_in_a_line_and_filled_later(pair, monkeypatch):
    ada, ben, shared = pair
    synchronise(ada.memory, ada.peers.all())
    synchronise(ben.memory, ben.peers.all())
    ids = {ada.tell(f"Another time: {WEEKS.format(number, number)}") for number in range(12)}
    room, fsync = iter(range(1)), os.fsync

    def full(file):
        if os.readlink(f"/proc/self/fd/{file}").startswith(str(shared)) and next(room, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(file)

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr("context_graph.sync.run.write_folder", partial(write_folder, max_rows=20))
    (outcome,) = synchronise(ada.memory, ada.peers.all())
    monkeypatch.undo()
    assert "cannot be written (No space left on device)" in outcome.error and "nothing is lost" in outcome.error
    assert not [path for path in shared.rglob(".*") if path.is_file()], "nothing half written stays"
    (outcome,) = synchronise(ben.memory, ben.peers.all())
    assert outcome.problems == [] and len(ben.store.existing(ids)) < len(ids), "what was written before may be read"
    assert synchronise(ada.memory, ada.peers.all())[0].error == ""
    (outcome,) = synchronise(ben.memory, ben.peers.all())
    assert outcome.problems == [] and ben.store.existing(ids) == ids


READ_ONLY = Path("/sys/kernel")
"""Where nobody makes a folder, not even the root user."""


@requirement("sync:folder")
def test_a_folder_that_is_read_only_is_told_in_a_line(pair):
    ada, ben, _ = pair
    ada.peers.remove(ben.name)
    ada.knows(ben, place=str(READ_ONLY))
    ada.close()
    process = command(ada)
    _, err = process.communicate(timeout=120)
    ada.open()
    (line,) = err.strip().splitlines()
    assert process.returncode == 1 and f"ben: {READ_ONLY} cannot be written (" in line


def test_a_folder_that_cannot_be_read_is_told_in_a_line(pair, monkeypatch):
    ada, _, shared = pair

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied", str(shared))

    monkeypatch.setattr("context_graph.sync.run.read_folder", denied)
    monkeypatch.setattr("context_graph.sync.run.write_folder", denied)
    (outcome,) = synchronise(ada.memory, ada.peers.all())
    assert outcome.error == f"{shared} cannot be read (Permission denied)"
