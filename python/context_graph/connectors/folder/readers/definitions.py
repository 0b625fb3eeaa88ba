"""Code of many languages by its definitions, as the grammars of tree-sitter have them."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.connectors.folder.readers.languages import LANGUAGES, Language
from context_graph.connectors.folder.readers.outline import Definition, outlined
from context_graph.connectors.folder.readers.registry import MissingExtra, Section, reader, suffix_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

__all__ = ["sections"]

MAX_NESTED = 24
"""Definitions, and what wraps them, inside each other."""

COMMENTS = frozenset("comment line_comment block_comment attribute_item decorator".split())
"""What belongs to the definition below it."""

FUNCTIONS = frozenset("arrow_function function_expression function generator_function class".split())
"""Values that make a declaration of a variable one of a function."""

BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


@reader(*BY_SUFFIX, kind="code", plain=True)
def sections(text: str, path: Path) -> Iterator[Section]:
    """Definitions with the comment above them; long classes and namespaces by what they hold."""
    language = BY_SUFFIX[suffix_of(path)]
    data = text.encode("utf-8", "surrogatepass")
    tree = _parser(language.package, language.function).parse(data)
    yield from outlined(text.split("\n"), _definitions(data, tree.root_node, language, 0))


@cache
def _parser(package: str, function: str) -> "Parser":
    try:
        from tree_sitter import Language as Grammar
        from tree_sitter import Parser

        grammar = getattr(import_module(package), function)
    except ImportError:
        raise MissingExtra("code") from None
    return Parser(Grammar(grammar()))


def _definitions(data: bytes, node: "Node", language: Language, depth: int) -> list[Definition]:
    """Those below a node, not those below them."""
    if depth > MAX_NESTED:
        return []
    rows: list[Definition] = []
    above: list[Node] = []
    for child in node.children:
        if child.type in COMMENTS:
            if above and child.start_point.row > above[-1].end_point.row + 1:
                above = []
            above.append(child)
            continue
        first = child.start_point.row
        if above and above[-1].end_point.row >= first - 1:
            first = above[0].start_point.row
        above = []
        own = _own(data, child, language, depth)
        if own is not None:
            own.first = min(own.first, first)
            rows.append(own)
        elif child.type in language.through or child.type == "ERROR":
            inner = _definitions(data, child, language, depth + 1)
            if len(inner) == 1 and child.type in WRAPS_ONE:  # an export, a template: its line belongs to it
                inner[0].first = min(inner[0].first, first)
                inner[0].last = max(inner[0].last, child.end_point.row)
            rows += inner
    return rows


WRAPS_ONE = frozenset("export_statement ambient_declaration template_declaration declaration".split())


def _own(data: bytes, node: "Node", language: Language, depth: int) -> Definition | None:
    """The definition that a node is; None where it only declares something, or defines nothing."""
    kind = language.kinds.get(node.type)
    if kind is None:
        return None
    names = _names(node)
    if not names:
        return None
    body = next((child for name in ("body", "value") if (child := node.child_by_field_name(name))), None)
    inner: list[Definition] = []
    if kind in language.containers:
        inner = _definitions(data, body or node, language, depth + 1)
    end = body.start_byte if body is not None and kind != "type" else node.end_byte
    return Definition(
        ".".join(_text(data, name) for name in names),
        _kind(node, kind),
        node.start_point.row,
        node.end_point.row - (node.end_point.column == 0 and node.end_point.row > node.start_point.row),
        names[-1].start_point.row,
        data[node.start_byte : min(end, node.start_byte + 2_000)].decode("utf-8", "replace").rstrip(" \n{=:"),
        inner,
    )


def _kind(node: "Node", kind: str) -> str:
    """A Go type by what it is."""
    if node.type == "type_declaration":
        spec = next((child for child in node.named_children if child.type == "type_spec"), None)
        of = spec.child_by_field_name("type") if spec is not None else None
        return {"struct_type": "struct", "interface_type": "interface"}.get(of.type if of else "", kind)
    return kind


def _names(node: "Node") -> Sequence["Node"]:
    """The nodes that name a definition, outermost first; none where it has no name or no body to speak of."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        for child in node.named_children:
            value = child.child_by_field_name("value")
            if value is not None and value.type in FUNCTIONS:
                return _some(child.child_by_field_name("name"))
        return ()
    if node.type in ("public_field_definition", "field_definition"):
        value = node.child_by_field_name("value")
        if value is None or value.type not in FUNCTIONS:
            return ()
        return _some(node.child_by_field_name("name") or node.child_by_field_name("property"))
    if node.type == "type_declaration":  # Go
        spec = next((child for child in node.named_children if child.type in ("type_spec", "type_alias")), None)
        return _some(spec.child_by_field_name("name")) if spec is not None else ()
    if node.type == "method_declaration" and (receiver := node.child_by_field_name("receiver")) is not None:
        return (*_some(_first(receiver, "type_identifier")), *_some(node.child_by_field_name("name")))
    if node.type == "impl_item":
        return _some(node.child_by_field_name("type"))
    if node.type in ("struct_specifier", "enum_specifier", "union_specifier", "class_specifier"):
        return _some(node.child_by_field_name("name")) if node.child_by_field_name("body") else ()
    if node.type == "namespace_definition" and node.child_by_field_name("body") is None:
        return ()  # PHP: of the whole file
    declarator = node.child_by_field_name("declarator")
    if declarator is not None:
        return _declared(declarator)
    return _some(node.child_by_field_name("name"))


def _declared(node: "Node") -> Sequence["Node"]:
    """The name inside a declarator of C: *(*name)(int)."""
    for _ in range(MAX_NESTED):
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((child for child in node.named_children if child.type.endswith("declarator")), None)
        if inner is None:
            return (node,)
        node = inner
    return (node,)


def _first(node: "Node", kind: str) -> "Node | None":
    stack = [node]
    while stack:
        one = stack.pop(0)
        if one.type == kind:
            return one
        stack += one.named_children[:8]
    return None


def _some(node: "Node | None") -> Sequence["Node"]:
    return () if node is None else (node,)


def _text(data: bytes, node: "Node") -> str:
    return " ".join(
        data[node.start_byte : min(node.end_byte, node.start_byte + 200)].decode("utf-8", "replace").split()
    )
