"""Fit the temperature of the pulse, so that the median entropy over development questions is one half.

::

    python -m benchmarks.quality.entropy --data PATH/locomo

prints the constant of `dynamics/pulse.py`: one for both tiers, on their questions together.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.quality import locomo
from benchmarks.quality.report import save
from context_graph.dynamics.pulse import result_entropy
from context_graph.memory import Memory
from context_graph.memory.recall import Question
from context_graph.settings import Settings


def relevances(conversation: locomo.Conversation, tier: str) -> list[list[float]]:
    """Relevance of the ten best results of every question, highest first."""
    home = Path(tempfile.mkdtemp(prefix="entropy-"))
    with Memory(Settings(home=home, tier=tier)) as memory:
        locomo.feed(memory, conversation)
        found = [memory.recall(Question(q.text, record=False)).hits for q in conversation.questions]
    shutil.rmtree(home)
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
    chosen = locomo.read(options.data)[: options.conversations]
    found = {tier: [r for c in chosen for r in relevances(c, tier)] for tier in ("base", "minilm")}
    temperature = fit(found["base"] + found["minilm"])
    medians = {
        f"median {tier}": round(float(np.median([result_entropy(r, temperature=temperature) for r in rows])), 3)
        for tier, rows in found.items()
    }
    numbers = {"temperature": round(temperature, 4), "questions": sum(map(len, found.values()))} | medians
    save(Path("benchmarks/results/calibration"), "entropy", numbers, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
