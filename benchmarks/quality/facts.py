"""Facts that are gathered from public sets: how many, how fast, how many are right, what they are worth in a search.

::

    python -m benchmarks.quality.facts --data PATH/locomo PATH/hotpotqa --keep FOLDER
    python -m benchmarks.quality.facts --data PATH/locomo --keep FOLDER --show 100
    python -m benchmarks.quality.facts --data PATH/locomo --keep FOLDER --told

`--show` prints a sample to read, drawn by a fixed seed. What a reader found is kept in
`benchmarks/results/facts/judged-SET.json`: which sample, and the ids of the facts that are wrong. An id is the store,
the row of the memory and the place of the fact in it.
"""

import argparse
import hashlib
import json
import random
import time
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.derived import Facts, facts
from context_graph.evaluation.measure import MEASURES, change, recalls
from context_graph.evaluation.sets import QuestionSet, read
from context_graph.evaluation.stores import Asked, stored
from context_graph.extraction import Fact
from context_graph.memory import Memory
from context_graph.retrieval.config import RANKING

RESULTS = Path("benchmarks/results/facts")
SAMPLE = {"locomo": 100, "hotpotqa": 50}
TRIED = {"base": 0.5, "minilm": 0.25}
"""Weight of the score of facts in dialogues, chosen on the half that weights are chosen on; 0.25 and 0.5 were tried."""

FITTINGS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SEED = 1
MEASURE = {"hotpotqa": "R@5"}
"""What a set is judged by; R@10 else."""


def gathered(memory: Memory) -> tuple[list[tuple[int, int, Fact]], float]:
    """Every fact of a store with its row and its place in the memory, and the processor time that reading all took."""
    corpus = memory.corpus
    visible = corpus.columns.live.copy()
    started = time.process_time()
    found = memory.view(Facts).stated(corpus, np.flatnonzero(visible), visible)
    seconds = time.process_time() - started
    places: dict[int, int] = {}
    numbered = []
    for row, fact in found:
        places[row] = places.get(row, -1) + 1
        numbered.append((row, places[row], fact))
    return numbered, seconds


def counted(stores: dict[str, Memory], name: str) -> tuple[dict, dict[str, tuple[Memory, int, Fact]]]:
    """How many facts the stores of a set state, and the sample of them by id."""
    every, seconds, memories, relations = {}, 0.0, 0, set()
    for store, memory in stores.items():
        found, took = gathered(memory)
        seconds, memories = seconds + took, memories + int(memory.corpus.columns.live.sum())
        every |= {f"{store}/{row}/{place}": (memory, row, fact) for row, place, fact in found}
        relations |= {fact.relation for *_, fact in found}
    drawn = random.Random(SEED).sample(sorted(every), min(SAMPLE.get(name, 50), len(every)))
    table = {
        "memories": memories,
        "facts": len(every),
        "facts per 1,000 memories": round(1000 * len(every) / memories, 1),
        "relations": len(relations),
        "processor ms per memory, with reading it": round(1000 * seconds / memories, 3),
    }
    return table, {id: every[id] for id in drawn}


def judged(name: str, sample: dict[str, tuple[Memory, int, Fact]]) -> dict:
    """The judgement of a reader, where it is of this very sample."""
    path = RESULTS / f"judged-{name}.json"
    if not path.is_file():
        return {"judged": "nobody has read a sample"}
    found = json.loads(path.read_text("utf-8"))
    if found["sample"] != fingerprint(sample):
        return {"judged": "the facts are others than those that were read"}
    wrong = len(found["wrong"])
    return {"judged": len(sample), "wrong": wrong, "right, %": round(100 * (1 - wrong / len(sample)), 1)}


