"""`context-graph brief`."""

import argparse

from context_graph.cli._opening import opened, project_named
from context_graph.cli._options import options, whole_number
from context_graph.cli._output import shortened, show

WIDTH = 160
PARTS = {
    "prelude": "holds everywhere", "instructions": "how to answer", "pinned": "pinned", "relevant": "named here",
    "open_questions": "not decided", "open": "open",
}  # fmt: skip


def parser() -> argparse.ArgumentParser:
    arg_parser = options(
        "brief",
        "Say what an agent should know for one turn: preferences, pinned memories, what is named, what is open.",
        example="context-graph brief 'is the k8s cluster up to date' --scope domain:code",
    )
    arg_parser.add_argument("question", nargs="*", help="the words of the turn; none: what holds for any turn")
    arg_parser.add_argument(
        "--scope", action="append", metavar="LABEL", help="a scope such as domain:code; may be repeated"
    )
    arg_parser.add_argument(
        "--project", metavar="NAME", help="leave out what belongs to other projects: a name, a repository or a folder"
    )
    arg_parser.add_argument("--user", help="leave out memories that name another user")
    arg_parser.add_argument(
        "--budget", type=whole_number(0, 1_000), metavar="N", help="most memories besides the prelude (default 20)"
    )
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.derived.facts import spelled, told_of
    from context_graph.recall.briefing import BUDGET, brief
    from context_graph.recall.open_matters import open_matters, standing_instructions

    budget = BUDGET if parsed.budget is None else parsed.budget
    with opened(parsed) as memory:
        where = {"scopes": parsed.scope, "user": parsed.user, "project": project_named(memory, parsed.project)}
        briefing = brief(memory, " ".join(parsed.question), budget=budget, **where)
        by_words = {"instructions": standing_instructions(memory, **where), "open": open_matters(memory, **where)}
    parts = {part: list(getattr(briefing, part, ())) for part in PARTS}
    listed = {node.id for nodes in parts.values() for node in nodes}
    room = budget + len(briefing.prelude) - len(listed) - len(briefing.facts)
    for part, nodes in by_words.items():
        parts[part] = [node for node in nodes if node.id not in listed][: max(0, room)]
        listed |= {node.id for node in parts[part]}
        room -= len(parts[part])
    data = {
        part: [{"node_id": node.id, "name": node.name, "content": node.content} for node in nodes]
        for part, nodes in parts.items()
    }
    data["facts"] = [told_of(entry) for entry in briefing.facts]
    lines = []
    for part, title in PARTS.items():
        if nodes := parts[part]:
            lines += [f"{title}:", *(f"  {shortened(node.content, WIDTH)}  {tag_of(node.id)}" for node in nodes)]
    if briefing.facts:
        lines += ["stated of whom this names:", *(f"  {spelled(entry)}" for entry in briefing.facts)]
    show(parsed, data, "\n".join(lines) or "nothing to tell; nothing is pinned, open or named by this question")
    return 0
