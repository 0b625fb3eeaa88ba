"""The first exchange between two homes, beside what storing the same memories costs.

::

    python -m benchmarks.system.syncing --data PATH [--count 2000] [--profile read] [--keep FOLDER]

One home stores so many texts by remember_many; a second one takes them in by way of a shared folder, and a third one
by signed questions and answers (the bytes of HTTP, without the socket). The ratio compares with the storing, in the
same run.
Then the first home hears back what the second one knows, and both meet again where nothing is new.
"""

import argparse
import cProfile
import os
import pstats
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.quality.report import save
from benchmarks.system.storing import opened
from benchmarks.system.texts import texts
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.store import keys
from context_graph.sync.exchange import Answering, exchange
from context_graph.sync.folder import read_folder, write_folder
from context_graph.sync.peers import Peer, Peers

WHY = "a paragraph of an encyclopedia"
USER = ("user",)

Steps = dict[str, dict[str, float]]


@contextmanager
def measured(steps: Steps, name: str, profiled: str) -> Iterator[None]:
    """Note the wall and CPU seconds of a block, and print where they went if its name was asked for."""
    profile = cProfile.Profile()
    wall, cpu = time.perf_counter(), time.process_time()
    if profiled == name:
        profile.enable()
    yield
    profile.disable()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    steps[name] = {"s": round(wall, 2), "cpu_s": round(cpu, 2)}
    if profiled == name:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def acquaint(*homes: Memory) -> dict[str, Peer]:
    """Let each home know each other one; returns them by the names of their folders."""
    peers = {
        home.settings.home.name: Peer(home.settings.home.name, keys.public_key(home.settings.home)) for home in homes
    }
    for home in homes:
        for name, peer in peers.items():
            if name != home.settings.home.name:
                Peers(home.settings.home).add(peer)
    return peers


def exchanges(folder: Path, lines: list[str], profiled: str = "") -> tuple[Steps, dict[str, int]]:
    """Every step with its seconds, and how much there was to tell."""
    steps: Steps = {}
    shared = folder / "shared"
    shared.mkdir()
    with (
        opened(folder / "first", "base") as first,
        opened(folder / "second", "base") as second,
        opened(folder / "third", "base") as third,
    ):
        peers = acquaint(first, second, third)
        for home in (first, second, third):
            home.embedder.fingerprint("what is loaded once")

        def run(name: str, action: Callable[[], object]) -> None:
            with measured(steps, name, profiled):
                action()

        run("store", lambda: first.remember_many([Draft(line, WHY) for line in lines]))
        first.background.wait()
        run("write", lambda: write_folder(first, shared, USER))
        run("read", lambda: read_folder(second, peers["first"], shared))
        run("write there", lambda: write_folder(second, shared, USER))
        run("read back", lambda: read_folder(first, peers["second"], shared))
        ask = Answering(first).answer
        run("questions", lambda: exchange(third, peers["first"], ask))
        equal = exchange(third, peers["first"], ask).equal
        assert equal, "the homes differ after the exchange"
        run("nothing new", lambda: exchange(third, peers["first"], ask))
        counts = {name: number for name, number in first.store.counts().items() if number}
    counts["bytes of files"] = sum(path.stat().st_size for path in shared.rglob("*.json"))
    return steps, counts


def main() -> None:
    """Measure, and keep the result where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the question sets, whose texts are stored")
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--profile", default="", help="the step whose profile is printed")
    parser.add_argument("--keep", type=Path, help="folder of the result")
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        steps, counts = exchanges(Path(folder), texts(arguments.data, arguments.count), arguments.profile)
    floor = steps["store"]["cpu_s"]
    for step in steps.values():
        step["times the storing"] = round(step["cpu_s"] / floor, 2)
    load = round(os.getloadavg()[0], 1)
    numbers = {"memories": arguments.count, **counts, "steps": steps, "load of the machine": load}
    if arguments.keep:
        save(arguments.keep, "sync-base", numbers, [], seconds=time.monotonic() - began)
    else:
        print(numbers)


if __name__ == "__main__":
    main()
