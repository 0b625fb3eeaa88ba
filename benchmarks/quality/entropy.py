"""Fit the temperature of the pulse, so that the median entropy over development questions is one half.

::

    python -m benchmarks.quality.entropy --data PATH/locomo

prints the constant of `nervous/pulse.py`: one for both tiers, on their questions together.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.evaluation.sets import QuestionSet, read
from context_graph.evaluation.stores import stored
from context_graph.nervous.pulse import result_entropy
from context_graph.recall.question import Question


def relevances(sets: list[QuestionSet], tier: str) -> list[list[float]]:
    """Relevance of the ten best results of every question, highest first."""
    with stored(sets, tier) as asked:
        found = [one.memory.recall(Question(one.question.text, record=False)).hits for one in asked]
    return [sorted((hit.relevance for hit in hits), reverse=True) for hits in found]


def fit(found: list[list[float]]) -> float:
    """Bisection: entropy rises with temperature."""
    low, high = 1e-3, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        median = float(np.median([result_entropy(relevance, temperature=middle) for relevance in found]))
        low, high = (middle, high) if median < 0.5 else (low, middle)
    return high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with conv-*.json")
    parser.add_argument("--conversations", type=int, default=1)
    options = parser.parse_args()
    started = time.perf_counter()
    chosen = read(options.data)[: options.conversations]
    found = {tier: relevances(chosen, tier) for tier in ("base", "minilm")}
    temperature = fit(found["base"] + found["minilm"])
    medians = {
        f"median {tier}": round(float(np.median([result_entropy(r, temperature=temperature) for r in rows])), 3)
        for tier, rows in found.items()
    }
    numbers = {"temperature": round(temperature, 4), "questions": sum(map(len, found.values()))} | medians
    save(Path("benchmarks/results/calibration"), "entropy", numbers, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
