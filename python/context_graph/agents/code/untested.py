"""The tester: public functions that no test names or no run reached, and skeletons of tests for them."""

import ast
import json
import keyword
import re
import sqlite3
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from context_graph.agents.code.names import used_words
from context_graph.agents.code.report import NO_MODEL, Artefact, Outcome, listing
from context_graph.agents.code.sources import Function, Source, Sources
from context_graph.syntax_trees import syntax_tree

__all__ = ["Coverage", "coverage_of", "find_untested", "skeleton"]

MAX_SKELETONS = 30
"""Functions that skeletons are written for."""

COVERAGE_FILES = (".coverage", "coverage.json", "coverage.xml")
MAX_COVERAGE_BYTES = 50_000_000

_NO_COVERAGE = (
    ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError, sqlite3.Error, ElementTree.ParseError,
)  # fmt: skip
"""What reading a file raises that only looks like coverage data."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which lines a run reached.

    Attributes
    ----------
    file : str
        Where it was read.
    lines : dict
        Path below the project -> lines that were run.
    """

    file: str
    lines: dict[str, set[int]]


def find_untested(root: Path, sources: Sources, task: str) -> Iterator[Outcome]:
    """Compare public functions with the names in tests and with coverage data, and write skeletons."""
    tests = [one for one in sources.files if one.is_test]
    words = {word for one in tests for word in used_words(one)}
    public = [(source, one) for source in sources.files if not source.is_test for one in source.functions if one.public]
    public = [pair for pair in public if not _is_special(pair[1])]
    unnamed = [pair for pair in public if pair[1].node.name not in words]
    findings = [
        _of(*pair, "unnamed in tests", f"no test names {pair[1].name}{_signature(pair[1].node)}") for pair in unnamed
    ]
    outcome = f"{len(tests)} files of tests name {len(public) - len(unnamed)} of {len(public)} public functions"
    yield Outcome("compare names", f"{outcome}{sources.skipped}", [*sources.problems, *findings])

    coverage, problem = coverage_of(root)
    missed: list[dict[str, object]] = []
    unread: list[dict[str, object]] = []
    if coverage is None:
        if problem:
            unread = [{"path": problem.partition(" ")[0], "line": 1, "kind": "unread", "message": problem}]
        outcome = problem or f"there is no coverage data; {', '.join(COVERAGE_FILES)} are looked for in {root.name}"
    else:
        rated = [(pair, ran, size) for pair in public for ran, size in [_reached(coverage, *pair)] if size]
        missed = [
            _of(*pair, "not run", f"{pair[1].name} was not run: 0 of {size} statements")
            for pair, ran, size in rated
            if not ran
        ]
        known = [pair for pair, _, _ in rated if pair[0].path in coverage.lines]
        outcome = f"by {coverage.file}, {len(missed)} of {len(rated)} functions were not run; {len(known)} are in it"
    advice = [f"{problem}: the names in tests alone were compared; run coverage again"] if unread else []
    yield Outcome("read coverage", outcome, [*unread, *missed], advice)

    wanted: dict[str, list[tuple[Source, Function]]] = defaultdict(list)
    gaps = {(row["path"], row["line"]) for row in (*findings, *missed)}
    chosen = [
        pair for pair in public if (pair[0].path, pair[1].node.lineno) in gaps and _can_be_imported(pair[0].module)
    ][:MAX_SKELETONS]
    for pair in chosen:
        wanted[pair[0].path].append(pair)
    artefacts = [skeleton(pairs[0][0], [function for _, function in pairs]) for pairs in wanted.values()]
    artefacts = [one for one in artefacts if _parses(one.content)]
    advice = [f"say in a test what {row['message'].removeprefix('no test names ')} promises" for row in findings[:3]]
    report = listing(
        "Tests",
        outcome=f"{len(unnamed)} of {len(public)} public functions are named by no test.",
        findings=[*unread, *findings, *missed],
    )
    artefacts.append(Artefact("report", "tests.md", "text/markdown", report))
    outcome = f"skeletons for {len(chosen)} of {len(gaps)} functions; each is skipped until somebody writes it"
    yield Outcome("write skeletons", outcome, recommendations=advice, artefacts=artefacts)


