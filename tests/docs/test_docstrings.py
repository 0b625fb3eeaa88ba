"""Public docstrings of kernels, store and embed name the errors that functions raise; kernels name their source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import context_graph
from context_graph import errors, kernels
from tests.requirements import requirement

PACKAGE = Path(context_graph.__file__).parent
FILES = [
    path
    for room in ("kernels", "store", "embed")
    for path in sorted((PACKAGE / room).rglob("*.py"))
    if not path.name.startswith("_") and path.parent.name not in ("reference", "triton")
]


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Public functions, and public methods of public classes, of what a module exports."""
    exported: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            exported = set(ast.literal_eval(node.value))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in exported:
            yield node
        if isinstance(node, ast.ClassDef) and node.name in exported:
            yield from (one for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"))


def raised(function: ast.FunctionDef) -> set[str]:
    """Public errors that a function raises itself."""
    exceptions = (node.exc for node in ast.walk(function) if isinstance(node, ast.Raise) and node.exc is not None)
    names = {ast.unparse(error.func if isinstance(error, ast.Call) else error) for error in exceptions}
    return names & {*errors.__all__, "ArrayError", "BackendUnavailable"}


@requirement("docs:raises")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_what_a_public_function_raises_stands_in_its_docstring(path):
    for function in functions(ast.parse(path.read_text("utf-8"))):
        section = (ast.get_docstring(function) or "").partition("Raises\n------\n")[2]
        missing = {name for name in raised(function) if name not in section}
        assert not missing, f"{path}:{function.lineno}: say when {function.name} raises {', '.join(sorted(missing))}"


@requirement("docs:raises")
@pytest.mark.parametrize("name", [name for name in kernels.__all__ if name not in ("backends", "cuda_stream")])
def test_a_kernel_family_names_its_source(name):
    assert "\nSource: " in getattr(kernels, name).__doc__
