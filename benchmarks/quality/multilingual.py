"""Whether a memory is found and told by a question in other words, and in another language, among nine others.

    python -m benchmarks.quality.multilingual [--questions FILE] [--tiers base minilm] [--model FOLDER] [--out DIR]

The questions stand in multilingual.tsv, or in other_languages.tsv those in 17 languages that no table reads in English:
of these, small words were written with "developed" in view, and of "held" nothing was looked at but totals.

The first were written before any model had seen them. The totals of those marked
"held" were printed beside the others from the first run on. All 144 memories lie in one store: six each in German,
Spanish, French, Italian, Portuguese, Dutch, Polish, Russian, Japanese and Chinese, 40 in English, and 44 in all of
these that no question is about. Kinds:

- own: the question is in the language of the memory, in other words
- english asks: the same memory is asked about in English
- of english: an English memory is asked about in another language

hit@1 counts the questions that the right memory comes first for in `search_graph`; told those whose context of
`inject_context` has it; silent those that are told nothing where the memories of their half are not stored, so that
nothing answers them. Memories are stored in an order that mixes languages, a day apart.
"""

import argparse
import csv
import random
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.quality.report import model_settings, save
from benchmarks.quality.truth import Asked, Item, ours, told

QUESTIONS = Path(__file__).with_suffix(".tsv")
FIRST_DAY = datetime(2026, 1, 5, 9, tzinfo=UTC)
Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="table of memories and questions")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"], choices=["base", "minilm"])
    parser.add_argument("--model", type=Path, help="folder of a model, or multilingual; measured as ours-NAME alone")
    parser.add_argument("--out", type=Path, help="by the name of the table, by default")
    options = parser.parse_args()
    systems: dict[str, dict[str, Any]] = {f"ours-{tier}": {"tier": tier} for tier in options.tiers}
    if options.model is not None:
        systems = {f"ours-{options.model.name}": {"tier": "minilm"} | model_settings(options.model)}
    out = options.out or Path("benchmarks/results/models") / options.questions.stem
    rows = questions(options.questions)
    for name, settings in systems.items():
        started = time.perf_counter()
        records = measured(rows, settings)
        save(out, name, summary(records), records, seconds=time.perf_counter() - started)


def questions(path: Path) -> list[Row]:
    """The lines of the table; those of memories that nobody asks about have no question."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def measured(rows: Sequence[Row], settings: dict[str, Any]) -> list[dict[str, Any]]:
    """One record for each question."""
    texts = list(dict.fromkeys(row["memory"] for row in rows))
    random.Random(0).shuffle(texts)
    memories = {
        text: {"text": text, "at": (FIRST_DAY + timedelta(days=day)).isoformat()} for day, text in enumerate(texts)
    }
    records = []
    with _stored(settings, memories.values()) as (asked, ids):
        for number, row in enumerate(rows):
            if not row["question"]:
                continue
            gold = ids[row["memory"]]
            ranks, context = asked.search(row["question"]), asked.context(row["question"])
            records.append({
                "id": number, "kind": row["kind"], "language": row["language"], "asked_in": row["asked_in"],
                "held": row["set"] == "held", "hit@1": ranks[:1] == [gold], "R@5": gold in ranks[:5],
                "told": told(context, memories[row["memory"]], gold),
            })  # fmt: skip
    for half in ("developed", "held"):
        answered = {row["memory"] for row in rows if row["set"] == half}
        others = [memory for text, memory in memories.items() if text not in answered]
        with _stored(settings, others) as (asked, _):
            for record in records:
                if record["held"] == (half == "held"):
                    record["silent"] = not asked.context(rows[record["id"]]["question"])
    return records


@contextmanager
def _stored(settings: dict[str, Any], memories: Collection[Item]) -> Iterator[tuple[Asked, dict[str, str]]]:
    """A memory with these in it, and the id of each by its text, on the day after the last."""
    with ours(settings)(FIRST_DAY.isoformat()) as asked:
        ids = {memory["text"]: asked.store(memory)["node_id"] for memory in memories}
        asked.at((FIRST_DAY + timedelta(days=365)).isoformat())
        yield asked, ids


def summary(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Percent of hit@1, R@5, told and silent: of all, halves, kinds, kinds in halves, and each other language."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        half = "held" if record["held"] else "developed"
        foreign = record["asked_in"] if record["language"] == "en" else record["language"]
        for name in ("all", half, record["kind"], f"{record['kind']}, {half}", foreign):
            groups[name].append(record)
    return {
        name: {"n": len(some)}
        | {key: round(100 * sum(one[key] for one in some) / len(some), 1) for key in ("hit@1", "R@5", "told", "silent")}
        for name, some in groups.items()
    }


if __name__ == "__main__":
    main()
