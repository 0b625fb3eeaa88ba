"""The hook as Claude Code calls it, and its entries in settings files."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from context_graph.cli.capture._hooked import start_worker
from context_graph.connectors.claude_code import spool

SESSION = "0b8a3c0e-1f2d-4c5b-9a7e-6d5f4e3c2b1a"
PROMPT = "Why does the lamp flicker when the heater runs?"
HEAVY = {"numpy", "pydantic", "mcp", "apsw", "onnxruntime", "cryptography", "asyncio"}
EVENTS = ("UserPromptSubmit", "Stop", "SessionEnd")
PATIENCE = 60


def told(event: str = "UserPromptSubmit", **fields) -> str:
    given = {
        "session_id": SESSION,
        "cwd": "/home/anna/lamp",
        "hook_event_name": event,
        "transcript_path": "/none.jsonl",
    }
    return json.dumps(given | ({"prompt": PROMPT} if event == "UserPromptSubmit" else {}) | fields)


def environment(home: Path, **more: str) -> dict[str, str]:
    return os.environ | {"CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": "base"} | more


def hook(home: Path, text: str | bytes, *options: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Call it as the host does."""
    command = [sys.executable, "-m", "context_graph.cli", "hook", "capture", *options]
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run(command, input=data, capture_output=True, timeout=PATIENCE, env=environment(home, **more))


def idle(home: Path) -> None:
    """Until the workers have ended."""
    deadline = time.monotonic() + PATIENCE
    while spool.busy(home) or spool.waiting(home):
        assert time.monotonic() < deadline, "the worker did not end"
        time.sleep(0.05)


@pytest.fixture
def without_worker(tmp_path, monkeypatch) -> str:
    """A Python path on which no worker starts: a hook is to be seen alone."""
    folder = tmp_path / "path"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import subprocess\nsubprocess.Popen.__init__ = lambda *a, **k: None\n", encoding="utf-8"
    )
    return str(folder)


def contents(run) -> list[str]:
    entries = run("log", "-n", "1000", "--type", "created", "--json").json[::-1]
    return [run("inspect", id, "--json").json["content"] for entry in entries for id in entry["node_ids"]]


# One call


def test_a_prompt_is_stored_by_a_worker_that_outlives_the_hook(home, run):
    done = hook(home, told())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    idle(home)
    node = run("inspect", run("log", "--json").json[0]["node_id"], "--json").json
    assert (node["content"], node["speaker"], node["metadata"]["project"]) == (PROMPT, "user", "lamp")


def test_the_file_that_waits_holds_nothing_private_and_no_secret(home, without_worker):
    key = "ghp_" + "a1B2" * 9
    done = hook(home, told(prompt=f"Use <private>tulip</private> and {key} here."), PYTHONPATH=without_worker)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (path,) = spool.waiting(home)
    assert path.stat().st_mode & 0o777 == 0o600
    assert home.stat().st_mode & 0o777 == path.parent.stat().st_mode & 0o777 == 0o700
    for file in home.rglob("*"):
        assert not file.is_file() or (b"tulip" not in file.read_bytes() and key.encode() not in file.read_bytes())
    assert "[REDACTED:private]" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("redact", "kept"), [("true", "[REDACTED:EMAIL]"), ("false", "anna@example.org"), ("nonsense", "[REDACTED:EMAIL]")]
)
def test_personal_data_are_replaced_before_they_wait(home, without_worker, redact, kept):
    prompt = "Write to anna@example.org about the lamp."
    done = hook(home, told(prompt=prompt), PYTHONPATH=without_worker, CONTEXT_GRAPH_REDACT_PII=redact)
    assert (done.returncode, done.stderr) == (0, b"")
    assert kept in spool.waiting(home)[0].read_text("utf-8")


