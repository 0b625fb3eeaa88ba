"""`context-graph capture`."""

import argparse
import sys
import uuid
from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from context_graph.cli._opening import all_cores, opened_late, settings_of
from context_graph.cli._options import options
from context_graph.cli._output import shortened, show
from context_graph.cli._progress import progress
from context_graph.cli.capture.hook import keep_report
from context_graph.errors import InvalidInput, UnusablePath

if TYPE_CHECKING:
    from context_graph.connectors.claude_code.transcript import Turn

EXAMPLE = "context-graph capture --project lamp < transcript.jsonl"
FORMATS = ("auto", "claude-code", "jsonl", "text")
MAX_BAD_LINES = 10  # bad lines that are named
PATIENCE_SECONDS = 30
MAX_CAPTURE_BYTES = 268_435_456  # bytes


def parser() -> argparse.ArgumentParser:
    text = "Remember the turns of a transcript from standard input; a second time stores nothing new."
    arg_parser = options("capture", text, example=EXAMPLE)
    meaning = "of the transcript: claude-code, jsonl (role, content, timestamp), or text (lines such as 'Anna: ...')"
    arg_parser.add_argument("--format", choices=FORMATS, default="auto", help=meaning)
    arg_parser.add_argument(
        "--session", metavar="ID", help="session of the turns (default: the one it names, or by its first turn)"
    )
    arg_parser.add_argument(
        "--agent", metavar="NAME", help="whose memories they are (default: claude-code, else capture)"
    )
    arg_parser.add_argument("--project", metavar="NAME", help="what they are about (default: the folder that it names)")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.cli.capture._hooked import start_worker
    from context_graph.connectors.claude_code.ingest import Origin, keep
    from context_graph.connectors.claude_code.ledger import ledger_of
    from context_graph.connectors.claude_code.spool import lease, waiting
    from context_graph.connectors.claude_code.transcript import format_of, read
    from context_graph.errors import StoreBusy

    settings = settings_of(parsed)
    lines = _lines()
    first = list(islice(lines, 100))
    format = format_of(first) if parsed.format == "auto" else parsed.format
    transcript = read(chain(first, lines), format, kinds=settings.redacted)
    if not transcript.turns:
        wrong = f"; line {transcript.bad[0][0]}: {transcript.bad[0][1]}" if transcript.bad else ""
        raise UnusablePath(f"standard input holds no turn of a conversation, read as {format}{wrong}")
    source = "claude-code" if format == "claude-code" else "capture"
    session = parsed.session or transcript.session or _session_of(transcript.turns[0])
    origin = Origin(
        session=session, source=source, event="transcript", agent=parsed.agent or source,
        project=parsed.project if parsed.project is not None else transcript.project,
        repository=transcript.repository if parsed.project is None else "",
    )  # fmt: skip
    with (
        opened_late(parsed, threads=all_cores(parsed)) as memory_of,
        lease(settings.home, patience_s=PATIENCE_SECONDS) as held,
    ):
        if not held:
            raise StoreBusy(f"another process captured for {PATIENCE_SECONDS} s; try again")
        ledger = ledger_of(settings.home, session)
        counts = keep(memory_of, progress(transcript.turns, "remembering", total=len(transcript.turns)), ledger, origin)
        ledger.save()
    if waiting(settings.home):  # hooks that came meanwhile left it to us
        start_worker(settings.home.absolute(), parsed.tier)
    names = ("turns", "stored", "known", "private", "trivial", "memories", "cut")
    data = {name: counts[name] for name in names} | {
        "session_id": session,
        "format": format,
        "bad_lines": [{"line": n, "problem": why} for n, why in transcript.bad],
        "windows_1252_lines": transcript.recoded,
        "bad_timestamps": [{"line": n, "problem": why} for n, why in transcript.undated],
    }
    report = [keep_report(counts), f"session {session}, read as {format}"]
    if transcript.recoded:
        is_read = "line is not UTF-8 and was" if transcript.recoded == 1 else "lines are not UTF-8 and were"
        report.append(f"{transcript.recoded} {is_read} read as Windows-1252")
    report += _named("lines could not be read", transcript.bad)
    report += _named("lines have a timestamp that could not be read, and are dated now", transcript.undated)
    show(parsed, data, "\n".join(report))
    return 0


def _lines() -> Iterator[bytes]:
    """The lines of standard input, up to a size."""
    size = 0
    if sys.stdin is None:
        raise InvalidInput("expected a transcript on standard input, which is closed")
    for line in sys.stdin.buffer:
        size += len(line)
        if size > MAX_CAPTURE_BYTES:
            raise InvalidInput(f"expected at most {MAX_CAPTURE_BYTES >> 20} MiB on standard input; give it in parts")
        yield line


def _session_of(turn: "Turn") -> str:
    """The same session for the same beginning, so that a transcript that has grown is the one that was captured."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"capture:{turn.speaker}/{turn.at}/{turn.text}"))


def _named(problem: str, lines: list[tuple[int, str]]) -> list[str]:
    """How many lines of the input have a problem, and which are the first; nothing where none has."""
    if not lines:
        return []
    first = ", ".join(f"{number} ({shortened(why, 60)})" for number, why in lines[:MAX_BAD_LINES])
    more = f" and {len(lines) - MAX_BAD_LINES} more" if len(lines) > MAX_BAD_LINES else ""
    return [f"{len(lines)} {problem}: {first}{more}"]
