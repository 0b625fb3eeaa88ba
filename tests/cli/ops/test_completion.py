"""What a shell needs to complete commands and options."""

import shutil
import subprocess
import sys

import pytest


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_script_knows_every_command_and_its_options(run, shell):
    pytest.importorskip("shtab")
    script = run("completion", shell).out
    assert all(word in script for word in ("quickstart", "remember", "without-vectors", "--tier"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes_a_command(run):
    pytest.importorskip("shtab")
    script = run("completion", "bash").out
    asked = 'COMP_WORDS=(context-graph remem); COMP_CWORD=1; _shtab_context_graph; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["remember"]


def test_without_the_package_it_says_what_to_install(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    refused = run("completion", "bash")
    assert refused.code == 1 and "pip install shtab" in refused.err
