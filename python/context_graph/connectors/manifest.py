"""manifest.md in the home: what is remembered, for its user to read and edit, and the edits taken in.

A removed line forgets a memory, `[MERGE: A, B]` merges, `[NOTE: X] text` notes. All edits are one event or, where any
of them cannot be made, none. What the user wrote stays in the file: what was done is listed at its end.
"""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from context_graph.access import shown, visible_nodes
from context_graph.citations import is_tag, tag_of
from context_graph.errors import ContextGraphError, InvalidInput, StoreError
from context_graph.ingest.curation import Note, cleaned_note, put_annotation
from context_graph.ingest.forget import put_away
from context_graph.ingest.merging import Plan, after, planned, put_merge
from context_graph.models import Caller, Node, NodeKind, NodeState, Scope, to_iso
from context_graph.names import name_key
from context_graph.regex import regex
from context_graph.safety.quoting import inline

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["NAME", "Applied", "Directive", "Reloaded", "let_go", "manifest_text", "reload_manifest"]

NAME, RECORD = "manifest.md", "manifest.json"
LISTED = 50
"""Memories that the file lists: the most important ones, of several the latest."""

MAX_LINE = 160
MAX_LOST_LINES, MAX_LOST_SHARE = 5, 0.5
"""Removed lines above which, and above which share of all, the file is taken for one that was cut off."""

MAX_FILE_BYTES = 1_000_000

HEAD = """\
# What is remembered

Edit this file, then have your agent call `reload_manifest`. Remove a line of Active Concepts to forget it, which can be
undone for {days} days. Write `[MERGE: A, B]` to merge memories or names, `[NOTE: X] text` to put a note beside one; A,
B and X are names or tags. `[MERGE!: A, B]` merges although numbers, dates or names differ. What else you write stays.
"""
CONCEPTS, PENDING, NOTES, DONE = "## Active Concepts", "## Pending Actions", "## Notes", "## Done"

_LINE = regex(r"^\s*[-*]\s*(\[node_[0-9A-Fa-f-]{6,36}\])")
_MERGE = regex(r"^\s*(?:[-*]\s*)?\[MERGE(!?):\s*([^\]]*)\]\s*$")
_MERGE_TAGS = regex(r"^\s*(?:[-*]\s*)?\[MERGE(!?):\s*(.*)\]\s*$")
_NOTE = regex(r"^\s*(?:[-*]\s*)?\[NOTE:\s*((?:\[node_[0-9A-Fa-f-]+\])|[^\]]*)\]\s*(.*)$")
_BRACKET = regex(r"^\s*(?:[-*]\s*)?\[\s*([^\W\d_]+)")
ALIKE = 0.7
"""Likeness of the first word in a bracket to a directive, from which on the line means to be one and is misspelt."""


@dataclass(frozen=True, slots=True)
class Directive:
    """A line that asks for something."""

    place: int
    kind: Literal["MERGE", "NOTE"]
    targets: tuple[str, ...]
    text: str = ""
    force: bool = False


@dataclass(frozen=True, slots=True)
class Applied:
    """A directive that was followed, and what came of it."""

    directive: Directive
    result: str


@dataclass(slots=True)
class Reloaded:
    """What became of the edits.

    Attributes
    ----------
    problems : list of str
        Why none of them was made, by line; empty where all were.
    notices : list of str
        What else is to be known.
    """

    path: Path
    applied: list[Applied] = field(default_factory=list)
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    """Id and name of each memory whose line was removed."""

    pending: int = 0
    problems: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    reversal_hash: str | None = None


@dataclass(slots=True)
class _Read:
    """The file as it was read: what is listed under Done starts with its day, so no line of it is a directive."""

    text: str
    directives: list[Directive]
    listed: dict[str, str]
    """By tag the line that it stands in."""

    problems: list[str]


def reload_manifest(memory: "Runtime", *, caller: Caller | None = None) -> Reloaded:
    """Take in the user's edits of the manifest and write it anew; where there is none, write it."""
    path = memory.settings.home / NAME
    outcome = Reloaded(path)
    with memory.writing:  # what is listed, and what is deleted for good, does not change meanwhile
        if path.exists():
            _take_in(memory, caller or memory.caller, outcome)
        else:
            _save(memory, path, _fresh(memory), outcome)
            outcome.notices.append(f"{path} was written; edit it and call this again")
    return outcome


def manifest_text(memory: "Runtime") -> str:
    """The file as it stands, with edits that are not taken in yet; where there is none, what would be written."""
    path = memory.settings.home / NAME
    return _text_of(path) if path.exists() else _composed(_fresh(memory), _lines(memory))


