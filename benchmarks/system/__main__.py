"""Times the whole system and keeps the results::

python -m benchmarks.system --data PATH [--sizes 1000 10000 100000] [--tiers base minilm]
python -m benchmarks.system --parts startup
python -m benchmarks.system --data PATH --parts tools --sizes 10000 --tiers base
"""

import argparse
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.quality.report import environment
from benchmarks.system.fill import fill
from benchmarks.system.reading import filled, reading_tools
from benchmarks.system.served import Served
from benchmarks.system.storing import opened, storing, storing_many, times
from benchmarks.system.texts import texts

RESULTS = Path("benchmarks/results/system")
ROUNDS = 5
"""How often a store is opened, and all questions are asked: times are the medians of the rounds."""
TICKS = os.sysconf("SC_CLK_TCK")


def startup(rounds: int = 7) -> dict[str, float]:
    """From exec to the list of tools, and on to the first stored memory, base tier: medians of wall and CPU time.

    With modules compiled, as pip leaves them: the first round may compile them, and is left out.
    """
    found = [_started() for _ in range(1 + rounds)][1:]
    return {name: round(float(np.median([each[name] for each in found])), 3) for name in found[0]}


def _started() -> dict[str, float]:
    home = Path(tempfile.mkdtemp())
    begin = time.perf_counter()
    with Served(home, "base") as server:

        def spent(name: str) -> dict[str, float]:
            fields = Path(f"/proc/{server.pid}/stat").read_text().rsplit(") ", 1)[1].split()
            cpu = (int(fields[11]) + int(fields[12])) / TICKS
            return {f"{name}_wall_s": time.perf_counter() - begin, f"{name}_cpu_s": cpu}

        listing = server.ask("tools/list")
        found = spent("list")
        server.call("store_memory", content="The pump in hall 3 moves 40 litres of brine.", rationale="what it does")
        found |= spent("store")
    shutil.rmtree(home)
    return found | {"tools_list_bytes": len(listing)}


def resident(home: Path, tier: str, size: int, questions: Sequence[str]) -> dict[str, object]:
    """RAM of a server after questions, with this store, whose cache is made, and with an empty one."""
    with opened(home, tier) as memory:
        len(memory.corpus)
    empty = Path(tempfile.mkdtemp())
    found = {}
    for name, where in (("empty", empty), ("filled", home)):
        with Served(where, tier) as server:
            if name == "empty":
                server.call("store_memory", content="The pump moves 40 litres.", rationale="what it does")
            for question in questions:
                server.call("search_graph", query=question)
            found[name] = server.resident()
    shutil.rmtree(empty)
    more = {name: round((found["filled"][name] - found["empty"][name]) / size) for name in found["filled"]}
    return found | {"bytes_per_memory": more}


def embedding(data: Path, tier: str) -> dict[str, object]:
    """One short sentence, and 64 of them, without storing."""
    from context_graph.embed import Embedder

    embedder = Embedder(tier)
    embedder.load()
    sentences = [text.split(". ")[0][:120] for text in texts(data, 64 * 12)]
    batches = [sentences[i : i + 64] for i in range(0, len(sentences), 64)]
    return {
        "single": times(lambda text: embedder.fingerprint(text), sentences[:200]),
        "query": times(lambda text: embedder.query(text), sentences[200:400]),
        "batch_of_64": times(lambda batch: [embedder.fingerprint(text) for text in batch], batches),
    }


@contextmanager
def stored(data: Path, tier: str, size: int, keep: Path | None) -> Iterator[Path]:
    """The home of a store of so many texts, whose background has nothing left to embed."""
    folder = Path(tempfile.mkdtemp()) if keep is None else keep
    home, filling = folder / f"search-{tier}-{size}", folder / "filling"
    if not home.exists():
        shutil.rmtree(filling, ignore_errors=True)
        with opened(filling, tier) as memory:
            fill(memory, texts(data, size))
            memory.background.wait()
        filling.rename(home)  # a store that is kept is whole
    yield home
    if keep is None:
        shutil.rmtree(folder)


