"""What the gate of `inject_context` lets through: evidence kept and lost, with and without links.

::

    python -m benchmarks.quality.gate --data PATH/hotpotqa PATH/2wiki PATH/musique [--tier base]
"""

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import stored
from context_graph.memory.inject import likely
from context_graph.memory.recall import Question

TOP = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--tier", default="base")
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    options = parser.parse_args()
    for folder in options.data:
        started, rows = time.perf_counter(), []
        with stored(read(folder), options.tier, keep=options.keep) as asked:
            for one in asked:
                answer = one.memory.recall(Question(one.question.text, TOP, record=False))
                least = one.memory.settings.abstain_below
                told = {hit.node.id for hit, _ in likely(answer, least)}
                rows += [
                    (one.memory.corpus.row_of[h.node.id] in one.gold, h.relevance >= least, h.node.id in told)
                    for h in answer.hits
                ]
        gold, alone, led = np.array(rows).T
        added = led & ~alone
        numbers = {
            "evidence in ten kept": round(float(led[gold].mean()), 3),
            "kept without links": round(float(alone[gold].mean()), 3),
            "other hits kept": round(float(led[~gold].mean()), 3),
            "others kept without links": round(float(alone[~gold].mean()), 3),
            "share of evidence among the added": round(float(gold[added].mean()), 3) if added.any() else None,
        }
        name = f"{folder.name}-{options.tier}"
        save(Path("benchmarks/results/gate"), name, numbers, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