def _take_in(memory: "Runtime", caller: Caller, outcome: Reloaded) -> None:
    path = outcome.path
    text = _text_of(path)
    read, record = _read(text), _record(path)
    if record is None:
        outcome.notices.append("it is not known what the file listed before, so no line counts as removed this time")
    removed = _removed(memory, read, record or {}, outcome)
    plans, notes = _planned(memory, read, removed, caller, outcome)
    outcome.problems = sorted((*outcome.problems, *read.problems), key=_place)
    outcome.pending = len(read.directives) + len(removed)
    if outcome.problems:
        return
    if plans or notes or removed:
        _write(memory, caller, outcome, plans, notes, removed)
    outcome.pending = 0
    if _text_of(path) == text:
        _save(memory, path, _rewritten(memory, read, outcome), outcome)
    else:
        outcome.notices.append("the file was edited meanwhile and not written anew; what is done stands in it still")


def _place(problem: str) -> tuple[int, str]:
    number = re.match(r"line (\d+)", problem)
    return (int(number[1]) if number else 0), problem


def let_go(home: Path, node: Node) -> None:
    """Take the lines of a memory away that is about to be deleted for good, from the file and what is beside it."""
    tag, path = tag_of(node.id), home / NAME
    for file in (path, path.with_name(f"{NAME}.bak")):
        with suppress(OSError, UnicodeDecodeError):
            lines = file.read_text("utf-8").splitlines(keepends=True)
            left = [line for line in lines if tag.lower() not in line.lower() and inline(node.content) not in line]
            if len(left) < len(lines):
                _put(file, "".join(left))
    known = _record(path)
    if known and tag.lower() in known:
        _put(path.with_name(RECORD), json.dumps({key: entry for key, entry in known.items() if key != tag.lower()}))


# Reading


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InvalidInput(f"{path} has more than {MAX_FILE_BYTES} bytes; keep only what is listed and your edits")
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read as UTF-8 text ({error}); nothing was changed") from error


def _read(text: str) -> _Read:
    read = _Read(text, [], {}, [])
    section = ""
    for place, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            section = line.strip()
        if section == CONCEPTS and (listed := _LINE.match(line)):
            read.listed[listed[1].lower()] = line.strip()
        elif merge := _MERGE.match(line) or _MERGE_TAGS.match(line):
            targets = tuple(part.strip() for part in merge[2].split(",") if part.strip())
            read.directives.append(Directive(place, "MERGE", targets, force=bool(merge[1])))
            if len(targets) < 2:
                read.problems.append(f"line {place}: [MERGE: A, B] needs two names or more, got {len(targets)}")
        elif note := _NOTE.match(line):
            read.directives.append(Directive(place, "NOTE", (note[1].strip(),), note[2].strip()))
            if not note[1].strip() or not note[2].strip():
                read.problems.append(f"line {place}: [NOTE: X] needs a name and, behind the bracket, a text")
        elif (word := _BRACKET.match(line)) and get_close_matches(word[1].upper(), ["MERGE", "NOTE"], cutoff=ALIKE):
            read.problems.append(
                f"line {place}: expected [MERGE: A, B] or [NOTE: X] text, got {inline(line.strip()[:60])!r}"
            )
    return read