def opening(home: Path, tier: str, size: int) -> dict[str, object]:
    """From `Memory(...)` to a corpus that can be searched, and bytes at one size."""
    for path in home.rglob("*.segment"):
        path.unlink()
    spans, busy = [], []
    for _ in range(1 + ROUNDS):  # the first opening builds the cache
        begin, started = time.perf_counter(), time.process_time()
        with opened(home, tier) as memory:
            len(memory.corpus)
            spans.append(round(time.perf_counter() - begin, 3))
            busy.append(round(time.process_time() - started, 3))
            memory.background.wait()
            ram = {name: round(count / size) for name, count in memory.corpus.nbytes.items()}
    store = sum(path.stat().st_size for path in home.glob("graph.sqlite3*"))
    cache = sum(path.stat().st_size for path in home.rglob("*.segment"))
    return {
        "open_first_s": spans[0], "open_s": round(float(np.median(spans[1:])), 3), "opens_s": spans[1:],
        "open_cpu_s": round(float(np.median(busy[1:])), 3), "load_average": round(os.getloadavg()[0], 1),
        "ram_bytes_per_memory": ram | {"all": sum(ram.values())},
        "disk_bytes_per_memory": {"store": round(store / size), "cache": round(cache / size)},
    }  # fmt: skip


def searching(home: Path, tier: str, questions: Sequence[str]) -> dict[str, object]:
    """Search at one size."""
    from context_graph.recall.question import Question

    with opened(home, tier) as memory:
        len(memory.corpus)
        memory.background.wait()
        memory.recall(Question(questions[0]))
        stages: dict[str, list[float]] = {}

        def ask(question: str) -> None:
            answer = memory.recall(Question(question, record=False))
            for stage in answer.stages:
                stages.setdefault(stage["stage"], []).append(stage["ms"])
            stages.setdefault("reading the question", []).append(answer.layers_ms["L1_sensing"])

        rounds = [times(ask, questions) for _ in range(ROUNDS)]
        found = {name: round(float(np.median([each[name] for each in rounds])), 2) for name in rounds[0]}
        found["n"] = len(questions)
        found["p95_of_rounds_ms"] = [each["p95_ms"] for each in rounds]
    return found | {"stages_p50_ms": {name: round(float(np.median(values)), 2) for name, values in stages.items()}}


def reading(data: Path, tier: str, size: int, questions: Sequence[str], keep: Path | None) -> dict[str, object]:
    """The tools that only read, on a store of so many memories and the documents of this repository."""
    folder = Path(tempfile.mkdtemp()) if keep is None else keep
    home, filling = folder / f"tools-{tier}-{size}", folder / "filling-tools"
    if not home.exists():
        shutil.rmtree(filling, ignore_errors=True)
        filled(filling, tier, texts(data, size))
        filling.rename(home)
    found = reading_tools(home, tier, Path(), questions)
    if keep is None:
        shutil.rmtree(folder)
    return found


def _questions(folder: Path) -> list[str]:
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the question sets; all parts but startup read it")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--tiers", nargs="*", default=["base", "minilm"])
    parser.add_argument("--keep", type=Path, help="folder where the stores of the search stay for the next run")
    parser.add_argument("--parts", nargs="*", default=["startup", "store", "embed", "open", "resident", "search"])
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    options = parser.parse_args()
    if options.data is None and options.parts != ["startup"]:
        parser.error("--data PATH is needed; only --parts startup does without")
    options.out.mkdir(parents=True, exist_ok=True)

    def keep(name: str, result: dict) -> None:
        kept = json.dumps(environment() | {"result": result}, indent=1) + "\n"
        (options.out / f"{name}.json").write_text(kept, "utf-8")
        print(name, json.dumps(result), flush=True)

    if "startup" in options.parts:
        keep("startup", startup())
    if options.parts == ["startup"]:
        return
    questions = _questions(options.data / "2wiki")
    if "tools" in options.parts:
        both = [*questions, *_questions(options.data / "musique"), *_questions(options.data / "hotpotqa")]
        for tier, size in ((tier, size) for tier in options.tiers for size in options.sizes):
            keep(f"tools-{tier}-{size}", reading(options.data, tier, size, both, options.keep))
    for tier in options.tiers:
        if "store" in options.parts:
            keep(f"store-{tier}", storing(options.data, tier))
            keep(f"store-many-{tier}", storing_many(options.data, tier))
        if "embed" in options.parts:
            keep(f"embed-{tier}", embedding(options.data, tier))
        for size in options.sizes if {"open", "resident", "search"} & {*options.parts} else ():
            with stored(options.data, tier, size, options.keep) as home:
                if "open" in options.parts:
                    keep(f"open-{tier}-{size}", opening(home, tier, size))
                if "resident" in options.parts:
                    keep(f"resident-{tier}-{size}", resident(home, tier, size, questions))
                if "search" in options.parts:
                    keep(f"search-{tier}-{size}", searching(home, tier, questions))


if __name__ == "__main__":
    main()
