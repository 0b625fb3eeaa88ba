"""What CONTRIBUTING.md tells a contributor: its commands exist, and all of them mean the same."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import context_graph

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")


def test_the_verbs_of_the_page_are_those_of_the_script():
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    script = (ROOT / ".ci" / "dev").read_text("utf-8")
    assert re.findall(r"^\| `\.ci/dev (\w+)", page, re.M) == re.findall(r"^  (\w+)\)$", script, re.M)


def test_an_unknown_verb_is_misuse():
    done = subprocess.run([ROOT / ".ci" / "dev", "chekc"], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (2, "")
    assert "check | test" in done.stderr


@pytest.mark.long
def test_the_checkout_passes_its_own_check():
    pytest.importorskip("ruff", reason="ruff is not installed")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run([ROOT / ".ci" / "dev", "check"], capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("file", [".pre-commit-config.yaml", ".github/workflows/check.yml"])
def test_hooks_and_workflows_take_the_ruff_of_the_tests(file):
    (wanted,) = (each for each in PROJECT["project"]["optional-dependencies"]["test"] if each.startswith("ruff"))
    assert set(re.findall(r"ruff[<>=][^\"']*", (ROOT / file).read_text("utf-8"))) == {wanted}


@pytest.mark.parametrize(("length", "refused"), [(72, False), (73, True)])
def test_the_hook_measures_the_title_alone(length, refused):
    pattern = re.search(r"id: commit-title.*?entry: '([^']+)'", HOOKS, re.S)[1]
    message = "x" * length + "\n\n" + "a body may have long lines " * 9
    assert bool(re.search(pattern, message, re.M | re.S)) is refused


def test_the_benchmark_command_of_the_kernel_pages_measures():
    pages = "\n".join(path.read_text("utf-8") for path in (ROOT / "docs" / "kernels").glob("*.md"))
    (flags,) = set(re.findall(r"pytest (.*?) ?benchmarks/kernels/bench_", pages))
    asked = [sys.executable, "-m", "pytest", *flags.split(), "benchmarks/kernels/bench_overhead.py", "-k", "numpy.add"]
    asked += ["--benchmark-max-time=0.01", "--benchmark-min-rounds=1", "-p", "no:cacheprovider"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_numpy[numpy.add]" in done.stdout


def test_the_version_stands_in_one_place_and_heads_the_changelog():
    place = ROOT / PROJECT["tool"]["scikit-build"]["metadata"]["version"]["input"]
    assert "version" in PROJECT["project"]["dynamic"]
    assert f'\n__version__ = "{context_graph.__version__}"\n' in place.read_text("utf-8")
    headings = re.findall(r"^## (.*)$", (ROOT / "docs" / "changelog.md").read_text("utf-8"), re.M)
    newest = next(heading for heading in headings if heading != "Unreleased")
    assert re.fullmatch(rf"{re.escape(context_graph.__version__)} \(\d{{4}}-\d\d-\d\d\)", newest)
