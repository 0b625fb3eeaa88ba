"""The coder: mechanical changes as a patch that nobody applies, each checked to leave code that parses."""

import ast
import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from context_graph.agents.code.bindings import bindings_of
from context_graph.agents.code.names import ImportedName, exports, taken_elsewhere, unused_imports
from context_graph.agents.code.report import MAX_ARTEFACT_CHARS, Artefact, Outcome
from context_graph.agents.code.sources import Source, Sources
from context_graph.safety.display import printable
from context_graph.safety.pii import scrub
from context_graph.syntax_trees import syntax_tree

__all__ = ["CHANGES", "diff", "propose_patch", "wanted_changes"]

MAX_LINE_CHARS = 88
"""Of an import that is written anew; a longer one gets a line for each name."""

BYTE_ORDER_MARK = "\ufeff"

Taken = set[tuple[str, str]]
Edit = tuple[int, int, list[str], str]
"""The lines from, to (excluded, both from 0) that are replaced, by what, and why."""


class _LeftOut(Exception):
    """A change that is not made, and why."""


def wanted_changes(task: str) -> list[str]:
    """The changes that a task names, in its own words."""
    return [name for name, (cue, _) in CHANGES.items() if re.search(cue, task, re.I)]


def propose_patch(root: Path, sources: Sources, task: str) -> Iterator[Outcome]:
    """Make the changes that a task names, and a patch of them.

    The patch holds whole files, as many as `MAX_ARTEFACT_CHARS` have room for; each file whose change is not in it is a
    finding of the kind "left out", with the reason.
    """
    names, borrowed = wanted_changes(task), taken_elsewhere(sources.files)
    changes: list[dict[str, object]] = []
    left_out: list[dict[str, object]] = []
    patch: list[str] = []
    without_room: list[dict[str, object]] = []
    free = MAX_ARTEFACT_CHARS
    for source in sources.files:
        edits: list[Edit] = []
        if "\r" in source.text.replace("\r\n", "\n"):
            left_out.append(_row(source, 1, "left out", "a carriage return stands within its lines"))
            continue
        for name in names:
            try:
                edits += CHANGES[name][1](source, borrowed)
            except _LeftOut as reason:
                left_out.append(_row(source, 1, "left out", f"{name}: {reason}"))
        if not edits:
            continue
        try:
            part = _part(source, edits)
        except _LeftOut as reason:
            left_out.append(_row(source, min(edits)[0] + 1, "left out", f"{reason}; wanted: {min(edits)[3]}"))
            continue
        if len(part) > free:
            message = f"no room in the patch: {min(edits)[3]}"
            without_room.append(_row(source, min(edits)[0] + 1, "left out", message))
            continue
        free -= len(part)
        patch.append(part)
        changes += [_row(source, start + 1, "change", why) for start, _, _, why in edits]
    outcome = f"{', '.join(names)}: {len(changes)} changes in {len(patch)} files"
    advice = ["read the patch, then: git apply proposed.patch; nothing was changed"] if patch else []
    if missing := [*left_out, *without_room]:
        files = len({row["path"] for row in missing})
        outcome += f"; {files} files have changes that are left out"
        shown = ", ".join(dict.fromkeys(str(row["path"]) for row in missing[:3]))
        advice.append(f"{files} files have changes that the patch leaves out ({shown}): findings of the kind left out")
    if without_room and patch:
        advice.append(f"{len(without_room)} of them had no room: apply the patch, and run the coder again for the rest")
    artefacts = [Artefact("patch", "proposed.patch", "text/x-diff", "".join(patch))] if patch else []
    findings = [*sources.problems, *left_out, *changes, *without_room]  # the first are kept: the patch has the changes
    yield Outcome("propose a patch", outcome, findings, advice, artefacts)


def _row(source: Source, line: int, kind: str, message: str) -> dict[str, object]:
    return {"path": source.path, "line": line, "kind": kind, "message": message}


def _part(source: Source, edits: list[Edit]) -> str:
    """The patch of one file; git takes all files of a patch or none, so one that would not apply is left out."""
    if not _is_plain(source.path):
        raise _LeftOut("its name cannot stand in a patch")
    after = _edited(source, edits)
    if after is None:
        raise _LeftOut("it would no longer be the same Python")
    part = diff(source.path, source.text, after)
    if "\r" in part:
        raise _LeftOut("its lines end as in Windows, which no answer carries")
    if printable(part) != part:
        raise _LeftOut("control characters, such as a form feed, stand beside the change, and no answer carries them")
    if scrub(part).text != part:
        raise _LeftOut("what looks like a secret or personal data stands beside the change, and no answer shows it")
    return part


def _is_plain(path: str) -> bool:
    """Whether a path stands in a patch as it is: a line break in a name would begin changes of another file."""
    return path.isprintable() and not set(path) & set('"\\')


