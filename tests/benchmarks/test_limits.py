"""The limits beside the ratios are of cases that there are, and in the units that they say."""

import json
from pathlib import Path

import pytest

from benchmarks.kernels import limits

RATIOS = Path(__file__).parents[2] / "benchmarks/results/ratios/zen4-avx512.json"


def test_each_limit_is_of_a_case():
    cases = {row["case"] for row in json.loads(RATIOS.read_text(encoding="utf-8"))["rows"]}
    assert set(limits.WORK) <= cases


def test_a_case_takes_its_work_divided_by_the_rate():
    measured = {rate: 10.0 for _, rate in limits.WORK.values()}
    ratio = {"case": "dense B=1 float32", "goal": 1.5, "ratio": 1.0, "peer": "numpy", "ms": {"ours": 150, "numpy": 160}}
    (row,) = limits.bounds(measured, [ratio | {"threads": 1}, ratio | {"threads": 2}])
    assert row["least_ms"] == pytest.approx(122.88) and row["highest_ratio"] == 1.3
    lines = limits.table([row]).splitlines()
    assert lines[2] == "| dense B=1 float32 | bytes from memory | 123 | 150 | 1.3 | 1.5: **beyond** |"


def test_a_case_without_a_limit_is_left_out():
    assert limits.bounds({}, [{"case": "paths k=10", "threads": 1}]) == []