@pytest.mark.parametrize("prompt", ["yes", "", "  ", "/compact", "thank you!"])
def test_a_trivial_prompt_leaves_nothing(home, prompt):
    assert hook(home, told(prompt=prompt)).returncode == 0
    assert not home.exists()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"nonsense",
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b'{"hook_event_name": "PreToolUse"}',
        b"[" * 100_000,
        b"{}" * 9,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_garbage_is_told_in_one_line_and_never_blocks_the_host(home, text):
    done = hook(home, text)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"context-graph hook: ") and done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


def test_wrong_options_never_block_the_host(home):
    done = hook(home, told(), "--no-such-option")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.count(b"\n") == 1


def test_a_home_that_cannot_be_written_never_blocks_the_host(tmp_path):
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    for home in (tmp_path / "file", tmp_path / "file" / "home", Path("/proc/no-such-home")):
        done = hook(home, told())
        assert (done.returncode, done.stdout) == (0, b"")
        assert done.stderr.startswith(b"context-graph hook: ") and done.stderr.count(b"\n") == 1


@pytest.mark.long
def test_an_input_that_does_not_end_is_given_up(home):
    """What is whole is taken all the same; what is not is told."""
    for text, waiting in ((told().encode(), 1), (b'{"half": ', 0)):
        command = [sys.executable, "-m", "context_graph.cli", "hook", "capture"]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home)
        )
        process.stdin.write(text)
        process.stdin.flush()
        assert process.wait(timeout=PATIENCE) == 0  # while standard input is open
        assert process.stdout.read() == b"" and (process.stderr.read() == b"") == bool(waiting)
        process.stdin.close(), process.stdout.close(), process.stderr.close()
        idle(home)


def test_an_input_that_is_too_large_is_given_up(home):
    from context_graph.cli.capture._host import MAX_HOOK_BYTES

    done = hook(home, b'{"prompt": "' + b"x" * MAX_HOOK_BYTES + b'"}')
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"at most" in done.stderr


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_never_blocks_the_host(home, closed):
    """The host may have closed a stream, and what is then opened takes its number."""
    code = f"import os, sys; os.close({closed}); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    command = [sys.executable, "-c", code, "-m", "context_graph.cli", "hook", "capture"]
    done = subprocess.run(command, input=told().encode(), capture_output=True, timeout=PATIENCE, env=environment(home))
    assert (done.returncode, done.stdout) == (0, b"")
    if closed:
        idle(home)


def test_a_hook_that_is_told_to_end_writes_its_notice_first(home, without_worker):
    command = [sys.executable, "-m", "context_graph.cli", "hook", "capture"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment(home, PYTHONPATH=without_worker))
    deadline = time.monotonic() + PATIENCE
    kinds = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    caught = sum(1 << (kind - 1) for kind in kinds)  # each has its handler: the first may be there before the last
    while _caught_signals(process.pid) & caught != caught:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    for kind in kinds:
        process.send_signal(kind)
    process.stdin.write(told().encode())
    process.stdin.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert len(spool.waiting(home)) == 1


def _caught_signals(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("SigCgt")).split()[1], 16)


