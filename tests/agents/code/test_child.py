"""The process that reads code: what it may not do."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from context_graph.agents.code import child
from context_graph.agents.code.report import MAX_STEP_FINDINGS
from context_graph.children import ChildFailed, ChildStopped, ChildTimedOut, ask
from context_graph.connectors.folder import listing
from context_graph.connectors.folder.parts import Survey
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
def test_a_repository_without_its_objects_fetches_none(shop, tmp_path):
    """A sparse index is expanded by its trees; git fetched those that were missing by a program of the repository."""
    trace = tmp_path / "trace"

    def git(*command):
        who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
        return subprocess.run(["git", *who, *command], cwd=shop, check=True, capture_output=True, encoding="utf-8")

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    git("sparse-checkout", "init", "--cone", "--sparse-index")
    git("sparse-checkout", "set", "docs")
    tree = git("rev-parse", "HEAD:src").stdout.strip()
    (shop / ".git/objects" / tree[:2] / tree[2:]).unlink()
    settings = {
        "core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://nowhere/x", "core.sshCommand": f"touch {trace}; false",
        "protocol.ssh.allow": "always",
    }  # fmt: skip
    for name, value in settings.items():
        git("config", name, value)
    ask(MODULE, question(shop), timeout_s=60)
    assert not trace.exists()


@requirement("knowledge:agents-run-no-code")
def test_a_pipe_that_git_would_read_holds_nobody_for_ever(shop, monkeypatch):
    os.mkfifo(shop / "pipe")
    for command in (["init", "-q"], ["add", "."], ["config", "core.excludesFile", str(shop / "pipe")]):
        subprocess.run(["git", *command], cwd=shop, check=True)
    monkeypatch.setattr(listing, "GIT_S", 0.2)
    assert "src/shop/cart.py" in list(listing.text_files(Survey(shop, shop)))


def test_code_that_is_nested_deep_is_told_and_hides_no_other_file(shop):
    (shop / "src/shop/deep.py").write_text(f"x = {' + '.join(['1'] * 2_000)}\n", "utf-8")
    (shop / "src/shop/many.py").write_text("if x:\n    pass\n" + "elif x:\n    import shop.cart\n" * 300, "utf-8")
    for type in child.ANALYSERS:
        answer = ask(MODULE, question(shop, type=type, task="unused imports, bare excepts, __all__"), timeout_s=60)
        assert answer["files"] == 6
    (measured, *_) = ask(MODULE, question(shop), timeout_s=60)["steps"]
    assert "deeper than 400 levels" in {one["path"]: one["message"] for one in measured["findings"]}["src/shop/deep.py"]


def test_an_answer_is_bounded_whatever_the_code_says(shop):
    name = "A" * 20_000
    code = f"class {name}:\n    class B{name}:\n        def {name}(self): pass\n"
    (shop / "src/shop/names.py").write_text(code * 3 + "try: pass\nexcept: pass\n" * 2_000, "utf-8")
    for type in child.ANALYSERS:
        answer = ask(MODULE, question(shop, type=type, task="bare excepts"), timeout_s=60)
        assert all(len(step["findings"]) <= MAX_STEP_FINDINGS for step in answer["steps"])
        assert len(json.dumps(answer)) < 1_000_000
    assert answer["steps"][0]["found"] > 0
    mistakes = ask(MODULE, question(shop), timeout_s=60)["steps"][1]
    assert mistakes["found"] >= 2_000 and mistakes["outcome"] == f"{mistakes['found']} places"


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
    for i in range(3):
        (shop / f"big{i}.py").write_text("x = [" + "1, " * 200_000 + "]\n", "utf-8")
    answer = ask(MODULE, question(shop, bytes=224 << 20), timeout_s=60)
    assert answer["error"] == "it needed more than its 224 MiB of memory"
    with pytest.raises(ChildTimedOut):
        ask(MODULE, question(shop), timeout_s=0.01)
    with pytest.raises(ChildStopped):
        ask(MODULE, question(shop), timeout_s=60, stopped=lambda: True)


def test_a_child_that_falls_over_says_how(shop):
    with pytest.raises(ChildFailed, match="ended without an answer"):
        ask(MODULE, {"nonsense": 1}, timeout_s=60)
