"""A transcript from standard input."""

import io
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from context_graph.connectors.claude_code import spool
from tests.requirements import requirement

SESSION = "0b8a3c0e-1f2d-4c5b-9a7e-6d5f4e3c2b1a"
TEXT = "User: Where is the lamp?\nAssistant: On the upper shelf, behind the books.\nUser: thanks\n"


@pytest.fixture
def capture(run, monkeypatch):
    """Run the command on a text."""

    def capture(text: str | bytes, *options: str):
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        return run("capture", *options, "--json")

    return capture


def claude(kind: str, text: str, **fields) -> str:
    message = {"role": kind, "content": [{"type": "text", "text": text}]}
    return (
        json.dumps({"type": kind, "message": message, "sessionId": SESSION, "cwd": "/home/anna/lamp"} | fields) + "\n"
    )


def test_a_text_is_captured_once(capture, run):
    first, again = capture(TEXT).json, capture(TEXT).json
    assert (first["stored"], first["trivial"], first["known"], first["format"]) == (2, 1, 0, "text")
    assert (again["stored"], again["known"], again["session_id"]) == (0, 2, first["session_id"])
    found = run("search", "where is the lamp", "--json").json["results"]
    assert {entry["speaker"] for entry in found} == {"user", "assistant"}


def test_a_transcript_that_has_grown_gives_what_is_new(capture):
    first = capture(TEXT).json
    grown = capture(TEXT + "User: And where is the ladder?\n").json
    assert (grown["stored"], grown["known"], grown["session_id"]) == (1, 2, first["session_id"])


def test_a_transcript_of_claude_code_names_its_session_and_project(capture, run):
    told = capture(claude("user", "Where is the lamp?") + claude("assistant", "On the upper shelf.")).json
    assert (told["session_id"], told["format"], told["stored"]) == (SESSION, "claude-code", 2)
    entry = run("log", "--json").json[0]
    assert (entry["session_id"], entry["agent_id"]) == (SESSION, "claude-code")
    assert entry["node_id"] == entry["node_ids"][0] and len(entry["node_ids"]) == 2  # one write
    assert " and 1 more" in run("log").out
    node = run("inspect", entry["node_ids"][1], "--json").json
    assert node["metadata"]["project"] == "lamp" and node["metadata"]["event"] == "transcript"
    assert node["rationale"] == "answer of the assistant in project lamp"


def test_options_name_session_agent_and_project(capture, run):
    capture(TEXT, "--session", "s", "--agent", "importer", "--project", "house", "--format", "text")
    entry = run("log", "--json").json[0]
    assert (entry["session_id"], entry["agent_id"]) == ("s", "importer")
    assert run("inspect", entry["node_id"], "--json").json["metadata"]["project"] == "house"


def test_what_hooks_have_stored_is_known(capture, home, run):
    from context_graph.connectors.claude_code.hook_event import HookEvent

    prompt = "Where is the lamp?"
    spool.put(home, HookEvent(event="UserPromptSubmit", session=SESSION, at=1, text=prompt).to_json())
    assert run("hook", "drain").code == 0
    told = capture(claude("user", prompt) + claude("assistant", "On the upper shelf.")).json
    assert (told["stored"], told["known"]) == (1, 1)


def test_private_passages_and_what_answers_them_stay_out(capture, home):
    told = capture("User: <private>tulip</private>\nAssistant: A tulip, I see.\nUser: The lamp is red.\n").json
    assert (told["private"], told["stored"]) == (2, 1)
    for path in home.rglob("*"):
        assert not path.is_file() or b"tulip" not in path.read_bytes()


def test_bad_lines_are_counted_and_named(capture, run, monkeypatch):
    text = claude("user", "Where is the lamp?") + "nonsense\n" + claude("assistant", "On the upper shelf.") + "[]\n"
    told = capture(text)
    assert told.code == 0
    assert [entry["line"] for entry in told.json["bad_lines"]] == [2, 4]
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert "2 lines could not be read: 2 (not JSON), 4" in run("capture").out


