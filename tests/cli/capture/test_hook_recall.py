"""What Claude Code is told by itself: at the start of a session and at a prompt, by a process that ends when idle."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from context_graph.cli.capture import _claude_settings
from context_graph.connectors.claude_code import resident
from context_graph.connectors.claude_code.background import PROMPT_TOKENS, SESSION_TOKENS, background
from context_graph.connectors.claude_code.hook_event import RecallRequest
from context_graph.embed.wordpiece import token_count
from context_graph.errors import InvalidInput
from context_graph.ingest.draft import Draft
from tests.requirements import requirement

SESSION = "0b8a3c0e-1f2d-4c5b-9a7e-6d5f4e3c2b1a"
PATIENCE = 60


@pytest.fixture
def lamp(memory, clock):
    """A project that was worked on before, and what its user is like."""
    captured = {"captured": True, "project": "lamp"}
    for text in ("My name is Greta.", "Never commit on Fridays.", "The dimmer of the lamp needs a 12 volt supply."):
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    for i, text in enumerate(("Let us solder the dimmer first.", "Then we paint the stand.", "The shade comes last.")):
        clock.pass_time(minutes=i)
        memory.remember(Draft(text, "a turn", session_id="before", metadata=captured | {"speaker": "user"}))
    memory.remember(Draft("Good plan!", "a turn", session_id="before", metadata=captured | {"speaker": "assistant"}))
    return memory


def prompt(text: str, session: str = "now") -> RecallRequest:
    return RecallRequest("UserPromptSubmit", session, "lamp", text)


@requirement("capture:recall-hooks")
def test_a_prompt_is_told_what_it_needs(lamp):
    text = background(lamp, prompt("Which supply does the dimmer of the lamp need?"))
    assert "12 volt" in text and token_count(text) <= PROMPT_TOKENS


@requirement("capture:recall-hooks")
def test_a_prompt_about_something_else_is_told_nothing(lamp):
    assert background(lamp, prompt("What is the capital of Mongolia?")) == ""
    assert background(lamp, prompt("Write a haiku about whales in winter.")) == ""


@requirement("capture:recall-hooks")
def test_a_session_begins_with_its_user_and_where_the_last_one_ended(lamp):
    text = background(lamp, RecallRequest("SessionStart", "now", "lamp", ""))
    assert "Greta" in text and "Fridays" in text
    assert text.index("solder") < text.index("paint") < text.index("shade") and "Good plan" not in text
    assert "project lamp" in text and token_count(text) <= SESSION_TOKENS
    assert "solder" not in background(lamp, RecallRequest("SessionStart", "now", "bicycle", ""))


def test_nothing_is_told_of_the_session_itself(lamp):
    own = background(lamp, prompt("Do we solder the dimmer or paint the stand?", session="before"))
    assert "solder" not in own
    assert "solder" in background(lamp, prompt("Do we solder the dimmer or paint the stand?"))
    assert "project lamp" not in background(lamp, RecallRequest("SessionStart", "before", "lamp", ""))


@requirement("capture:recall-hooks")
def test_what_is_of_another_project_says_so(lamp):
    asked = RecallRequest("UserPromptSubmit", "now", "bicycle", "Do we solder the dimmer or paint the stand?")
    assert "in lamp" in background(lamp, asked)
    assert "in lamp" not in background(lamp, prompt("Do we solder the dimmer or paint the stand?"))


@requirement("capture:recall-hooks")
def test_of_two_checkouts_of_one_name_each_is_told_its_own(memory):
    of_north = {"captured": True, "project": "api", "repository": "/clients/north/api"}
    memory.remember(Draft("We use MySQL 8 here.", "a turn", session_id="before", speaker="user", metadata=of_north))
    south, north = (
        RecallRequest("SessionStart", "now", "api", "", f"/clients/{one}/api") for one in ("south", "north")
    )
    assert "MySQL" not in background(memory, south)
    assert background(memory, north).count("MySQL") == 1


def test_an_empty_memory_says_nothing(memory):
    assert background(memory, RecallRequest("SessionStart", "now", "lamp", "")) == ""
    assert background(memory, prompt("Which supply does the dimmer need?")) == ""


# The process


def served(home: Path, answer, idle_s: float) -> threading.Thread:
    home.mkdir(parents=True, exist_ok=True)
    thread = threading.Thread(target=resident.serve, args=(home, answer), kwargs={"idle_s": idle_s})
    thread.start()
    return thread


@pytest.mark.parametrize("folder", ["home", "h" * 150])
def test_it_answers_ends_when_idle_and_leaves_its_lock_alone(tmp_path, folder):
    home = tmp_path / folder
    thread = served(home, lambda question: question["prompt"].upper(), idle_s=1.0)
    assert resident.ask(home, {"prompt": "so it is"}, patience_s=PATIENCE, start=lambda: None) == "SO IT IS"
    assert (home / resident.SOCKET).stat().st_mode & 0o777 == 0o600
    assert resident.serve(home, lambda recall_request: "a second one") is False
    thread.join(PATIENCE)
    assert not thread.is_alive() and [path.name for path in home.iterdir()] == [resident.LOCK]


def test_who_sends_no_question_gets_no_answer_and_does_no_harm(tmp_path):
    import socket

    thread = served(tmp_path, lambda recall_request: "fine", idle_s=2.0)
    assert resident.ask(tmp_path, {"prompt": "?"}, patience_s=PATIENCE, start=lambda: None) == "fine"
    for data in (b"nonsense", b"\xff", b"[" * 100_000, b""):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(tmp_path / resident.SOCKET))
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(10) == b""
    assert resident.ask(tmp_path, {"prompt": "?"}, patience_s=PATIENCE, start=lambda: None) == "fine"
    thread.join(PATIENCE)


def test_a_socket_that_somebody_left_behind_is_replaced(tmp_path):
    (tmp_path / resident.SOCKET).touch()
    starts: list[int] = []
    assert resident.ask(tmp_path, {"prompt": "?"}, patience_s=0.2, start=lambda: starts.append(1)) is None
    assert starts == [1]
    thread = served(tmp_path, lambda recall_request: "fine", idle_s=1.0)
    assert resident.ask(tmp_path, {"prompt": "?"}, patience_s=PATIENCE, start=lambda: None) == "fine"
    thread.join(PATIENCE)


# The hook, as the host calls it


def called(home: Path, data: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": "base"}
    command = [sys.executable, "-m", "context_graph.cli", "hook", "recall"]
    text = data if isinstance(data, str) else json.dumps(data)
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE, env=environment)


def event(name: str, **fields: str) -> dict[str, str]:
    return {"session_id": SESSION, "cwd": "/home/greta/lamp", "hook_event_name": name} | fields


@requirement("capture:recall-hooks")
def test_the_host_gets_context_from_a_process_that_starts_on_demand(home, run):
    run("remember", "The dimmer of the lamp needs a 12 volt supply.")
    recall_request = event("UserPromptSubmit", prompt="Which supply does the dimmer of the lamp need?")
    deadline, context = time.monotonic() + PATIENCE, ""
    while not context:
        assert time.monotonic() < deadline
        done = called(home, recall_request)
        assert (done.returncode, done.stderr) == (0, "")
        context = done.stdout
    output = json.loads(context)["hookSpecificOutput"]
    assert output["hookEventName"] == "UserPromptSubmit" and "12 volt" in output["additionalContext"]
    assert called(home, event("UserPromptSubmit", prompt="yes please")).stdout == ""
    _ended(home)


def _ended(home: Path) -> None:
    """End the process, which would wait for ten minutes."""
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = status.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"resident" in words and str(home).encode() in words:
            os.kill(int(status.parent.name), 15)


@pytest.mark.parametrize("data", ["", "nonsense", "[]", {"hook_event_name": "Stop"}, {"hook_event_name": None}])
def test_what_is_no_question_is_said_on_standard_error_and_blocks_nobody(home, data):
    home.mkdir()
    done = called(home, data)
    assert done.returncode == 0 and done.stdout == "" and done.stderr.startswith("context-graph hook: ")


def test_where_nothing_is_kept_nothing_is_made(home):
    done = called(home, event("UserPromptSubmit", prompt="Which supply does it need?"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "") and not home.exists()


# Its entries in a settings file


@requirement("capture:recall-hooks")
def test_it_is_installed_on_request_and_removed_with_the_rest(tmp_path):
    settings, commands = tmp_path / "settings.json", {"capture": "/x/context-graph hook capture"}
    both = commands | {"recall": "/x/context-graph hook recall"}
    _claude_settings.install(settings, commands)
    capture_alone = settings.read_text("utf-8")
    change = _claude_settings.install(settings, both)
    assert change.events["SessionStart recall"] == "added" and change.events["Stop"] == "kept"
    hooks = json.loads(settings.read_text("utf-8"))["hooks"]
    assert len(hooks["UserPromptSubmit"]) == 2 and len(hooks["SessionStart"]) == 1
    assert not _claude_settings.install(settings, both).changed
    assert _claude_settings.install(settings, commands).events["SessionStart recall"] == "removed"
    assert json.loads(settings.read_text("utf-8")) == json.loads(capture_alone)
    _claude_settings.install(settings, both)
    _claude_settings.uninstall(settings)
    assert not settings.exists()


def test_recall_belongs_to_install(run):
    assert run("hook", "drain", "--recall").code != 0


def test_an_event_that_is_not_recalled_is_an_error():
    from context_graph.connectors.claude_code.hook_event import recall_request

    with pytest.raises(InvalidInput, match="SessionStart"):
        recall_request({"hook_event_name": "SessionEnd"})
