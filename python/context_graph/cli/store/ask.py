"""`context-graph ask`."""

import argparse

from context_graph.cli._opening import opened, project_named
from context_graph.cli._options import PROJECT_HELP, options, whole_number
from context_graph.cli._output import complain, show

TOKENS = 2_048


def parser() -> argparse.ArgumentParser:
    arg_parser = options(
        "ask",
        "Say what an agent is told for a question: what is relevant, with the newest first and the past marked.",
        example="context-graph ask 'what do you know about me'",
    )
    arg_parser.add_argument("question", nargs="+", help="in your own words")
    arg_parser.add_argument(
        "--tokens", type=whole_number(100, 8_192), default=TOKENS, metavar="N", help=f"budget (default {TOKENS})"
    )
    arg_parser.add_argument("--project", metavar="NAME", help=PROJECT_HELP)
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.recall.inject import considered, inject
    from context_graph.recall.question import Question

    with opened(parsed) as memory:
        project = project_named(memory, parsed.project)
        question = Question(" ".join(parsed.question), considered(parsed.tokens), project=project)
        injected = inject(memory, question, max_tokens=parsed.tokens)
        notices = memory.notices()
    for notice in notices[bool(memory.store.note) :]:  # that of the store is told by `opened`
        complain(f"context-graph ask: {notice}")
    data = {
        "context": injected.distilled.text, "tokens": injected.distilled.tokens,
        "node_ids": [hit.node.id for hit in injected.hits], "notes": notices,
    }  # fmt: skip
    nothing = "nothing that is remembered answers this; context-graph search shows what is nearest"
    show(parsed, data, injected.distilled.text or nothing)
    return 0
