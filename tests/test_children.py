"""Child processes that answer one question, or one after the other."""

import os
import time
from pathlib import Path
from threading import Event

import pytest

from context_graph.children import ChildFailed, ChildStopped, ChildTimedOut, Conversation, ask

CHILD = """
import json, os, subprocess, sys, time
time.sleep(float(os.environ.get("PAUSE_S", 0)))
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

    def asked(do, timeout_s=60.0, pause_s=0.0, text="", **more):
        monkeypatch.setenv("PAUSE_S", str(pause_s))
        question = {"do": do, "file": str(tmp_path / "pid"), "text": text}
        return ask("one_child", question, timeout_s=timeout_s, **more)

    return asked


def test_long_questions_and_answers_pass(child, tmp_path):
    question, rest = child("answer")
    assert question["do"] == "answer" and len(rest) == 1_000_000


def test_a_question_that_is_longer_than_a_pipe_passes_to_a_slow_reader(child):
    question, _ = child("answer", pause_s=0.3, text="é" * 2_000_000)
    assert question["text"] == "é" * 2_000_000


def test_a_long_question_that_nobody_reads_holds_nobody(child):
    with pytest.raises(ChildTimedOut):
        child("answer", timeout_s=0.3, pause_s=60, text="x" * 2_000_000)
    with pytest.raises(ChildFailed, match="without an answer"):
        ask("no_module_of_this_name", {"text": "x" * 2_000_000}, timeout_s=60)


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


SPEAKER = """
import os
from context_graph.children import answer_all

def answer(question, data):
    if question == "fall":
        os.kill(os.getpid(), 11)
    if question == "say half":
        os.write(1, b"\\5" + bytes(20))
        os._exit(0)
    return [question, len(data)], data * 3

answer_all(answer)
"""


@pytest.fixture
def conversation(tmp_path, monkeypatch):
    (tmp_path / "one_speaker.py").write_text(SPEAKER, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Conversation("one_speaker") as child:
        yield child


def test_a_conversation_answers_one_question_after_the_other(conversation):
    for question, data in (("a", b""), ({"b": [1.5, None, "ä"]}, b"x" * 2_000_000), ([], b"\0")):
        conversation.ask(question, data)
        assert conversation.answer() == ([question, len(data)], data * 3)


@pytest.mark.parametrize("question", ["fall", "say half"])
def test_a_conversation_says_that_its_child_has_ended(conversation, question):
    conversation.ask(question)
    with pytest.raises(ChildFailed, match="ended with"):
        conversation.answer()
    with pytest.raises(ChildFailed):  # the pipe may take one more question
        for _ in range(100):
            conversation.ask("still there?", bytes(100_000))


def test_a_question_that_json_cannot_hold_is_not_put(conversation):
    with pytest.raises(TypeError):
        conversation.ask(object())
    conversation.ask("after it")
    assert conversation.answer() == (["after it", 0], b"")


def test_a_conversation_that_is_closed_ends_its_child(tmp_path, monkeypatch):
    (tmp_path / "one_sleeper.py").write_text("import time; time.sleep(60)", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Conversation("one_sleeper") as child:
        pid = child.pid
    assert not alive(pid)
