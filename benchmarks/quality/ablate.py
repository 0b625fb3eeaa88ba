"""What each part of the fusion is worth on LoCoMo: recall without it, and its change with an interval.

::

    python -m benchmarks.quality.ablate --data PATH/locomo [--tiers base minilm]

A conversation is stored once; every variant then answers the same questions from the same stores. Intervals
are paired bootstraps over questions, 95 %.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.quality import locomo
from benchmarks.quality.report import save
from context_graph.embed import QueryVectors
from context_graph.memory import Memory
from context_graph.retrieval import Query, fusion, search
from context_graph.settings import Settings

EXTRA = {"semantic": 0.5, "spelling": 0.5}
"""Spaces that are off in the fusion, with the weight at which they are tried."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of one stored conversation."""

    memory: Memory
    turn_of: dict[str, list[str]]
    vectors: QueryVectors
    gold: frozenset[str]


@contextmanager
def stored(folder: Path, tier: str) -> Iterator[list[Asked]]:
    """All conversations of a folder in stores of their own, and their questions."""
    asked, homes, memories = [], [], []
    for conversation in locomo.read(folder):
        homes.append(Path(tempfile.mkdtemp(prefix="ablate-")))
        memory = Memory(Settings(home=homes[-1], tier=tier))
        memories.append(memory)
        turn_of = locomo.feed(memory, conversation)
        asked += [Asked(memory, turn_of, memory.embedder.query(q.text), q.gold) for q in conversation.questions]
    try:
        yield asked
    finally:
        for memory, home in zip(memories, homes, strict=True):
            memory.close()
            shutil.rmtree(home)


def recalls(asked: list[Asked], tier: str, method: str = "zscore") -> np.ndarray:
    """Recall at 5 and at 10 of every question: (n, 2)."""
    found = []
    for question in asked:
        corpus = question.memory.corpus
        rows = search(corpus, Query(question.vectors, corpus.columns.live.copy(), 20, tier, method=method)).rows
        turns = [turn for row in rows for turn in question.turn_of[corpus.ids[row]]]
        found.append([len(question.gold & set(turns[:k])) / len(question.gold) for k in (5, 10)])
    return np.array(found)


@contextmanager
def changed(weights: dict[str, float], name: str, value: float) -> Iterator[None]:
    before = weights.get(name)
    weights[name] = value
    try:
        yield
    finally:
        if before is None:
            del weights[name]
        else:
            weights[name] = before


def change(variant: np.ndarray, whole: np.ndarray) -> dict[str, object]:
    """Recall of a variant, and its difference to the whole with a bootstrap interval, in points."""
    difference = variant - whole
    picks = np.random.default_rng(0).integers(0, len(whole), (2_000, len(whole)))
    row: dict[str, object] = {}
    for column, name in enumerate(("R@5", "R@10")):
        low, high = np.percentile(difference[picks, column].mean(axis=1), [2.5, 97.5])
        row[name] = round(100 * float(variant[:, column].mean()), 2)
        row[f"{name} change"] = [round(100 * float(v), 2) for v in (difference[:, column].mean(), low, high)]
    return row


def variants(asked: list[Asked], tier: str) -> Iterator[tuple[str, np.ndarray]]:
    weights = fusion.WEIGHTS[tier]
    for name in list(weights):
        with changed(weights, name, 0.0):
            yield f"without {name}", recalls(asked, tier)
    for name in [name for name, weight in fusion.RULES.items() if weight]:
        with changed(fusion.RULES, name, 0.0):
            yield f"without rule {name}", recalls(asked, tier)
    for name, weight in EXTRA.items():
        with changed(weights, name, weight):
            yield f"with {name} {weight}", recalls(asked, tier)
    yield "reciprocal rank fusion", recalls(asked, tier, method="rrf")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with conv-*.json")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"])
    options = parser.parse_args()
    for tier in options.tiers:
        started = time.perf_counter()
        with stored(options.data, tier) as asked:
            whole = recalls(asked, tier)
            rows = {"all": change(whole, whole)}
            for name, variant in variants(asked, tier):
                rows[name] = change(variant, whole)
                print(name, rows[name], flush=True)
        save(Path("benchmarks/results/ablation"), tier, rows, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
