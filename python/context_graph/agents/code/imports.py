"""The architect: which module of a project imports which, in what circles and layers, and that as a drawing."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from context_graph.agents.code.names import imported_from
from context_graph.agents.code.report import NO_MODEL, Artefact, Outcome, listing
from context_graph.agents.code.sources import Source, Sources

__all__ = ["ImportGraph", "circles", "draw", "import_graph", "layers", "outline_code"]

MAX_DRAWN = 40
"""Modules of a drawing; with more, packages are drawn."""

MAX_DRAWN_EDGES = 200

LATER = "Imports inside functions and for type checkers are looked at for circles alone: no layer or arrow shows them."


@dataclass(frozen=True, slots=True)
class ImportGraph:
    """Who imports whom, among the files of a project.

    Attributes
    ----------
    edges : dict
        Module -> module that it imports when it is read -> the line; each module is there.
    later : dict
        The same of imports inside functions, and of those for a type checker only.
    paths : dict
        Module -> its file.
    """

    paths: dict[str, str]
    edges: dict[str, dict[str, int]] = field(default_factory=dict)
    later: dict[str, dict[str, int]] = field(default_factory=dict)


def outline_code(root: Path, sources: Sources, task: str) -> Iterator[Outcome]:
    """Find circles and layers of the imports, and draw them."""
    files = [one for one in sources.files if not one.is_test]
    graph = import_graph(files)
    count = sum(map(len, graph.edges.values()))
    most = sorted(graph.edges, key=lambda one: (-sum(one in targets for targets in graph.edges.values()), one))[:5]
    rows = [
        _row(graph, one, 1, "imported most", f"{one} is imported by {_importers(graph, one)} modules") for one in most
    ]
    outcome = f"{len(graph.edges)} modules, {count} imports among them when they are read{sources.skipped}"
    imported = [row for row in rows if " by 0 " not in str(row["message"])]
    yield Outcome("read imports", outcome, [*sources.problems, *imported])

    rings = circles(graph.edges)
    findings = [_circle(graph, ring) for ring in rings]
    both = {one: {**graph.edges[one], **graph.later[one]} for one in graph.edges}
    hidden = [ring for ring in circles(both) if ring not in rings]
    findings += [_circle(graph, ring, both, "circle that a function or a type checker closes") for ring in hidden]
    advice = [f"break the circle of {', '.join(ring[:6])}" for ring in rings[:3]]
    outcome = f"{len(rings)} circles of imports, {len(hidden)} more that imports inside functions or for types close"
    yield Outcome("look for circles", outcome, findings, advice)

    levels = layers(graph.edges)
    ranks = [
        _row(graph, one, 1, f"layer {level}", f"{one} stands on {level} layers of modules")
        for one, level in sorted(levels.items(), key=lambda item: (item[1], item[0]))
    ]
    height = 1 + max(levels.values(), default=-1)
    yield Outcome("find layers", f"{height} layers, from those that import none of the others upwards", ranks)

    drawing = draw(graph)
    report = listing(
        "Architecture",
        outcome=f"{len(graph.edges)} modules in {height} layers{sources.skipped}. {LATER}",
        findings=[*sources.problems, *findings, *ranks],
    )
    yield Outcome(
        "draw", "the imports as a diagram of Mermaid, and a report",
        artefacts=[
            Artefact("diagram", "imports.mmd", "text/vnd.mermaid", drawing),
            Artefact("report", "architecture.md", "text/markdown", report),
        ],
    )  # fmt: skip


def import_graph(files: Sequence[Source]) -> ImportGraph:
    """What the files import of each other; an import of a name counts for the module that has it."""
    modules = _Modules(files)
    graph = ImportGraph({modules.name(source): source.path for source in files})
    for source in files:
        own = modules.name(source)
        graph.edges[own], graph.later[own] = {}, {}
        for node, deferred in _imports(source.tree.body, deferred=False):
            for target in _targets(source, node, modules):
                if target != own:
                    kind = graph.later if deferred else graph.edges
                    kind[own].setdefault(target, node.lineno)
    return graph


class _Modules:
    """Files by the names that others import them under; files of one name in several folders keep apart."""

    def __init__(self, files: Sequence[Source]) -> None:
        self._count = Counter(one.module for one in files)
        self._near = {(one.import_root, one.module): self.name(one) for one in files}
        self._by_path = {_dotted_path(one): self.name(one) for one in files}  # as in a package without __init__.py
        self._alone = {one.module: self.name(one) for one in files if self._count[one.module] == 1}

    def name(self, source: Source) -> str:
        """The module of a file; its path where another file is the same module of another folder."""
        return source.module if self._count[source.module] == 1 else _dotted_path(source)

    def find(self, source: Source, module: str) -> str | None:
        """What a file imports under a name: what lies beside its own package comes first."""
        near = self._near.get((source.import_root, module))
        return near or self._alone.get(module) or self._by_path.get(module)


def _dotted_path(source: Source) -> str:
    return source.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imports(body: Sequence[ast.AST], *, deferred: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, deferred
            continue
        inside = deferred or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and (branches := _unread_branches(node)) is not None:
            yield from _imports(node.body, deferred=deferred or branches[0])
            yield from _imports(node.orelse, deferred=deferred or branches[1])
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _imports(list(ast.iter_child_nodes(node)), deferred=inside)


def _unread_branches(node: ast.If) -> tuple[bool, bool] | None:
    """Which branches of a condition are for a type checker or a script alone; None where it is about neither."""
    test = ast.unparse(node.test)
    if "TYPE_CHECKING" not in test:
        return (True, False) if "__name__" in test else None
    return (False, True) if test.startswith("not ") else (True, False)


def _targets(source: Source, node: ast.Import | ast.ImportFrom, modules: _Modules) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if (target := _nearest(source, alias.name, modules)) is not None:
                yield target
        return
    base = imported_from(source, node)
    for alias in node.names:
        target = modules.find(source, f"{base}.{alias.name}".strip(".")) or _nearest(source, base, modules)
        if target is not None:
            yield target


def _nearest(source: Source, name: str, modules: _Modules) -> str | None:
    """The module of a dotted name, or the package above it that is there.

    A package that the file itself lies in was imported before it: what is missing there, as what is written in C, is no
    import of the package.
    """
    wanted = name
    while name:
        if (target := modules.find(source, name)) is not None:
            return target if name == wanted or not source.module.startswith(f"{name}.") else None
        name = name.rpartition(".")[0]
    return None


def circles(edges: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """The sets of modules that reach each other (Tarjan), each of two and more, the largest first.

    Examples
    --------
    >>> circles({"a": {"b": 1}, "b": {"a": 1}, "c": {"a": 1}})
    [['a', 'b']]
    """
    return sorted((sorted(part) for part in _components(edges) if len(part) > 1), key=lambda ring: (-len(ring), ring))


def _components(edges: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """Strongly connected components, each before those that lead to it; without recursion, as chains may be long."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    components: list[list[str]] = []
    for start in edges:
        work = [] if start in order else [(start, iter(edges[start]))]
        while work:
            node, rest = work[-1]
            if node not in order:
                order[node] = low[node] = len(order)
                stack.append(node)
                on_stack.add(node)
            for target in rest:
                if target not in order:
                    work.append((target, iter(edges[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    part = [stack.pop()]
                    while part[-1] != node:
                        part.append(stack.pop())
                    on_stack.difference_update(part)
                    components.append(part)
    return components


def layers(edges: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """How many modules stand below each one in a row: the longest way down; those of a circle stand on one layer.

    Examples
    --------
    >>> layers({"a": {"b": 1, "c": 1}, "b": {"c": 1}, "c": {}})
    {'c': 0, 'b': 1, 'a': 2}
    """
    level: dict[str, int] = {}
    for part in _components(edges):  # what a part imports comes before it
        below = [level[target] for one in part for target in edges[one] if target not in part]
        level |= dict.fromkeys(part, 1 + max(below, default=-1))
    return level


def draw(graph: ImportGraph) -> str:
    """The imports as a flowchart of Mermaid: modules, or packages where there are too many; circles are marked."""
    rings = {one for ring in circles(graph.edges) for one in ring}
    modules = sorted(graph.edges)
    depth = max((one.count(".") + 1 for one in modules), default=1)
    while depth > 1 and len({_cut(one, depth) for one in modules}) > MAX_DRAWN:
        depth -= 1
    names = list(dict.fromkeys(_cut(one, depth) for one in modules))
    numbers = {name: f"n{i}" for i, name in enumerate(names)}
    pairs: dict[tuple[str, str], int] = defaultdict(int)
    for one, targets in graph.edges.items():
        for target in targets:
            if _cut(one, depth) != _cut(target, depth):
                pairs[_cut(one, depth), _cut(target, depth)] += 1
    lines = [f"%% {NO_MODEL}", "flowchart TD"]
    lines += [f'  {numbers[name]}["{_label(name)}"]' for name in names]
    shown = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:MAX_DRAWN_EDGES]
    lines += [f"  {numbers[one]} --> {numbers[target]}" for one, target in sorted(shown)]
    if len(pairs) > len(shown):
        lines.append(f"%% {len(pairs) - len(shown)} more imports are not drawn")
    marked = sorted({numbers[_cut(one, depth)] for one in rings})
    if marked:
        lines += ["  classDef circle stroke:#c00,stroke-width:3px", f"  class {','.join(marked)} circle"]
    return "\n".join([*lines, ""])


def _cut(module: str, depth: int) -> str:
    return ".".join(module.split(".")[:depth])


def _label(name: str) -> str:
    """A name as a label of Mermaid: names of files may hold what is syntax to it."""
    return "".join(mark if mark.isalnum() or mark in "._- " else f"#{ord(mark)};" for mark in name)


def _importers(graph: ImportGraph, module: str) -> int:
    return sum(module in targets for targets in graph.edges.values())


def _row(graph: ImportGraph, module: str, line: int, kind: str, message: str) -> dict[str, Any]:
    return {"path": graph.paths[module], "line": line, "kind": kind, "message": message}


def _circle(
    graph: ImportGraph,
    ring: list[str],
    edges: Mapping[str, Mapping[str, int]] | None = None,
    kind: str = "circle",
) -> dict[str, Any]:
    """A circle, with the line of one import that belongs to it and a shortest way around."""
    edges = graph.edges if edges is None else edges
    way = _around(ring, edges)
    steps = " imports ".join(way)
    line = edges[way[0]][way[1]]
    return _row(graph, way[0], line, kind, f"{len(ring)} modules import each other: {steps}")


def _around(ring: list[str], edges: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A shortest way from the first module of a circle back to it."""
    inside, start = set(ring), ring[0]
    ways = [[start]]
    reached = {start}
    for way in ways:  # grows while it is walked: breadth first
        for target in edges[way[-1]]:
            if target == start:
                return [*way, start]
            if target in inside and target not in reached:
                reached.add(target)
                ways.append([*way, target])
    return [start, start]
