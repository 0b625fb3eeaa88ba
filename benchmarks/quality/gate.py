"""What `inject_context` tells: the share of the evidence, in how many memories, and how often it is silent.

::

    python -m benchmarks.quality.gate --data PATH [--tier base] [--sets locomo hotpotqa musique 2wiki] [--fit]

Each question is asked of its own memory; questions of other conversations and of other subjects, which nothing there
answers, are asked too. `--fit` fits the constants of `retrieval/relevance.py` on the questions of LoCoMo and HotpotQA
that are not held back; the rows say the held half, and MuSiQue and 2WikiMultihopQA are seen by no fit. Beside our rule
stand the same number of memories for every question, in the order of their ranks, and all that pass a threshold by
themselves.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.quality.calibrate import fit
from benchmarks.quality.report import save
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import Asked, stored
from context_graph.recall import normalization as reading
from context_graph.recall.recall import query_for, question_vectors, retrieve, signals_of
from context_graph.retrieval.relevance import ANSWERED, TELLING, answered, overview, probability, worth_telling
from context_graph.settings import Settings

SETS = ("locomo", "hotpotqa", "musique", "2wiki")
OTHERS = {"locomo": "hotpotqa", "hotpotqa": "locomo", "musique": "locomo", "2wiki": "locomo"}
TOP, FOREIGN = 30, 400
LENGTH = {"minilm": 9.0, "base": 6.4}
"""Memories told on average on the questions of LoCoMo that the rule is fitted on: as many as the rule before it."""

ALONE = 0.15
"""The threshold of the rule before: every memory by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The best thirty of one question.

    Attributes
    ----------
    kind : str
        own, other (asked of another conversation) or subject (of another set).
    """

    kind: str
    held: bool
    signals: np.ndarray
    scores: np.ndarray
    gold: np.ndarray
    evidence: int


def found(asked: Asked, text: str, gold: frozenset[int], kind: str, held: bool) -> Found:
    """Ask one question of the memory of `asked`."""
    memory, corpus = asked.memory, asked.memory.corpus
    vectors = question_vectors(memory, corpus, reading.asked(text))
    rows, signals = signals_of(memory, vectors, TOP)
    total = retrieve(memory, corpus, query_for(memory, corpus, vectors, corpus.columns.live.copy(), TOP)).total
    return Found(kind, held, signals, total, np.array([row in gold for row in rows.tolist()]), len(gold))


def collected(data: Path, name: str, tier: str, keep: Path | None) -> list[Found]:
    """Every question of a set, and foreign ones."""
    random, rows = np.random.default_rng(0), []
    subject = [q.text for part in read(data / OTHERS[name]) for q in part.questions]
    with stored(read(data / name), tier, keep=keep) as asked:
        own = [one for one in asked if one.question.category != "adversarial"]
        rows += [found(one, one.question.text, one.gold, "own", one.question.held) for one in own]
        for one in random.choice(np.array(asked, object), FOREIGN):
            rows.append(found(one, str(random.choice(subject)), frozenset(), "subject", one.question.held))
        for one in random.choice(np.array(asked, object), 2 * FOREIGN):
            strangers = [other for other in asked if other.memory is not one.memory]
            if strangers:
                other = strangers[random.integers(len(strangers))]
                rows.append(found(one, other.question.text, frozenset(), "other", one.question.held))
    return rows


def fitted(rows: dict[str, list[Found]], tier: str) -> tuple[np.ndarray, tuple[float, float, float]]:
    """The constants of `ANSWERED` and `TELLING`, from what is not held back."""
    seen = [row for name in ("locomo", "hotpotqa") for row in rows[name] if not row.held]
    own = [row for row in seen if row.kind == "own"]
    foreign = [row for row in rows["locomo"] if row.kind == "other" and not row.held]  # not the easy ones
    foreign += [row for row in rows["hotpotqa"] if row.kind == "subject" and not row.held]
    foreign = [foreign[i] for i in np.random.default_rng(0).integers(0, len(foreign), len(own))]  # as many of each
    x = np.array([overview(row.signals) for row in (*own, *foreign)])
    weights = fit(x, np.repeat([1.0, 0.0], len(own)))
    places = [np.column_stack([-np.log(np.arange(1, len(r.scores) + 1)), r.scores - r.scores[0]]) for r in own]
    stop = fit(np.concatenate(places), np.concatenate([row.gold for row in own]).astype(float))
    dialogue = [place for place, row in zip(places, own, strict=True) if any(row is one for one in rows["locomo"])]
    costs = np.sort(np.concatenate([-(place @ stop[1:]) for place in dialogue]))
    limit = float(costs[int(LENGTH[tier] * len(dialogue))])
    return weights, (round(limit, 3), round(float(stop[1]), 3), round(float(stop[2]), 3))


def summary(rows: Sequence[Found], tier: str, least: float) -> dict[str, float]:
    """One part of a set under our rule, and under simpler ones."""
    own = [row for row in rows if row.kind == "own"]

    def ours(row: Found) -> np.ndarray:
        kept = worth_telling(row.scores, probability(row.signals, tier), tier)
        return kept & (answered(row.signals, tier) >= least)

    def told(rule: Callable[[Found], np.ndarray]) -> tuple[float, float]:
        kept = [rule(row) for row in own]
        shares = [row.gold[keep].sum() / row.evidence for row, keep in zip(own, kept, strict=True)]
        return round(100 * float(np.mean(shares)), 1), round(float(np.mean([keep.sum() for keep in kept])), 1)

    evidence, length = told(ours)
    whole, part = int(length), length - int(length)
    by_rank = sum(
        share * told(lambda row, k=k: np.arange(len(row.scores)) < k)[0]
        for share, k in ((1 - part, whole), (part, whole + 1))
    )
    alone = told(lambda row: probability(row.signals, tier) >= ALONE)
    numbers = {
        "questions": len(own), "evidence told": evidence, "memories told": length,
        "by rank, as many for each": round(by_rank, 1),
        "each by itself": alone[0], "memories, each by itself": alone[1],
    }  # fmt: skip
    for kind in ("own", "other", "subject"):
        judged = [answered(row.signals, tier) < least for row in rows if row.kind == kind]
        if judged:
            numbers[f"silent, {kind}"] = round(100 * float(np.mean(judged)), 1)
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the sets")
    parser.add_argument("--tier", default="base", choices=["base", "minilm"])
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--fit", action="store_true", help="print new constants, and judge by them")
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    options = parser.parse_args()
    started = time.perf_counter()
    rows = {name: collected(options.data, name, options.tier, options.keep) for name in options.sets}
    if options.fit:
        weights, telling = fitted(rows, options.tier)
        ANSWERED[options.tier], TELLING[options.tier] = tuple(weights.round(3).tolist()), telling
    numbers: dict = {"answered": ANSWERED[options.tier], "telling": TELLING[options.tier]}
    for name, part in rows.items():
        numbers[name] = summary(part, options.tier, Settings().abstain_below)
        numbers[f"{name}, held"] = summary([row for row in part if row.held], options.tier, Settings().abstain_below)
    save(Path("benchmarks/results/gate"), options.tier, numbers, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
