"""The figures of the README are those of the committed results."""

import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = {
    "random order": "random", "grep (shared words)": "grep", "BM25 (bm25s)": "bm25",
    "one MiniLM vector a memory": "minilm-pooled", "chromadb, same MiniLM vectors": "chromadb",
    "**Context Graph, base**": "ours-base",
    "**Context Graph, `minilm`**": "ours-minilm",
}  # fmt: skip
LOCOMO = (
    "R@5", "R@10", "R@20", "MRR", "held R@10", "R@10 multi-hop", "R@10 temporal", "R@10 open-domain", "R@10 single-hop",
)  # fmt: skip
OTHERS = ("musique", "2wiki", "hotpotqa", "cosqa", "cranfield", "cisi")
CHAINS = OTHERS[:3]


def table(first_column: str) -> dict[str, list[str]]:
    """The rows of the first table whose header has this word, without that header."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("|") and f"| {first_column} |" in line)
    rows = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return rows
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[name] = cells
    return rows


def result(dataset: str, system: str) -> dict[str, float]:
    path = ROOT / "benchmarks" / "results" / "recall" / dataset / f"{system}.json"
    return json.loads(path.read_text(encoding="utf-8"))["result"]


def rounded(value: float, digits: int = 1) -> str:
    """As people round: 42.15 is 42.2."""
    return str(Decimal(str(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


@pytest.mark.parametrize("name", table("R@5"))
def test_a_row_of_locomo_is_the_result(name):
    found = result("locomo", ROWS[name])
    assert table("R@5")[name] == [rounded(found[measure]) for measure in LOCOMO]


@pytest.mark.parametrize("name", table("MuSiQue"))
def test_a_row_of_the_other_sets_is_the_result(name):
    for dataset, cell in zip(OTHERS, table("MuSiQue")[name], strict=True):
        found = result(dataset, ROWS[name])
        if dataset in CHAINS:
            whole, held = ((found[f"{part}R@5"], found[f"{part}all@5"]) for part in ("", "held "))
            written = "{} / {} ({} / {})".format(
                *(rounded(*one) for one in zip((*whole, *held), (1, 0) * 2, strict=True))
            )
            assert cell == written, dataset
        else:
            assert cell == f"{rounded(found['R@10'])} ({rounded(found['held R@10'])})", dataset


TRUTH = {
    "130 updates": ("updates", "truth"), "20 where": ("updates", "control, truth"), "120 questions": ("times", "hit@1"),
    "the same: told": ("times", "told"), "72 questions": ("profile", "recall"), "80 questions": ("languages", "hit@1"),
    "120 pairs": ("pairs", "control, duplicate"),
}  # fmt: skip


@pytest.mark.parametrize(("column", "system"), [(0, "bm25"), (1, "vector"), (2, "ours-base"), (3, "ours-minilm")])
@pytest.mark.parametrize("begins", TRUTH)
def test_a_row_of_the_truth_is_the_result(begins, column, system):
    dataset, measure = TRUTH[begins]
    rows = table("BM25")
    cell = next(cells[column] for name, cells in rows.items() if name.startswith(begins))
    path = ROOT / "benchmarks" / "results" / "truth" / f"{system}.json"
    found = json.loads(path.read_text(encoding="utf-8"))["result"][dataset]
    if cell != "-":  # of a system that recognises nothing
        assert cell == "{} ({})".format(*(rounded(found[part][measure], 0) for part in ("all", "held")))