def test_a_hook_that_is_held_up_ends_all_the_same(home, tmp_path):
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "sitecustomize.py").write_text(
        "import os, time\nos.fsync = lambda _: time.sleep(60)\n"
        "import context_graph.cli.capture._host as hooked\nhooked.DEADLINE_SECONDS = 0.5\n",
        encoding="utf-8",
    )
    done = hook(home, told(), PYTHONPATH=str(tmp_path / "slow"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"gave up" in done.stderr
    assert spool.waiting(home) == []  # and no half of it either


def test_a_hook_imports_nothing_heavy(home, without_worker):
    code = (
        "import sys\nfrom context_graph.cli import main\ncode = main(['hook', 'capture'])\n"
        "print(code, *{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=told().encode(), capture_output=True, timeout=PATIENCE,
        env=environment(home, PYTHONPATH=without_worker),
    )  # fmt: skip
    code, *modules = done.stderr.decode().split()
    assert code == "0" and done.stdout == b"" and len(spool.waiting(home)) == 1
    assert not HEAVY & set(modules)


def test_modules_of_the_project_are_not_imported(home, tmp_path):
    """The host calls the hook in the folder of the project, which may hold a numpy.py of its own."""
    project = tmp_path / "project"
    project.mkdir()
    home.mkdir()
    for folder in (project, home):
        for name in ("numpy", "apsw", "json", "context_graph"):
            (folder / f"{name}.py").write_text("raise SystemExit('the module of the project')", encoding="utf-8")
    command = [sys.executable, "-P", "-m", "context_graph.cli", "hook", "capture"]
    done = subprocess.run(
        command, input=told().encode(), capture_output=True, timeout=PATIENCE, cwd=project, env=environment(home)
    )
    assert (done.returncode, done.stderr) == (0, b"")
    idle(home)


def test_the_worker_outlives_the_group_of_the_hook(home, run, tmp_path):
    """A host that ends its hooks kills their process group; the worker is made slow to start, to be there still."""
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "sitecustomize.py").write_text(
        "import sys, time\nif 'drain' in sys.orig_argv: time.sleep(1)\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "context_graph.cli", "hook", "capture"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, start_new_session=True,
        env=environment(home, PYTHONPATH=str(tmp_path / "slow")),
    )  # fmt: skip
    process.communicate(told().encode(), timeout=PATIENCE)
    with contextlib.suppress(ProcessLookupError):  # nobody is left in it
        os.killpg(process.pid, signal.SIGKILL)
    idle(home)
    assert contents(run) == [PROMPT]


def test_a_worker_is_started_where_none_is_at_it(home, monkeypatch):
    started = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **more: started.append(command) or SimpleNamespace())
    with spool.lease(home):
        start_worker(home, None)
    assert started == []
    start_worker(home, "base")
    assert started[0][-6:] == ["hook", "drain", "--home", str(home), "--tier", "base"]


# Several calls


@pytest.mark.long
def test_hooks_at_once_lose_nothing_and_store_each_turn_once(home, run):
    prompts = [f"Please tighten screw number {i} of the lamp." for i in range(12)]
    command = [sys.executable, "-m", "context_graph.cli", "hook", "capture"]
    processes = []
    for prompt in [*prompts, *prompts[:4]]:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home))
        process.stdin.write(told(prompt=prompt).encode())
        process.stdin.close()
        processes.append(process)
    for process in processes:
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stdout.read() == b""
        process.stdout.close()
    idle(home)
    assert sorted(contents(run)) == sorted(prompts)


def test_a_session_from_its_first_prompt_to_its_end(home, run, tmp_path):
    path, moment = tmp_path / "session.jsonl", time.gmtime()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", moment)

    def write(kind: str, text: str) -> None:
        record = {"type": kind, "message": {"role": kind, "content": [{"type": "text", "text": text}]}}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record | {"timestamp": stamp, "sessionId": SESSION, "cwd": "/home/anna/lamp"}) + "\n")

    transcript = str(path)
    write("user", PROMPT)
    hook(home, told(transcript_path=transcript))
    write("assistant", "I look at the wiring plan.")
    write("assistant", "Both hang on one fuse.")
    hook(home, told("Stop", transcript_path=transcript, last_assistant_message="Both hang on one fuse."))
    write("user", "Where is the fuse box?")
    write("assistant", "In the cellar, behind the door.")
    hook(home, told("SessionEnd", transcript_path=transcript, reason="other"))
    idle(home)
    assert contents(run) == [
        PROMPT,
        "I look at the wiring plan.\n\nBoth hang on one fuse.",
        "Where is the fuse box?",
        "In the cellar, behind the door.",
    ]


IN_SMALL_WRITES = """
import sys
from context_graph.cli import main
from context_graph.connectors.claude_code import ingest
from context_graph.ingest import batch

batch.BATCH = ingest.BATCH = 8
sys.exit(main())
"""


