"""What a large tree of Markdown costs: its graph, its passages, a second look, one changed file.

::

    python -m benchmarks.quality.document_tree --data PATH [--documents 10000] [--edits 10] [--graph-alone]
        [--keep benchmarks/results/folders]

The tree is made of the sentences of real paragraphs (2WikiMultihopQA, MuSiQue, HotpotQA below PATH): each document
has a title, tags, one to three short paragraphs below two or three headings, and links to others. Times are of the
wall and of the processors (all threads of the process, and of the processes that it started).
"""

import argparse
import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.quality.editing import resources
from benchmarks.quality.report import save
from context_graph import Memory
from context_graph.agents.watching import stop_watching, watch_documents, watched
from context_graph.connectors.folder.passages import passages
from context_graph.connectors.folder.watching import watch
from context_graph.runtime.tasks import TASKS
from context_graph.server.dispatch import call
from context_graph.settings import Settings

SETS = ("2wiki", "musique", "hotpotqa")
HEADINGS = "Overview History Career Family Works Reception Places Background Legacy Details".split()
TAGS = "people places films music sport science law rivers books houses".split()
SENTENCES = (1, 2)
"""Of a paragraph: short ones, of 15 to 60 words."""

LAST = "zanzibarlast"
"""A word of the last passage of the tree alone."""

MAX_WAIT_S = 1_800.0
assert passages is TASKS["passages"].work, "the task that is waited for is registered"


