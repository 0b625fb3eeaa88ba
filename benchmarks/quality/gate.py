"""What `inject_context` tells: the share of the evidence, in how many memories, and how often it is silent.

::

    python -m benchmarks.quality.gate --data PATH [--tier base] [--sets locomo hotpotqa musique 2wiki] [--fit]

Each question is asked of its own memory; questions of other conversations and of other subjects, which nothing there
answers, are asked too. "small" are stores of 12 to 60 memories: stretches of the conversations, and some paragraphs of
HotpotQA. `--fit` fits the constants of `retrieval/relevance.py` on the questions of LoCoMo and HotpotQA, of whole and
small stores, that are not held back; the rows say the held half, and MuSiQue and 2WikiMultihopQA are seen by no fit.
Beside our rule stand the same number of memories for every question, in the order of their ranks, and all that pass a
threshold by themselves.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.quality.calibrate import fit
from benchmarks.quality.report import save
from context_graph.evaluation.sets import Question, QuestionSet, read
from context_graph.evaluation.stores import Asked, stored
from context_graph.recall import normalization as reading
from context_graph.recall.judgement import signals_of
from context_graph.recall.query import query_for, question_vectors
from context_graph.recall.sources import retrieve
from context_graph.retrieval import relevance
from context_graph.retrieval.relevance import NAMED, answered, overview, probability, worth_telling
from context_graph.settings import Settings

SMALL = {"locomo-small": "locomo", "hotpotqa-small": "hotpotqa"}
SETS = ("locomo", "hotpotqa", *SMALL, "musique", "2wiki")
OTHERS = {"locomo": "hotpotqa", "hotpotqa": "locomo", "musique": "locomo", "2wiki": "locomo"}
SIZES, STRETCHES, POOLS = (12, 20, 30, 45, 60), 10, 40
"""Of small stores: memories in a stretch of a conversation, stretches of each, and stores of paragraphs."""

TOP, FOREIGN = 30, 400
FITTED = ("locomo", "hotpotqa", *SMALL)
LENGTH = {"minilm": 9.0, "base": 6.4}
"""Memories told on average on the questions of LoCoMo that the rule is fitted on: as many as the rule before it."""

ALONE = 0.15
"""The threshold of the rule before: every memory by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedResults:
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
    named: np.ndarray
    gold: np.ndarray
    evidence: int


def found(asked: Asked, text: str, gold: frozenset[int], kind: str, held: bool) -> JudgedResults:
    """Ask one question of the memory of `asked`."""
    memory, corpus = asked.memory, asked.memory.corpus
    vectors = question_vectors(memory, corpus, reading.normalize(text))
    rows, signals = signals_of(memory, vectors, TOP)
    query = query_for(memory, corpus, vectors, corpus.columns.live.copy(), TOP)
    best = retrieve(memory, corpus, query)
    named = np.column_stack([best.parts.get(name, np.zeros(len(rows), np.float32)) for name in NAMED])
    return JudgedResults(
        kind, held, signals, best.total, named, np.array([row in gold for row in rows.tolist()]), len(gold)
    )


def small(sets: Sequence[QuestionSet], random: np.random.Generator) -> list[QuestionSet]:
    """Small stores: stretches of conversations, or where there is one store, some of its paragraphs."""
    if len(sets) > 1:
        return [_stretch(part, i, random) for part in sets for i in range(STRETCHES)]
    return [_pool(sets[0], i, random) for i in range(POOLS)]


def _stretch(part: QuestionSet, number: int, random: np.random.Generator) -> QuestionSet:
    size = int(random.choice(SIZES))
    start = int(random.integers(len(part.memories) - size))
    return _part(part, f"{part.name}-{number}", range(start, start + size), part.questions)


def _pool(part: QuestionSet, number: int, random: np.random.Generator) -> QuestionSet:
    """Paragraphs of six questions of one half, and a few of none."""
    half = [question for question in part.questions if question.held == (number % 2 == 1)]
    asked = [half[i] for i in random.choice(len(half), 6, replace=False)]
    others = random.choice(len(part.memories), int(random.choice((4, 10, 20))), replace=False).tolist()
    return _part(part, f"{part.name}-{number}", sorted({*others, *(i for q in asked for i in q.gold)}), asked)


