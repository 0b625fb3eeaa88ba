"""What tests leave out, by names and by coverage, and skeletons that run."""

import json
import sqlite3
import subprocess
import sys

import coverage
import pytest

from context_graph.agents.code.sources import read_sources
from context_graph.agents.code.untested import coverage_of, find_untested
from tests.requirements import requirement


def steps_of(root):
    return {one.action: one for one in find_untested(root, read_sources(root), "x")}


def test_functions_that_no_test_names_are_told(shop):
    step = steps_of(shop)["compare names"]
    assert {(one["path"], one["message"].split("(")[0]) for one in step.findings} == {
        ("src/shop/cart.py", "no test names Cart.add"), ("src/shop/cart.py", "no test names choose"),
        ("src/shop/prices.py", "no test names discount"), ("src/shop/report.py", "no test names show"),
        ("src/shop/broken.py", "no Python that this version reads: invalid syntax"),
    }  # fmt: skip
    assert step.outcome.endswith("; 1 skipped as unread")
    assert "there is no coverage data" in steps_of(shop)["read coverage"].outcome


@requirement("knowledge:tester")
def test_the_skeletons_run_and_each_test_is_skipped_by_name(shop, tmp_path):
    folder = tmp_path / "made"
    folder.mkdir()
    made = [one for one in steps_of(shop)["write skeletons"].artefacts if one.type == "tests"]
    assert len(made) == 3
    for one in made:
        (folder / one.name).write_text(one.content, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-o", "addopts=", str(folder)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", cwd=folder, env={"PYTHONPATH": str(shop / "src"), "PATH": ""}
    )
    assert done.returncode == 0, done.stdout
    assert "4 skipped" in done.stdout
    for name in ("Cart.add", "choose", "discount", "show"):
        assert f"what {name}(" in done.stdout, "the reason says what is to be written"


@pytest.fixture
def ran(shop, tmp_path):
    """Coverage data of a run of the tests of the shop, as coverage.py writes it."""
    (shop / "src/shop/broken.py").unlink()
    script = (
        "import sys; sys.path.insert(0, 'src'); sys.path.insert(0, 'tests'); import test_cart; test_cart.test_total()"
    )
    (tmp_path / "script.py").write_text(script, "utf-8")

    def run(*options, form=None):
        command = [sys.executable, "-m", "coverage"]
        subprocess.run([*command, "run", *options, "--source=src", str(tmp_path / "script.py")], cwd=shop, check=True)
        if form:
            subprocess.run([*command, form], cwd=shop, check=True, capture_output=True)
            (shop / ".coverage").unlink()

    return run


@pytest.mark.parametrize(("options", "form"), [((), None), (("--branch",), None), ((), "json"), ((), "xml")])
def test_coverage_is_read_as_coverage_py_reads_it(shop, ran, options, form):
    ran(*options, form=form)
    data, problem = coverage_of(shop)
    assert not problem and data.file == (f"coverage.{form}" if form else ".coverage")
    if form is None:
        theirs = coverage.CoverageData(str(shop / ".coverage"))
        theirs.read()
        expected = {
            path.removeprefix(f"{shop}/"): set(theirs.lines(path))
            for path in theirs.measured_files()
            if theirs.lines(path)
        }
        assert {path: lines for path, lines in data.lines.items() if lines} == expected
    missed = {one["message"] for one in steps_of(shop)["read coverage"].findings}
    assert {one.split(" was")[0] for one in missed} == {"Cart.add", "choose", "discount", "show"}


@pytest.mark.parametrize("name", [".coverage", "coverage.json", "coverage.xml"])
def test_what_is_no_coverage_data_is_told_and_read_no_further(shop, name):
    (shop / name).write_text("{" if "json" in name else "<a", "utf-8")
    data, problem = coverage_of(shop)
    assert data is None and f"{name} is no coverage data" in problem
    step = steps_of(shop)["read coverage"]
    assert problem in step.outcome and step.recommendations[0].startswith(problem)
    assert [(one["path"], one["kind"], one["message"]) for one in step.findings] == [(name, "unread", problem)]
    (report,) = [one for one in steps_of(shop)["write skeletons"].artefacts if one.name == "tests.md"]
    assert problem.replace("_", "\\_") in report.content


def test_coverage_of_elsewhere_is_not_followed(shop, tmp_path):
    (tmp_path / "c.json").write_text(json.dumps({"files": {"src/shop/cart.py": {"executed_lines": [1]}}}), "utf-8")
    (shop / "coverage.json").symlink_to(tmp_path / "c.json")
    assert coverage_of(shop) == (None, "")


@requirement("knowledge:agents-run-no-code")
def test_a_skeleton_holds_no_program_that_a_file_is_called_like(shop):
    evil = 'x""" + __import__("os").system("touch trace") + """.py'
    (shop / evil).write_text("def run(): pass\n", "utf-8")
    step = steps_of(shop)["write skeletons"]
    made = [one.content for one in step.artefacts if one.type == "tests"]
    assert len(made) == 3 and not any("system" in text for text in made)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("coverage.json", b"[" * 100_000), ("coverage.json", b'{"files": {"a": {"executed_lines": [[1]]}}}'),
        ("coverage.xml", b"<coverage><class filename='a'><line/></class></coverage>"), (".coverage", b"no database"),
    ],
)  # fmt: skip
def test_what_only_looks_like_coverage_is_told(shop, name, content):
    (shop / name).write_bytes(content)
    found, problem = coverage_of(shop)
    assert found is None and problem.startswith(f"{name} is no coverage data")


def test_coverage_without_paths_is_told(shop):
    with sqlite3.connect(shop / ".coverage") as database:
        database.executescript("CREATE TABLE file (id, path); CREATE TABLE line_bits (file_id, numbits)")
        database.executescript("CREATE TABLE arc (file_id, fromno, tono); INSERT INTO file VALUES (1, NULL)")
        database.execute("INSERT INTO line_bits VALUES (1, ?)", (b"\1",))
    database.close()
    assert coverage_of(shop)[1] == ".coverage is no coverage data that this version reads (TypeError)"
