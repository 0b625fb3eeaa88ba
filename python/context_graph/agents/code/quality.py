"""The analyst: how large and complex the functions of a project are, and what in them is known to go wrong."""

import ast
import importlib.util
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from context_graph.agents.code.names import taken_elsewhere, unused_imports
from context_graph.agents.code.report import Artefact, Outcome, found, listing
from context_graph.agents.code.sources import Function, Source, Sources

__all__ = ["analyse_code", "complexity"]

MAX_COMPLEXITY = 10
"""Of a function that is not told of: McCabe's own limit."""

MAX_FUNCTION_LINES = 80
MAX_RADON_FILES = 40
RUFF_S = 30.0


def analyse_code(root: Path, sources: Sources, task: str) -> Iterator[Outcome]:
    """Measure functions, look for what is known to go wrong, and ask ruff and radon where they are installed."""
    files = [one for one in sources.files if not one.is_test]
    measured = [
        (complexity(function.node), _length(function.node), function, source)
        for source in sources.files
        for function in source.functions
    ]
    lines = sum(len(source.lines) for source in sources.files)
    mean = sum(row[0] for row in measured) / max(1, len(measured))
    findings: list[dict[str, Any]] = []
    for value, length, function, source in sorted(measured, key=lambda row: (-row[0], row[3].path, row[2].node.lineno)):
        if value > MAX_COMPLEXITY:
            findings.append(_of(source, function, "complex", f"{function.name} has a complexity of {value}", value))
        if length > MAX_FUNCTION_LINES:
            findings.append(_of(source, function, "long", f"{function.name} has {length} lines", length))
    heaviest = findings[:1]
    findings = [*sources.problems, *findings]
    outcome = (
        f"{len(sources.files)} files with {lines} lines and {len(measured)} functions, of a complexity of {mean:.1f} "
        f"on average; {len(findings)} are too complex, too long or unread"
    )
    yield Outcome("measure functions", outcome, findings)

    borrowed = taken_elsewhere(sources.files)
    smells = [one for source in sources.files for one in _smells(source, borrowed)]
    yield Outcome("look for mistakes", f"{len(smells)} places", smells)

    public = [(source, function) for source in files for function in source.functions if function.public]
    bare = [_of(*one, "undocumented", f"{one[1].name} has no docstring") for one in public if not _documented(one[1])]
    share = 1 - len(bare) / max(1, len(public))
    outcome = f"{len(bare)} of {len(public)} public functions have no docstring ({share:.0%} have one)"
    yield Outcome("look for docstrings", outcome, bare)

    linted, by_ruff = _ruff(root, sources)
    yield Outcome("ask ruff", by_ruff, linted)
    rated, by_radon = _radon(sources)
    yield Outcome("ask radon", by_radon, rated)

    everything = findings + smells + linted + rated + bare
    advice = [f"split what is most complex: {found(one)}" for one in heaviest]
    advice += [f"look at {found(one)}" for one in (*smells[:3], *linted[:2])]
    report = listing(
        "Code quality", outcome=f"{len(sources.files)} files, {len(everything)} findings.", findings=everything
    )
    artefact = Artefact("report", "code-quality.md", "text/markdown", report)
    yield Outcome(
        "write the report", f"{len(everything)} findings in all", recommendations=advice, artefacts=[artefact]
    )


def complexity(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The cyclomatic complexity of a function, as radon counts it, without that of functions inside it.

    One, and one more for each way that it may take: branches, loops and what stands behind them, handlers, operands of
    `and` and `or`, comprehensions and their conditions, assertions, and cases but the one that takes all.
    """
    value, waiting = 1, list[ast.AST](function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        value += _ways(node)
        waiting += [] if isinstance(node, ast.Assert) else ast.iter_child_nodes(node)
    return value


def _ways(node: ast.AST) -> int:
    if isinstance(node, ast.If | ast.IfExp | ast.Assert):
        return 1
    if isinstance(node, ast.For | ast.AsyncFor | ast.While):
        return 1 + bool(node.orelse)
    if isinstance(node, ast.Try):
        return len(node.handlers) + bool(node.orelse)
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.Match):
        return len(node.cases) - any(_takes_all(case.pattern) for case in node.cases)
    return 0


def _takes_all(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _documented(function: Function) -> bool:
    names = [ast.unparse(one) for one in function.node.decorator_list]
    told_elsewhere = any("overload" in one or one.endswith((".setter", ".deleter")) for one in names)
    return told_elsewhere or ast.get_docstring(function.node, clean=False) is not None


def _of(source: Source, function: Function, kind: str, message: str, value: int | None = None) -> dict[str, Any]:
    finding = {"path": source.path, "line": function.node.lineno, "kind": kind, "message": message}
    return finding if value is None else finding | {"value": value}


def _smells(source: Source, borrowed: set[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for one in unused_imports(source, borrowed):
        message = f"{one.name} is imported and not used"
        yield {"path": source.path, "line": one.node.lineno, "kind": "unused import", "message": message}
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            message = "a bare except catches KeyboardInterrupt and SystemExit too"
            yield {"path": source.path, "line": node.lineno, "kind": "bare except", "message": message}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = node.args
            for default in (*arguments.defaults, *arguments.kw_defaults):
                if isinstance(default, ast.List | ast.Dict | ast.Set):
                    message = f"all calls of {node.name} share one default value {ast.unparse(default)[:40]}"
                    yield {"path": source.path, "line": default.lineno, "kind": "shared default", "message": message}


def _ruff(root: Path, sources: Sources) -> tuple[list[dict[str, Any]], str]:
    """What ruff finds by its own default rules, without a configuration of the project: it runs nothing either."""
    if importlib.util.find_spec("ruff") is None:
        return [], "ruff is not installed beside this package, so it was not asked"
    try:
        from ruff.__main__ import find_ruff_bin

        command = [str(find_ruff_bin()), "check", "--isolated", "--no-cache", "--exit-zero", "--quiet"]
        paths = [source.path for source in sources.files]
        done = subprocess.run(
            [*command, "--output-format", "json", "--", *paths],
            cwd=root, capture_output=True, check=True, timeout=RUFF_S,
        )  # fmt: skip
        rows = json.loads(done.stdout or b"[]") if paths else []
    except (OSError, ImportError, ValueError, subprocess.SubprocessError) as error:
        return [], f"ruff is installed and gave no answer ({type(error).__name__})"
    findings = [
        {
            "path": Path(row["filename"]).relative_to(root).as_posix(), "line": row["location"]["row"],
            "kind": f"ruff {row['code']}", "message": row["message"],
        }
        for row in rows
    ]  # fmt: skip
    return findings, f"{len(findings)} findings by its default rules"


def _radon(sources: Sources) -> tuple[list[dict[str, Any]], str]:
    """The files that radon holds to be hard to maintain, of the longest ones: it takes its time."""
    if importlib.util.find_spec("radon") is None:
        return [], "radon is not installed beside this package, so it was not asked"
    from radon.metrics import mi_rank, mi_visit

    longest = sorted(sources.files, key=lambda one: (-len(one.text), one.path))[:MAX_RADON_FILES]
    rows = []
    for source in longest:
        try:
            value = mi_visit(source.text, multi=True)
        except (SyntaxError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            rows.append({"path": source.path, "line": 1, "kind": "radon", "message": f"no answer: {error}"[:200]})
            continue
        if mi_rank(value) != "A":
            message = f"maintainability index {value:.0f}, rank {mi_rank(value)}"
            rows.append({"path": source.path, "line": 1, "kind": "radon", "message": message})
    return rows, f"{len(rows)} of the {len(longest)} longest files are not of rank A"
