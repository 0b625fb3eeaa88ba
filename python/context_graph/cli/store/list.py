"""`context-graph list`."""

import argparse
from typing import TYPE_CHECKING

from context_graph.cli._opening import opened, project_named
from context_graph.cli._options import PROJECT_HELP, options, whole_number
from context_graph.cli._output import shortened, show

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.models import Node

WIDTH, NUMBER = 120, 20


def parser() -> argparse.ArgumentParser:
    arg_parser = options("list", "List memories, the last stored first.", example="context-graph list -n 50")
    arg_parser.add_argument(
        "-n", "--number", type=whole_number(1, 10_000), default=NUMBER, metavar="N", help=f"how many (default {NUMBER})"
    )
    arg_parser.add_argument("--project", metavar="NAME", help=PROJECT_HELP)
    arg_parser.add_argument("--past", action="store_true", help="also what another memory has taken the place of")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.embed.lexical import date_words
    from context_graph.models import to_iso
    from context_graph.reading.utterance import utterance

    with opened(parsed) as memory:
        now = memory.present()
        moment = None if parsed.past else now
        project = project_named(memory, parsed.project)
        if project is None:
            nodes, total = _stored(memory, parsed.number, moment)
            nothing = "nothing is remembered yet; context-graph remember 'TEXT' stores a memory"
        else:
            nodes, total = _of_project(memory, project, parsed.number, moment)
            nothing = f"of the project {parsed.project!r} nothing is left"
            nothing += "" if parsed.past else " that holds now; --past lists what is past too"
    entries = [
        {
            "node_id": node.id, "name": node.name, "content": node.content, "speaker": node.speaker,
            "occurred_at": to_iso(node.occurred_at), "created_at": to_iso(node.created_at),
            "valid_to": None if node.valid_to is None else to_iso(node.valid_to), "superseded_by": node.superseded_by,
        }
        for node in nodes
    ]  # fmt: skip
    lines = []
    for node in nodes:
        who = f"{node.speaker}: " if node.speaker else ""
        words = shortened(utterance(node.content, node.speaker), WIDTH)
        text = f"{date_words(node.occurred_at)}  {who}{words}  {tag_of(node.id)}"
        by = f", replaced by {tag_of(node.superseded_by)}" if node.superseded_by else ""
        lines.append(f"{text}  (past{by})" if node.valid_to is not None and node.valid_to <= now else text)
    if len(nodes) < total:
        lines.append(f"{len(nodes)} of {total}; -n {total} lists all")
    show(parsed, {"memories": entries, "total": total}, "\n".join(lines) or nothing)
    return 0


def _stored(memory: "Memory", limit: int, moment: int | None) -> "tuple[list[Node], int]":
    """The last memories that hold at a moment, or ever where none is given, and how many there are."""
    from context_graph.models import NodeState, Scope

    nodes = memory.store.recent(0, limit, "created_at", viewer=memory.viewer(memory.caller), moment=moment)
    total = sum(
        state == NodeState.LIVE
        and scope == Scope.USER  # a command is a session of its own
        and (moment is None or (begin <= moment and (end is None or moment < end)))
        for state, scope, begin, end in memory.store.columns(("state", "scope", "valid_from", "valid_to"))
    )
    return nodes, total


def _of_project(memory: "Memory", project: str, limit: int, moment: int | None) -> "tuple[list[Node], int]":
    """The same of a project."""
    from context_graph.derived import Projects
    from context_graph.visibility import answers

    projects, viewer = memory.view(Projects), memory.viewer(memory.caller)
    nodes = memory.store.nodes(projects.ids(memory.corpus, project))
    nodes = [node for node in nodes if node.ordinal is not None and answers(node, viewer, moment)]
    nodes.sort(key=lambda node: (node.created_at, node.id), reverse=True)
    return nodes[:limit], len(nodes)
