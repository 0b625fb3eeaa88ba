"""`context-graph embed`."""

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import all_cores, opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.cli._progress import progress

if TYPE_CHECKING:
    from context_graph.memory import Memory


def parser() -> argparse.ArgumentParser:
    text = "Embed now what another model embedded, as after a change of tier; an interrupted run goes on where it was."
    return options("embed", text, example="context-graph embed --tier minilm")


def run(parsed: argparse.Namespace) -> int:
    data, text = embedded(parsed)
    show(parsed, data, text)
    return 0


def embedded(parsed: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Embed all that another model embedded; returns what was done, for a program and for a person."""
    from context_graph.index.loader import behind

    started = time.perf_counter()
    with opened(parsed, threads=all_cores(parsed)) as memory:
        memory.catch_up()  # rarities of words are counted over all memories
        left = behind(memory.store, memory.model.makers)
        done = sum(progress(_renewed(memory, left), "embedding", total=len(left)))
        memory.renewed()
        still = len(behind(memory.store, memory.model.makers))
        model = memory.model.model
    seconds = time.perf_counter() - started
    data = {"embedded": done, "left": still, "model": model, "seconds": round(seconds, 2)}
    text = f"embedded {done} memories with {model} in {seconds:.1f} s"
    if still:
        text += f"; {still} were changed meanwhile: run it again"
    return data, text if done or still else f"every memory has vectors of {model}"


def _renewed(memory: "Memory", left: Sequence[str]) -> Iterator[int]:
    """For each memory 1 where it was embedded, 0 where another process was faster."""
    from context_graph.ingest.renewal import RENEWED_AT_ONCE, renew

    for start in range(0, len(left), RENEWED_AT_ONCE):
        batch = left[start : start + RENEWED_AT_ONCE]
        done = renew(memory, batch)
        yield from (int(i < done) for i in range(len(batch)))
