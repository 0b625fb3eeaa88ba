"""`context-graph list`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import PROJECT_HELP, options, whole_number
from context_graph.cli._output import shortened, show

WIDTH, NUMBER = 120, 20
KNOWN = 20
"""Names of projects that are said where none is of the name given."""


def parser() -> argparse.ArgumentParser:
    arg_parser = options("list", "List memories, the last stored first.", example="context-graph list -n 50")
    arg_parser.add_argument(
        "-n", "--number", type=whole_number(1, 10_000), default=NUMBER, metavar="N", help=f"how many (default {NUMBER})"
    )
    arg_parser.add_argument("--project", metavar="NAME", help=PROJECT_HELP)
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.derived import Projects
    from context_graph.embed.lexical import date_words
    from context_graph.models import to_iso
    from context_graph.visibility import answers

    nothing = "nothing is remembered yet; context-graph remember 'TEXT' stores a memory"
    with opened(parsed) as memory:
        viewer = memory.viewer(memory.caller)
        if parsed.project is None:
            nodes = [*memory.store.recent(0, parsed.number, "created_at", viewer=viewer)]
            nodes = [node for node in nodes if answers(node, viewer)]
            total = memory.store.counts()["live_memories"]
        else:
            projects = memory.view(Projects)
            nodes = memory.store.nodes(projects.ids(memory.corpus, parsed.project))
            nodes = [node for node in nodes if node.ordinal is not None and answers(node, viewer)]
            nodes.sort(key=lambda node: (node.created_at, node.id), reverse=True)
            total, nodes = len(nodes), nodes[: parsed.number]
            if not nodes:
                known = ", ".join(projects.names(memory.corpus)[:KNOWN]) or "none"
                nothing = f"nothing is remembered of the project {parsed.project!r}; projects here: {known}"
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
    show(parsed, {"memories": entries, "total": total}, "\n".join(lines) or nothing)
    return 0
