"""Code search on CoSQA: which Python function answers a question that somebody typed into a search engine.

Functions are remembered one by one in a store of their own, and each question is recalled from it. Settings were
chosen on the first half of the questions; the second half is reported beside it::

    python -m benchmarks.quality.code --data PATH/cosqa [--systems ours-minilm ...]
"""

import argparse
import gzip
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save

DEPTHS = (5, 10, 20)
Search = Callable[[str], Sequence[int]]


def read(folder: Path) -> tuple[dict[int, str], list[tuple[str, int]]]:
    """Functions by id, and (question, id of the function that answers it)."""
    with gzip.open(folder / "codes.jsonl.gz", "rt", encoding="utf-8") as file:
        codes = {entry["id"]: entry["code"] for entry in map(json.loads, file)}
    questions = map(json.loads, (folder / "queries.jsonl").read_text("utf-8").splitlines())
    return codes, [(entry["query"], entry["gold"]) for entry in questions]


def bm25(codes: dict[int, str]) -> Search:
    """bm25s with Porter stems over the words of the code, identifiers split as ours are."""
    import bm25s

    from context_graph.embed.stems import stems

    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index([list(stems(code)) for code in codes.values()], show_progress=False)
    ids = np.array(list(codes))
    return lambda question: ids[index.retrieve([list(stems(question))], k=20, show_progress=False)[0][0]].tolist()


def ours(tier: str, without: Sequence[str] = ()) -> Callable[[dict[int, str]], Search]:
    """Our memory; `without` names scores that are left out of the fusion."""

    def opened(codes: dict[int, str]) -> Search:
        from context_graph.memory import Memory
        from context_graph.memory.draft import Draft
        from context_graph.memory.recall import Question
        from context_graph.retrieval import fusion
        from context_graph.settings import Settings

        memory = Memory(Settings(home=Path(tempfile.mkdtemp(prefix="cosqa-")), tier=tier))
        stored: dict[str, list[int]] = {}
        for number, code in codes.items():
            done = memory.remember(Draft(code, passive=True))  # captured: 6,267 rewards would tell nothing
            stored.setdefault(done.node.id, []).append(number)
        for name in without:
            for weights in fusion.WEIGHTS[tier].values():
                weights.pop(name, None)

        def find(question: str) -> list[int]:
            hits = memory.recall(Question(question, top_k=20, record=False)).hits
            return [number for hit in hits for number in stored[hit.node.id]][:20]

        return find

    return opened


SYSTEMS: dict[str, Callable[[dict[int, str]], Search]] = {
    "bm25": bm25,
    "ours-base": ours("base"),
    "ours-minilm": ours("minilm"),
    "ours-base-without-code": ours("base", ("code",)),
    "ours-minilm-without-code": ours("minilm", ("code",)),
}


def evaluate(find: Search, questions: Sequence[tuple[str, int]]) -> list[dict]:
    """One record for each question: the rank of its function, None beyond 20."""
    records = []
    for number, (question, gold) in enumerate(questions):
        started = time.perf_counter()
        found = list(find(question))
        ms = (time.perf_counter() - started) * 1000
        rank = found.index(gold) + 1 if gold in found else None
        records.append({"id": number, "half": 1 + (2 * number >= len(questions)), "rank": rank, "ms": round(ms, 2)})
    return records


def summary(records: Sequence[dict]) -> dict[str, float]:
    """Recall at each depth and MRR in percent, and recall at 10 of each half of the questions."""

    def recall(entries: Sequence[dict], depth: int) -> float:
        return round(
            100 * float(np.mean([entry["rank"] is not None and entry["rank"] <= depth for entry in entries])), 2
        )

    numbers = {f"R@{depth}": recall(records, depth) for depth in DEPTHS}
    numbers["MRR"] = round(100 * float(np.mean([1 / entry["rank"] if entry["rank"] else 0.0 for entry in records])), 2)
    for half in (1, 2):
        numbers[f"R@10 half {half}"] = recall([entry for entry in records if entry["half"] == half], 10)
    return numbers | {"p50 ms": round(float(np.median([entry["ms"] for entry in records])), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with codes.jsonl.gz and queries.jsonl")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/code"))
    options = parser.parse_args()
    codes, questions = read(options.data)
    for system in options.systems:
        started = time.perf_counter()
        records = evaluate(SYSTEMS[system](codes), questions)
        save(options.out, system, summary(records), records, seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
