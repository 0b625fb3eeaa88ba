"""What the page of cases says was measured is what the files hold."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "memory" / "cases.md").read_text("utf-8")
QUALITY, UNSEEN, TEXTS, SPEED = (
    json.loads((ROOT / "benchmarks" / "results" / "cases" / f"{name}.json").read_text("utf-8"))["result"]
    for name in ("quality", "unseen", "texts", "speed")
)


KNN = "k-NN (10, scaled)"


def row_of(name: str, columns: int) -> list[str]:
    rows = [line.split("|")[2:-1] for line in PAGE.splitlines() if line.startswith(f"| {name} |")]
    (row,) = (row for row in rows if len(row) == columns)
    return [cell.strip() for cell in row]


def shown(found: list[dict]) -> list[str]:
    return [f"{one['accuracy']} / {one['brier']:.3f} / {one['ece']:.3f}" for one in found]


@pytest.mark.parametrize("system", sorted({name.split(": ")[1] for name in QUALITY}))
def test_quality_on_the_page_is_that_of_the_file(system):
    sets = ("iris", "wine", "breast_cancer", "diabetes_in_thirds", "penguins_sex", "titanic", "acts_texts")
    found = [QUALITY[f"{name}: {system}"] for name in sets]
    assert row_of(system, len(sets)) == shown(found)


@pytest.mark.parametrize("system", sorted({name.split(": ")[1] for name in TEXTS} - {"cases, weights learned"}))
def test_public_texts_on_the_page_are_those_of_the_file(system):
    assert row_of(system, 2) == shown([TEXTS[f"{name}: {system}"] for name in ("tweets_sign", "kinds_of_text")])


@pytest.mark.parametrize("name", sorted({name.split(": ")[0] for name in UNSEEN}))
def test_sets_that_had_no_part_in_a_choice_are_on_the_page_as_in_the_file(name):
    found = [UNSEEN[f"{name}: {system}"] for system in ("cases", KNN)]
    assert row_of(name, 2) == shown(found)


def test_cases_are_better_calibrated_than_k_nn_as_often_as_the_page_says():
    def better(results: dict, figure: str) -> list[bool]:
        names = {name.split(": ")[0] for name in results}
        return [results[f"{name}: cases"][figure] < results[f"{name}: {KNN}"][figure] for name in names]

    assert "better calibrated than k-NN on all seven, by Brier score and by calibration error" in PAGE
    assert better(QUALITY, "brier") == better(QUALITY, "ece") == [True] * 7
    assert "the lower calibration error on all nine, and the lower Brier score on four" in PAGE
    assert (sum(better(UNSEEN, "ece")), sum(better(UNSEEN, "brier"))) == (9, 4)


@pytest.mark.parametrize("size", [1_000, 10_000, 100_000])
def test_speed_on_the_page_is_that_of_the_file(size):
    p50, p95, first, *rest = (SPEED[f"{size}: {name}"] for name in ("p50_ms", "p95_ms", "first_ms", "fill_s", "mb"))
    assert row_of(f"{size:,}", 5) == [str(p50), str(p95), f"{first:.0f}", *map(str, rest)]
    assert p95 < 20