@pytest.mark.long
def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(home, run, tmp_path):
    """Killed again and again in the middle of a long session, then left alone."""
    texts = [f"Please tighten screw number {i}, which holds the shade of lamp {i * 7}." for i in range(160)]
    path = tmp_path / "session.jsonl"
    lines = [{"type": "user", "message": {"role": "user", "content": text}, "sessionId": SESSION} for text in texts]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    spool.put(home, _stop(str(path)))
    command = [sys.executable, "-c", IN_SMALL_WRITES, "hook", "drain", "--home", str(home)]
    for _ in range(spool.ATTEMPTS - 1):
        before = _stored(home)
        process = subprocess.Popen(command, env=environment(home), stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and _stored(home) < before + 5:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.kill()
        assert process.wait(timeout=PATIENCE) == -signal.SIGKILL  # it was at work, not done and not broken
    assert len(spool.waiting(home)) == 1 and 0 < _stored(home) < len(texts)
    assert run("hook", "drain", "--home", home).code == 0
    assert spool.waiting(home) == [] == spool.rejected(home)
    assert contents(run) == texts


def _stop(transcript: str) -> str:
    from context_graph.connectors.claude_code.hook_event import HookEvent

    return HookEvent(event="Stop", session=SESSION, at=1, transcript=transcript).to_json()


def _stored(home: Path) -> int:
    """How many memories are committed, read without the package."""
    import sqlite3

    if not (home / "graph.sqlite3").exists():
        return 0
    with contextlib.closing(sqlite3.connect(f"file:{home / 'graph.sqlite3'}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM nodes WHERE ordinal IS NOT NULL").fetchone()[0]
        except sqlite3.OperationalError:  # not made yet, or locked
            return 0


# By hand


def test_draining_by_hand_tells_what_was_stored(home, run):
    assert run("hook", "drain").out == "nothing waits\n"
    spool.put(home, _stop("/none"))
    spool.put(home, "no notice")
    ran = run("hook", "drain", "--json")
    assert (ran.code, ran.json["notices"], len(ran.json["rejected"])) == (1, 1, 1)
    spool.put(home, _stop("/none"))
    assert run("hook", "drain").out.startswith("1 notice: 0 turns")
    with spool.lease(home):
        spool.put(home, _stop("/none"))
        assert run("hook", "drain").out == "another process stores what waits\n"


def test_a_damaged_store_leaves_what_waits(home, run):
    spool.put(home, _stop("/none"))
    hook_text = json.loads(_stop("/none")) | {"event": "UserPromptSubmit", "text": PROMPT}
    spool.put(home, json.dumps(hook_text))
    (home / "graph.sqlite3").write_bytes(b"this is no database " * 400)
    ran = run("hook", "drain")
    assert ran.code == 1 and "damaged" in ran.err
    assert len(spool.waiting(home)) == 1


def test_doctor_tells_what_waits(home, run):
    def check() -> dict:
        return next(entry for entry in run("doctor", "--json").json["checks"] if entry["check"] == "capture")

    assert check()["ok"] is None
    spool.put(home, _stop("/none"))
    assert "1 waits" in check()["text"] and check()["ok"] is None
    spool.reject(spool.waiting(home)[0], "because")
    assert check()["ok"] is False and "rejected" in check()["text"]


# Settings files

OTHERS = {
    "other hooks": """{
  "model": "opus",
  "hooks": {
    "Stop": [
      {
        "hooks": [
          { "type": "command", "command": "notify-send done", "timeout": 5 }
        ]
      }
    ],
    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check.sh"}]}]
  },
  "permissions": {"allow": ["Bash(ls:*)"], "deny": []}
}
""",
    "tabs and escapes": '{\n\t"env": {\n\t\t"NAME": "caf\\u00e9 \\/ \u00e9",\n\t\t"RATE": 1.50e3\n\t}\n}',
    "one line": '{"model":"opus","cleanupPeriodDays":1e2}',
    "one line with hooks": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}\n',
    "windows lines": '{\r\n    "model": "opus",\r\n    "hooks": {}\r\n}\r\n',
    "empty lists": '{\n  "hooks": {\n    "Stop": [],\n    "SessionEnd": [ ]\n  },\n  "a": {}\n}\n',
    "empty object": "{}",
    "an empty object of lines": "{\n}\n",
    "empty file": "",
    "blank file": "\n\n",
    "key twice": '{"hooks": {"Stop": 1}, "hooks": {"Stop": []}}',
    "strange groups": '{"hooks": {"Stop": [7, {"hooks": 3}, {"matcher": "x"}, {"hooks": ["y", {"command": 5}]}]}}',
}


@pytest.fixture
def settings(tmp_path) -> Path:
    return tmp_path / "claude" / "settings.json"


def written(settings: Path, text: str) -> Path:
    settings.parent.mkdir(exist_ok=True)
    settings.write_bytes(text.encode())
    return settings


def ours(settings: Path) -> dict[str, list[str]]:
    """Our commands by event."""
    found: dict[str, list[str]] = {}
    for event, groups in json.loads(settings.read_text("utf-8")).get("hooks", {}).items():
        for group in groups:
            for entry in group.get("hooks", []) if isinstance(group, dict) else []:
                if isinstance(entry, dict) and "hook capture" in str(entry.get("command")):
                    assert entry["type"] == "command" and entry["timeout"] == 10
                    found.setdefault(event, []).append(entry["command"])
    return found


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "strange groups"])
def test_installing_adds_three_entries_and_uninstalling_gives_every_byte_back(run, settings, name):
    before = OTHERS[name]
    written(settings, before).chmod(0o640)
    assert run("hook", "install", "--settings", settings).code == 0
    assert {event: len(found) for event, found in ours(settings).items()} == dict.fromkeys(EVENTS, 1)
    kept = json.loads(settings.read_text("utf-8"))
    for key, value in (json.loads(before) if before.strip() else {}).items():
        assert key == "hooks" or kept[key] == value
    backup = settings.with_name("settings.json.context-graph-backup")
    assert backup.read_bytes() == before.encode()
    assert settings.stat().st_mode & 0o777 == backup.stat().st_mode & 0o777 == 0o640
    assert run("hook", "uninstall", "--settings", settings).code == 0
    assert settings.read_bytes() == before.encode()
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "key twice"])
def test_uninstalling_without_the_backup_gives_the_same_settings_back(run, settings, name):
    before = OTHERS[name]
    written(settings, before)
    run("hook", "install", "--settings", settings)
    settings.with_name("settings.json.context-graph-backup").unlink()
    run("hook", "uninstall", "--settings", settings)
    if not settings.exists():
        assert not before.strip() or json.loads(before) == {}
        return
    after, expected = json.loads(settings.read_text("utf-8")), json.loads(before)
    emptied = {event for event, groups in expected.get("hooks", {}).items() if groups == []}
    hooks = {event: groups for event, groups in expected.get("hooks", {}).items() if event not in emptied}
    assert after == {key: value for key, value in (expected | {"hooks": hooks}).items() if key != "hooks" or value}
    if not emptied and expected.get("hooks") != {}:
        assert settings.read_bytes() == before.encode()