def skeleton(source: Source, functions: list[Function]) -> Artefact:
    """A file of tests that runs as it is: each is skipped, and says where the function stands."""
    lines = [
        f'"""Tests of {source.module}, to be written. {NO_MODEL}"""', "", "import pytest", "",
        f'module = pytest.importorskip("{source.module}")',
    ]  # fmt: skip
    if source.import_root != ".":
        lines.insert(
            1, f"# It is imported from {source.import_root!a}: run pytest with PYTHONPATH={source.import_root!a}."
        )
    names: set[str] = set()
    for function in functions:
        name = f"test_{re.sub(r'[^0-9a-z_]+', '_', function.name.lower())}"
        while name in names:
            name += "_again"
        names.add(name)
        place = f"{source.path}:{function.node.lineno}"
        reason = f"to be written: what {function.name}{_signature(function.node)} promises ({place})"
        lines += [
            "",
            "",
            f"@pytest.mark.skip(reason={reason!a})",
            f"def {name}():",
            f"    assert callable(module.{function.name})",
        ]
    file = re.sub(r"[^0-9A-Za-z_]+", "_", source.module)
    return Artefact("tests", f"test_{file}.py", "text/x-python", "\n".join([*lines, ""]))


def coverage_of(root: Path) -> tuple[Coverage | None, str]:
    """The newest coverage data in the folder of a project, or why there is none."""
    places = [root / name for name in COVERAGE_FILES]
    present = [one for one in places if one.is_file() and not one.is_symlink()]
    for place in sorted(present, key=lambda one: -one.stat().st_mtime_ns):
        if place.stat().st_size > MAX_COVERAGE_BYTES:
            return None, f"{place.name} has more than {MAX_COVERAGE_BYTES:,} bytes and is not read"
        try:
            lines = _READERS[place.suffix](place)
            below = {_below(root, path): numbers for path, numbers in lines.items()}
        except _NO_COVERAGE as error:
            return None, f"{place.name} is no coverage data that this version reads ({type(error).__name__})"
        return Coverage(place.name, {path: numbers for path, numbers in below.items() if path}), ""
    return None, ""


def _from_json(place: Path) -> dict[str, set[int]]:
    return {path: set(one["executed_lines"]) for path, one in json.loads(place.read_bytes())["files"].items()}


def _from_xml(place: Path) -> dict[str, set[int]]:
    tree = ElementTree.parse(place).getroot()
    roots = [one.text or "" for one in tree.iter("source")]
    lines: dict[str, set[int]] = defaultdict(set)
    for one in tree.iter("class"):
        name = one.attrib["filename"]
        path = next((str(Path(root) / name) for root in roots if (Path(root) / name).is_file()), name)
        lines[path] |= {int(row.attrib["number"]) for row in one.iter("line") if row.attrib["hits"] != "0"}
    return lines


def _from_sqlite(place: Path) -> dict[str, set[int]]:
    """What coverage.py itself writes: lines as bits, or arcs from line to line."""
    lines: dict[str, set[int]] = defaultdict(set)
    connection = sqlite3.connect(f"{place.as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        query = "SELECT path, numbits FROM line_bits JOIN file ON file.id = file_id"
        for path, bits in connection.execute(query):
            lines[path] |= {8 * i + bit for i, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1}
        for path, start, end in connection.execute("SELECT path, fromno, tono FROM arc JOIN file ON file.id = file_id"):
            lines[path] |= {number for number in (start, end) if number > 0}
    finally:
        connection.close()
    return lines


_READERS = {"": _from_sqlite, ".json": _from_json, ".xml": _from_xml}


def _below(root: Path, path: str) -> str:
    place = Path(path)
    if not place.is_absolute():
        return place.as_posix()
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else ""


def _reached(coverage: Coverage, source: Source, function: Function) -> tuple[int, int]:
    """How many statements of a body were run, and how many there are; its docstring is none."""
    body = function.node.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        body = body[1:]
    numbers = {node.lineno for one in body for node in ast.walk(one) if isinstance(node, ast.stmt)}
    return len(numbers & coverage.lines.get(source.path, set())), len(numbers)


def _is_special(function: Function) -> bool:
    """An overload, or one that a decorator registers somewhere: nobody calls it by its name."""
    names = " ".join(ast.unparse(one) for one in function.node.decorator_list)
    return "overload" in names or ".setter" in names or function.node.name.startswith("__")


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    text = " ".join(ast.unparse(node.args).split())
    return f"({text})" if len(text) <= 120 else "(...)"


def _can_be_imported(module: str) -> bool:
    """Whether a module has a name of Python: files may be called like a piece of a program, which a test would run."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split("."))


def _parses(text: str) -> bool:
    try:
        syntax_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _of(source: Source, function: Function, kind: str, message: str) -> dict[str, Any]:
    return {"path": source.path, "line": function.node.lineno, "kind": kind, "message": message}
