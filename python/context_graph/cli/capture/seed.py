"""`context-graph seed`."""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import all_cores, opened, settings_of
from context_graph.cli._options import options, path_argument, reading_content
from context_graph.cli._output import complain, counted, show
from context_graph.cli._progress import progress
from context_graph.connectors.folder.paths import printed_path, stored_path
from context_graph.errors import InvalidInput
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.connectors.folder.documents import Survey
    from context_graph.connectors.folder.seeding import Step
    from context_graph.memory import Memory

__all__ = ["parser", "run", "summary"]

NEEDED = regex(r"needs the extra \[(\w+)\]")
STORED = ("added", "changed", "moved")


def parser() -> argparse.ArgumentParser:
    text = "Remember a folder as it is now: documents, code, notebooks, tables, data. What is gone is forgotten."
    arg_parser = options("seed", text, example="context-graph seed .")
    meaning = "a file or folder; what git or a .gitignore leaves out is left out"
    file_or_folder = path_argument("a directory or a file")
    arg_parser.add_argument("path", type=file_or_folder, nargs="?", metavar="PATH", help=meaning)
    arg_parser.add_argument("--source", type=file_or_folder, metavar="PATH", help="the same, named")
    meaning = "forget what is gone even where that is more than nine tenths of what is known of it"
    arg_parser.add_argument("--allow-removal", action="store_true", help=meaning)
    arg_parser.add_argument(
        "--verbose", action="store_true", help="name every file that changed or was skipped, and why"
    )
    arg_parser.add_argument("--watch", action="store_true", help="then follow every change, until Ctrl-C")
    meaning = "with --watch: look at all files, where the system tells of no changes (some network disks)"
    arg_parser.add_argument("--poll", action="store_true", help=meaning)
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.connectors.folder.documents import survey
    from context_graph.connectors.folder.readings import Readings
    from context_graph.connectors.folder.seeding import seed

    if parsed.poll and not parsed.watch:
        raise InvalidInput("--poll says how to watch; give --watch too", field="poll")
    parsed.source = _source(parsed)
    started = time.perf_counter()
    readings = Readings.of(settings_of(parsed))
    with reading_content():
        inventory = survey(parsed.source, missing=parsed.allow_removal, readings=readings)
    with reading_content(), opened(parsed, make=True, threads=all_cores(parsed)) as memory:
        steps = seed(memory, inventory, allow_removal=parsed.allow_removal)
        done = list(progress(steps, "remembering", total=inventory.total, name=lambda step: printed_path(step.path)))
        edges = memory.store.counts()["edges"]
        seconds = time.perf_counter() - started
        data, text = summary(inventory, done, seconds=seconds, verbose=parsed.verbose)
        show(parsed, data | {"edges": edges}, text)
        if parsed.watch:
            _follow(parsed, memory)
    return 0


def _source(parsed: argparse.Namespace) -> Path:
    """The one file or folder that is named, in either way."""
    paths = [path for path in (parsed.path, parsed.source) if path is not None]
    if len(paths) != 1:
        raise InvalidInput(
            f"expected one file or folder, got {len(paths) or 'none'}; context-graph seed . takes this folder",
            field="path",
        )
    source: Path = paths[0]
    return source


def _follow(parsed: argparse.Namespace, memory: "Memory") -> None:
    """Say a line for each change, until Ctrl-C; with --json a line of JSON."""
    from context_graph.connectors.folder.watching import watch

    complain(f"context-graph seed: watching {parsed.source}; Ctrl-C ends it")
    with suppress(KeyboardInterrupt):
        for refresh in watch(memory, parsed.source, stop=Event(), polling=parsed.poll, notice=_tell):
            if refresh.problem:
                _tell(refresh.problem)
                continue
            if parsed.json:
                data, _ = summary(refresh.inventory, refresh.steps, seconds=refresh.seconds, verbose=True)
                print(json.dumps(data), flush=True)
            else:
                print("\n".join(_by_file(_changes(refresh.steps))), flush=True)
    complain("context-graph seed: no longer watched")


