"""Fit the calibration of relevance on HotpotQA, and check it on sets it has not seen.

A question is asked of parts of the store, from one memory to all, half of them without its evidence, so that
a probability means the same in a small store and in a large one.

::

    python -m benchmarks.quality.calibrate --data PATH

prints the constants of `retrieval/relevance.py` and, for each set, how far stated probabilities are from
observed shares (expected calibration error over ten bins).
"""

import argparse
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import stored
from context_graph.recall.judgement import signals_of

TOP = 10
FITTED, UNSEEN = "hotpotqa", ("musique", "locomo")
SIZES = (1, 3, 10, 30, 100, 300, None)


def observed(folder: Path, tier: str, keep: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Signals of the ten best results of every question that has an answer, and whether each is evidence."""
    random = np.random.default_rng(0)
    signals, gold = [], []
    with stored(read(folder), tier, keep=keep) as asked:
        for one in asked:
            if one.question.category == "adversarial":
                continue
            others = np.setdiff1d(np.arange(len(one.memory.corpus)), list(one.gold))
            for size in SIZES:
                among = others if size is None else random.choice(others, min(size, len(others)), replace=False)
                if random.random() < 0.5:
                    among = np.concatenate([among[len(one.gold) if size else 0 :], sorted(one.gold)])
                rows, values = signals_of(one.memory, one.vectors, TOP, np.sort(among))
                signals.append(values)
                gold += [row in one.gold for row in rows.tolist()]
    return np.concatenate(signals), np.array(gold, float)


def fit(signals: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method with a little ridge: intercept first."""
    x = np.column_stack([np.ones(len(signals)), signals])
    weights = np.zeros(x.shape[1])
    ridge = np.diag([0.0, *[1e-2] * (x.shape[1] - 1)])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (p - gold) + ridge @ weights
        weights -= np.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]) + ridge + 1e-9 * np.eye(len(weights)), gradient)
    if (weights[1:] < 0).any():  # a signal that only corrects another one would make relevance fall as it rises
        kept = (
            np.arange(signals.shape[1]) != (weights[1:] * signals.std(axis=0)).argmin()
        )  # one at a time: they overlap
        weights = np.zeros(len(weights))
        weights[[True, *kept]] = fit(signals[:, kept], gold)
    return weights


def calibration_error(weights: np.ndarray, signals: np.ndarray, gold: np.ndarray) -> float:
    p = 1 / (1 + np.exp(-(weights[0] + signals @ weights[1:])))
    bins = np.minimum((p * 10).astype(int), 9)
    return float(
        sum(abs(p[bins == b].mean() - gold[bins == b].mean()) * (bins == b).mean() for b in set(bins.tolist()))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with hotpotqa, musique and locomo")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"])
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    options = parser.parse_args()
    for tier in options.tiers:
        sets = {name: observed(options.data / name, tier, options.keep) for name in (FITTED, *UNSEEN)}
        weights = fit(*sets[FITTED])
        errors = {f"ECE {name}": round(calibration_error(weights, *part), 4) for name, part in sets.items()}
        constants = {f"w{i}": round(float(w), 3) for i, w in enumerate(weights)}
        save(Path("benchmarks/results/calibration"), tier, constants | errors, [], seconds=0)


if __name__ == "__main__":
    main()
