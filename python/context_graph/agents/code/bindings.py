"""Which names a module has once it is imported: those it has for certain, and those that depend on how it runs."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["Bindings", "bindings_of"]


@dataclass(frozen=True, slots=True)
class Bindings:
    """Names that statements bind at the level of their module, but for imported ones.

    Attributes
    ----------
    certain : set of str
        Bound whichever way the statements take, and not deleted behind it.
    possible : set of str
        Bound on some ways alone, or within a function; none of `certain`.
    """

    certain: set[str] = field(default_factory=set)
    possible: set[str] = field(default_factory=set)


def bindings_of(tree: ast.Module) -> Bindings:
    """The names of a module; an annotation without a value binds none, nor does what runs for type checkers or as a
    program alone.

    Examples
    --------
    >>> names = bindings_of(ast.parse("A: int\\nB, *C = 1, 2\\nif B:\\n    D = 1\\n"))
    >>> sorted(names.certain), sorted(names.possible)
    (['B', 'C'], ['D'])
    """
    names = _bound(tree.body)
    within = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    return Bindings(names.certain, (names.possible | within) - names.certain)


def _bound(body: Iterable[ast.stmt]) -> Bindings:
    names = Bindings()
    for node in body:
        if isinstance(node, ast.Delete):
            deleted = {name for target in node.targets for name in _targets(target)}
            names.certain.difference_update(deleted)
            names.possible.difference_update(deleted)
            continue
        one = _bound_by(node)
        names.certain.update(one.certain)
        names.possible.update(one.possible)
    names.possible.difference_update(names.certain)
    return names


def _bound_by(node: ast.stmt) -> Bindings:
    """The names of one statement."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return Bindings({node.name})
    if isinstance(node, ast.Assign):
        return Bindings({name for target in node.targets for name in _targets(target)}, _walrus(node.value))
    if isinstance(node, ast.AnnAssign):
        return Bindings(set(_targets(node.target)) if node.value is not None else set())
    if isinstance(node, ast.With | ast.AsyncWith):
        inside = _bound(node.body)
        shown = {name for item in node.items if item.optional_vars for name in _targets(item.optional_vars)}
        return Bindings(shown | inside.certain, inside.possible)
    if isinstance(node, ast.If):
        return _of_if(node)
    if isinstance(node, ast.Try):
        body = _bound([*node.body, *node.orelse])
        handled = [_bound(handler.body) for handler in node.handlers if not _leaves(handler.body)]
        last = _bound(node.finalbody)
        ways = _either([body, *handled])
        return Bindings(ways.certain | last.certain, ways.possible | last.possible)
    if isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.Match):
        return Bindings(set(), _of_some_ways(node))
    alias = getattr(node, "name", None)  # `type A = int`, which Python 3.11 does not read
    return Bindings({alias.id} if isinstance(alias, ast.Name) else set(), _walrus(node))


def _of_if(node: ast.If) -> Bindings:
    test = ast.unparse(node.test)
    if test.rpartition(".")[2] == "TYPE_CHECKING" or test.replace('"', "'") == "__name__ == '__main__'":
        return _bound(node.orelse)
    ways = _either([_bound(way) for way in (node.body, node.orelse) if not _leaves(way)])
    return Bindings(ways.certain, ways.possible | _walrus(node.test) - ways.certain)


def _either(ways: Sequence[Bindings]) -> Bindings:
    """What one of several ways binds: for certain what all of them do."""
    certain = set.intersection(*(way.certain for way in ways)) if ways else set()
    every = {name for way in ways for name in way.certain | way.possible}
    return Bindings(certain, every - certain)


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a way ends the import of the module."""
    return bool(body) and isinstance(body[-1], ast.Raise)


def _of_some_ways(node: ast.stmt) -> set[str]:
    """Every name that a loop or a match may bind."""
    names: set[str] = set(_targets(node.target)) if isinstance(node, ast.For | ast.AsyncFor) else set()
    bodies = [case.body for case in node.cases] if isinstance(node, ast.Match) else [node.body, node.orelse]  # type: ignore[attr-defined]
    for body in bodies:
        inside = _bound(body)
        names |= inside.certain | inside.possible
    if isinstance(node, ast.Match):
        for one in (one for case in node.cases for one in ast.walk(case.pattern)):
            names |= {name for name in (getattr(one, "name", None), getattr(one, "rest", None)) if name}
    return names


def _targets(target: ast.expr) -> Iterator[str]:
    """The names that are assigned to: of a tuple or list all of them, of an attribute or an item none."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Starred):
        yield from _targets(target.value)
    elif isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from _targets(one)


def _walrus(node: ast.AST) -> set[str]:
    return {one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr)}
