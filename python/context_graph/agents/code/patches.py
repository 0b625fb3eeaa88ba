"""The coder: mechanical changes as a patch that nobody applies, each checked to leave code that parses."""

import ast
import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from context_graph.agents.code.names import ImportedName, exports, taken_elsewhere, unused_imports
from context_graph.agents.code.report import Artefact, Outcome
from context_graph.agents.code.sources import Source, Sources
from context_graph.syntax_trees import syntax_tree

__all__ = ["CHANGES", "diff", "propose_patch", "wanted_changes"]

MAX_LINE_CHARS = 88
"""Of an import that is written anew; a longer one gets a line for each name."""

Taken = set[tuple[str, str]]
Edit = tuple[int, int, list[str], str]
"""The lines from, to (excluded, both from 0) that are replaced, by what, and why."""


def wanted_changes(task: str) -> list[str]:
    """The changes that a task names, in its own words."""
    return [name for name, (cue, _) in CHANGES.items() if re.search(cue, task, re.I)]


def propose_patch(root: Path, sources: Sources, task: str) -> Iterator[Outcome]:
    """Make the changes that a task names, and a patch of them."""
    names, borrowed = wanted_changes(task), taken_elsewhere(sources.files)
    findings: list[dict[str, object]] = list(sources.problems)
    patch: list[str] = []
    left_out = 0
    for source in sources.files:
        if "\r" in source.text or source.text.startswith("\ufeff") or not _is_plain(source.path):
            left_out += 1
            continue
        edits = [edit for name in names for edit in CHANGES[name][1](source, borrowed)]
        if not edits:
            continue
        after = _edited(source, edits)
        if after is None:
            left_out += 1
            continue
        patch.append(diff(source.path, source.text, after))
        findings += [
            {"path": source.path, "line": start + 1, "kind": "change", "message": why} for start, _, _, why in edits
        ]
    changed = len(patch)
    outcome = f"{', '.join(names)}: {len(findings) - len(sources.problems)} changes in {changed} files"
    if left_out:
        outcome += f"; {left_out} files are left alone: of unusual names or line ends, or they would not parse"
    artefacts = [Artefact("patch", "proposed.patch", "text/x-diff", "".join(patch))] if patch else []
    advice = ["read the patch, then: git apply proposed.patch; nothing was changed"] if patch else []
    yield Outcome("propose a patch", outcome, findings, advice, artefacts)


def _is_plain(path: str) -> bool:
    """Whether a path stands in a patch as it is: a line break in a name would begin changes of another file."""
    return path.isprintable() and not set(path) & set('"\\')


def _edited(source: Source, edits: list[Edit]) -> str | None:
    """The text of a file after its edits; None where it would be no Python, or be another program in its names."""
    lines = list(source.lines)
    for start, end, replacement, _ in sorted(edits, key=lambda edit: -edit[0]):
        lines[start:end] = replacement
    text = "\n".join(lines)
    try:
        tree = syntax_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    before = [node.name for node in source.nodes if isinstance(node, defined)]
    return text if before == [node.name for node in ast.walk(tree) if isinstance(node, defined)] else None


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
    """`__all__` for a module that defines public names and lists none."""
    if source.is_test or source.is_package or exports(source.tree) is not None or "__all__" in source.text:
        return
    names = sorted(set(_public_names(source.tree)))
    if not names:
        return
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


def _public_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [one.id for one in node.targets if isinstance(one, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            names = []
        yield from (name for name in names if not name.startswith("_"))


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
