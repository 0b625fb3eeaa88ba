"""The part of Python that proofs are about: functions of integers, truth values, lists of integers, and None."""

import ast
import re
from dataclasses import dataclass
from typing import Literal

from context_graph.regex import regex
from context_graph.syntax_trees import syntax_tree

__all__ = ["Function", "Kind", "OutsideSubset", "functions", "statement_in"]

Kind = Literal["int", "bool", "list", "optional", "none"]
MAX_PROVED_CHARS = 20_000
READ_AS_THEY_ARE = frozenset(("abs", "len", "max", "min", "range", "result", "*"))
_FENCE = regex(r"```(?:python|py)?[ \t]*\n(.*?)```", re.S)


class OutsideSubset(Exception):
    """Something that no proof here is about, with its line and the reason."""

    def __init__(self, reason: str, node: ast.AST | None = None) -> None:
        line = getattr(node, "lineno", None)
        super().__init__(f"line {line}: {reason}" if line else reason)


@dataclass(frozen=True, slots=True)
class Function:
    """A function with the kinds of its arguments and of what it returns."""

    name: str
    parameters: tuple[tuple[str, Kind], ...]
    returns: Kind
    body: tuple[ast.stmt, ...]


def functions(text: str) -> list[Function]:
    """The functions of a text that is Python, or holds Python between fences."""
    code = match[1] if (match := _FENCE.search(text)) else text
    if len(code) > MAX_PROVED_CHARS:
        raise OutsideSubset(f"expected at most {MAX_PROVED_CHARS} characters of code, got {len(code)}")
    try:
        tree = syntax_tree(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise OutsideSubset(f"this is no Python: {error}") from error
    _keep_builtins(tree)
    definitions = [_function(node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    beside = (ast.FunctionDef, ast.Import, ast.ImportFrom)
    strange = [node for node in tree.body if not isinstance(node, beside) and not _is_text(node)]
    if strange:
        raise OutsideSubset(f"beside functions there is {type(strange[0]).__name__}", strange[0])
    if not definitions:
        raise OutsideSubset("no function is defined in it")
    return definitions


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _keep_builtins(tree: ast.AST) -> None:
    """What is read as a function of Python must be it, and `result` what is returned."""
    for node in ast.walk(tree):
        given = [node.id] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else []
        given += [node.arg] if isinstance(node, ast.arg) else []
        given += [node.name] if isinstance(node, ast.FunctionDef) else []
        given += [node.asname or node.name] if isinstance(node, ast.alias) else []
        if taken := READ_AS_THEY_ARE.intersection(given):
            raise OutsideSubset(f"{min(taken)} is another thing here than in Python", node)


def statement_in(text: str) -> ast.expr:
    """An assertion of the caller, as an expression."""
    try:
        return syntax_tree(text.strip(), "eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise OutsideSubset(f"the assertion {text[:60]!r} is no Python expression") from error


def _function(node: ast.FunctionDef) -> Function:
    given = node.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or node.decorator_list:
        raise OutsideSubset("only plain arguments are read, without *, / and decorators", node)
    parameters = tuple((arg.arg, _kind(arg.annotation, arg)) for arg in given.args)
    return Function(node.name, parameters, _kind(node.returns, node), tuple(node.body))


def _kind(annotation: ast.expr | None, node: ast.AST) -> Kind:
    if annotation is None:
        raise OutsideSubset("an argument or the result has no type", node)
    written = ast.unparse(annotation).replace(" ", "").replace("typing.", "")
    kinds: dict[str, Kind] = {
        "int": "int", "bool": "bool", "list[int]": "list", "List[int]": "list", "None": "none",
        "int|None": "optional", "None|int": "optional", "Optional[int]": "optional",
    }  # fmt: skip
    if written not in kinds:
        raise OutsideSubset(f"the type {written} is none of int, bool, list[int], int | None and None", node)
    return kinds[written]
