"""Python by its definitions, as its own syntax tree has them."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from context_graph.connectors.folder.readers.outline import Definition, outlined
from context_graph.connectors.folder.readers.registry import Section, reader
from context_graph.syntax_trees import syntax_tree

__all__ = ["sections"]


@reader(".py", ".pyi", kind="code")
def sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """Functions and classes with their decorators and the comment above; long classes by their methods."""
    try:
        tree = syntax_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield Section("", text)
        return
    lines = text.split("\n")
    yield from outlined(lines, _definitions(lines, tree.body, inside=False))


def _definitions(lines: Sequence[str], body: Iterable[ast.stmt], *, inside: bool) -> list[Definition]:
    rows = []
    for node in body:
        if isinstance(node, ast.If | ast.Try):  # a definition for one platform or version
            rows += _definitions(lines, [*node.body, *node.orelse], inside=inside)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
        while first > 0 and lines[first - 1].lstrip().startswith("#"):
            first -= 1
        declared = node.lineno - 1
        body_line = node.body[0].lineno - 1
        signature = "\n".join(lines[declared : max(body_line, declared + 1)])
        if isinstance(node, ast.ClassDef):
            kind, inner = "class", _definitions(lines, node.body, inside=True)
        else:
            kind, inner = "method" if inside else "function", []
        end = (node.end_lineno or node.lineno) - 1
        rows.append(Definition(node.name, kind, first, end, declared, signature.rstrip().rstrip(":"), inner))
    return rows
