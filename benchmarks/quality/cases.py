"""Prediction from similar cases: how well and how fast.

`quality`: four public sets that come with scikit-learn, five folds, with the default settings of a model and without
declared features, against the defaults of scikit-learn. Brier score and expected calibration error are those of the
confidence in the predicted outcome. Nothing was tuned on these sets. `speed`: reasoning over arrays that are filled
directly, eight features of all types::

    python -m benchmarks.quality.cases --parts quality speed
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.cases.base import Case, CaseArrays
from context_graph.cases.calibration import expected_error
from context_graph.cases.model import CaseSettings
from context_graph.cases.reasoning import predict
from context_graph.embed import Embedder
from context_graph.models import Scope
from context_graph.visibility import ANYONE

FOLDS, SEED = 5, 0
SIZES = (1_000, 10_000, 100_000)
QUERIES = 200
WORDS = ("parser", "cache", "index", "lock", "socket", "kernel", "schema", "queue", "token", "thread")


def arrays_of(rows: list[tuple[dict, object]], embed: Callable[[str], np.ndarray]) -> CaseArrays:
    arrays = CaseArrays(None, {}, embed)
    cases = [
        Case(f"n{i}", f"c{i}", None, given, outcome, {}, Scope.USER, "s", None)
        for i, (given, outcome) in enumerate(rows)
    ]
    arrays.update(cases, np.ones(len(cases), bool), 1)
    return arrays


def sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    from sklearn import datasets

    for name in ("iris", "wine", "breast_cancer"):
        loaded = getattr(datasets, f"load_{name}")()
        yield name, loaded.data, loaded.target
    diabetes = datasets.load_diabetes()
    ends = np.quantile(diabetes.target, [1 / 3, 2 / 3])
    yield "diabetes_in_thirds", diabetes.data, np.digitize(diabetes.target, ends)


def ours(train: np.ndarray, labels: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Predicted labels and the confidence in each."""

    def features(row: np.ndarray) -> dict:
        return {f"f{i}": float(value) for i, value in enumerate(row)}

    rows = [(features(row), f"class {label}") for row, label in zip(train, labels, strict=True)]
    arrays = arrays_of(rows, lambda text: np.zeros(1, np.float32))
    answers = [predict(arrays, features(row), CaseSettings(), ANYONE) for row in test]
    return np.array([int(one.outcome.split()[1]) for one in answers]), np.array([one.confidence for one in answers])


def theirs(make: Callable[[], object]) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    def run(train: np.ndarray, labels: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        model = make()
        model.fit(train, labels)
        likely = model.predict_proba(test)
        return model.classes_[likely.argmax(axis=1)], likely.max(axis=1)

    return run


def systems() -> dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return {
        "cases": ours,
        "k-NN (10, scaled)": theirs(
            lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(10, weights="distance"))
        ),
        "naive Bayes": theirs(GaussianNB),
        "logistic regression": theirs(lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1_000))),
        "random forest": theirs(lambda: RandomForestClassifier(random_state=SEED)),
    }


def quality() -> dict[str, dict[str, float]]:
    from sklearn.model_selection import StratifiedKFold

    numbers = {}
    for name, data, target in sets():
        for system, run in systems().items():
            right, sure = [], []
            for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(data, target):
                labels, confidence = run(data[train], target[train], data[test])
                right.append(labels == target[test])
                sure.append(confidence)
            hits, confidences = np.concatenate(right).astype(float), np.concatenate(sure)
            numbers[f"{name}: {system}"] = {
                "accuracy": round(100 * float(hits.mean()), 1),
                "brier": round(float(((confidences - hits) ** 2).mean()), 4),
                "ece": round(expected_error(confidences, hits), 4),
            }
            print(f"{name:<20} {system:<20}", numbers[f"{name}: {system}"], flush=True)
    return numbers


def random_case(dice: random.Random) -> tuple[dict, str]:
    lines = dice.randint(1, 1000)
    features = {
        "lines": lines, "complexity": dice.random(), "age": dice.gauss(0, 1), "tests": dice.random() < 0.5,
        "language": dice.choice(WORDS), "tags": dice.sample(WORDS, 3),
        "day": f"20{dice.randint(10, 26)}-0{dice.randint(1, 9)}-11",
        "note": f"the {dice.choice(WORDS)} and the {dice.choice(WORDS)} of the {dice.choice(WORDS)} changed after it",
    }  # fmt: skip
    return features, "approved" if lines + dice.gauss(0, 100) < 500 else "rejected"


def speed() -> dict[str, float]:
    embedder, numbers = Embedder("base"), {}
    for size in SIZES:
        dice = random.Random(SEED)
        rows = [random_case(dice) for _ in range(size)]
        begun = time.perf_counter()
        arrays = arrays_of(rows, lambda text: embedder.query(text).semantic)
        numbers[f"{size}: fill_s"] = round(time.perf_counter() - begun, 2)
        begun = time.perf_counter()
        predict(arrays, random_case(dice)[0], CaseSettings(), ANYONE)
        numbers[f"{size}: first_ms"] = round(1e3 * (time.perf_counter() - begun), 1)
        times = []
        for _ in range(QUERIES):
            query = random_case(dice)[0]
            begun = time.perf_counter()
            predict(arrays, query, CaseSettings(), ANYONE)
            times.append(1e3 * (time.perf_counter() - begun))
        for name, share in (("p50_ms", 50), ("p95_ms", 95)):
            numbers[f"{size}: {name}"] = round(float(np.percentile(times, share)), 2)
        print(size, {name: value for name, value in numbers.items() if name.startswith(f"{size}:")}, flush=True)
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=("quality", "speed"), default=("quality", "speed"))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/cases"))
    options = parser.parse_args()
    for part in options.parts:
        begun = time.perf_counter()
        numbers = {"quality": quality, "speed": speed}[part]()
        save(options.out, part, numbers, [], seconds=time.perf_counter() - begun)


if __name__ == "__main__":
    main()
