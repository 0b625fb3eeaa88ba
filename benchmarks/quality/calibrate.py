"""Fit the calibration of relevance on HotpotQA, and check it on sets it has not seen.

A question is asked of parts of the store, from one memory to all, half of them without its evidence, so that
a probability means the same in a small store and in a large one.

::

    python -m benchmarks.quality.calibrate --data PATH

prints the constants of `retrieval/relevance.py` and, for each set, how far stated probabilities are from
observed shares (expected calibration error over ten bins).
"""

import argparse
import shutil
import tempfile
import uuid
from pathlib import Path

import numpy as np

from benchmarks.quality import locomo, paragraphs
from benchmarks.quality.report import save
from context_graph.memory import Memory
from context_graph.memory.draft import Draft
from context_graph.memory.recall import signals_of
from context_graph.memory.remember import remember
from context_graph.settings import Settings

TOP = 10
FITTED, UNSEEN = "hotpotqa", ("musique",)
SIZES = (1, 3, 10, 30, 100, 300, None)


def observed(tier: str, memories: list[Draft], questions: list[tuple[str, set[int]]]) -> tuple[np.ndarray, np.ndarray]:
    """Signals of the ten best results of every question, and whether each is evidence."""
    home = Path(tempfile.mkdtemp(prefix="calibrate-"))
    memory = Memory(Settings(home=home, tier=tier))
    ids = [remember(memory, draft).node.id for draft in memories]
    random, row_of = np.random.default_rng(0), memory.corpus.row_of
    signals, gold = [], []
    for question, evidence in questions:
        vectors, wanted = memory.embedder.query(question), {row_of[ids[i]] for i in evidence}
        others = np.setdiff1d(np.arange(len(memory.corpus)), list(wanted))
        for size in SIZES:
            among = others if size is None else random.choice(others, min(size, len(others)), replace=False)
            if random.random() < 0.5:
                among = np.concatenate([among[len(wanted) if size else 0 :], sorted(wanted)])
            rows, values = signals_of(memory, vectors, TOP, np.sort(among))
            signals.append(values)
            gold += [row in wanted for row in rows.tolist()]
    memory.close()
    shutil.rmtree(home)
    return np.concatenate(signals), np.array(gold, float)


def of_paragraphs(folder: Path, tier: str) -> tuple[np.ndarray, np.ndarray]:
    data = paragraphs.read(folder)
    places = {id: i for i, id in enumerate(data.texts)}
    drafts = [
        Draft(f"{title}: {text}", "a paragraph of an encyclopedia", session_id=str(uuid.uuid4()))
        for title, text in data.texts.values()
    ]
    return observed(tier, drafts, [(question, {places[id] for id in gold}) for question, gold in data.questions])


def of_dialogues(folder: Path, tier: str) -> tuple[np.ndarray, np.ndarray]:
    signals, gold = [], []
    for conversation in locomo.read(folder):
        places = {turn.id: i for i, turn in enumerate(conversation.turns)}
        drafts = [
            Draft(
                turn.text,
                "said in a conversation",
                speaker=turn.speaker,
                session_id=f"{conversation.name}/{turn.session}",
                occurred_at=round(turn.date.timestamp() * 1e6),
            )
            for turn in conversation.turns
        ]  # fmt: skip
        asked = [(q.text, {places[id] for id in q.gold}) for q in conversation.questions if q.category != 5]
        found = observed(tier, drafts, asked)
        signals.append(found[0])
        gold.append(found[1])
    return np.concatenate(signals), np.concatenate(gold)


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
        kept = weights[1:] > 0
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
    parser.add_argument("--data", type=Path, required=True, help="folder with hotpotqa, musique, 2wiki and locomo")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"])
    options = parser.parse_args()
    for tier in options.tiers:
        sets = {FITTED: of_paragraphs(options.data / FITTED, tier)}
        weights = fit(*sets[FITTED])
        sets |= {name: of_paragraphs(options.data / name, tier) for name in UNSEEN}
        sets["locomo"] = of_dialogues(options.data / "locomo", tier)
        errors = {f"ECE {name}": round(calibration_error(weights, *part), 4) for name, part in sets.items()}
        constants = {f"w{i}": round(float(w), 3) for i, w in enumerate(weights)}
        save(Path("benchmarks/results/calibration"), tier, constants | errors, [], seconds=0)


if __name__ == "__main__":
    main()
