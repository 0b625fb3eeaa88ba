"""`context-graph list`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options, whole_number
from context_graph.cli._output import shortened, show

WIDTH, NUMBER = 120, 20


def parser() -> argparse.ArgumentParser:
    arg_parser = options("list", "List memories, the last stored first.", example="context-graph list -n 50")
    arg_parser.add_argument(
        "-n", "--number", type=whole_number(1, 10_000), default=NUMBER, metavar="N", help=f"how many (default {NUMBER})"
    )
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.embed.lexical import date_words
    from context_graph.models import to_iso
    from context_graph.visibility import answers

    with opened(parsed) as memory:
        viewer = memory.viewer(memory.caller)
        nodes = [node for node in memory.store.recent(0, parsed.number, "created_at", viewer=viewer)]
        nodes = [node for node in nodes if answers(node, viewer)]
        total = memory.store.counts()["memories"]
    entries = [
        {
            "node_id": node.id, "name": node.name, "content": node.content, "speaker": node.speaker,
            "occurred_at": to_iso(node.occurred_at), "created_at": to_iso(node.created_at),
        }
        for node in nodes
    ]  # fmt: skip
    lines = []
    for node in nodes:
        who = f"{node.speaker}: " if node.speaker else ""
        lines.append(f"{date_words(node.occurred_at)}  {who}{shortened(node.content, WIDTH)}  {tag_of(node.id)}")
    if len(nodes) < total:
        lines.append(f"{len(nodes)} of {total}; -n {total} lists all")
    nothing = "nothing is remembered yet; context-graph remember 'TEXT' stores a memory"
    show(parsed, {"memories": entries, "total": total}, "\n".join(lines) or nothing)
    return 0
