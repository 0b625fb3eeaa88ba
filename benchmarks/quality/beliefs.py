"""Beliefs asked for in other words, and questions that are about none of them: what inject_context tells.

    python -m benchmarks.quality.beliefs [--tiers base,minilm] [--all]

beliefs.txt holds 35 beliefs of a made-up company with their names and aliases, 24 questions that use other words, and
16 that are about something else. Told, the belief is among the lines; first, it is the first line. Of a harmless
question anything told counts. Everything was written before it was first asked; then one bar was lowered for short
named statements (`recall/telling.py`): 11 (base) and 12 (minilm) were told before.
"""

import argparse
import tempfile
from pathlib import Path
from typing import NamedTuple

from context_graph import Draft, Memory
from context_graph.server.dispatch import call
from context_graph.settings import Settings

TEXTS = Path(__file__).with_suffix(".txt")


class Beliefs(NamedTuple):
    """All of beliefs.txt: held, by name what is believed; asked, pairs of a name and a question; harmless questions."""

    held: dict[str, tuple[str, dict[str, object]]]
    asked: list[tuple[str, str]]
    harmless: list[str]


def beliefs() -> Beliefs:
    parts = [part.splitlines()[1:] for part in TEXTS.read_text("utf-8").split("# ")[1:]]
    held = {}
    for line in parts[0]:
        head, _, text = line.partition(" | ")
        name, aliases, kind = (field.strip() for field in head.split(";"))
        others = [alias.strip() for alias in aliases.split(",") if alias.strip()]
        held[name] = text, {"name": name, "aliases": others, "type": kind}
    asked = [(name, question) for name, _, question in (line.partition(" | ") for line in parts[1])]
    return Beliefs(held, asked, [line for line in parts[2] if line.strip()])


def lines(memory: Memory, question: str) -> list[str]:
    """What a context tells, a line each."""
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    return [line for line in context.splitlines() if line.startswith("> ")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--all", action="store_true", help="print what is told of every question")
    options = parser.parse_args()
    known = beliefs()
    for tier in options.tiers.split(","):
        with tempfile.TemporaryDirectory() as home, Memory(Settings(home=Path(home), tier=tier)) as memory:
            for text, metadata in known.held.values():
                memory.remember(Draft(text, "said by the team", metadata=metadata))
            told = {question: lines(memory, question) for question in [q for _, q in known.asked] + known.harmless}
        places = [
            next((i for i, line in enumerate(told[question]) if known.held[name][0] in line), None)
            for name, question in known.asked
        ]
        noise = [question for question in known.harmless if told[question]]
        count = sum(len(told[question]) for _, question in known.asked)
        print(
            f"{tier}: told {sum(place is not None for place in places)} of {len(places)}, first "
            f"{sum(place == 0 for place in places)}; harmless told something {len(noise)} of {len(known.harmless)}; "
            f"{count / len(places):.1f} lines each"
        )
        if options.all:
            for question, context in told.items():
                print("\n".join([f"\n{question}", *context]))


if __name__ == "__main__":
    main()
