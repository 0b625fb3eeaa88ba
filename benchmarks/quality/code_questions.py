"""Whether questions over seeded code bases lead to the definition that answers them.

    python -m benchmarks.quality.code_questions --data PATH [--tiers base,minilm] [--out DIR]

PATH holds the unpacked source distributions of httpie 3.2.4, flask 3.0.3, click 8.1.7 and requests 2.32.3 (`pip
download --no-deps --no-binary :all: NAME==VERSION`), which nobody of this project wrote; all of each is seeded, with
its tests and documents. The questions stand in code_questions.tsv and were written before any answer was seen. No
weight was chosen on those marked "held", about requests; those marked "manual" ask how one does something, and are
answered by the manual: a path instead of a definition.

A question gets 2 points where the first result is a part of a definition that answers it, by its path and by lines
that begin within the definition or hold its first line; 1 where one of the first five is; else 0. "Told"
counts the questions whose context of 2,048 tokens cites such a part.
"""

import argparse
import ast
import csv
import json
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from context_graph import Memory, Question
from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.seeding import seed
from context_graph.models import Node
from context_graph.presentation.addresses import address_of
from context_graph.settings import Settings

QUESTIONS = Path(__file__).with_suffix(".tsv")
FIRST = 5


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file, the first and the last; without lines, all files whose path begins so."""

    path: str
    first: int = 0
    last: int = 0

    def holds(self, node: Node) -> bool:
        """Whether a memory is a part of this definition, or of what it begins in."""
        if not self.last:
            return str(node.metadata.get("source", "")).startswith(self.path)
        line, end = node.metadata.get("line", 0), node.metadata.get("end_line", 0)
        return node.metadata.get("source") == self.path and (
            self.first <= line <= self.last or line <= self.first <= end
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the unpacked source distributions")
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--reranker", type=Path, help="folder of a cross-encoder that reads the first results")
    parser.add_argument("--out", type=Path, help="a folder for the result")
    options = parser.parse_args()
    rows = _questions(QUESTIONS)
    results = {
        tier: {
            package: _measured(options.data / package, those, Settings(tier=tier, reranker=options.reranker))
            for package in dict.fromkeys(row["package"] for row in rows)
            if (those := [row for row in rows if row["package"] == package])
        }
        for tier in options.tiers.split(",")
    }
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "code_questions.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _questions(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _measured(data: Path, rows: list[dict[str, str]], settings: Settings) -> dict[str, Any]:
    answers, tier = [], settings.tier
    with tempfile.TemporaryDirectory() as home, Memory(replace(settings, home=Path(home))) as memory:
        started = time.perf_counter()
        inventory = survey(data)
        parts = sum(step.change == "added" for step in seed(memory, inventory))
        seconds = time.perf_counter() - started
        for row in rows:
            spans = [_span(data, definition) for definition in row["definitions"].split()]
            hits = memory.recall(Question(row["question"], top_k=FIRST, record=False)).hits
            ranks = [rank for rank, hit in enumerate(hits, 1) if any(span.holds(hit.node) for span in spans)]
            points = 0 if not ranks else 2 if ranks[0] == 1 else 1
            context = memory.inject(row["question"], max_tokens=2_048)
            told = any(any(span.holds(hit.node) for span in spans) for hit in context.hits)
            answers.append({
                "set": row["set"], "question": row["question"], "points": points, "told": told,
                "tokens": context.tokens, "first": [address_of(hit.node) for hit in hits],
            })  # fmt: skip
            print(f"{tier:<7} {row['set']:<10} {points}  {'told' if told else '-':<5} {row['question']}", flush=True)
            if points < 2:
                print("        " + "\n        ".join(f"{hit.relevance:.2f} {address_of(hit.node)}" for hit in hits))
    sets = {
        name: {
            "points": sum(one["points"] for one in of), "of": 2 * len(of), "told": sum(one["told"] for one in of),
            "tokens": round(sum(one["tokens"] for one in of) / len(of)),
        }
        for name in ("seen", "held", "manual")
        if (of := [one for one in answers if one["set"] == name])
    }  # fmt: skip
    print(f"{tier}, {data.name}: {sets}; {len(inventory.parts)} files, {parts} parts seeded in {seconds:.1f} s")
    return {
        "sets": sets,
        "files": len(inventory.parts),
        "parts": parts,
        "seconds": round(seconds, 1),
        "answers": answers,
    }


def _span(data: Path, definition: str) -> Span:
    """The lines of a definition, "path:Class.method" or "path:NAME"; of what is no definition all files there."""
    path, _, name = definition.partition(":")
    if not name:
        return Span(path)
    body: list[ast.stmt] = ast.parse((data / path).read_text("utf-8")).body
    node: ast.stmt | None = None
    for part in name.split("."):
        node = next(one for one in body if part in _named(one))
        body = getattr(node, "body", [])
    assert node is not None
    decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
    return Span(path, min([node.lineno, *decorators]), node.end_lineno or node.lineno)


def _named(node: ast.stmt) -> list[str]:
    targets = getattr(node, "targets", [])
    return [getattr(node, "name", ""), *(target.id for target in targets if isinstance(target, ast.Name))]


if __name__ == "__main__":
    main()
