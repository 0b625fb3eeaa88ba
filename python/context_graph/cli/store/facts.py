"""`context-graph facts`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import shortened, show

MAX_TAGS = 3
"""Citations of one value that are printed; JSON has all."""

WIDTH = 60


def parser() -> argparse.ArgumentParser:
    arg_parser = options(
        "facts",
        "Say what memories state of people and things, gathered over sessions, with citations.",
        example="context-graph facts Anna",
    )
    arg_parser.add_argument("name", nargs="*", help="a person or thing, by the whole name or the first; none: all")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.derived.facts import spelled, told_of

    name = " ".join(parsed.name).strip() or None
    with opened(parsed) as memory:
        entries = memory.entries(name)
    data = [told_of(entry) for entry in entries]
    lines = [spelled(entry, most_tags=MAX_TAGS) for entry in entries]
    whom = f" about {shortened(name, WIDTH)!r}" if name else ""
    show(parsed, data, "\n".join(lines) or f"no facts{whom}; context-graph search finds what is said otherwise")
    return 0
