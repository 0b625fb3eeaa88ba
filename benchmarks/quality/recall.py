"""Recall on public question sets, of our memory and of its rivals in the same harness.

::

    python -m benchmarks.quality.recall --data PATH/locomo PATH/hotpotqa ... [--systems ours-minilm bm25 ...]

Sets are read from a path and never packaged. Our rows go through `Memory.remember` and the pipeline that answers
`search_graph`; every system gets the same texts. Each table says the whole, the questions that weights were chosen
on, and those held back.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.quality import baselines
from benchmarks.quality.report import model_settings, save
from context_graph.evaluation.measure import DEPTH, MEASURES, of_ranks, ranks
from context_graph.evaluation.sets import QuestionSet, read
from context_graph.evaluation.stores import stored

OURS = {"ours-base": "base", "ours-minilm": "minilm"}
RIVALS = {
    "random": baselines.random_order,
    "grep": baselines.grep,
    "bm25": baselines.bm25,
    "minilm-pooled": baselines.pooled_minilm,
    "chromadb": baselines.chromadb,
}


def ours(tier: str, sets: Sequence[QuestionSet], keep: Path | None, **settings) -> list[dict]:
    """One record for each question, answered by our memory.

    Parameters
    ----------
    settings
        Others of `Settings`: the folder of a model.
    """
    records = []
    with stored(list(sets), tier, keep=keep, **settings) as asked:
        for one in asked:
            started = time.perf_counter()
            found = ranks(one)
            records.append(_record(one.question, found, len(one.gold), time.perf_counter() - started))
    return records


def rival(name: str, sets: Sequence[QuestionSet], *, shuffled: bool = False) -> list[dict]:
    """One record for each question, answered by another system.

    Parameters
    ----------
    shuffled : bool
        Give each question the evidence of another: a sound harness then shows chance.
    """
    records = []
    for part in sets:
        find = RIVALS[name](part)
        golds = [question.gold for question in part.questions]
        if shuffled:
            golds = [golds[i] for i in np.random.default_rng(0).permutation(len(golds))]
        for question, gold in zip(part.questions, golds, strict=True):
            started = time.perf_counter()
            found = list(find(question.text))[:DEPTH]
            seconds = time.perf_counter() - started
            records.append(
                _record(question, sorted(found.index(i) + 1 for i in gold if i in found), len(gold), seconds)
            )
    return records


def _record(question, found: list[int], gold: int, seconds: float) -> dict:
    return {
        "id": question.id, "category": question.category, "held": question.held, "ranks": found, "gold": gold,
        "ms": round(1000 * seconds, 2),
    }  # fmt: skip


def summary(records: Sequence[dict]) -> dict[str, object]:
    """`MEASURES` in percent, of all and of each half; recall at 10 by category where there are some."""
    values = np.array([of_ranks(record["ranks"], record["gold"]) for record in records])
    held = np.array([record["held"] for record in records])
    category = np.array([record["category"] for record in records])
    numbers: dict[str, object] = {}
    for label, among in (("", np.ones(len(records), bool)), ("chosen ", ~held), ("held ", held)):
        if among.any():
            means = 100 * values[among].mean(axis=0)
            numbers |= {f"{label}{name}": round(float(v), 2) for name, v in zip(MEASURES, means, strict=True)}
    column = MEASURES.index("R@10")
    for name in dict.fromkeys(category.tolist()):
        if name and len(set(category.tolist())) <= 8:
            numbers[f"R@10 {name}"] = round(100 * float(values[category == name, column].mean()), 2)
    numbers["p50 ms"] = round(float(np.median([record["ms"] for record in records])), 2)
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of sets")
    parser.add_argument("--systems", nargs="+", choices=[*RIVALS, *OURS], default=[*RIVALS, *OURS])
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/recall"))
    parser.add_argument("--keep", type=Path, help="folder where our stores stay for the next run")
    parser.add_argument("--model", type=Path, help="folder of a model, or multilingual; measured as ours-NAME alone")
    parser.add_argument("--reranker", type=Path, help="folder of a cross-encoder that reads the first results of ours")
    parser.add_argument("--only", nargs="+", help="names of sets within the folders; all by default")
    parser.add_argument("--shuffled", action="store_true", help="control: evidence of other questions")
    options = parser.parse_args()
    for folder in options.data:
        sets = [part for part in read(folder) if not options.only or part.name in options.only]
        if options.model is not None:
            started, keep = time.perf_counter(), options.keep / options.model.name if options.keep else None
            records = ours("minilm", sets, keep, reranker=options.reranker, **model_settings(options.model))
            name = f"ours-{options.model.name}"
            save(options.out / folder.name, name, summary(records), records, seconds=time.perf_counter() - started)
            continue
        for system in options.systems:
            started = time.perf_counter()
            if system in OURS:
                records = ours(OURS[system], sets, options.keep, reranker=options.reranker)
            else:
                records = rival(system, sets, shuffled=options.shuffled)
            name = system + ("-shuffled" if options.shuffled else "") + ("-reranked" if options.reranker else "")
            save(options.out / folder.name, name, summary(records), records, seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