def test_a_timestamp_that_cannot_be_read_is_counted_and_named(capture, run, monkeypatch):
    stamps = ["2026-11-21T10:00:00Z", "31/31/2026", None, 1_764_000_000, ""]
    texts = ["The llama is called Kuzco.", "It eats hay.", "It sleeps outside.", "It has a bell.", "It is brown."]
    lines = [
        json.dumps({"role": "user", "content": text, "timestamp": stamp})
        for text, stamp in zip(texts, stamps, strict=True)
    ]
    told = capture("\n".join(lines)).json
    assert (told["stored"], told["bad_lines"]) == (5, [])
    assert told["bad_timestamps"] == [
        {"line": 2, "problem": "timestamp '31/31/2026'"}, {"line": 4, "problem": "timestamp '1764000000'"},
    ]  # fmt: skip
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO("\n".join(lines).encode())))
    said = "2 lines have a timestamp that could not be read, and are dated now: 2 (timestamp '31/31/2026'), 4"
    assert said in run("capture").out


@pytest.mark.parametrize(
    "text", ["", "\n", "just some words\nin two lines", "{}\n", '{"role":"system","content":"x"}\n']
)
def test_an_input_without_a_turn_is_a_failure(capture, home, text):
    told = capture(text)
    assert told.code == 1 and "no turn" in told.json["error"]["message"]
    assert not home.exists()


def test_bytes_that_are_no_text_are_read_as_far_as_possible(capture):
    assert capture(b"User: Where is the l\xe4mp?\n").json["stored"] == 1


def test_another_process_that_captures_is_waited_for_in_vain(capture, home, monkeypatch):
    monkeypatch.setattr("context_graph.cli.capture.capture.PATIENCE_SECONDS", 0)
    with spool.lease(home):
        told = capture(TEXT)
    assert told.code == 1 and "try again" in told.json["error"]["message"]


def test_what_hooks_left_to_it_meanwhile_gets_a_worker(capture, home, monkeypatch):
    started = []
    monkeypatch.setattr("context_graph.cli.capture._hooked.start_worker", lambda *given: started.append(given))
    capture(TEXT)
    assert started == []
    spool.put(home, "{}")
    capture(TEXT)
    assert started == [(home, None)]


def test_an_input_that_is_too_large_is_misuse(capture, monkeypatch):
    monkeypatch.setattr("context_graph.cli.capture.capture.MAX_CAPTURE_BYTES", 20)
    assert capture(TEXT).code == 2


def test_the_command_reads_a_real_pipe(home):
    command = [sys.executable, "-m", "context_graph.cli", "capture"]
    done = subprocess.run(command, input=TEXT, capture_output=True, encoding="utf-8", timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("3 turns, 2 stored as 2 memories, 0 known already, 0 private, 1 trivial\nsession ")


@requirement("capture:half-a-character")
def test_half_a_character_fails_no_capture(capture, run):
    turns = ["The lamp \ud800 hangs in the upper hall.", "Then I look for it behind the books there."]
    lines = [
        json.dumps({"role": role, "content": text}) for role, text in zip(("user", "assistant"), turns, strict=True)
    ]
    done = capture("\n".join(lines)).json
    assert (done["stored"], done["bad_lines"]) == (2, [])
    found = run("search", "where does the lamp hang", "--json").json["results"]
    assert "The lamp \ufffd hangs in the upper hall." in {entry["content"] for entry in found}


@pytest.mark.parametrize("format", ["text", "jsonl"])
def test_bytes_of_windows_are_read_as_such_and_counted(capture, run, format):
    text = TEXT.replace("lamp", "caf\xe9 in K\xf6ln")
    if format == "jsonl":
        turns = [line.partition(": ") for line in text.splitlines()]
        text = "".join(f'{{"role": "{role.lower()}", "content": "{said}"}}\n' for role, _, said in turns)
    told = capture(text.encode("cp1252")).json
    assert (told["stored"], told["windows_1252_lines"], told["bad_lines"]) == (2, 1, [])
    listed = run("list").out
    assert "caf\xe9 in K\xf6ln" in listed and "\ufffd" not in listed


@pytest.mark.parametrize("format", ["text", "jsonl"])
def test_bytes_of_no_known_encoding_are_a_bad_line(capture, run, format):
    bad = b'{"role": "user", "content": "the \x81 \xff"}\n' if format == "jsonl" else b"the \x81 \xff\n"
    more = '{"role": "user", "content": "Where is the lamp?"}\n' if format == "jsonl" else TEXT
    told = capture(more.encode() + bad).json
    assert [line["problem"] for line in told["bad_lines"]] == ["neither UTF-8 nor Windows-1252"]
    assert "\ufffd" not in run("list").out


def test_a_mark_of_the_byte_order_before_a_transcript_is_no_part_of_it(capture):
    assert capture(b"\xef\xbb\xbf" + TEXT.encode()).json["session_id"] == capture(TEXT).json["session_id"]
