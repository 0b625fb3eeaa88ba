"""Patches: what they change, that git takes them, and that nothing else changes."""

import ast
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.agents.code.patches import diff, propose_patch, wanted_changes
from context_graph.agents.code.sources import read_sources
from tests.requirements import requirement

TEXT = '''"""A module."""

import gone
import os, sys
from typing import (
    Any,
    Mapping,
)
from a import one, two  # a comment

LIMIT = 1


def f(x: Mapping):
    try:
        return os.path.join(x), one
    except  :
        return two
'''


def patched(root, task):
    """The outcome, and the files after git has applied the patch."""
    (outcome,) = propose_patch(root, read_sources(root), task)
    for one in outcome.artefacts:
        command = ["git", "apply", "--unsafe-paths", "-p1", "-"]
        subprocess.run(command, input=one.content.encode(), cwd=root, check=True, capture_output=True)
    return outcome


@pytest.fixture
def module(tmp_path):
    place = tmp_path / "m.py"
    place.write_text(TEXT, "utf-8")
    return place


@requirement("knowledge:coder")
def test_unused_imports_go_and_the_rest_stays_as_it_is(module):
    outcome = patched(module.parent, "please remove unused imports")
    after = module.read_text("utf-8")
    assert after == TEXT.replace("import gone\n", "").replace("import os, sys", "import os").replace(
        "from typing import (\n    Any,\n    Mapping,\n)", "from typing import Mapping"
    )
    assert [one["line"] for one in outcome.findings] == [3, 4, 5]
    assert "nothing was changed" in outcome.recommendations[0]


@requirement("knowledge:coder")
def test_exports_and_excepts(module):
    patched(module.parent, "add __all__ and mend the bare excepts")
    after = module.read_text("utf-8")
    assert '\n__all__ = ["LIMIT", "f"]\n\nLIMIT = 1' in after and "    except Exception:\n" in after
    ast.parse(after)
    assert "__all__" not in wanted_changes("remove unused imports")


def test_nothing_of_the_project_is_written(shop):
    before = {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()}
    (outcome,) = propose_patch(shop, read_sources(shop), "imports, exports, bare excepts")
    assert outcome.artefacts and {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "text", ["import gone", "import gone\r\nx = 1\r\n", "\ufeffimport gone\nx = 1\n", "import a; x = a\n"]
)
def test_what_a_line_does_not_say_alone_is_left(tmp_path, text):
    (tmp_path / "m.py").write_bytes(text.encode())
    (outcome,) = propose_patch(tmp_path, read_sources(tmp_path), "unused imports")
    assert outcome.artefacts == []


LINES = st.lists(st.sampled_from(["a", "", "b\x0c", "é"]), max_size=8).map("\n".join)


@given(before=LINES, after=LINES)
def test_git_takes_every_diff(tmp_path_factory, before, after):
    if before == after:
        return
    folder = tmp_path_factory.mktemp("diff")
    (folder / "m.py").write_text(before, "utf-8", newline="")
    subprocess.run(
        ["git", "apply", "-"], input=diff("m.py", before, after).encode(), cwd=folder, check=True, capture_output=True
    )
    assert (folder / "m.py").read_bytes().decode() == after


def test_a_name_cannot_bring_changes_of_another_file_into_a_patch(tmp_path):
    folder = tmp_path / "a\n--- a/victim\n+++ b/victim\n@@ -0,0 +1 @@\n+evil\n"
    folder.mkdir(parents=True)
    (folder / "x.py").write_text("import gone\n\nx = 1\n", "utf-8")
    (outcome,) = propose_patch(tmp_path, read_sources(tmp_path), "unused imports")
    assert outcome.artefacts == [] and "1 files are left alone" in outcome.outcome