def sentences(data: Path) -> Iterator[str]:
    """The sentences of all paragraphs, in their order."""
    for name in SETS:
        with gzip.open(data / name / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
            for line in file:
                for sentence in json.loads(line)["text"].replace("\n", " ").split(". "):
                    if len(sentence.split()) >= 5:
                        yield f"{sentence.strip().rstrip('.')}."


def write_tree(folder: Path, data: Path, documents: int, seed: int = 0) -> None:
    """Write so many documents, a hundred to a folder."""
    dice, waiting = random.Random(seed), sentences(data)
    names = [f"part{number // 100:03}/doc{number:05}" for number in range(documents)]
    for number, name in enumerate(names):
        place = folder / f"{name}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_document(dice, waiting, names, number), "utf-8")


def _document(dice: random.Random, waiting: Iterator[str], names: list[str], number: int) -> str:
    paragraphs = [" ".join(next(waiting) for _ in range(dice.choice(SENTENCES))) for _ in range(dice.randint(1, 3))]
    title = " ".join(paragraphs[0].split()[:4]).strip(".,:;[](){}#")
    headings = dice.sample(HEADINGS, max(2, len(paragraphs)))
    tags = ", ".join(dice.sample(TAGS, 2))
    others = dice.sample(names, 2)
    parts = [f"---\ntags: [{tags}]\n---\n\n# {title} {number}"]
    links = f"See [{others[0]}](../{others[0]}.md) and [[{others[1].rsplit('/', 1)[-1]}]]."
    for place, heading in enumerate(headings):
        text = paragraphs[place] if place < len(paragraphs) else ""
        text = f"{text} {links}".strip() if place == len(headings) - 1 else text
        parts.append(f"## {heading}\n\n{text}")
    if number == len(names) - 1:
        parts.append(f"## End\n\nThe {LAST} of the tree is told here.")
    return "\n\n".join(parts) + "\n"


@contextmanager
def timed(numbers: dict[str, object], name: str) -> Iterator[None]:
    """Note the seconds of a part by the wall and by the processors, those of children that have ended included."""
    wall, cpu = time.monotonic(), time.process_time() + _cpu_of_children()
    yield
    cpu = time.process_time() + _cpu_of_children() - cpu
    numbers[name] = {"s": round(time.monotonic() - wall, 2), "cpu s": round(cpu, 2)}
    print(name, numbers[name], file=sys.stderr, flush=True)


def _seen(memory: Memory, word: str) -> bool:
    answer = call(memory, "search_graph", {"query": word, "top_k": 1, "include_content": True}).structured
    return any(word in str(one) for one in answer.get("results", []))


def measured(place: Path, data: Path, documents: int, edits: int, *, passages_too: bool) -> dict[str, object]:
    """All numbers of one tree; of the graph alone where its passages are not to be stored."""
    project, home = place / "project", place / "home"
    write_tree(project / "docs", data, documents)
    settings = Settings(home=home, tier="base", project=project)
    numbers: dict[str, object] = {"documents": documents}
    with Memory(settings) as memory:
        with timed(numbers, "graph and passages"):
            with timed(numbers, "graph"):
                answer = call(memory, "kg_graph_generate", {"passages": passages_too}).structured["data"]
            assert answer["filesProcessed"] == documents, answer
            if passages_too:
                _wait_for_passages(memory)
        numbers["passages"] = memory.store.counts()["memories"]
        numbers["edges of the graph"] = answer["edgesCreated"]
        numbers["resources after it"] = resources(os.getpid())
        for again in ("incremental", "incremental again"):
            with timed(numbers, again):
                answer = call(memory, "kg_graph_generate", {"incremental": True, "passages": False}).structured["data"]
            assert answer["nodesUnchanged"] == documents, answer
        if passages_too:
            with timed(numbers, "incremental, and its passages"):
                call(memory, "kg_graph_generate", {"incremental": True})
                memory.background.finished("passages", "docs", MAX_WAIT_S)
        numbers["edits, graph"] = _times(_graph_edits(memory, project, edits))
        if passages_too:
            numbers["edits, passages"] = _times(_passage_edits(memory, project, edits))
    with Memory(settings) as memory, timed(numbers, "incremental, newly opened"):
        call(memory, "kg_graph_generate", {"incremental": True, "passages": False})
    for again in ("seed after the edits", "seed, unchanged") if passages_too else ():
        began, cpu = time.monotonic(), _cpu_of_children()
        command = [sys.executable, "-m", "context_graph.cli", "seed", "--source", str(project / "docs")]
        subprocess.run([*command, "--home", str(home), "--tier", "base"], check=True, capture_output=True)
        seconds = {"s": round(time.monotonic() - began, 2), "cpu s": round(_cpu_of_children() - cpu, 2)}
        numbers[again] = seconds
    return numbers


def _wait_for_passages(memory: Memory) -> None:
    """Until search_graph finds the last one."""
    if not memory.background.finished("passages", "docs", MAX_WAIT_S):
        raise SystemExit(f"the passages took longer than {MAX_WAIT_S:.0f} s")
    while not _seen(memory, LAST):
        time.sleep(0.05)


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _times(seconds: list[float]) -> dict[str, float]:
    return {"p50 s": round(statistics.median(seconds), 3), "max s": round(max(seconds), 3), "n": len(seconds)}


def _edit(project: Path, number: int, word: str) -> None:
    place = sorted((project / "docs").glob("part*/*.md"))[number * 7]
    text = place.read_text("utf-8")
    place.write_text(f"{text}\n## News\n\nA {word} was seen here.\n", "utf-8")


def _graph_edits(memory: Memory, project: Path, edits: int) -> list[float]:
    """Seconds from the write of a file until kg_search_nodes finds it, while the documents are watched."""
    watch_documents(memory, ("docs",))
    (one,) = watched(memory)
    one.begun.wait()
    seconds = []
    for number in range(edits):
        word = f"zanzibar{number}graph"
        _edit(project, number, word)
        began = time.monotonic()
        while not call(memory, "kg_search_nodes", {"query": word}).structured["data"]["nodes"]:
            time.sleep(0.01)
        seconds.append(time.monotonic() - began)
        time.sleep(0.5)
    stop_watching(memory)
    return seconds


def _passage_edits(memory: Memory, project: Path, edits: int) -> list[float]:
    """Seconds from the write of a file until search_graph finds it, while the folder is seeded and watched."""
    stop, begun = threading.Event(), threading.Event()

    def follow() -> None:
        for _ in watch(memory, project / "docs", stop=stop):
            begun.set()

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    begun.wait(30)
    seconds = []
    for number in range(edits):
        word = f"zanzibar{number}passage"
        _edit(project, number + edits, word)
        began = time.monotonic()
        while not _seen(memory, word):
            time.sleep(0.01)
        seconds.append(time.monotonic() - began)
        time.sleep(0.5)
    stop.set()
    thread.join()
    return seconds


def main() -> None:
    """Measure one tree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--edits", type=int, default=10)
    parser.add_argument("--graph-alone", action="store_true", help="store no passages")
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    began, load = time.monotonic(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        numbers = measured(
            Path(folder), arguments.data, arguments.documents, arguments.edits, passages_too=not arguments.graph_alone
        )
    numbers["load of the machine"] = [round(load, 1), round(os.getloadavg()[0], 1)]
    if arguments.keep:
        name = "document_tree-graph" if arguments.graph_alone else "document_tree"
        save(arguments.keep, name, numbers, [], seconds=time.monotonic() - began)
    else:
        print(json.dumps(numbers, indent=1))


if __name__ == "__main__":
    main()
