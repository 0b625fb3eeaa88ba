"""Patches: what they change, that git takes them, and that nothing else changes."""

import ast
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.agents.code.patches import diff, propose_patch, wanted_changes
from context_graph.agents.code.report import MAX_ARTEFACT_CHARS
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


@pytest.mark.parametrize("text", ["import gone", "import a; x = a\n"])
def test_what_a_line_does_not_say_alone_is_left(tmp_path, text):
    (tmp_path / "m.py").write_bytes(text.encode())
    (outcome,) = propose_patch(tmp_path, read_sources(tmp_path), "unused imports")
    assert outcome.artefacts == [] == outcome.findings


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import gone\r\nx = 1\r\n", "end as in Windows"),
        ("import gone\n\x0cx = 1\n", "a form feed"),
        ("import gone\nMAIL = 'bob.brown@example.org'\n", "a secret or personal data"),
    ],
)
def test_a_file_whose_patch_no_answer_carries_is_left_out_and_named(tmp_path, text, says):
    (tmp_path / "m.py").write_bytes(text.encode())
    (tmp_path / "ok.py").write_text("import gone\nx = 1\n", "utf-8")
    outcome = patched(tmp_path, "unused imports")
    assert (tmp_path / "ok.py").read_text("utf-8") == "x = 1\n" and (tmp_path / "m.py").read_bytes() == text.encode()
    row, change = outcome.findings
    assert (change["path"], row["path"], row["line"], row["kind"]) == ("ok.py", "m.py", 1, "left out")
    assert says in row["message"] and "gone: imported and not used" in row["message"]
    assert "1 files" in outcome.outcome and "m.py" in outcome.recommendations[1]


def test_lines_that_git_counts_otherwise_are_not_changed(tmp_path):
    text = "x = 1\r\rimport gone\rtry:\r    x\rexcept:\r    x\n"
    (tmp_path / "m.py").write_bytes(text.encode())
    outcome = patched(tmp_path, "imports, exports, bare excepts")
    assert outcome.artefacts == [] and "carriage return" in outcome.findings[0]["message"]


def test_what_stands_far_from_a_change_keeps_no_file_out(tmp_path):
    far = "x = 1\n" * 9 + "\x0c\nMAIL = 'bob.brown@example.org'\n"
    (tmp_path / "m.py").write_text(f"import gone\n{far}", "utf-8")
    assert patched(tmp_path, "unused imports").findings[0]["kind"] == "change"
    assert (tmp_path / "m.py").read_text("utf-8") == far


def test_a_byte_order_mark_stays(tmp_path):
    (tmp_path / "m.py").write_text("\ufeffimport gone\nimport os\nx = os\n", "utf-8")
    patched(tmp_path, "unused imports")
    assert (tmp_path / "m.py").read_text("utf-8") == "\ufeffimport os\nx = os\n"


def test_a_long_patch_has_whole_files_and_says_what_it_leaves_out(tmp_path):
    text = "import gone\n" + "".join(f"name_{i} = 'a text of some length to fill the line'\n" for i in range(3))
    for i in range(900):
        (tmp_path / f"m{i:03}.py").write_text(text, "utf-8")
    outcome = patched(tmp_path, "unused imports")
    (patch,) = outcome.artefacts
    changed = [path for path in tmp_path.glob("*.py") if "gone" not in path.read_text("utf-8")]
    assert 100_000 < len(patch.content) <= MAX_ARTEFACT_CHARS and 0 < len(changed) < 900
    kinds = [one["kind"] for one in outcome.findings]
    assert kinds.count("change") == len(changed) and kinds.count("left out") == 900 - len(changed)
    assert f"{900 - len(changed)} of them had no room" in outcome.recommendations[-1]
    outcome = patched(tmp_path, "unused imports")
    assert {one["kind"] for one in outcome.findings} == {"change"}, "the next run makes the rest"


STAR = "import json, pub; from pub import *; print(json.dumps(sorted(n for n in dir() if n[0] != '_')))"


def star_of(folder):
    done = subprocess.run([sys.executable, "-c", STAR], cwd=folder, check=True, capture_output=True)
    return set(json.loads(done.stdout)) - {"json", "pub"}


@pytest.mark.parametrize(
    "text",
    [
        "A: int\nB = 1\ndef pub(): pass\nD, (E, *F) = 1, (2, 3)\nG = H = 1\n[J] = [1]\n",
        "A = B = 1\ndel B\nC: int = 2\nclass D:\n    E = 1\n",
        "if 1 > 0:\n    A = 1\nelse:\n    A = 2\n",
        "try:\n    A = 1\nexcept ValueError:\n    A = 2\nfinally:\n    B = 1\n",
        "from typing import TYPE_CHECKING as TYPE_CHECKING\nA = 1\nif TYPE_CHECKING:\n    B = 1\n",
        "A = 1\nif __name__ == '__main__':\n    B = 1\n",
        "import contextlib as _c\nwith _c.nullcontext(1) as A:\n    B = 1\n",
    ],
)
def test_exports_are_the_names_that_are_there(tmp_path, text):
    (tmp_path / "pub.py").write_text(text, "utf-8")
    before = star_of(tmp_path)
    (tmp_path / "pub.pyc").unlink(missing_ok=True)
    assert patched(tmp_path, "add __all__").artefacts
    assert "__all__" in (tmp_path / "pub.py").read_text("utf-8")
    assert star_of(tmp_path) == before - {"TYPE_CHECKING"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("B = 1\nif B:\n    def cond(): pass\n", "cond"),
        ("B = 1\nfor one in []:\n    pass\n", "one"),
        ("B = 1\nmatch B:\n    case [first]:\n        pass\n", "first"),
        ("B = 1\ntry:\n    C = 1\nexcept ValueError:\n    pass\n", "C"),
        ("B = 1\ndef f():\n    global late\n    late = 1\n", "late"),
        ("B = 1\nprint(walrus := 1)\n", "walrus"),
    ],
)
def test_a_module_whose_names_depend_on_how_it_runs_gets_no_exports(tmp_path, text, name):
    (tmp_path / "pub.py").write_text(text, "utf-8")
    outcome = patched(tmp_path, "add __all__")
    (row,) = outcome.findings
    assert outcome.artefacts == [] and row["kind"] == "left out" and f"__all__: {name} may be there" in row["message"]


def test_a_module_that_gives_all_it_imports_gets_no_exports(tmp_path):
    (tmp_path / "pub.py").write_text("from os import path\nB = 1\n", "utf-8")
    (tmp_path / "user.py").write_text("from pub import *\nprint(path)\n", "utf-8")
    (row,) = patched(tmp_path, "add __all__").findings
    assert row["path"] == "pub.py" and "takes * from it" in row["message"]


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
    assert outcome.artefacts == [] and "its name cannot stand in a patch" in outcome.findings[0]["message"]
