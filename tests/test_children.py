"""Child processes that answer one question."""

import os
import time
from pathlib import Path
from threading import Event

import pytest

from context_graph.children import ChildFailed, ChildStopped, ChildTimedOut, ask

CHILD = """
import json, os, subprocess, sys, time
question = json.load(sys.stdin)
if question["do"] == "start another":
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    open(question["file"], "w").write(str(other.pid))
if question["do"] in ("wait", "start another"):
    time.sleep(60)
if question["do"] == "fall":
    os.kill(os.getpid(), 11)
if question["do"] == "answer":
    json.dump([question, "x" * 1_000_000], sys.stdout)
"""


@pytest.fixture
def child(tmp_path, monkeypatch):
    (tmp_path / "one_child.py").write_text(CHILD, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return lambda do, timeout_s=60.0, **more: ask(
        "one_child", {"do": do, "file": str(tmp_path / "pid")}, timeout_s=timeout_s, **more
    )


def test_long_questions_and_answers_pass(child, tmp_path):
    question, rest = child("answer")
    assert question["do"] == "answer" and len(rest) == 1_000_000


def test_one_that_ends_without_an_answer_says_how(child):
    with pytest.raises(ChildFailed, match="without an answer: it was ended by SIGSEGV"):
        child("fall")
    with pytest.raises(ChildFailed, match="without an answer"):
        child("say nothing")
    with pytest.raises(ChildFailed, match="without an answer"):
        ask("no_module_of_this_name", {}, timeout_s=60)


def test_its_time_is_bounded(child):
    with pytest.raises(ChildTimedOut, match=r"its 0.3 s were over"):
        child("wait", timeout_s=0.3)


def test_one_that_nobody_waits_for_is_ended_with_what_it_started(child, tmp_path):
    place, never = tmp_path / "pid", Event()
    with pytest.raises(ChildStopped):
        child("start another", stopped=lambda: place.is_file() and place.read_text("utf-8") != "")
    pid, end = int(place.read_text("utf-8")), time.monotonic() + 30
    while alive(pid):
        assert time.monotonic() < end
        never.wait(0.02)


def alive(pid):
    """Whether a process runs; one that has ended and that nobody has asked after does not."""
    try:
        os.kill(pid, 0)
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text("utf-8")
    except (ProcessLookupError, FileNotFoundError):
        return False