@pytest.mark.parametrize("name", OTHERS)
def test_installing_twice_changes_nothing_more(run, settings, name):
    written(settings, OTHERS[name])
    first = run("hook", "install", "--settings", settings, "--json").json
    text = settings.read_bytes()
    again = run("hook", "install", "--settings", settings, "--json").json
    assert (first["changed"], again["changed"]) == (True, False)
    assert again["events"] == dict.fromkeys(EVENTS, "kept")
    assert settings.read_bytes() == text


def test_a_change_of_the_user_between_survives_uninstalling(run, settings):
    written(settings, OTHERS["other hooks"])
    run("hook", "install", "--settings", settings)
    text = settings.read_text("utf-8").replace('"opus"', '"haiku"').replace("notify-send done", "notify-send   done")
    settings.write_text(text, encoding="utf-8")
    run("hook", "uninstall", "--settings", settings)
    expected = OTHERS["other hooks"].replace('"opus"', '"haiku"').replace("notify-send done", "notify-send   done")
    assert settings.read_text("utf-8") == expected


def test_lists_that_were_empty_before_stay(run, settings):
    written(settings, OTHERS["empty lists"])
    run("hook", "install", "--settings", settings)
    settings.write_text(settings.read_text("utf-8").replace('"a"', '"b"'), encoding="utf-8")
    run("hook", "uninstall", "--settings", settings)
    assert json.loads(settings.read_text("utf-8")) == {"hooks": {"Stop": [], "SessionEnd": []}, "b": {}}


