"""`context-graph extract`."""

import argparse
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import opened
from context_graph.cli._options import options, whole_number
from context_graph.cli._output import complain, show
from context_graph.cli._progress import progress
from context_graph.cli.store._proposed import lines_of

if TYPE_CHECKING:
    from context_graph.ingest.extracting import Extracted

LIMIT, MAX_LIMIT = 20, 10_000


def parser() -> argparse.ArgumentParser:
    arg_parser = options(
        "extract",
        "Ask the language model of the settings for what the rules do not read in memories: claims, times, aliases. "
        "What counts is made of words of the text; undo takes it back.",
        example="context-graph extract --limit 5 --dry-run",
    )
    arg_parser.add_argument(
        "--limit", type=whole_number(1, MAX_LIMIT), default=LIMIT,
        help=f"memories that are asked about, the last stored first (default {LIMIT})",
    )  # fmt: skip
    arg_parser.add_argument("--dry-run", action="store_true", help="ask, and only say what would be kept")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.endpoints.chat import ChatModel
    from context_graph.errors import EndpointFailed
    from context_graph.ingest.extracting import extracted, left_open

    done: list[Extracted] = []
    problem = ""
    with opened(parsed) as memory:
        model = ChatModel(memory.settings)
        ids = left_open(memory, model.name, parsed.limit)
        try:
            for one in progress(extracted(memory, model, ids, write=not parsed.dry_run), "asking", total=len(ids)):
                done.append(one)
                problem = one.problem or problem
        except EndpointFailed as error:
            problem = str(error)
    if problem and all(one.problem for one in done):
        raise EndpointFailed(problem)
    data = {"model": model.name, "kept": not parsed.dry_run, "memories": [_told(one) for one in done]}
    lines = [line for one in done for line in _lines(one)] or [f"nothing is left open that {model.name} was not asked"]
    show(parsed, data, "\n".join(lines))
    if problem:
        complain(f"context-graph extract: {problem}")
    return 1 if problem else 0


def _told(one: "Extracted") -> dict[str, Any]:
    from dataclasses import asdict

    proposals = {key: value for key, value in asdict(one.proposals).items() if key != "model"}
    return {
        "node_id": one.node.id, **proposals, "dropped": dict(one.dropped), "undo": one.reversal_hash,
        "problem": one.problem or None,
    }  # fmt: skip


def _lines(one: "Extracted") -> list[str]:
    from context_graph.citations import tag_of
    from context_graph.safety.quoting import inline

    lines = lines_of(one.proposals)
    dropped = ", ".join(f"{count} {reason}" for reason, count in sorted(one.dropped.items()))
    notes = [
        *([f"dropped: {dropped}"] if dropped else []),
        *([f"context-graph undo {one.reversal_hash} takes it back"] if one.reversal_hash else []),
        *([f"no answer: {inline(one.problem)}"] if one.problem else []),
    ]
    head = f"{tag_of(one.node.id)} {inline(one.node.name)}" + ("" if lines or notes else ": nothing is proposed")
    return [head, *lines, *(f"  ({note})" for note in notes)]
