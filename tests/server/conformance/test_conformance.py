"""The public suite of the protocol's authors, with the server over HTTP."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from environments import node_packages, node_program
from http_process import HttpServer

from tests.requirements import requirement

SUITE = "@modelcontextprotocol/conformance"
FOLDER = Path(__file__).parent
NOT_APPLICABLE = FOLDER / "not-applicable.yml"
DOCS = Path(__file__).parents[3] / "docs" / "http.md"

RUNS = [
    ("0.1.16", "2025-11-25", 22),
    ("0.2.0-alpha.12", "2025-06-18", 20),
    ("0.2.0-alpha.12", "2025-11-25", 23),
    ("0.2.0-alpha.12", "2026-07-28", 20),
]
"""Versions of the suite, revisions, and how many scenarios pass whole."""


def not_applicable():
    return re.findall(r"^  - (\S+)", NOT_APPLICABLE.read_text(encoding="utf-8"), re.M)


@requirement("http:conformance")
@pytest.mark.long
@pytest.mark.parametrize(("version", "revision", "passing"), RUNS)
def test_every_scenario_that_applies_passes(tmp_path, version, revision, passing):
    folder = node_packages(f"{SUITE}@{version}")
    server = HttpServer(tmp_path / "home", program=(FOLDER / "fixtures.py",))
    try:
        done = subprocess.run(
            [
                node_program()[0], folder / "node_modules" / SUITE / "dist" / "index.js", "server",
                "--url", server.mcp, "--suite", "all", "--spec-version", revision,
                "--expected-failures", NOT_APPLICABLE,
            ],
            cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}, check=False,
        )  # fmt: skip
    finally:
        server.end()
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr
    # A scenario in which nothing was checked counts as passed there.
    whole = set(re.findall(r"^✓ (\S+): [1-9]\d* passed, 0 failed", done.stdout, re.M)) - set(not_applicable())
    assert len(whole) == passing, done.stdout


@requirement("http:conformance")
def test_the_page_names_every_scenario_that_does_not_apply():
    named = not_applicable()
    page = DOCS.read_text(encoding="utf-8")
    assert len(named) > 20
    assert [name for name in named if f"`{name.rpartition(':')[2]}`" not in page] == []
