"""The table of docs/kernels/index.md is that of the committed result."""

from pathlib import Path

from benchmarks.kernels.ratio_table import table

PAGE = Path(__file__).parents[2] / "docs/kernels/index.md"


def test_the_page_has_the_table_of_the_result():
    assert table() in PAGE.read_text(encoding="utf-8")
