"""What pages say was measured is what the files below benchmarks/results hold."""

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MEASURED = [page for page in PAGES if "\n| case | min us | median us |" in page.read_text("utf-8")]
ROUNDED = 0.51
"""Pages tell microseconds, of small times tenths."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_results_that_a_page_names_are_there(page):
    named = re.findall(r"benchmarks/results/[\w./*<>-]*[\w*]", page.read_text("utf-8"))
    assert [name for name in named if "<" not in name and not any(ROOT.glob(name))] == []


@pytest.mark.parametrize("page", MEASURED, ids=lambda page: page.stem)
def test_the_times_on_a_kernel_page_are_those_of_the_files_it_names(page):
    text = page.read_text("utf-8")
    records = defaultdict(list)
    for name in set(re.findall(r"benchmarks/results/kernels/[\w-]+\.json", text)):
        for row in json.loads((ROOT / name).read_text("utf-8"))["rows"]:
            records[row["name"].removeprefix(f"{page.stem}.test_")].append((row["min_us"], row["median_us"]))
    told = re.findall(r"^\| (\w+(?:\[[^\]]*\])?) \| ([\d.]+) \| ([\d.]+) \|", text, re.M)
    assert told
    for case, *times in told:
        near = [pytest.approx(kept, abs=ROUNDED) for kept in records[case]]
        assert tuple(map(float, times)) in near, f"{case} was measured otherwise: {records[case]}"


def test_files_are_named_by_machine_and_subject_not_by_date():
    assert [path.name for path in RESULTS.rglob("*") if re.search(r"\d{4}-\d\d-\d\d", path.name)] == []