def _part(whole: QuestionSet, name: str, places: Sequence[int], questions: Sequence[Question]) -> QuestionSet:
    """Some memories of a set, and what they answer of some questions."""
    at = {place: i for i, place in enumerate(places)}
    asked = [replace(q, gold=frozenset(at[i] for i in q.gold)) for q in questions if all(i in at for i in q.gold)]
    return QuestionSet(name, tuple(whole.memories[place] for place in places), tuple(asked))


def collected(data: Path, name: str, tier: str, keep: Path | None) -> list[JudgedResults]:
    """Every question of a set, and foreign ones."""
    random, rows = np.random.default_rng(0), []
    source = SMALL.get(name, name)
    sets = read(data / source) if name == source else small(read(data / source), random)
    subject = [q.text for part in read(data / OTHERS[source]) for q in part.questions]
    with stored(sets, tier, keep=keep) as asked:
        own = [one for one in asked if one.question.category != "adversarial"]
        rows += [found(one, one.question.text, one.gold, "own", one.question.held) for one in own]
        for one in random.choice(np.array(asked, object), FOREIGN):
            rows.append(found(one, str(random.choice(subject)), frozenset(), "subject", one.question.held))
        for one in random.choice(np.array(asked, object), 2 * FOREIGN if name == source else 0):
            strangers = [other for other in asked if other.memory is not one.memory]
            if strangers:
                other = strangers[random.integers(len(strangers))]
                rows.append(found(one, other.question.text, frozenset(), "other", one.question.held))
    return rows


def fitted(rows: dict[str, list[JudgedResults]], tier: str) -> tuple[np.ndarray, tuple[float, ...]]:
    """The constants of `ANSWERED` and `TELLING`, from what is not held back."""
    seen = [row for name in ("locomo", "hotpotqa") for row in rows[name] if not row.held]
    own = [row for row in seen if row.kind == "own"]
    foreign = [row for row in rows["locomo"] if row.kind == "other" and not row.held]  # not the easy ones
    foreign += [row for row in rows["hotpotqa"] if row.kind == "subject" and not row.held]
    foreign = [foreign[i] for i in np.random.default_rng(0).integers(0, len(foreign), len(own))]  # as many of each
    x = np.array([overview(row.signals) for row in (*own, *foreign)])
    weights = fit(x, np.repeat([1.0, 0.0], len(own)))
    answerable = [row for name in FITTED for row in rows.get(name, ()) if row.kind == "own" and not row.held]
    stop = fit(
        np.concatenate([_earned(row, tier) for row in answerable]),
        np.concatenate([row.gold for row in answerable]).astype(float),
    )
    dialogue = [row for row in rows["locomo"] if row.kind == "own" and not row.held]
    costs = np.sort(np.concatenate([-(_earned(row, tier) @ stop[1:]) for row in dialogue]))
    limit = float(costs[int(LENGTH[tier] * len(dialogue))])
    return weights, tuple(round(float(value), 3) for value in (limit, *stop[1:]))


def _earned(row: JudgedResults, tier: str) -> np.ndarray:
    """What `worth_telling` weighs, each larger where a memory is to be told: float (k, 7)."""
    p = np.clip(probability(row.signals, tier), 1e-4, 1 - 1e-4)
    rank, distance = np.log(np.arange(1, len(p) + 1)), row.scores[:1] - row.scores
    return np.column_stack([-rank, -distance, np.log(p / (1 - p)), np.nan_to_num(row.named)])


def summary(rows: Sequence[JudgedResults], tier: str, least: float) -> dict[str, float]:
    """One part of a set under our rule, and under simpler ones."""
    own = [row for row in rows if row.kind == "own"]

    def ours(row: JudgedResults) -> np.ndarray:
        kept = worth_telling(row.scores, probability(row.signals, tier), row.named, tier)
        return kept & (answered(row.signals, tier) >= least)

    def told(rule: Callable[[JudgedResults], np.ndarray]) -> tuple[float, float]:
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
        relevance.ANSWERED[options.tier], relevance.TELLING[options.tier] = tuple(weights.round(3).tolist()), telling
    numbers: dict = {"answered": relevance.ANSWERED[options.tier], "telling": relevance.TELLING[options.tier]}
    for name, part in rows.items():
        numbers[name] = summary(part, options.tier, Settings().abstain_below)
        numbers[f"{name}, held"] = summary([row for row in part if row.held], options.tier, Settings().abstain_below)
    save(Path("benchmarks/results/gate"), options.tier, numbers, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
