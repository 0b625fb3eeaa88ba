"""`context-graph remember`."""

import argparse
import re
import sys

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import UnusablePath
from context_graph.regex import regex

WHY = "told by its user on the command line"


def parser() -> argparse.ArgumentParser:
    arg_parser = options(
        "remember", "Store one memory.", example="context-graph remember 'Anna plays the clarinet' --why 'for presents'"
    )
    arg_parser.add_argument("text", nargs="+", help="what to remember; - reads it from standard input")
    arg_parser.add_argument("--why", default=WHY, metavar="REASON", help="why it matters (the rationale)")
    arg_parser.add_argument("--date", help="when it happened, such as 2026-05-03 or 'last Tuesday'; now by default")
    arg_parser.add_argument("--speaker", metavar="NAME", help="who said it")
    arg_parser.add_argument("--name", help="what the memory is called")
    arg_parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="may be repeated")
    arg_parser.add_argument("--supersedes", metavar="ID", help="the memory whose place it takes")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.citations import tag_of
    from context_graph.ingest.remember import Draft, remember
    from context_graph.models import NodeState

    text = _standard_input() if parsed.text == ["-"] else " ".join(parsed.text)
    given = {key: getattr(parsed, key) for key in ("speaker", "name", "supersedes")}
    metadata = {key: value for key, value in given.items() if value is not None}
    metadata |= {"tags": parsed.tag} if parsed.tag else {}
    with opened(parsed, make=True) as memory:
        when = None if parsed.date is None else _moment(parsed.date, memory.present())
        done = remember(memory, Draft(text, parsed.why, metadata=metadata, occurred_at=when))
    tag = tag_of(done.node.id)
    reason = (done.node.state_reason or "") if done.node.state == NodeState.QUARANTINED else ""
    lines = [f"remembered {tag}" if done.stored else f"already known: {tag}; nothing new was stored"]
    if reason:
        lines.append(
            f"in quarantine: {reason}. No search, list or answer returns it; context-graph inspect {tag[1:-1]} "
            f"shows it, and context-graph release {tag[1:-1]} lets it out"
        )
    if done.stored and done.duplicate_of:
        lines.append(f"it says nothing that {tag_of(done.duplicate_of)} does not say")
    if done.redactions:
        lines.append(f"replaced, since it looks secret: {', '.join(done.redactions)}")
    lines += [f"{key}: {value}" for key, value in done.understood.items()]
    if done.stored:
        lines.append(f"context-graph undo {done.event_hash[:16]} takes it back")
    data = {
        "node_id": done.node.id, "stored": done.stored, "state": str(done.node.state), "state_reason": reason or None,
        "duplicate_of": done.duplicate_of,
        "redactions": list(done.redactions), "understood": dict(done.understood), "undo": done.event_hash,
    }  # fmt: skip
    show(parsed, data, "\n".join(lines))
    return 0


def _standard_input() -> str:
    """The text on standard input, with the ends of its lines as text has them."""
    if sys.stdin is None:
        raise UnusablePath("expected a text on standard input, which is closed", field="text")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UnusablePath(f"standard input is not text in UTF-8: {error.reason}", field="text") from None


_CLOCK = regex(
    r"(?:\b(?:at|um|a las) |@ ?)(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?\b"
    r"|\b(?:[01]?\d|2[0-4])(?::[0-5]\d|(?:[:.][0-5]\d)? ?(?:[ap]\.?m\b|uhr\b|o['’]clock\b|h\b))",
    re.I,
)
"""The time of a day, which may stand beside the day as it is said: "yesterday at 9"."""


def _moment(date: str, now: int) -> int:
    """A date as it is written or said: microseconds. What is said of several days is the first of them."""
    from context_graph.dates import read_date
    from context_graph.errors import InvalidInput
    from context_graph.reading.time_expressions import expressions

    try:
        return read_date(date)
    except InvalidInput as error:
        mentions = expressions(date, now, lean=-1)
        # Of "31 November 2026" no part but the month is a time.
        beside = date[: mentions[0].begin] + date[mentions[0].end :] if mentions else ""
        if not mentions or any(character.isdigit() for character in _CLOCK.sub("", beside)):
            hint = "or as one says it: 'last Tuesday', 'two days ago'"
            raise InvalidInput(str(error), field="date", hint=hint) from error
        if len(mentions[0].spans) > 1 and not mentions[0].relative:  # 4/5/2026
            raise
        return mentions[0].spans[0].start