def _edited(source: Source, edits: list[Edit]) -> str | None:
    """The text of a file after its edits; None where it would be no Python, or be another program in its names."""
    mark = BYTE_ORDER_MARK if source.text.startswith(BYTE_ORDER_MARK) else ""
    lines = source.text.removeprefix(mark).split("\n")
    for start, end, replacement, _ in sorted(edits, key=lambda edit: -edit[0]):
        lines[start:end] = replacement
    text = "\n".join(lines)
    try:
        tree = syntax_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    before = [node.name for node in source.nodes if isinstance(node, defined)]
    is_same = before == [node.name for node in ast.walk(tree) if isinstance(node, defined)]
    return f"{mark}{text}" if is_same else None


def diff(path: str, before: str, after: str) -> str:
    """A unified diff as `git apply` takes it."""
    parts = difflib.unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return "".join(part if part.endswith("\n") else f"{part}\n\\ No newline at end of file\n" for part in parts)


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]  # what follows the last line break is a line without one, or none
    return lines if lines[-1] else lines[:-1]


# Unused imports


def _without_unused(source: Source, borrowed: Taken) -> Iterator[Edit]:
    by_node: dict[ast.Import | ast.ImportFrom, list[ImportedName]] = defaultdict(list)
    for one in unused_imports(source, borrowed):
        by_node[one.node].append(one)
    for node, unused in by_node.items():
        start, end = node.lineno - 1, node.end_lineno or node.lineno
        own = source.lines[start:end]
        if len(source.tree.body) == 1 or ";" in "".join(own) or "#" in "".join(own) or own[-1].endswith("\\"):
            continue
        names = ", ".join(one.name for one in unused)
        kept = [alias for alias in node.names if alias not in [one.alias for one in unused]]
        yield start, end, _import_lines(node, kept), f"{names}: imported and not used"


def _import_lines(node: ast.Import | ast.ImportFrom, aliases: list[ast.alias]) -> list[str]:
    if not aliases:
        return []
    if isinstance(node, ast.Import):
        return [ast.unparse(ast.Import(aliases))]
    line = ast.unparse(ast.ImportFrom(node.module, aliases, node.level))
    if len(line) <= MAX_LINE_CHARS:
        return [line]
    head = line.partition(" import ")[0]
    return [f"{head} import (", *(f"    {ast.unparse(alias)}," for alias in aliases), ")"]


# __all__


def _with_exports(source: Source, borrowed: Taken) -> Iterator[Edit]:
    """`__all__` for a module that defines public names and lists none: those that are there however it runs."""
    if source.is_test or source.is_package or exports(source.tree) is not None or "__all__" in source.text:
        return
    bindings = bindings_of(source.tree)
    names, possible = _public(bindings.certain), _public(bindings.possible)
    if not names:
        return
    if possible:
        raise _LeftOut(f"{', '.join(possible[:5])} may be there or not, by how the module runs")
    if (source.module, "*") in borrowed and _imports_names(source.tree):
        raise _LeftOut("a file takes * from it, which gives what it imports too")
    last = 0
    for node in source.tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.lineno and not last
        if not is_docstring and not isinstance(node, ast.Import | ast.ImportFrom):
            break
        last = node.end_lineno or node.lineno
    line = f"__all__ = [{', '.join(map(_quoted, names))}]"
    listed = [line] if len(line) <= MAX_LINE_CHARS else ["__all__ = [", *(f"    {_quoted(one)}," for one in names), "]"]
    after = source.lines[last] if last < len(source.lines) else ""
    yield last, last, ["", *listed, *([""] if after.strip() else [])], f"__all__ lists {len(names)} public names"


def _public(names: set[str]) -> list[str]:
    return sorted(name for name in names if not name.startswith("_"))


def _imports_names(tree: ast.Module) -> bool:
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return any(getattr(node, "module", "") != "__future__" for node in imports)


def _quoted(name: str) -> str:
    return f'"{name}"'


# Bare excepts


def _without_bare_excepts(source: Source, borrowed: Taken) -> Iterator[Edit]:
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            line = source.lines[node.lineno - 1]
            place = len(line.encode()[: node.col_offset].decode())
            if re.match(r"except\s*:", line[place:]):
                made = f"{line[:place]}except Exception{line[place + len('except') :].lstrip()}"
                yield node.lineno - 1, node.lineno, [made], "a bare except becomes except Exception"


CHANGES: dict[str, tuple[str, Callable[[Source, Taken], Iterator[Edit]]]] = {
    "unused imports": (r"\bimports?\b", _without_unused),
    "__all__": (r"__all__|\bexports?\b", _with_exports),
    "bare excepts": (r"\bbare[ -]excepts?\b|\bexcepts?\b", _without_bare_excepts),
}
"""By name: the words of a task that ask for a change, and what makes it."""
