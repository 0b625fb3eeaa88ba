"""`context-graph repair`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show


def parser() -> argparse.ArgumentParser:
    arg_parser = options(
        "repair",
        "Join concepts that are one name spelt in several ways; undo takes it back.",
        example="context-graph repair",
    )
    arg_parser.add_argument("--preview", action="store_true", help="only say what would be joined")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.ingest.concepts import join_spellings, spelt_apart

    with opened(parsed) as memory:
        groups = [[node.name for node in group] for group in spelt_apart(memory)]
        joined, hash = (0, "") if parsed.preview else join_spellings(memory)
    lines = [", ".join(f"{name!r}" for name in names) for names in groups]
    if not groups:
        lines = ["nothing to repair: every name is one concept"]
    elif parsed.preview:
        lines.append(f"{len(groups)} names would be joined; context-graph repair does it")
    else:
        lines.append(f"joined {joined} with the oldest of their name; context-graph undo {hash[:16]} takes it back")
    show(parsed, {"names": groups, "joined": joined, "undo": hash[:16] or None}, "\n".join(lines))
    return 0