def fingerprint(sample: dict[str, tuple[Memory, int, Fact]]) -> str:
    """Of what was read: changes with any fact of the sample."""
    told = [(id, fact.subject, fact.relation, fact.value) for id, (_, _, fact) in sorted(sample.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def worth(asked: list[Asked], tier: str, column: int) -> dict[str, list[float]]:
    """Change of the measure by the score of facts: mean and 95 % interval, by half and kind of question."""
    without, whole = (
        recalls(asked, config=RANKING[tier].changed([("dialogue", "facts", weight)]))[:, column]
        for weight in (0.0, TRIED[tier])
    )
    half = np.array(["held" if each.question.held else "chosen" for each in asked])
    category = np.array([each.question.category or "all kinds" for each in asked])
    found = {}
    for part in ("chosen", "held"):
        for kind in ("", *sorted(set(category))):
            these = (half == part) & ((category == kind) | (kind == ""))
            if these.any():
                values = [100 * without[these].mean(), *change(whole[these], without[these])]
                found[f"{part}, {kind or 'all'}, {int(these.sum())}"] = [round(float(value), 2) for value in values]
    return found


def briefed(asked: list[Asked]) -> dict:
    """What a turn would be told of those whom it names, by how well an entry must fit: how often it cites evidence."""
    table: dict = {"row": "questions told something, entries told, % of entries and of these questions citing evidence"}
    kept, table["processor ms, mean and most, at first"] = facts.FITTING, _took(asked)
    table["processor ms, mean and most, again"] = _took(asked)
    for part in ("chosen", "held"):
        these = [each for each in asked if each.question.held == (part == "held")]
        for least in FITTINGS:
            facts.FITTING = least
            told = [_cited(each) for each in these]
            entries = [cites for each in told for cites in each]
            some = sum(map(bool, told))
            table[f"{part}, {len(these)}, from {least}"] = [
                some, len(entries), round(100 * sum(entries) / max(len(entries), 1), 1),
                round(100 * sum(map(any, told)) / max(some, 1), 1),
            ]  # fmt: skip
    facts.FITTING = kept
    return table


def _took(asked: list[Asked]) -> list[float]:
    times = []
    for each in asked:
        started = time.process_time()
        _cited(each)
        times.append(1000 * (time.process_time() - started))
    return [round(float(np.mean(times)), 2), round(max(times), 1)]


def _cited(each: Asked) -> list[bool]:
    """Of each entry that a question is told, whether it cites a memory that answers it."""
    corpus = each.memory.corpus
    gold = {corpus.ids[row] for row in each.gold}
    found = each.memory.view(Facts).answering(corpus, each.question.text, corpus.columns.live.copy())
    return [any(gold.intersection(said.memories) for said in entry.values) for entry in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of sets")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"])
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    parser.add_argument("--show", action="store_true", help="print the sample to read, and nothing else")
    parser.add_argument("--told", action="store_true", help="measure what a briefing tells of facts, and nothing else")
    options = parser.parse_args()
    for folder in options.data:
        sets = read(folder)
        if options.show:
            with stored(sets, "base", keep=options.keep) as asked:
                _, sample = counted(_stores(sets, asked), folder.name)
                _print(sample)
            continue
        if options.told:
            started = time.perf_counter()
            with stored(sets, "base", keep=options.keep) as asked:
                table = briefed(asked)
            save(RESULTS, f"told-{folder.name}", table, [], seconds=time.perf_counter() - started)
            continue
        measure = MEASURE.get(folder.name, "R@10")
        started, table = time.perf_counter(), {}
        for tier in options.tiers:
            with stored(sets, tier, keep=options.keep) as asked:
                if not table:
                    table, sample = counted(_stores(sets, asked), folder.name)
                    table |= judged(folder.name, sample)
                    table["row"] = f"{measure} without the score of facts, change by it at {TRIED}, 95 % interval"
                for part, values in worth(asked, tier, MEASURES.index(measure)).items():
                    table[f"{tier}, {part}"] = values
        save(RESULTS, folder.name, table, [], seconds=time.perf_counter() - started)


def _stores(sets: list[QuestionSet], asked: list[Asked]) -> dict[str, Memory]:
    memories = list({id(each.memory): each.memory for each in asked}.values())
    return {part.name: memory for part, memory in zip(sets, memories, strict=True)}


def _print(sample: dict[str, tuple[Memory, int, Fact]]) -> None:
    print("sample", fingerprint(sample))
    for id, (memory, row, fact) in sorted(sample.items()):
        (node,) = memory.store.nodes([memory.corpus.ids[row]])
        start, end = fact.span
        told = " ".join(
            f"{node.content[max(0, start - 160) : start]}>>{fact.value}<<{node.content[end : end + 60]}".split()
        )
        print(f"{id}  {fact.subject} | {fact.relation} | {fact.value}\n    {node.speaker or ''}: {told}")


if __name__ == "__main__":
    main()
