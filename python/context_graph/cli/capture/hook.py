"""`context-graph hook`."""

import argparse
import os
import shlex
import sys
from pathlib import Path

from context_graph.cli._opening import opened, opened_late, settings_of
from context_graph.cli._options import options, reading_content
from context_graph.cli._output import counted, show
from context_graph.errors import InvalidInput

EXAMPLE = "context-graph hook install --scope user"
ACTIONS = """install    have Claude Code call `hook capture` at every prompt, answer and end of a session; with --recall
           also `hook recall` at the start of a session and at every prompt
uninstall  remove those entries again
drain      store what waits now; a hook starts this by itself
capture    for Claude Code alone: take one event from standard input, print nothing, exit with 0
recall     for Claude Code alone: take one event from standard input, print what the memory knows of it, exit with 0
resident   keep the memory open and answer `hook recall`, until ten minutes have passed without a question"""
OF_SETTINGS = ("scope", "settings", "dry_run", "recall")


def parser() -> argparse.ArgumentParser:
    arg_parser = options("hook", f"Capture and recall for Claude Code.\n\n{ACTIONS}", example=EXAMPLE)
    arg_parser.add_argument("action", choices=("install", "uninstall", "drain", "capture", "recall", "resident"))
    arg_parser.add_argument(
        "--scope", choices=("user", "project", "local"), help="whose settings are changed (default user)"
    )
    arg_parser.add_argument("--settings", type=Path, metavar="PATH", help="a settings file in place of that of a scope")
    arg_parser.add_argument(
        "--recall", action="store_true", default=None, help="also tell Claude Code what the memory knows of a prompt"
    )
    arg_parser.add_argument("--dry-run", action="store_true", default=None, help="only say what would change")
    arg_parser.add_argument(
        "--agent", default="claude-code", metavar="NAME", help="whose memories they are (claude-code)"
    )
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    given = [name for name in OF_SETTINGS if getattr(parsed, name) is not None]
    if given and parsed.action not in ("install", "uninstall"):
        raise InvalidInput(f"hook {parsed.action} takes no --{given[0].replace('_', '-')}")
    if parsed.scope and parsed.settings:
        raise InvalidInput("--scope and --settings name two files; give one of them")
    if parsed.recall and parsed.action != "install":
        raise InvalidInput(f"hook {parsed.action} takes no --recall; uninstall removes all of our entries")
    if parsed.action == "resident":
        return _reside(parsed)
    return _drain(parsed) if parsed.action == "drain" else _change(parsed)


def _change(parsed: argparse.Namespace) -> int:
    """Install or uninstall."""
    from context_graph.cli.capture._claude_settings import install, settings_path, uninstall

    path, dry_run = parsed.settings or settings_path(parsed.scope or "user"), bool(parsed.dry_run)
    actions = ("capture", "recall") if parsed.recall else ("capture",)
    commands = {action: _command(parsed, action) for action in actions}
    installing = parsed.action == "install"
    with reading_content():
        change = install(path, commands, dry_run=dry_run) if installing else uninstall(path, dry_run=dry_run)
    would = "would be " if dry_run and change.changed else ""
    backup = str(change.backup) if change.backup else None
    data = {
        "settings": str(change.path), "events": change.events, "changed": change.changed, "dry_run": dry_run,
        "backup": backup, "deleted": change.deleted, "disabled": change.disabled,
    }  # fmt: skip
    lines = [f"{event:<17} {would if done != 'kept' else ''}{done}" for event, done in change.events.items()]
    if not change.events:
        lines.append("no entry of ours was there; nothing was changed")
    lines.append(
        f"{'settings':<17} {change.path}"
        + (f", which {would or 'was '}deleted: it held nothing else" if change.deleted else "")
    )
    if installing:
        data["command"] = commands["capture"]
        data["commands"] = commands
        lines += [f"{'command':<17} {command}" for command in commands.values()]
    if backup:
        lines.append(f"{'backup':<17} {backup}")
    if change.disabled:
        lines.append("disableAllHooks is set there: Claude Code calls no hook until it is removed")
    show(parsed, data, "\n".join(lines))
    return 0


def _command(parsed: argparse.Namespace, action: str) -> str:
    """What Claude Code is to call, with whole paths: it has its own working directory and search path."""
    from context_graph.settings import load_settings

    settings, origins = load_settings({"home": parsed.home, "tier": parsed.tier})
    words = [*_program(), "hook", action]
    if origins["home"] != "default":
        words += ["--home", os.path.abspath(settings.home)]
    words += ["--tier", parsed.tier] if parsed.tier else []
    words += ["--agent", parsed.agent] if parsed.agent != "claude-code" and action == "capture" else []
    return shlex.join(words)


def _program() -> list[str]:
    """The command that is running, or where it runs as a module the one installed beside its Python."""
    for found in (Path(sys.argv[0]), Path(sys.executable).with_name("context-graph")):
        if found.name == "context-graph" and found.is_file():
            return [os.path.abspath(found)]
    return [sys.executable, "-P", "-m", "context_graph.cli"]  # -P: the project's own modules are not ours


def _reside(parsed: argparse.Namespace) -> int:
    from context_graph.connectors.claude_code.background import background
    from context_graph.connectors.claude_code.hook_event import recall_request
    from context_graph.connectors.claude_code.resident import serve

    with opened(parsed, make=True) as memory:

        def answer(event: object) -> str:
            moment = recall_request(event, kinds=memory.settings.redacted)
            return "" if moment is None else background(memory, moment)

        answer({"hook_event_name": "UserPromptSubmit", "prompt": "what is loaded now need not be waited for"})
        serve(memory.settings.home, answer)
    return 0


def _drain(parsed: argparse.Namespace) -> int:
    from context_graph.connectors.claude_code.worker import drain

    settings = settings_of(parsed)
    with opened_late(parsed) as memory_of:
        done = drain(settings.home, memory_of, kinds=settings.redacted)
    counts = done.counts
    names = ("notices", "turns", "stored", "known", "private", "trivial", "memories")
    data: dict[str, object] = {name: counts[name] for name in names}
    data |= {"rejected": [{"file": str(path), "reason": reason} for path, reason in done.rejected], "busy": done.busy}
    lines = [f"{counted(counts['notices'], 'notice')}: {keep_report(counts)}"] if counts["notices"] else []
    lines += [f"moved aside to {path}: {reason}" for path, reason in done.rejected]
    lines += ["another process stores what waits"] if done.busy else []
    show(parsed, data, "\n".join(lines) or "nothing waits")
    return 1 if done.rejected else 0


def keep_report(counts: dict[str, int]) -> str:
    """What became of turns, in words."""
    memories = "memory" if counts["memories"] == 1 else "memories"
    text = (
        f"{counted(counts['turns'], 'turn')}, {counts['stored']} stored as {counts['memories']} {memories}, "
        f"{counts['known']} known already, {counts['private']} private, {counts['trivial']} trivial"
    )
    cut = f"; {counts['cut']} {'was' if counts['cut'] == 1 else 'were'} cut short"
    return text + (cut if counts["cut"] else "")