def _tell(text: str) -> None:
    complain(f"context-graph seed: {text}")


def summary(
    inventory: "Survey", done: Iterable["Step"], *, seconds: float, verbose: bool = False
) -> tuple[dict[str, Any], str]:
    """What a run did, for a program and for a person."""
    done = list(done)
    counts = Counter(step.change for step in done)
    kinds = Counter(step.kind for step in done if step.change in STORED)
    skipped = Counter(reason.partition(":")[0] for _, reason in inventory.skipped)
    undo = next((step.event_hash for step in done if step.change == "removed"), None)
    new = sum(kinds.values())
    files = sum(bool(parts) for parts in inventory.parts.values())
    data = {
        "stored": new, "added": counts["added"], "changed": counts["changed"], "moved": counts["moved"],
        "removed": counts["removed"], "known_already": counts["unchanged"],
        "forgotten_before": counts["forgotten before"], "files": files, "skipped": dict(skipped.most_common()),
        "undo": undo, "kinds": dict(kinds), "seconds": round(seconds, 2),
        "files_per_second": round(files / max(seconds, 1e-3), 1), "missing_extras": _missing(inventory),
    }  # fmt: skip
    what = f" ({', '.join(f'{count} of {kind}' for kind, count in kinds.most_common())})" if kinds else ""
    known = f"{counts['unchanged']} {'was' if counts['unchanged'] == 1 else 'were'} known"
    lines = [f"remembered {counted(new, 'part')} of {counted(files, 'file')} in {seconds:.1f} s{what}; {known}"]
    if counts["changed"] or counts["moved"]:
        lines.append(f"{counts['changed']} of them changed and {counts['moved']} moved: what they replace is history")
    if counts["removed"]:
        gone, them = ("1 part is", "it") if counts["removed"] == 1 else (f"{counts['removed']} parts are", "them")
        lines.append(f"{gone} gone and forgotten; context-graph undo {undo} brings {them} back")
    if counts["forgotten before"]:
        stay = "1 part stays" if counts["forgotten before"] == 1 else f"{counts['forgotten before']} parts stay"
        lines.append(f"{stay} forgotten, as somebody forgot them before")
    if skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in skipped.most_common())
        hint = "" if verbose else "; --verbose names them"
        lines.append(f"skipped {sum(skipped.values())} files or folders: {reasons}{hint}")
    for extra, count in _missing(inventory).items():
        files_are = "1 file is" if count == 1 else f"{count} files are"
        lines.append(
            f"{files_are} read better, or at all, with the extra [{extra}]: "
            f"pip install 'ultimate-context-graph[{extra}]'"
        )
    if verbose:
        changes = _changes(done)
        data["changes"] = changes
        data["skipped_files"] = [
            {"path": stored_path(path), "reason": reason} for path, reason in sorted(inventory.skipped)
        ]
        lines += _by_file(changes)
        lines += [f"{printed_path(stored_path(path))}: skipped, {reason}" for path, reason in sorted(inventory.skipped)]
    return data, "\n".join(lines)


def _missing(inventory: "Survey") -> dict[str, int]:
    """By extra that is not installed, how many files it would have read, or read better."""
    skipped = (match[1] for _, reason in inventory.skipped if (match := NEEDED.fullmatch(reason)))
    return dict(Counter([*inventory.notes.values(), *skipped]).most_common())


def _changes(steps: Iterable["Step"]) -> dict[str, dict[str, int]]:
    """By file that did not stay as it was, how many of its parts each change befell."""
    by_file: dict[str, Counter[str]] = defaultdict(Counter)
    for step in steps:
        by_file[step.path][step.change] += 1
    return {path: dict(of) for path, of in sorted(by_file.items()) if set(of) - {"unchanged"}}


def _by_file(changes: dict[str, dict[str, int]]) -> list[str]:
    return [
        f"{printed_path(path)}: {', '.join(f'{n} {change}' for change, n in of.items())}"
        for path, of in changes.items()
    ]
