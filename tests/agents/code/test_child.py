"""The process that reads code: what it may not do."""

import subprocess
from pathlib import Path

import pytest

from context_graph.agents.code import child
from context_graph.children import ChildFailed, ChildStopped, ChildTimedOut, ask
from tests.requirements import requirement

MODULE = "context_graph.agents.code.child"


def question(root, **more):
    return {"type": "analyst", "root": str(root), "scope": "", "task": "x", "bytes": 2 << 30, "cpu_s": 60} | more


@requirement("knowledge:agents-run-no-code")
def test_reading_code_does_not_run_it(shop, tmp_path):
    trace = tmp_path / "trace"
    code = f"open({str(trace)!r}, 'w').write('ran')\n"
    for path in ("src/shop/evil.py", "conftest.py", "tests/test_evil.py", "sitecustomize.py"):
        (shop / path).write_text(code, "utf-8")
    for type in child.ANALYSERS:
        answer = ask(MODULE, question(shop, type=type, task="unused imports"), timeout_s=60)
        assert answer["files"] >= 9
    assert not trace.exists()


@requirement("knowledge:agents-run-no-code")
def test_what_the_configuration_of_a_repository_names_is_not_run(shop, tmp_path):
    trace, program = tmp_path / "trace", tmp_path / "monitor.sh"
    program.write_text(f"#!/bin/sh\ntouch {trace}\n", "utf-8")
    program.chmod(0o755)
    for command in (["init", "-q"], ["config", "core.fsmonitor", str(program)], ["add", "src"]):
        subprocess.run(["git", *command], cwd=shop, check=True)
    trace.unlink(missing_ok=True)  # `git add` has run it
    assert ask(MODULE, question(shop), timeout_s=60)["files"] == 5
    assert not trace.exists()


@requirement("knowledge:agents-run-no-code")
def test_it_has_no_network_or_says_so_and_can_write_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    answer = ask(
        "tests.agents.code.limited_child", {"bytes": 2 << 30, "cpu_s": 60, "path": str(tmp_path / "x")}, timeout_s=60
    )
    assert answer["network"] == "none" or "not cut off" in answer["network"]
    if answer["network"] == "none":
        assert answer["interfaces"] == ["lo"]
        assert answer["connected"] is False
    assert answer["written"] is False and not (tmp_path / "x").read_bytes()


def test_memory_and_time_are_bounded(shop):
    for i in range(6):
        (shop / f"big{i}.py").write_text("x = [" + "1, " * 300_000 + "]\n", "utf-8")
    answer = ask(MODULE, question(shop, bytes=448 << 20), timeout_s=60)
    assert answer["error"] == "it needed more than its 448 MiB of memory"
    with pytest.raises(ChildTimedOut):
        ask(MODULE, question(shop), timeout_s=0.01)
    with pytest.raises(ChildStopped):
        ask(MODULE, question(shop), timeout_s=60, stopped=lambda: True)


def test_a_child_that_falls_over_says_how(shop):
    with pytest.raises(ChildFailed, match="ended without an answer"):
        ask(MODULE, {"nonsense": 1}, timeout_s=60)
