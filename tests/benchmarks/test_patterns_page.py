"""What the page of documents says was measured of patterns is what the files hold, and how it is measured."""

import json
from pathlib import Path

import pytest

from benchmarks.quality import patterns

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "knowledge.md").read_text("utf-8")
RESULTS = ROOT / "benchmarks" / "results" / "patterns"


@pytest.mark.parametrize("trace", ["tests", "handbook"])
def test_the_page_says_what_was_measured(trace):
    result = json.loads((RESULTS / f"{trace}.json").read_text("utf-8"))["result"]
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| {trace} |"))
    numbers = [float(cell.replace("%", "").replace(",", "")) for cell in row.split("|")[3:-1]]
    shares = [result[f"{way}: foreseen"] for way in patterns.WAYS]
    assert numbers == [result["next calls"], *(round(share, 1) for share in shares)]


def test_the_recorded_trace_gives_the_kept_numbers_again():
    kept = json.loads((RESULTS / "tests.json").read_text("utf-8"))["result"]
    assert patterns.measured(patterns.recorded(RESULTS / "tests.jsonl.gz")) == kept
    assert patterns.measured(patterns.drawn()) == json.loads((RESULTS / "handbook.json").read_text("utf-8"))["result"]


def test_what_is_foreseen_is_learned_from_the_first_half_alone():
    numbers = patterns.measured([["a", "b"]] * 3 + [["c", "d"]] * 3)
    assert numbers["patterns: foreseen"] == 0 and numbers["patterns: silent"] == 100
    assert patterns.measured([["a", "b"]] * 6)["patterns: foreseen"] == 100
