"""`context-graph import`."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import all_cores, opened
from context_graph.cli._options import options, reading_content
from context_graph.cli._output import complain, show
from context_graph.cli._progress import progress
from context_graph.errors import InvalidInput, UnusablePath

if TYPE_CHECKING:
    from context_graph.memory import Memory

FORMATS = ("auto", "context-graph", "mcp-memory", "folder", "markdown")
NAMED = 5
"""Files of a kind that are named to a person; `--json` names all."""

INTERRUPTED = 130
"""The exit code of what Ctrl-C ended."""

MAX_PASTED_HASHES = 20
"""Hashes of a command that a person is told to paste."""


def parser() -> argparse.ArgumentParser:
    text = "Take in an export, the file of the official MCP memory server, or a folder of Markdown."
    arg_parser = options("import", text, example="context-graph import memory.jsonl")
    arg_parser.add_argument("path", type=Path, help="a file or a folder")
    arg_parser.add_argument(
        "--format", choices=FORMATS, default="auto", help="what it is (default: its first line tells)"
    )
    meaning = "forget memories whose files are gone from an exported folder; else they are only named"
    arg_parser.add_argument("--forget-missing", action="store_true", help=meaning)
    arg_parser.add_argument("--dry-run", action="store_true", help="say what would be done with an exported folder")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    kind = _kind(parsed.path) if parsed.format == "auto" else parsed.format
    if kind == "markdown":
        return _markdown(parsed)
    if parsed.forget_missing or parsed.dry_run:
        raise InvalidInput("--forget-missing and --dry-run go with a folder that export --format markdown wrote")
    events: list[str] = []
    importer = {"context-graph": _export, "mcp-memory": _graph, "folder": _folder}[kind]
    with reading_content(), opened(parsed, make=True, threads=all_cores(parsed)) as memory:
        try:
            data, text = importer(memory, parsed.path, events)
        except KeyboardInterrupt:
            complain(f"context-graph import: {_interrupted(memory, events)}")
            return INTERRUPTED
    show(parsed, {"format": kind, **data}, text)
    return 0


def _interrupted(memory: "Memory", events: Sequence[str]) -> str:
    """What an import that was interrupted has stored, and what to do with it."""
    from context_graph.store import noted_nodes

    writes = [memory.store.event(hash) for hash in events]
    stored = sum(len(noted_nodes(event)) for event in writes if event.type != "linked")
    if not stored:
        return "interrupted; nothing was stored"
    again = "import it again to go on, for what is known is not stored twice"
    return "; ".join(
        [f"interrupted; {stored:,} memories and concepts were stored and stay", again, *_undo_line(events)]
    )


def _kind(path: Path) -> str:
    from context_graph.connectors.jsonl.files import lines_of
    from context_graph.connectors.jsonl.format import parsed

    if not path.exists():
        raise UnusablePath(f"expected a file or a folder, {path} does not exist", field="path")
    if path.is_dir():
        from context_graph.connectors.markdown.importer import is_export

        return "markdown" if is_export(path) else "folder"
    if path.suffix.lower() in (".md", ".markdown", ".mdx", ".txt"):
        return "folder"
    first = next((line for line in lines_of(path) if line.strip()), "")
    if not first:
        raise UnusablePath(f"{path} is empty: there is nothing to import", field="path")
    if first.lstrip().startswith("["):
        raise UnusablePath(
            f"{path} begins a JSON array; an export, and the file of the official memory server, have one JSON object "
            "a line: write its entries so, as jq -c '.[]' does",
            field="path",
        )
    try:
        kind = parsed(first).get("type")
    except InvalidInput:
        kind = None
    kinds = {"context-graph export": "context-graph", "entity": "mcp-memory", "relation": "mcp-memory"}
    if kind not in kinds:
        raise UnusablePath(
            f"{path} is neither an export of context-graph nor a file of the official memory server; "
            "name its --format, or give a folder of Markdown",
            field="path",
        )
    return kinds[kind]


def _export(memory: "Memory", path: Path, events: list[str]) -> tuple[dict[str, Any], str]:
    from context_graph.connectors.jsonl.files import lines_of
    from context_graph.connectors.jsonl.importer import check, import_lines

    plan = check(memory, progress(lines_of(path), "checking"))
    done = import_lines(memory, progress(lines_of(path), "importing", total=plan.lines), plan, events=events)
    imported = f"{done.nodes} nodes, {done.edges} edges, {done.goals} goals and {done.records} records"
    text = [f"imported {imported}; {done.known} were known"]
    if done.conflicts:
        text.append(f"{len(done.conflicts)} nodes have another text here, which stays: {', '.join(done.conflicts[:3])}")
    if done.embedded and not done.signed:
        text.append(f"the file is not signed by the key of this store: {done.embedded} memories were embedded anew")
    if done.redacted:
        text.append(f"in {done.redacted} something secret or personal was replaced")
    if done.quarantined:
        text.append(f"{done.quarantined} read like orders to an agent and are in quarantine")
    return asdict(done), "\n".join([*text, *_undo_line(done.events)])


def _graph(memory: "Memory", path: Path, events: list[str]) -> tuple[dict[str, Any], str]:
    from context_graph.connectors import mcp_memory
    from context_graph.connectors.jsonl.files import lines_of

    entities, relations = mcp_memory.read_graph(lines_of(path))
    total = sum(max(1, len(entity.observations)) for entity in entities) + len(relations)
    taken = mcp_memory.import_graph(memory, entities, relations, events=events)
    new = list(progress(taken, "importing", total=total))
    data = {
        "entities": len(entities), "relations": len(relations), "stored": sum(new), "known": len(new) - sum(new),
        "events": events,
    }  # fmt: skip
    kinds = f"observations and relations of {len(entities)} entities"
    text = f"remembered {data['stored']} {kinds}; {data['known']} were known"
    return data, "\n".join([text, *_undo_line(events)])


def _folder(memory: "Memory", path: Path, events: list[str]) -> tuple[dict[str, Any], str]:
    from context_graph.cli.capture.seed import summary
    from context_graph.connectors.folder.documents import survey
    from context_graph.connectors.folder.readings import Readings
    from context_graph.connectors.folder.seeding import seed

    inventory, started = survey(path, readings=Readings.of(memory.settings)), time.perf_counter()
    done = []
    for step in progress(seed(memory, inventory), "remembering", total=inventory.total):
        done.append(step)
        if step.event_hash and step.event_hash not in events[:1]:
            events.insert(0, step.event_hash)
    data, text = summary(inventory, done, seconds=time.perf_counter() - started)
    return data | {"known": data["known_already"], "events": events}, "\n".join([text, *_undo_line(events)])


def _markdown(parsed: argparse.Namespace) -> int:
    from context_graph.connectors.markdown.importer import import_folder

    with opened(parsed, make=True, threads=all_cores(parsed)) as memory:
        report = import_folder(memory, parsed.path, forget_missing=parsed.forget_missing, dry_run=parsed.dry_run)
    counted = f"{len(report.corrected)} corrected, {len(report.changed)} changed, {len(report.stored)} new"
    lines = [f"{'it would be ' if report.dry_run else ''}{counted}; {report.unchanged} unchanged, {report.known} known"]
    for word, paths in (("corrected", report.corrected), ("changed", report.changed), ("new", report.stored)):
        lines += _named([f"{word}: {path}" for path in paths])
    lines += _named([f"conflict: {path}: {reason}" for path, reason in report.conflicts])
    lines += _named([f"skipped: {path}: {reason}" for path, reason in report.skipped])
    lines += _named([f"in quarantine, for it reads like an order to an agent: {path}" for path in report.quarantined])
    if report.missing:
        what = (
            f"{report.forgotten} forgotten" if report.forgotten else "remembered still; --forget-missing forgets them"
        )
        gone = "1 file is gone, its" if len(report.missing) == 1 else f"{len(report.missing)} files are gone, their"
        lines += [f"{gone} memories {what}", *_named(report.missing)]
    lines += _undo_line(report.events)
    show(parsed, {"format": "markdown", **asdict(report)}, "\n".join(lines))
    return 0


def _undo_line(hashes: Sequence[str]) -> list[str]:
    """The command that takes an import back; `hashes` has the last write first, for it may refer to earlier ones."""
    if not hashes:
        return []
    if len(hashes) > MAX_PASTED_HASHES:
        return [f"{len(hashes)} writes; --json names them, in the order in which context-graph undo takes them back"]
    return [f"context-graph undo {' '.join(hashes)} takes it back"]


def _named(lines: list[str]) -> list[str]:
    more = [f"and {len(lines) - NAMED} more; --json names them"] if len(lines) > NAMED else []
    return [*lines[:NAMED], *more]
