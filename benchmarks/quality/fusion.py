"""What the learned fusion is worth: alone beside each space alone, as one more score, and as a gate over the spaces::

    python -m benchmarks.quality.fusion --data PATH/hotpotqa PATH/2wiki ... --transfer PATH/locomo

Weight and strength are chosen on the chosen halves of `--data`, on which the fusion was trained; the changes are those
on the halves held back and on the sets in `--transfer`, from which nothing was learned or chosen.
"""

import argparse
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.evaluation.measure import DEPTH, MEASURES, change, of_ranks, recalls
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import Asked, stored
from context_graph.recall.query import query_for
from context_graph.retrieval import expanded, fused_vectors, optional_spaces, scores
from context_graph.retrieval.config import KINDS, RANKING, Change
from context_graph.retrieval.fusion import kinds_of
from context_graph.retrieval.scores import QueryTerms
from context_graph.retrieval.view import View
from context_graph.train.sample import sampled

SPACES = {
    "E1": "semantic", "E6": "words", "E7": "code", "E9": "spelling", "E12": "late_rare", "E13": "words_like",
    "fused": "fused",
}  # fmt: skip
WEIGHTS = (0.25, 0.5, 1.0, 2.0)
STRENGTHS = (0.1, 0.25, 0.5, 1.0)
COLUMN = MEASURES.index("R@5")


def alone(asked: Asked) -> dict[str, tuple[float, ...]]:
    """`MEASURES` of one question by each space alone, over the whole store."""
    corpus = asked.memory.corpus
    mask = corpus.columns.live.copy()
    view = View(corpus, mask, None)
    query = query_for(asked.memory, corpus, asked.vectors, mask, DEPTH)
    raw = scores.semantic(corpus, asked.vectors, view) | scores.spelling(corpus, asked.vectors, view)
    raw |= optional_spaces.scores(corpus, asked.vectors, view, "E7")
    raw |= scores.lexical(corpus, QueryTerms.of(asked.vectors), view, ())
    raw |= scores.late(corpus, asked.vectors.tokens, asked.vectors.idf, view)
    raw["words_like"] = expanded.scores(corpus, asked.vectors.text, view)
    raw["fused"] = fused_vectors.scores(corpus, query, view.rows)
    found = {}
    for space, name in SPACES.items():
        values = np.nan_to_num(raw.get(name, np.full(len(view), np.nan)), nan=-1e9)
        best = view.rows[np.lexsort((view.rows, -values))[:DEPTH]].tolist()
        known = [i + 1 for i, row in enumerate(best) if row in asked.gold] if name in raw else []
        found[space] = of_ranks(known, len(asked.gold))
    return found


def changes(tier: str, use: str, level: float) -> list[Change]:
    """The fused cosine at a weight ("fused"), or the gate at a strength ("gate")."""
    if use == "gate":
        return [("strengths", "gate", level)]
    return [(table, "fused", level) for table in RANKING[tier].tables]


def kind_of(asked: Sequence[Asked]) -> str:
    """What most memories of a set are."""
    kinds = np.concatenate([kinds_of(memory.corpus) for memory in {one.memory for one in asked}])
    return KINDS[int(np.bincount(kinds).argmax())]


def measured(tier: str, asked: Sequence[Asked], changed: Sequence[Change] = ()) -> np.ndarray:
    return recalls(asked, config=RANKING[tier].changed(changed))[:, COLUMN]


def points(values: tuple[float, ...]) -> list[float]:
    return [round(value, 2) for value in values]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="sets whose chosen halves were learned from"
    )
    parser.add_argument("--transfer", type=Path, nargs="*", default=[], help="sets that nothing was learned from")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"])
    parser.add_argument("--memories", type=int, default=2_000, help="kept of each set of --data, 0 for all")
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/fusion"))
    options = parser.parse_args()
    for tier in options.tiers:
        started = time.perf_counter()
        with ExitStack() as stack:
            learned, transfer = {}, {}
            for folder in options.data:
                sets = [sampled(part, options.memories, 0) for part in read(folder)]
                learned[folder.name] = stack.enter_context(stored(sets, tier, keep=options.keep))
            for folder in options.transfer:
                transfer[folder.name] = stack.enter_context(stored(read(folder), tier, keep=options.keep))
            save(options.out, tier, report(tier, learned, transfer), [], seconds=time.perf_counter() - started)


def report(tier: str, learned: dict[str, list[Asked]], transfer: dict[str, list[Asked]]) -> dict:
    """All numbers of one tier."""
    held = {name: np.array([one.question.held for one in asked]) for name, asked in learned.items()}
    scored = held | {name: np.ones(len(asked), bool) for name, asked in transfer.items()}
    every = learned | transfer
    numbers: dict = {"measure": "R@5"}
    numbers["memories"] = {n: sum(len(m.corpus) for m in {a.memory for a in v}) for n, v in every.items()}
    by_space = {}
    for name, asked in every.items():
        found = [alone(one) for one in asked]
        by_space[name] = {space: np.array([one[space][COLUMN] for one in found]) for space in SPACES}
    numbers["alone"] = {}
    for name, found in by_space.items():
        of = scored[name]
        told = {space: round(100 * float(values[of].mean()), 1) for space, values in found.items()}
        pick = ~of if name in held else of  # the best single member is chosen where the fusion was learned
        single = {space: values[pick].mean() for space, values in found.items() if space != "fused"}
        best = max(single, key=single.__getitem__)
        gain = points(change(found["fused"][of], found[best][of]))
        numbers["alone"][name] = told | {"questions": int(of.sum()), "best single": best, "fused against it": gain}
    whole = {name: measured(tier, asked) for name, asked in every.items()}
    kinds = {name: kind_of(asked) for name, asked in every.items()}
    for use, levels in (("fused", WEIGHTS), ("gate", STRENGTHS)):
        runs = {
            level: {n: measured(tier, a, changes(tier, use, level)) for n, a in learned.items()} for level in levels
        }
        gains = {  # of each kind of memory, on the chosen halves
            kind: {
                level: round(
                    float(np.mean([100 * (run[n] - whole[n])[~held[n]].mean() for n in run if kinds[n] == kind])), 2
                )
                for level, run in runs.items()
            }
            for kind in sorted({kinds[name] for name in learned})
        }
        best = {kind: max(of, key=of.__getitem__) for kind, of in gains.items()}
        unseen = best.get("note", next(iter(best.values())))  # a kind that nothing was chosen for is taken as notes
        final = {name: runs[best[kinds[name]]][name] for name in learned}
        for name, asked in transfer.items():
            final[name] = measured(tier, asked, changes(tier, use, best.get(kinds[name], unseen)))
        numbers[f"{use} in the pipeline"] = {
            "mean change on the chosen halves": gains,
            "chosen": best,
            "change where nothing was chosen": {
                name: points(change(values[scored[name]], whole[name][scored[name]])) for name, values in final.items()
            },
        }
    numbers["whole pipeline"] = {n: round(100 * float(values[scored[n]].mean()), 1) for n, values in whole.items()}
    return numbers


if __name__ == "__main__":
    main()
