"""`context-graph model`."""

import argparse
import json

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.cli.store._own_model import add_options, given_options, show_reader, use
from context_graph.cli.store._take_cases import add_take_options, given_take_options, take

EXAMPLE = "context-graph model use ~/models/bge-small-en"


def parser() -> argparse.ArgumentParser:
    text = "Choose the model that reads texts, or show it; list, show or remove models of cases and networks, and take "
    text += "memories as cases."
    verbs = options("model", text, example=EXAMPLE)
    verbs.add_argument("action", choices=("use", "show", "list", "rm", "take"))
    verbs.add_argument(
        "name", nargs="?",
        help="for use: a folder, a URL, a name described before, or auto, base, minilm, multilingual; for show, rm and "
        "take: the name of a model of cases; show without one tells of the model that reads texts",
    )  # fmt: skip
    verbs.add_argument("--permanently", action="store_true", help="with rm: delete it for good, without undo")
    add_take_options(verbs)
    add_options(verbs)
    return verbs


def run(parsed: argparse.Namespace) -> int:
    from context_graph.cases.base import Cases
    from context_graph.cases.model import models, summary
    from context_graph.errors import InvalidInput

    if parsed.action != "use" and (stray := given_options(parsed)):
        raise InvalidInput(f"{', '.join(stray)} belong to use", field="action")
    if parsed.action != "take" and (stray := given_take_options(parsed)):
        raise InvalidInput(f"{', '.join(stray)} belong to take", field="action")
    if parsed.action == "show" and parsed.name is None:
        return show_reader(parsed)
    if (parsed.name is None) != (parsed.action == "list"):
        problem = "needs the name of a model" if parsed.name is None else "takes no name"
        raise InvalidInput(f"model {parsed.action} {problem}", field="name")
    if parsed.permanently and parsed.action != "rm":
        raise InvalidInput("--permanently belongs to rm", field="permanently")
    if parsed.action == "use":
        return use(parsed)
    if parsed.action == "take":
        return take(parsed)
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
