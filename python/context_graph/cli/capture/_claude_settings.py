"""Our entries among the hooks of a settings file of Claude Code."""

import json
import os
import shlex
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from context_graph.cli.capture._json_text import added, removed
from context_graph.connectors.claude_code.hook_event import EVENTS_OF
from context_graph.errors import InvalidInput, Refused

__all__ = ["SCOPES", "Change", "install", "settings_path", "uninstall"]

TIMEOUT_SECONDS = 10
BACKUP = ".context-graph-backup"
SCOPES = {"user": "settings.json", "project": ".claude/settings.json", "local": ".claude/settings.local.json"}
EMPTY = "{}\n"


@dataclass(slots=True)
class Change:
    """What was done to a settings file, or would be.

    Attributes
    ----------
    events : dict
        What became of our entry for each event ("Stop", "UserPromptSubmit recall"): added, replaced, kept or removed.
    backup : Path, optional
        Where the file lies as it was before.
    disabled : bool
        The file forbids all hooks, so that ours would not run either.
    """

    path: Path
    events: dict[str, str] = field(default_factory=dict)
    backup: Path | None = None
    created: bool = False
    deleted: bool = False
    disabled: bool = False

    @property
    def changed(self) -> bool:
        return any(done != "kept" for done in self.events.values())


@dataclass(frozen=True, slots=True)
class _Ours:
    """Where one of our entries stands, what it is for ("capture" or "recall"), and its command."""

    event: str
    group: int
    place: int
    action: str
    command: str

    @property
    def label(self) -> str:
        return _label(self.event, self.action)


def _label(event: str, action: str) -> str:
    return event if action == "capture" else f"{event} {action}"


def settings_path(scope: str) -> Path:
    """The settings file of a scope; Claude Code's own variable moves the user's."""
    if scope == "user":
        return Path(os.path.expanduser(os.environ.get("CLAUDE_CONFIG_DIR") or "~/.claude")) / SCOPES["user"]
    return Path(SCOPES[scope]).absolute()


def install(path: Path, commands: Mapping[str, str], *, dry_run: bool = False) -> Change:
    """Have Claude Code call commands at their events; a second time changes nothing.

    Parameters
    ----------
    commands : mapping
        By action, "capture" or "recall"; entries of ours for another one are removed.
    """
    path, before = _read(path)
    after, change = _installed(_object(before), commands)
    change.path, change.created = path, before is None
    if change.changed:
        first = before is not None and not _ours(json.loads(_object(before)))
        change.backup = path.with_name(path.name + BACKUP) if first else None
        if not dry_run:
            path.parent.mkdir(parents=True, exist_ok=True)
            if change.backup is not None:
                _write(change.backup, before or "", like=path)
            _write(path, after, like=path, expected=before)
    return change


def uninstall(path: Path, *, dry_run: bool = False) -> Change:
    """Remove our entries, older ones too, and what was made to hold them; nothing else changes."""
    path, before = _read(path)
    ours = _ours(json.loads(_object(before)))
    if before is None or not ours:
        return Change(path)
    change = Change(path, {one.label: "removed" for one in ours})
    backup = path.with_name(path.name + BACKUP)
    original = _original(backup)
    commands = {one.action: one.command for one in ours}
    if original is not None and _installed(_object(original), commands)[0] == before:
        after = original  # nothing else was changed since: to the byte as it was
    else:
        after = _without(before, ours, json.loads(_object(original)))
    change.deleted = original is None and json.loads(after) == {}
    if not dry_run:
        if change.deleted:
            path.unlink()
        else:
            _write(path, after, like=path, expected=before)
        if after == original:
            with suppress(FileNotFoundError):
                backup.unlink()
    return change


def _installed(text: str, commands: Mapping[str, str]) -> tuple[str, Change]:
    """The text with one entry of ours for each event of each action, and what that took."""
    data = _checked(json.loads(text))
    change = Change(Path(), disabled=data.get("disableAllHooks") is True)
    wanted = [(event, action) for action in commands for event in EVENTS_OF[action]]
    installed: set[tuple[str, str]] = set()
    stale = []
    for one in _ours(data):
        place = one.event, one.action
        if place in wanted and one.command == commands[one.action] and place not in installed:
            installed.add(place)
        else:
            stale.append(one)
    change.events = {one.label: "removed" for one in stale}
    text = _without(text, stale, {"hooks": dict.fromkeys(event for event, _ in wanted)})
    if "hooks" not in data:
        text = added(text, ["hooks"], {})
    for event, action in wanted:
        label = _label(event, action)
        if (event, action) in installed:
            change.events.setdefault(label, "kept")
            continue
        change.events[label] = "replaced" if label in change.events else "added"
        if event not in json.loads(text)["hooks"]:
            text = added(text, ["hooks", event], [])
        hook = {"type": "command", "command": commands[action], "timeout": TIMEOUT_SECONDS}
        text = added(text, ["hooks", event, -1], {"hooks": [hook]})
    return text, change


