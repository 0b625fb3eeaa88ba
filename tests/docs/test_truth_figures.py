"""The figures of docs/memory/truth.md and docs/research/supersession.md are those of the committed results."""

import json
import re
from typing import NamedTuple

import pytest

from tests.docs.test_readme_figures import ROOT, rounded

RESULTS = ROOT / "benchmarks" / "results" / "truth"
GUIDE = (ROOT / "docs" / "memory" / "truth.md").read_text(encoding="utf-8")
RESEARCH = (ROOT / "docs" / "research" / "supersession.md").read_text(encoding="utf-8")
COLUMNS = [("base", "all"), ("base", "held"), ("minilm", "all"), ("minilm", "held")]
SETS = {
    "130 updates": ("updates", "truth"), "20 pairs": ("updates", "control, truth"),
    "120 pairs": ("pairs", "control, duplicate"), "280 pairs": ("pairs", "duplicate"),
}  # fmt: skip


class Lives(NamedTuple):
    """Sums over parts of `benchmarks.quality.lives`."""

    questions: int
    told: int
    first: int
    right: int
    ended: int
    lines: int
    earlier: int


def lives(tier: str, half: str) -> Lives:
    """What the committed results say of a tier: of "all" parts, of those "held", or of those "looked at"."""
    pattern = re.compile(
        rf"{tier}, ([\w-]+): (\d+) questions; told ([\d.]+)%, first ([\d.]+)%, .* right ([\d.]+)%; "
        r"told as ended though it holds: (\d+) of (\d+) lines, \d+ more in part, (\d+) as earlier"
    )
    sums = [0] * 7
    for line in (RESULTS / "lives.txt").read_text(encoding="utf-8").splitlines():
        match = pattern.match(line)
        if match and (half == "all" or (half == "held") == ("held" in match[1])):
            questions = int(match[2])
            shares = [round(questions * float(match[k]) / 100) for k in (3, 4, 5)]
            sums = [a + b for a, b in zip(sums, (questions, *shares, *map(int, match.groups()[5:])), strict=True)]
    return Lives(*sums)


def row(page: str, begins: str) -> list[str]:
    line = next(line for line in page.splitlines() if line.startswith(f"| {begins}"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


@pytest.mark.parametrize("begins", SETS)
def test_a_row_of_the_guide_is_the_result(begins):
    dataset, measure = SETS[begins]
    for cell, (tier, half) in zip(row(GUIDE, begins), COLUMNS, strict=True):
        result = json.loads((RESULTS / f"ours-{tier}.json").read_text(encoding="utf-8"))["result"]
        assert cell == rounded(result[dataset][half][measure])


@pytest.mark.parametrize(
    ("begins", "part", "whole"),
    [
        ("3,326 questions", "first", "questions"), ("the same: told, above", "right", "questions"),
        ("the same: lines told as past", "ended", "lines"), ("the same: lines called earlier", "earlier", "lines"),
    ],
)  # fmt: skip
def test_a_row_about_the_lives_is_the_result(begins, part, whole):
    for cell, (tier, half) in zip(row(GUIDE, begins), COLUMNS, strict=True):
        sums = lives(tier, half)
        assert cell == rounded(100 * getattr(sums, part) / getattr(sums, whole))


@pytest.mark.parametrize(("begins", "half"), [("fitted, later", "looked at"), ("held, dense-held", "held")])
def test_a_row_of_the_research_page_is_the_result(begins, half):
    sums = lives("base", half)
    shares = [f"{rounded(100 * share / sums.questions)} %" for share in (sums.told, sums.first, sums.right)]
    ended = f"{sums.ended} of {sums.lines:,}"
    assert row(RESEARCH, begins) == [f"{sums.questions:,}", *shares, ended, str(sums.earlier)]