def _record(path: Path) -> dict[str, tuple[str, str]] | None:
    """By tag the id and the line of what was listed last; None where that is not known."""
    try:
        entries = json.loads(path.with_name(RECORD).read_text("utf-8"))
        return {str(tag): (str(id), str(line)) for tag, (id, line) in entries.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _removed(memory: "Runtime", read: _Read, record: dict[str, tuple[str, str]], outcome: Reloaded) -> list[Node]:
    """The memories whose lines are gone; those whose lines were changed are problems."""
    for tag, (_, line) in record.items():
        now = read.listed.get(tag)
        if now is not None and now != line:
            place = [one.strip() for one in read.text.splitlines()].index(now) + 1
            outcome.problems.append(
                f"line {place}: the text behind {tag} was changed, and a memory is not edited in place; put the line "
                f"back ({line!r}) and write [NOTE: {tag}] with what is right, or remove the line"
            )
    gone = [id for tag, (id, _) in record.items() if tag not in read.listed]
    if len(gone) > MAX_LOST_LINES and len(gone) > MAX_LOST_SHARE * len(record):
        outcome.problems.append(
            f"{len(gone)} of {len(record)} lines are gone, as if the file had been cut off; remove at most half of "
            "them at once, or context-graph forget TAG"
        )
    return [node for node in memory.store.nodes(gone) if node.state == NodeState.LIVE]


# Planning


def _planned(
    memory: "Runtime", read: _Read, removed: Sequence[Node], caller: Caller, outcome: Reloaded
) -> tuple[list[tuple[Directive, Plan]], list[tuple[Directive, Node, Note]]]:
    """What each directive will do; each that cannot be done is a problem."""
    plans: list[tuple[Directive, Plan]] = []
    notes: list[tuple[Directive, Node, Note]] = []
    uses = {node.id: "its line was removed" for node in removed}
    for directive in read.directives:
        try:
            if directive.kind == "NOTE" and all((*directive.targets, directive.text)):
                (node,) = _named(memory, directive.targets, caller)
                if node.id in uses and uses[node.id].startswith("its line"):
                    raise InvalidInput(f"{directive.targets[0]!r} is to be forgotten: {uses[node.id]}")
                notes.append((directive, node, cleaned_note(memory, directive.text, "note")))
            elif directive.kind == "MERGE" and len(directive.targets) > 1:
                nodes = _named(memory, directive.targets, caller)
                for node in nodes:
                    if node.id in uses:
                        raise InvalidInput(f"{node.name!r} is used twice: {uses[node.id]}")
                    uses[node.id] = f"line {directive.place} merges it"
                ids = [node.id for node in nodes]
                name = nodes[0].name if is_tag(directive.targets[0]) else directive.targets[0]
                plans.append((directive, planned(
                    memory, ids, name, "concatenate", force=directive.force, rationale="", caller=caller
                )))  # fmt: skip
        except ContextGraphError as error:
            hint = str(error).replace("force_merge=true", "[MERGE!: ...]")
            force = "; [MERGE!: ...] merges all the same" if "differ in" in hint else ""
            outcome.problems.append(f"line {directive.place}: {hint}{force}")
    return plans, notes


def _named(memory: "Runtime", names: Sequence[str], caller: Caller) -> list[Node]:
    """What names or tags stand for: memories where all of them name one, else concepts."""
    candidates = [_called(memory, name, caller) for name in names]
    for kind in (NodeKind.MEMORY, NodeKind.CONCEPT):
        chosen = [[node for node in nodes if node.kind == kind] for nodes in candidates]
        if all(len(nodes) == 1 for nodes in chosen):
            return [nodes[0] for nodes in chosen]
    for name, nodes in zip(names, candidates, strict=True):
        if not nodes:
            raise InvalidInput(f"nothing that is remembered is called {name!r}; write its tag, as listed above")
        if len({node.kind for node in nodes}) < len(nodes):
            tags = " ".join(tag_of(node.id) for node in nodes[:5])
            raise InvalidInput(f"{name!r} is the name of several: {tags}; write the tag of the one you mean")
    raise InvalidInput(f"{', '.join(map(repr, names))} are memories and concepts mixed; write their tags")


def _called(memory: "Runtime", name: str, caller: Caller) -> list[Node]:
    if is_tag(name):
        return [shown(memory, name, caller)]
    key = _key(name)
    rows = memory.store.columns(["id", "name", "state", "valid_to"])
    ids = [id for id, called, state, end in rows if state == NodeState.LIVE and end is None and _key(called) == key]
    concept = memory.store.concept(key) if key else None
    nodes = [*memory.store.nodes(ids), *([concept] if concept and concept.state == NodeState.LIVE else [])]
    return visible_nodes(memory, nodes, caller)


def _key(name: str) -> str:
    """A name without the end of the sentence that it may be: "The limit is 10." is called "the limit is 10"."""
    return name_key(name.rstrip(" .!?…"))


# Writing


def _write(
    memory: "Runtime",
    caller: Caller,
    outcome: Reloaded,
    plans: Sequence[tuple[Directive, Plan]],
    notes: Sequence[tuple[Directive, Node, Note]],
    removed: Sequence[Node],
) -> None:
    author, moment = memory.author(caller), memory.clock()
    merges: list[tuple[Plan, Node]] = []
    became: dict[str, str] = {}
    with memory.store.write("manifest", author) as tx:
        for directive, plan in plans:
            node = tx.node(put_merge(memory, tx, plan, caller).node.id)
            merges.append((plan, node))
            if plan.related:
                result = f"linked, not merged: their assumptions disagree {tag_of(node.id)}"
            else:
                became |= {source.id: node.id for source in plan.sources}
                result = f"merged into {tag_of(node.id)}"
            outcome.applied.append(Applied(directive, result))
        for directive, named, note in notes:
            node = tx.node(became.get(named.id, named.id))
            put_annotation(memory, tx, node, note, "user_note", other=None, id=memory.new_id(), by=author.agent_id)
            outcome.applied.append(Applied(directive, f"noted on {tag_of(node.id)}"))
        for node in removed:
            gone = put_away(tx, node.id, "user_requested", moment=moment, by="user")
            outcome.forgotten.append((node.id, node.name))
            reopened = " ".join(tag_of(id) for id in gone.replaced.node_ids)
            if reopened:
                outcome.notices.append(f"{tag_of(node.id)} had superseded {reopened}, which holds again")
        merged = [node.id for plan, node in merges if not plan.related]
        sources = [source.id for plan, _ in merges for source in plan.sources]
        noted = [became.get(node.id, node.id) for _, node, _ in notes]
        tx.note.update(
            operation="manifest", nodes=list(dict.fromkeys((*merged, *noted, *sources, *(n.id for n in removed)))),
            merged=[*merged, *became], sources=sources, forgotten=[node.id for node in removed],
        )  # fmt: skip
    for plan, node in merges:
        after(memory, plan, node)
    memory.committed(tx.committed)
    assert tx.committed is not None
    outcome.reversal_hash = tx.committed.hash[:16]


# The file


def _lines(memory: "Runtime") -> dict[str, tuple[str, str]]:
    """By tag the id and the line of each memory that is listed: what all clients of the user share."""
    rows = memory.store.columns(["id", "state", "valid_to", "scope", "importance", "created_at"])
    shared = [row for row in rows if row[1] == NodeState.LIVE and row[2] is None and row[3] == Scope.USER]
    shared.sort(key=lambda row: (-row[4], -row[5], row[0]))
    lines = {}
    for node in memory.store.nodes([row[0] for row in shared[:LISTED]]):
        text = inline(node.content)
        text = text if len(text) <= MAX_LINE else f"{text[: MAX_LINE - 1].rstrip()}…"
        named = text if text.startswith(node.name) else f"{inline(node.name)}: {text}"
        lines[tag_of(node.id).lower()] = (node.id, f"- {tag_of(node.id)} {named}")
    return lines


def _fresh(memory: "Runtime") -> str:
    head = HEAD.format(days=memory.settings.undo_retention_days)
    return f"{head}\n{CONCEPTS}\n\n{PENDING}\n\n{NOTES}\n"


def _rewritten(memory: "Runtime", read: _Read, outcome: Reloaded) -> str:
    """The user's text without the directives that were followed, and these at its end."""
    done = {one.directive.place: one.result for one in outcome.applied}
    lines = read.text.splitlines()
    left = [line for place, line in enumerate(lines, 1) if place not in done]
    text = "\n".join(left).rstrip("\n") + "\n"
    if not done and not outcome.forgotten:
        return text
    day = to_iso(memory.clock())[:10]
    told = [f"- {day} {lines[place - 1].strip().removeprefix('- ')} -> {result}" for place, result in done.items()]
    told += [f"- {day} forgotten: {tag_of(id)} {inline(name)}" for id, name in outcome.forgotten]
    told.append(f"- {day} restore_from_hash {outcome.reversal_hash} takes these back")
    if DONE not in left:
        text += f"\n{DONE}\n"
    return text.rstrip("\n") + "\n" + "\n".join(told) + "\n"


def _composed(text: str, listed: dict[str, tuple[str, str]]) -> str:
    """A text of the user with today's list in it."""
    head, section, rest = text.partition(f"{CONCEPTS}\n") if f"{CONCEPTS}\n" in text else (text, f"\n{CONCEPTS}\n", "")
    own, following = [], rest.splitlines()
    while following and not following[0].startswith("## "):
        line = following.pop(0)
        if not _LINE.match(line):
            own.append(line)  # what the user wrote between the lines
    parts = ["\n".join(line for _, line in listed.values()), "\n".join(own).strip("\n")]
    middle = "\n" + "\n\n".join(part for part in parts if part) + "\n\n"
    whole = f"{head}{section}{middle}" + "\n".join(following).rstrip("\n")
    return whole.rstrip("\n") + "\n"


def _save(memory: "Runtime", path: Path, text: str, outcome: Reloaded) -> None:
    """Write the file with today's list, and what it lists; the text of before is kept beside it."""
    listed = _lines(memory)
    whole = _composed(text, listed)
    try:
        if path.exists():
            _put(path.with_name(f"{NAME}.bak"), path.read_text("utf-8"))
        _put(path, whole)
        _put(path.with_name(RECORD), json.dumps({tag: [id, line] for tag, (id, line) in listed.items()}))
    except OSError as error:
        outcome.notices.append(f"{path} could not be written ({error.strerror}); what is done is done, see the log")


def _put(path: Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.{os.urandom(4).hex()}.partial")
    try:
        file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as opened:
            opened.write(text)
        os.replace(partial, path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
