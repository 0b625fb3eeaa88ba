"""Which names a file imports, exports and uses."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from context_graph.agents.code.sources import Source
from context_graph.regex import regex

__all__ = ["ImportedName", "exports", "imported_from", "taken_elsewhere", "unused_imports", "used_words"]

_IDENTIFIER = regex(r"[^\W\d]\w*")
_TYPE_COMMENT = regex(r"#\s*type:\s*(?!ignore)([^\n#]+)")
MAX_ANNOTATION_CHARS = 500
"""A text longer than this is no annotation."""


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A name that an import binds."""

    name: str
    node: ast.Import | ast.ImportFrom
    alias: ast.alias


def used_words(source: Source) -> set[str]:
    """The names that code uses, and the words of short texts and comments of types: they may be annotations or names.

    In tests the names of arguments too: pytest fills them with fixtures of these names.
    """
    words = {word for types in _TYPE_COMMENT.findall(source.text) for word in _IDENTIFIER.findall(types)}
    for node in source.nodes:
        if isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
        elif isinstance(node, ast.arg) and source.is_test:
            words.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < MAX_ANNOTATION_CHARS:
            words.update(_IDENTIFIER.findall(node.value))
    return words


def exports(tree: ast.Module) -> set[str] | None:
    """What `__all__` lists; None where it is not there, or is no list of texts."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            value = getattr(node, "value", None)
            elements = value.elts if isinstance(value, ast.List | ast.Tuple) else [None]
            texts = [one.value for one in elements if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            return set(texts) if len(texts) == len(elements) else None
    return None


def imported_from(source: Source, node: ast.ImportFrom) -> str:
    """The module that names are imported from, a relative one as it is called from outside."""
    if not node.level:
        return node.module or ""
    package = source.module.split(".")
    package = package[: len(package) - node.level + source.is_package]
    return ".".join([*package, *([node.module] if node.module else [])])


def taken_elsewhere(files: Iterable[Source]) -> set[tuple[str, str]]:
    """Which names files take from which modules, by importing them or as attributes of an imported module.

    What a module only passes on is used all the same; "*" stands for all of its names.
    """
    return {pair for source in files for pair in _taken(source)}


def _taken(source: Source) -> Iterator[tuple[str, str]]:
    modules: dict[str, str] = {}
    for node in source.nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.asname: alias.name for alias in node.names if alias.asname}
            modules |= {alias.name: alias.name for alias in node.names if not alias.asname}
        elif isinstance(node, ast.ImportFrom):
            base = imported_from(source, node)
            for alias in node.names:
                yield base, alias.name
                modules[alias.asname or alias.name] = f"{base}.{alias.name}".strip(".")
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and (module := modules.get(_dotted(node.value))):
            yield module, node.attr


def _dotted(node: ast.AST) -> str:
    """A name with its attributes as it is written: "a.b"; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def unused_imports(source: Source, borrowed: set[tuple[str, str]]) -> list[ImportedName]:
    """The imports at the top of a file whose names nothing in it uses, and no file that takes them from it.

    Not told of: a package's `__init__.py` and what is imported under its own name (both export), an import that is
    tried, one from `__future__`, a `*`, one whose line has a comment `noqa`, and names that stand in a text.
    """
    if source.is_package:
        return []
    words = used_words(source)
    passes_all = (source.module, "*") in borrowed and exports(source.tree) is None
    imported = []
    for node in source.tree.body:
        if not isinstance(node, ast.Import | ast.ImportFrom) or _is_exempt(source, node):
            continue
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            is_export = alias.asname == alias.name or alias.name == "*" or (source.module, name) in borrowed
            is_export = is_export or (passes_all and not name.startswith("_"))
            if not is_export and name not in words:
                imported.append(ImportedName(name, node, alias))
    return imported


def _is_exempt(source: Source, node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return True
    return any("noqa" in line.lower() for line in source.lines[node.lineno - 1 : node.end_lineno])
