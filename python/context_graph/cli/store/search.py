"""`context-graph search`."""

import argparse
from typing import TYPE_CHECKING

from context_graph.cli._opening import opened, project_named
from context_graph.cli._options import PROJECT_HELP, options, whole_number
from context_graph.cli._output import complain, shortened, show

if TYPE_CHECKING:
    from context_graph.models import Node

WIDTH = 160

MIN_SHOWN_RELEVANCE = 0.05
"""Relevance that the best result has at least, where what is asked is not known otherwise to be about this memory."""


def parser() -> argparse.ArgumentParser:
    arg_parser = options("search", "Find memories.", example="context-graph search 'which instrument does Anna play'")
    arg_parser.add_argument("query", nargs="+", help="what to look for, in your own words")
    arg_parser.add_argument(
        "-k", "--top-k", type=whole_number(1, 100), metavar="N", help="most results, up to 100 (default: setting top_k)"
    )
    arg_parser.add_argument("--all", action="store_true", help="the nearest too, where nothing seems to answer")
    arg_parser.add_argument("--project", metavar="NAME", help=PROJECT_HELP)
    arg_parser.add_argument(
        "--explain", action="store_true", help="say which scores found each result, and where time went"
    )
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.models import to_iso
    from context_graph.presentation.addresses import address_of
    from context_graph.reading.utterance import utterance
    from context_graph.recall.question import Question

    with opened(parsed, top_k=parsed.top_k) as memory:
        project = project_named(memory, parsed.project)
        answer = memory.recall(Question(" ".join(parsed.query), top_k=memory.settings.top_k, project=project))
        notices = memory.notices()
        least = memory.settings.abstain_below
    best = max((hit.relevance for hit in answer.hits), default=0.0)
    foreign = answer.answered < least and best < MIN_SHOWN_RELEVANCE and not parsed.all and not parsed.explain
    unknown = (
        [f"nothing known of this; --all shows the nearest ({best:.0%} at best)"] if foreign and answer.hits else []
    )
    hits = () if foreign else answer.hits
    entries = [
        {
            "node_id": hit.node.id, "relevance": round(hit.relevance, 3), "name": hit.node.name,
            "occurred_at": to_iso(hit.node.occurred_at), "speaker": hit.node.speaker, "content": hit.node.content,
            "source": address_of(hit.node), "project": hit.node.metadata.get("project"),
        } | ({"parts": {name: round(part, 3) for name, part in hit.parts.items()}} if parsed.explain else {})
        for hit in hits
    ]  # fmt: skip
    several = len({_project(hit.node) for hit in hits} - {""}) > 1
    lines = [*unknown]
    for hit in hits:
        who = f"{hit.node.speaker}: " if hit.node.speaker else ""
        where = f"  {address}" if (address := address_of(hit.node)) else ""
        where += f" in {_project(hit.node)}" if where and several and _project(hit.node) else ""
        words = shortened(utterance(hit.node.content, hit.node.speaker), WIDTH)
        lines.append(f"{hit.relevance:4.0%}  {who}{words}{where}  {tag_of(hit.node.id)}")
        if parsed.explain:
            strongest = sorted(hit.parts.items(), key=lambda part: -abs(part[1]))[:6]
            lines.append("      " + ", ".join(f"{name} {part:+.2f}" for name, part in strongest))
    if lines and parsed.explain:
        lines += ["", *(f"{s['stage']:<12} {s['in']:>6} -> {s['out']:<6} {s['ms']:.2f} ms" for s in answer.stages)]
    for notice in notices[bool(memory.store.note) :]:  # that of the store is told by `opened`
        complain(f"context-graph search: {notice}")
    data = {"results": entries, "notes": [*notices, *unknown]}
    if parsed.explain:
        data |= {"stages": answer.stages, "layers_ms": answer.layers_ms}
    show(parsed, data, "\n".join(lines) or "nothing found; context-graph seed --source FOLDER remembers a folder")
    return 0


def _project(node: "Node") -> str:
    """The name of the project of a memory; empty where it has none."""
    project = node.metadata.get("project")
    return project if isinstance(project, str) else ""
