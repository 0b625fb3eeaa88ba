"""`context-graph seed`."""

import argparse
import time
from collections import Counter
from pathlib import Path

from context_graph.cli._opening import all_cores, opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.cli._progress import progress
from context_graph.errors import InvalidInput


def parser() -> argparse.ArgumentParser:
    text = "Remember a folder: Markdown, text and code files."
    found = options("seed", text, example="context-graph seed --source .")
    meaning = "a file or folder; of a git checkout, what git tracks"
    found.add_argument("--source", type=Path, required=True, metavar="PATH", help=meaning)
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.memory.seeding import files_of, parts_of, seed

    files = files_of(parsed.source)
    parts = {file: sum(1 for _ in parts_of(file, file.name)) for file in files}
    total, without = sum(parts.values()), sum(count == 0 for count in parts.values())
    if total == 0:
        raise InvalidInput(f"{parsed.source} holds no Markdown, text or code in UTF-8 to remember", field="source")
    started = time.perf_counter()
    with opened(parsed, threads=all_cores(parsed)) as memory:
        done = [(part, stored) for part, _, stored in progress(seed(memory, parsed.source), "remembering", total=total)]
        edges = memory.store.counts()["edges"]
    kinds = Counter(part.kind for part, stored in done if stored)
    new, known = sum(kinds.values()), sum(not stored for _, stored in done)
    seconds = time.perf_counter() - started
    data = {
        "stored": new, "known_already": known, "files": len(files) - without, "files_without_text": without,
        "kinds": dict(kinds), "edges": edges, "seconds": round(seconds, 2),
    }  # fmt: skip
    what = f" ({', '.join(f'{count} of {kind}' for kind, count in kinds.most_common())})" if kinds else ""
    text = f"remembered {new} parts of {data['files']} files in {seconds:.1f} s{what}; {known} were known"
    if without:
        text += f"\n{without} files gave nothing: too short, or not text in UTF-8"
    show(parsed, data, text)
    return 0