def test_a_missing_file_is_made_and_removed_again(run, settings):
    told = run("hook", "install", "--settings", settings, "--json").json
    assert told["backup"] is None and set(ours(settings)) == set(EVENTS)
    assert settings.stat().st_mode & 0o777 == 0o600
    assert run("hook", "uninstall", "--settings", settings, "--json").json["deleted"] is True
    assert not settings.exists()


@pytest.mark.parametrize(
    "old",
    [
        "/old/place/context-graph hook capture",
        "'/with blank/context-graph' hook capture --home /x",
        "/usr/bin/python3 -P -m context_graph.cli hook capture",
        "FOO=1 context-graph hook capture",
    ],
)
def test_entries_of_an_older_place_are_replaced_and_removed(run, settings, old):
    entry = {"type": "command", "command": old}
    other = {"type": "command", "command": "echo hook capture"}
    hooks = {"Stop": [{"hooks": [other, entry]}, {"hooks": [entry]}], "SubagentStop": [{"hooks": [entry]}]}
    written(settings, json.dumps({"hooks": hooks}, indent=2))
    told = run("hook", "install", "--settings", settings, "--json").json
    assert told["events"] == {
        "Stop": "replaced", "SubagentStop": "removed", "UserPromptSubmit": "added", "SessionEnd": "added",
    }  # fmt: skip
    after = json.loads(settings.read_text("utf-8"))["hooks"]
    assert set(after) == set(EVENTS) and after["Stop"][0] == {"hooks": [other]} and len(after["Stop"]) == 2
    written(settings, json.dumps({"hooks": hooks}, indent=2))
    run("hook", "uninstall", "--settings", settings)
    assert json.loads(settings.read_text("utf-8")) == {"hooks": {"Stop": [{"hooks": [other]}]}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON"),
        ('{"a": 1,}', "not valid JSON"),
        ("// comment\n{}", "not valid JSON"),
        ("[]", "one JSON object, got a list"),
        ("3", "one JSON object, got a number"),
        ('{"hooks": []}', "hooks to be an object of lists, got a list"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop to be a list, got an object"),
        ('{"hooks": {"PreToolUse": "x"}}', "hooks.PreToolUse to be a list, got a text"),
        (b"\xff\xfe{}", "not valid UTF-8"),
    ],
)
@pytest.mark.parametrize("action", ["install", "uninstall"])
def test_what_has_another_shape_is_refused_and_left_alone(run, settings, text, said, action):
    data = text if isinstance(text, bytes) else text.encode()
    settings.parent.mkdir()
    settings.write_bytes(data)
    told = run("hook", action, "--settings", settings)
    assert told.code == 1 and said in told.err and told.err.count("\n") == 1
    assert settings.read_bytes() == data and [path.name for path in settings.parent.iterdir()] == ["settings.json"]


def test_what_is_no_file_is_refused_and_a_link_is_followed_to_its_file(run, settings, tmp_path):
    settings.parent.mkdir()
    settings.symlink_to(tmp_path / "nowhere.json")
    assert "does not exist" in run("hook", "install", "--settings", settings).err
    settings.unlink()
    settings.mkdir()
    assert "to be a file" in run("hook", "install", "--settings", settings).err
    settings.rmdir()
    target = tmp_path / "dotfiles.json"
    target.write_text("{}", encoding="utf-8")
    settings.symlink_to(target)
    assert run("hook", "install", "--settings", settings).code == 0
    assert settings.is_symlink() and set(ours(target)) == set(EVENTS)


