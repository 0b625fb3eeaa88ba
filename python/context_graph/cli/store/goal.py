"""`context-graph goal`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show

EXAMPLE = "context-graph goal add 'ship version 2 in May'"


def parser() -> argparse.ArgumentParser:
    found = options("goal", "Add, list or remove goals; search prefers what serves them among equals.", example=EXAMPLE)
    found.add_argument("action", choices=("add", "list", "rm"))
    found.add_argument("text", nargs="?", help="the goal in words; for rm the start of its id or text")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.derived import Goals
    from context_graph.errors import InvalidInput
    from context_graph.ingest.goals import add_goal, remove_goal

    if (parsed.text is None) != (parsed.action == "list"):
        problem = "needs a text" if parsed.text is None else "takes no text"
        raise InvalidInput(f"goal {parsed.action} {problem}", field="text")
    with opened(parsed, make=parsed.action == "add") as memory:
        if parsed.action == "add":
            goals, verb = [add_goal(memory, parsed.text)], "added"
        elif parsed.action == "rm":
            goals, verb = [remove_goal(memory, parsed.text)], "removed"
        else:
            goals, verb = memory.view(Goals).all(), ""
    data = [{"id": goal.id, "text": goal.text} for goal in goals]
    lines = [f"{verb} {goal.id[:8]}  {goal.text}".strip() for goal in goals]
    show(parsed, data, "\n".join(lines) or "no goals are set")
    return 0
