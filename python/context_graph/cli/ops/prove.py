"""`context-graph prove`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show_json


def parser() -> argparse.ArgumentParser:
    text = "Print a proof that the last checkpoint covers a write, or that the log only grew since an older one."
    found = options("prove", text, example="context-graph prove 9c1e5a7704bd21f3 > proof.json")
    found.add_argument("hash", help="of an event, from context-graph log; of a checkpoint with --growth")
    which = found.add_mutually_exclusive_group()
    which.add_argument("--with-content", action="store_true", help="show also what the event says")
    which.add_argument("--growth", action="store_true", help="prove that nothing before that checkpoint was rewritten")
    return found


def run(parsed: argparse.Namespace) -> int:
    with opened(parsed) as memory:
        if parsed.growth:
            proof = memory.store.prove_growth(parsed.hash)
        else:
            proof = memory.store.prove(parsed.hash, content=parsed.with_content)
    show_json(proof)
    return 0