def test_a_dry_run_changes_nothing(run, settings):
    told = run("hook", "install", "--settings", settings, "--dry-run")
    assert "would be added" in told.out and not settings.parent.exists()
    written(settings, OTHERS["other hooks"])
    run("hook", "install", "--settings", settings)
    before = {path: path.read_bytes() for path in settings.parent.iterdir()}
    told = run("hook", "uninstall", "--settings", settings, "--dry-run")
    assert "would be removed" in told.out
    assert {path: path.read_bytes() for path in settings.parent.iterdir()} == before


def test_a_file_that_changes_meanwhile_is_left_as_it_is(run, settings, monkeypatch):
    from context_graph.cli.capture import _claude_settings

    written(settings, "{}")
    real = _claude_settings._installed

    def changing(text, command):
        settings.write_text('{"changed": true}', encoding="utf-8")
        return real(text, command)

    monkeypatch.setattr(_claude_settings, "_installed", changing)
    told = run("hook", "install", "--settings", settings)
    assert told.code == 1 and "changed meanwhile" in told.err
    assert settings.read_text("utf-8") == '{"changed": true}'
    assert not list(settings.parent.glob(".*partial"))


def test_scopes_name_their_files(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "anna"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    for options, place in (
        ([], "anna/.claude/settings.json"),
        (["--scope", "project"], "project/.claude/settings.json"),
        (["--scope", "local"], "project/.claude/settings.local.json"),
    ):
        run("hook", "install", *options)
        assert set(ours(tmp_path / place)) == set(EVENTS)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "moved"))
    run("hook", "install")
    assert set(ours(tmp_path / "moved" / "settings.json")) == set(EVENTS)


def test_the_command_has_whole_paths_and_can_be_called_from_anywhere(run, settings, home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["context-graph"])
    told = run("hook", "install", "--settings", settings, "--home", "my home", "--tier", "base", "--agent", "tester")
    assert told.code == 0
    (command,) = ours(settings)["Stop"]
    words = shlex.split(command)
    assert words[-6:] == ["--home", str(tmp_path / "my home"), "--tier", "base", "--agent", "tester"]
    assert Path(words[0]).is_absolute() and words[-8:-6] == ["hook", "capture"]
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=told_prompt(), capture_output=True, timeout=PATIENCE, cwd="/",
        env={"PATH": "/nowhere"},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    idle(tmp_path / "my home")
    entry = run("log", "--json", "--home", tmp_path / "my home").json[0]
    assert entry["agent_id"] == "tester"


def told_prompt() -> bytes:
    return told().encode()


def test_hooks_that_are_forbidden_are_told_of(run, settings):
    written(settings, '{"disableAllHooks": true}')
    assert "disableAllHooks" in run("hook", "install", "--settings", settings).out
    assert run("hook", "uninstall", "--settings", settings).code == 0


def test_uninstalling_what_was_never_there_says_so(run, settings):
    assert "nothing was changed" in run("hook", "uninstall", "--settings", settings).out
    assert not settings.parent.exists()
    written(settings, OTHERS["other hooks"])
    assert run("hook", "uninstall", "--settings", settings, "--json").json["changed"] is False
    assert settings.read_text("utf-8") == OTHERS["other hooks"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["hook"],
        ["hook", "remove"],
        ["hook", "drain", "--scope", "user"],
        ["hook", "drain", "--dry-run"],
        ["hook", "install", "--scope", "global"],
        ["hook", "install", "--scope", "user", "--settings", "x.json"],
    ],
    ids=" ".join,
)
def test_misuse_is_told_in_one_line(run, arguments):
    told = run(*arguments)
    assert (told.code, told.out) == (2, "")
    assert told.err.count("\n") == 1
