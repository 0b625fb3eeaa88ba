"""The tables of docs/kernels/index.md are those of the committed results."""

import json
from pathlib import Path

import pytest

from benchmarks.kernels import limits
from benchmarks.kernels.ratio_table import table

PAGE = Path(__file__).parents[2] / "docs/kernels/index.md"
RESULTS = Path(__file__).parents[2] / "benchmarks/results/ratios"


@pytest.mark.parametrize("machine", ["xeon-amx", "epyc-avx512"])
def test_the_page_has_the_table_of_the_result(machine):
    assert table(RESULTS / f"{machine}.json") in PAGE.read_text(encoding="utf-8")


def test_the_page_has_the_table_of_the_limits():
    rows = json.loads((RESULTS / "epyc-limits.json").read_text(encoding="utf-8"))["rows"]
    assert limits.table(rows) in PAGE.read_text(encoding="utf-8")
