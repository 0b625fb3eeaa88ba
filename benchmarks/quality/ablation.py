"""What each part of the retrieval is worth on public sets, kept with machine, date and commit.

::

    python -m benchmarks.quality.ablation --data PATH/locomo PATH/hotpotqa ... [--tiers base minilm]

`context-graph bench ablate` prints the same for one set.
"""

import argparse
import time
from pathlib import Path

from benchmarks.quality.report import save
from context_graph.evaluation.ablation import ablate
from context_graph.evaluation.measure import MEASURES
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import stored

MEASURE = {"musique": "R@5", "2wiki": "R@5", "hotpotqa": "R@5"}
"""What a set is judged by; R@10 else."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of sets")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"])
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    parser.add_argument("--only", nargs="+", default=[], help="parts such as 'score graph', in a file of their own")
    options = parser.parse_args()
    for folder in options.data:
        measure = MEASURE.get(folder.name, "R@10")
        for tier in options.tiers:
            started = time.perf_counter()
            with stored(read(folder), tier, keep=options.keep) as asked:
                rows = {
                    f"{row.part}, {row.variant}": [round(row.value, 2), *(round(v, 2) for v in row.change)]
                    for row in ablate(asked, tier, column=MEASURES.index(measure), only=options.only)
                }
            table = {"measure": measure, "row": "value, change, 95 % interval of the change"} | rows
            name = "-".join([folder.name, tier, *(part.split()[-1] for part in options.only)])
            save(Path("benchmarks/results/ablation"), name, table, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
