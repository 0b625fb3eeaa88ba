"""`context-graph model`."""

import argparse
import json

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show

EXAMPLE = "context-graph model show code_quality"


def parser() -> argparse.ArgumentParser:
    made = options("model", "List, show or remove models of cases and networks.", example=EXAMPLE)
    made.add_argument("action", choices=("list", "show", "rm"))
    made.add_argument("name", nargs="?", help="the name of the model, for show and rm")
    made.add_argument("--permanently", action="store_true", help="with rm: delete it for good, without undo")
    return made


def run(parsed: argparse.Namespace) -> int:
    from context_graph.cases.base import Cases
    from context_graph.cases.model import models, summary
    from context_graph.errors import InvalidInput

    if (parsed.name is None) != (parsed.action == "list"):
        problem = "needs the name of a model" if parsed.name is None else "takes no name"
        raise InvalidInput(f"model {parsed.action} {problem}", field="name")
    if parsed.permanently and parsed.action != "rm":
        raise InvalidInput("--permanently belongs to rm", field="permanently")
    with opened(parsed) as memory:
        shelf = models(memory)
        if parsed.action == "list":
            data = [summary(entry) for entry in shelf.all()]
            lines = [f"{one['name']}  {one['model_type']}, {one['steps']} steps" for one in data]
            show(parsed, data, "\n".join(lines) or "there are no models")
            return 0
        entry = shelf.get(parsed.name)
        if parsed.action == "show":
            memory.catch_up()
            cases = sum(case.model == entry.name for case in memory.view(Cases).all())
            whole = {**summary(entry), "cases": cases, "data": entry.value.model_dump(mode="json", exclude_none=True)}
            show(parsed, whole, json.dumps(whole, indent=1, ensure_ascii=False))
        elif parsed.permanently:
            shelf.purge(entry)
            show(parsed, {"removed": entry.name, "permanently": True}, f"deleted {entry.name} for good; its cases stay")
        else:
            undo = shelf.remove(entry).event_hash[:16]
            text = f"removed {entry.name}; its cases stay; context-graph undo {undo} brings it back"
            show(parsed, {"removed": entry.name, "undo_hash": undo}, text)
    return 0