def _without(text: str, ours: list[_Ours], before: dict[str, Any]) -> str:
    """The text without some entries, nor the lists that held nothing else, unless they were there before."""
    for one in sorted(ours, key=lambda one: (one.event, one.group, one.place), reverse=True):
        groups = json.loads(text)["hooks"][one.event]
        if len(groups[one.group]["hooks"]) > 1:
            text = removed(text, ["hooks", one.event, one.group, "hooks", one.place])
            continue
        text = removed(text, ["hooks", one.event, one.group])
        if len(groups) == 1 and one.event not in before.get("hooks", {}):
            text = removed(text, ["hooks", one.event])
    if ours and json.loads(text)["hooks"] == {} and "hooks" not in before:
        text = removed(text, ["hooks"])
    return text


def _ours(data: dict[str, Any]) -> list[_Ours]:
    """Our entries, wherever they stand and wherever the command lay then."""
    entries = []
    for event, groups in _checked(data).get("hooks", {}).items():
        for i, group in enumerate(groups):
            hooks = group.get("hooks") if isinstance(group, dict) else None
            for j, hook in enumerate(hooks if isinstance(hooks, list) else []):
                command = hook.get("command") if isinstance(hook, dict) else None
                if isinstance(command, str) and (action := _action_of(command)) is not None:
                    entries.append(_Ours(event, i, j, action, command))
    return entries


def _action_of(command: str) -> str | None:
    """What a command of ours is for; None for the command of somebody else."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    for i in range(1, len(words) - 1):
        ours = os.path.basename(words[i - 1]) in ("context-graph", "context_graph.cli")
        if ours and words[i] == "hook" and words[i + 1] in EVENTS_OF:
            return words[i + 1]
    return None


def _checked(data: Any) -> dict[str, Any]:
    """The settings, if they have the shape that Claude Code reads."""
    if not isinstance(data, dict):
        raise InvalidInput(f"expected the settings to be one JSON object, got {_kind(data)}; nothing was changed")
    hooks = data.get("hooks", {})
    if not isinstance(hooks, dict):
        raise InvalidInput(f"expected hooks to be an object of lists, got {_kind(hooks)}; nothing was changed")
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise InvalidInput(f"expected hooks.{event} to be a list, got {_kind(groups)}; nothing was changed")
    return data


def _kind(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}.get(
        type(value), "a number"
    )


def _read(path: Path) -> tuple[Path, str | None]:
    """The file that a path leads to, and its text; None where there is no file."""
    target = Path(os.path.realpath(path))
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        if path.is_symlink():
            raise Refused(f"{path} is a link to {target}, which does not exist; nothing was changed") from None
        return target, None
    if not stat.S_ISREG(mode):
        raise Refused(f"expected {path} to be a file; nothing was changed")
    try:
        text = target.read_bytes().decode("utf-8")
        json.loads(_object(text))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not valid UTF-8; nothing was changed") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} is not valid JSON: {error}; correct it first, nothing was changed") from error
    return target, text


def _object(text: str | None) -> str:
    """The text of a file, where a missing or an empty one holds an empty object."""
    return text if text is not None and text.strip() else EMPTY


def _original(backup: Path) -> str | None:
    try:
        return _read(backup)[1]
    except (InvalidInput, Refused):  # someone has made something else of it
        return None


_ABSENT = object()


def _write(path: Path, text: str, *, like: Path, expected: Any = _ABSENT) -> None:
    """Replace a file at once, with the mode it had; not where someone has changed it since it was read."""
    mode = stat.S_IMODE(like.stat().st_mode) if like.exists() else 0o600
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(file, "wb") as open_file:
            os.fchmod(file, mode)
            open_file.write(text.encode("utf-8"))
            open_file.flush()
            os.fsync(file)
        if expected is not _ABSENT and _read(path)[1] != expected:
            raise Refused(f"{path} was changed meanwhile and left as it is now; try again")
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise
