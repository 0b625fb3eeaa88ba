"""`context-graph seed`."""

import argparse
import time
from collections import Counter
from pathlib import Path

from context_graph.cli._progress import progress
from context_graph.cli._run import opened, options, show
from context_graph.memory.seeding import seed


def parser() -> argparse.ArgumentParser:
    found = options("seed", "Remember a folder: Markdown, text and code files.", example="context-graph seed --source .")
    found.add_argument("--source", type=Path, required=True, help="a file or folder; of a git checkout, what git tracks")
    return found


def run(parsed: argparse.Namespace) -> int:
    started = time.perf_counter()
    with opened(parsed) as memory:
        done = [(part, stored) for part, _, stored in progress(seed(memory, parsed.source), "remembering")]
        edges = memory.store.counts()["edges"]
    kinds = Counter(part.kind for part, stored in done if stored)
    new, known = sum(kinds.values()), sum(not stored for _, stored in done)
    seconds = time.perf_counter() - started
    data = {
        "stored": new, "known_already": known, "files": len({part.path for part, _ in done}), "kinds": dict(kinds),
        "links": edges, "seconds": round(seconds, 2),
    }  # fmt: skip
    what = ", ".join(f"{count} of {kind}" for kind, count in kinds.most_common()) or "nothing new"
    show(parsed, data, f"remembered {new} parts of {data['files']} files in {seconds:.1f} s ({what}); {known} were known")
    return 0
