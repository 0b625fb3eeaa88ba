"""`context-graph release`."""

import argparse

from context_graph.cli._opening import node_named, opened
from context_graph.cli._options import options
from context_graph.cli._output import show

EXAMPLE = "context-graph release node_0193a4b2c1"


def parser() -> argparse.ArgumentParser:
    arg_parser = options(
        "release", "Let a memory out of quarantine: from then on it is found and told.", example=EXAMPLE
    )
    arg_parser.add_argument("node", help="its id or citation tag")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.ingest.release import release

    with opened(parsed) as memory:
        node = node_named(memory, parsed.node)
        hash = release(memory, node.id)
    text = f"{tag_of(node.id)} is found and told from now on; context-graph undo {hash[:16]} takes it back"
    show(parsed, {"node_id": node.id, "undo": hash}, text)
    return 0
