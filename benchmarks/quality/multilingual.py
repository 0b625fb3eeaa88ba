"""Whether a memory is found and told by a question in other words, and in another language, among nine others.

    python -m benchmarks.quality.multilingual [--tiers base minilm] [--model FOLDER] [--out DIR]

The questions stand in multilingual.tsv and were written before any model had seen them; those marked "held" were looked
at once, at the end. All 144 memories lie in one store: six each in German, Spanish, French, Italian, Portuguese, Dutch,
Polish, Russian, Japanese and Chinese, 40 in English, and 44 in all of these that no question is about. Kinds:

- own: the question is in the language of the memory, in other words
- english asks: the same memory is asked about in English
- of english: an English memory is asked about in another language

hit@1 counts the questions that the right memory comes first for in `search_graph`; told those whose context of
`inject_context` has it. Memories are stored in an order that mixes languages, a day apart.
"""

import argparse
import csv
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.quality.report import model_settings, save
from benchmarks.quality.truth import ours, told

QUESTIONS = Path(__file__).with_suffix(".tsv")
FIRST_DAY = datetime(2026, 1, 5, 9, tzinfo=UTC)
Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"], choices=["base", "minilm"])
    parser.add_argument("--model", type=Path, help="folder of a model, or multilingual; measured as ours-NAME alone")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/models/multilingual"))
    options = parser.parse_args()
    systems: dict[str, dict[str, Any]] = {f"ours-{tier}": {"tier": tier} for tier in options.tiers}
    if options.model is not None:
        systems = {f"ours-{options.model.name}": {"tier": "minilm"} | model_settings(options.model)}
    rows = questions(QUESTIONS)
    for name, settings in systems.items():
        started = time.perf_counter()
        records = measured(rows, settings)
        save(options.out, name, summary(records), records, seconds=time.perf_counter() - started)


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
    with ours(settings)(FIRST_DAY.isoformat()) as asked:
        ids = {text: asked.store(memory)["node_id"] for text, memory in memories.items()}
        asked.at((FIRST_DAY + timedelta(days=len(texts))).isoformat())
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
    return records


def summary(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Percent of hit@1, R@5 and told: of all, of each half, of each kind in each half, of each other language."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        half = "held" if record["held"] else "developed"
        foreign = record["asked_in"] if record["language"] == "en" else record["language"]
        for name in ("all", half, record["kind"], f"{record['kind']}, {half}", foreign):
            groups[name].append(record)
    return {
        name: {"n": len(some)}
        | {key: round(100 * sum(one[key] for one in some) / len(some), 1) for key in ("hit@1", "R@5", "told")}
        for name, some in groups.items()
    }


if __name__ == "__main__":
    main()
