"""`context-graph hook recall`: prints what the host's model should know now, or nothing; never fails."""

import json
from collections.abc import Sequence
from functools import partial

from context_graph.cli.capture._host import event_input, guarded, in_background
from context_graph.errors import InvalidInput
from context_graph.settings import home_of

__all__ = ["recalled"]

PATIENCE_S = {"SessionStart": 4.0, "UserPromptSubmit": 1.5}
"""Seconds to wait for an answer: nobody has typed yet, or somebody waits. A process that was started late answers the
next prompt."""


def recalled(arguments: Sequence[str]) -> int:
    """Ask the process that keeps the memory open, and start it where there is none; returns 0."""
    return guarded(lambda: _recall(arguments))


def _recall(arguments: Sequence[str]) -> None:
    from context_graph.cli.capture.hook import parser
    from context_graph.connectors.claude_code.resident import ask

    parsed = parser().parse_args(["recall", *arguments])
    home, question = home_of(parsed.home).absolute(), event_input()
    event = question.get("hook_event_name") if isinstance(question, dict) else None
    if event not in PATIENCE_S:
        raise InvalidInput(f"expected an event, {' or '.join(PATIENCE_S)}, got {str(event)[:40]!r}")
    if not home.is_dir():
        return
    start = partial(in_background, "resident", home, parsed.tier)
    text = ask(home, question, patience_s=PATIENCE_S[event], start=start)
    if text:
        print(json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
