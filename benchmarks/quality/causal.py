"""Direction of cause and effect on the sentences of SemEval-2010 task 8: which of two marked nouns causes the other.

A pair counts where one noun stands in the clause of cause and the other in that of effect. Patterns were chosen on
the first half, by a hash of the sentence's number::

    python -m benchmarks.quality.causal --data PATH/causal
"""

import argparse
import json
import re
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.embed.causal import causes


def half(entry: dict) -> int:
    return 1 + blake2b(str(entry["id"]).encode(), digest_size=1).digest()[0] % 2


def truth(entry: dict) -> int:
    """1 where the first noun causes the second, 2 where the second causes the first, 0 for any other relation."""
    return 0 if "cause" not in entry else 1 if entry["cause"] == entry["e1"] else 2


def found(entry: dict) -> int:
    """The same as our clauses say."""
    text = entry["text"]
    for clauses in causes(text):
        for label, first, second in ((1, "e1", "e2"), (2, "e2", "e1")):
            if _holds(text, clauses.cause, entry[first]) and _holds(text, clauses.effect, entry[second]):
                return label
    return 0


def _holds(text: str, span: tuple[int, int], noun: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(noun)}(?!\w)", text[slice(*span)]) is not None


def summary(records: Sequence[dict]) -> dict[str, float]:
    """Precision, recall and F1 in percent, and what else is worth knowing of the clauses."""
    numbers = {}
    for name, entries in (("", records), *((f" half {k}", [r for r in records if r["half"] == k]) for k in (1, 2))):
        right = sum(r["truth"] == r["found"] != 0 for r in entries)
        said, there = (sum(r[key] != 0 for r in entries) for key in ("found", "truth"))
        numbers[f"precision{name}"] = round(100 * right / said, 1)
        numbers[f"recall{name}"] = round(100 * right / there, 1)
        numbers[f"F1{name}"] = round(200 * right / (said + there), 1)
    both = [r for r in records if r["truth"] and r["found"]]
    numbers["direction where found"] = round(100 * float(np.mean([r["truth"] == r["found"] for r in both])), 1)
    numbers["clauses where nothing is caused"] = round(
        100 * float(np.mean([r["stated"] > 0 for r in records if not r["truth"]])), 1
    )
    numbers["words in a clause"] = round(float(np.mean([n for r in records for n in r["words"]])), 1)
    return numbers | {"us": round(float(np.mean([r["us"] for r in records])), 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with semeval2010_task8.jsonl")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/causal"))
    options = parser.parse_args()
    records, begun = [], time.perf_counter()
    for line in (options.data / "semeval2010_task8.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        started = time.perf_counter()
        pairs = causes(entry["text"])
        us = (time.perf_counter() - started) * 1e6
        spans = [span for pair in pairs for span in (pair.cause, pair.effect)]
        records.append(
            {
                "id": entry["id"], "half": half(entry), "truth": truth(entry), "found": found(entry), "us": round(us),
                "stated": sum(pair.stated for pair in pairs), "spans": spans,
                "words": [len(entry["text"][slice(*span)].split()) for span in spans],
            }
        )  # fmt: skip
    save(options.out, "clauses", summary(records), records, seconds=time.perf_counter() - begun)


if __name__ == "__main__":
    main()
