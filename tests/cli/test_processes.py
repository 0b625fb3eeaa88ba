"""The installed command as a process: quick to start, at peace with closed pipes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"numpy", "pydantic", "mcp", "apsw", "onnxruntime", "argparse", "context_graph.settings"}


def _python(code: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60, **options)


def _command(*arguments: str, home: Path, **options) -> subprocess.Popen[str]:
    environment = os.environ | {"CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": "base"}
    command = [sys.executable, "-m", "context_graph.cli", *arguments]
    return subprocess.Popen(command, env=environment, encoding="utf-8", stderr=subprocess.PIPE, **options)


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(argument):
    done = _python(f"import sys\nfrom context_graph.cli import main\nmain(['{argument}'])\nprint(*sys.modules)")
    assert done.returncode == 0
    assert "context-graph" in done.stdout
    assert not HEAVY & set(done.stdout.splitlines()[-1].split())


def test_help_of_a_command_imports_no_arrays_and_no_models():
    code = "import sys\nfrom context_graph.cli import main\nmain(['search', '--help'])\nprint(*sys.modules)"
    assert not (HEAVY - {"argparse"}) & set(_python(code).stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", ["--help", "--version", "tools --json", "config show"])
def test_a_reader_who_leaves_early_is_no_error(tmp_path, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    process = _command(*arguments.split(), home=tmp_path / "home", stdout=writing)
    os.close(writing)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_told(tmp_path):
    with open("/dev/full", "w", encoding="utf-8") as full:
        process = _command("config", "show", home=tmp_path / "home", stdout=full)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert err.startswith("context-graph") and err.count("\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_characters_that_standard_output_cannot_hold_are_escaped(tmp_path, monkeypatch, encoding):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    goal = "caf\xe9 › cr\xe8me, cake \U0001f370 for all"
    process = _command("goal", "add", goal, "--json", home=tmp_path / "home", stdout=subprocess.PIPE)
    assert json.loads(process.communicate(timeout=60)[0])[0]["text"] == goal
    process = _command("goal", "list", home=tmp_path / "home", stdout=subprocess.PIPE)
    assert process.communicate(timeout=60)[1] == ""


def test_the_command_runs_as_a_module(tmp_path):
    process = _command("--version", home=tmp_path / "home", stdout=subprocess.PIPE)
    assert process.communicate(timeout=60)[0].startswith("context-graph ")


def test_serve_speaks_nothing_but_the_protocol_and_ends_with_its_input(tmp_path):
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }  # fmt: skip
    process = _command("serve", home=tmp_path / "home", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    out, _ = process.communicate(json.dumps(hello) + "\n", timeout=60)
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["id"] for answer in answers] == [1]
    assert answers[0]["result"]["serverInfo"]["name"] == "context-graph"
    assert process.returncode == 0
