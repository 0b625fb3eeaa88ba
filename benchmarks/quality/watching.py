"""How long a changed document takes until kg_search_nodes finds it, while its folder is watched.

::

    python -m benchmarks.quality.watching [--documents 1000] [--edits 20] [--keep benchmarks/results/folders]

A project of so many documents is read and watched; each edit writes a word that no other document
has, which is then asked for again and again. Once as the system tells of changes, once by looking at all files.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.quality.report import save
from context_graph import Memory
from context_graph.agents.watching import watch_documents, watched
from context_graph.server.dispatch import call
from context_graph.settings import Settings

WORDS = "harbour lamp pump crane permit tide keeper cellar brine noon dusk signal".split()


def delays(folder: Path, documents: int, edits: int, *, polling: bool) -> list[float]:
    """Seconds from the write of a file to the answer that has it, by edit."""
    project = folder / "project"
    (project / "docs").mkdir(parents=True)
    for i in range(documents):
        text = " ".join(WORDS[(i + j * j) % len(WORDS)] for j in range(200))
        (project / f"docs/d{i}.md").write_text(
            f"# Document {i}\n\n{text}\n\nSee [[d{(i * 7) % documents}]].\n", "utf-8"
        )
    seconds = []
    with Memory(Settings(home=folder / "home", tier="base", project=project)) as memory:
        call(memory, "kg_graph_generate", {"passages": False})
        watch_documents(memory, ("docs",), polling=polling)
        (one,) = watched(memory)
        one.begun.wait()
        for edit in range(edits):
            word = f"zanzibar{edit}x"
            place = project / f"docs/d{edit % documents}.md"
            place.write_text(f"# {word}\n\nA {word} by the {WORDS[edit % len(WORDS)]}.\n", "utf-8")
            began = time.monotonic()
            while not call(memory, "kg_search_nodes", {"query": word}).structured["data"]["nodes"]:
                time.sleep(0.01)
            seconds.append(time.monotonic() - began)
    return seconds


def main() -> None:
    """Measure both ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    began, numbers = time.monotonic(), {"documents": arguments.documents, "edits": arguments.edits}
    for name, polling in (("told", False), ("polling", True)):
        with tempfile.TemporaryDirectory() as folder:
            seconds = delays(Path(folder), arguments.documents, arguments.edits, polling=polling)
        numbers |= {f"{name} p50 s": round(statistics.median(seconds), 3), f"{name} max s": round(max(seconds), 3)}
    numbers["load of the machine"] = round(os.getloadavg()[0], 1)
    if arguments.keep:
        save(arguments.keep, "watching", numbers, [], seconds=time.monotonic() - began)
    else:
        print(numbers)


if __name__ == "__main__":
    main()
