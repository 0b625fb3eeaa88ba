"""The picture of docs/architecture.md in code: imports point down, siblings do not know each other."""

import ast
from pathlib import Path

import pytest

import context_graph

PACKAGE = Path(context_graph.__file__).parent if context_graph.__file__ else Path("python/context_graph")
LEVELS = (
    {"errors", "texts", "locks", "_core"},
    {"models", "progress"},
    {"settings", "dates", "citations", "names"},
    {"access"},
    {"kernels"},
    {"embed", "media", "torch"},
    {"store"},
    {"graph", "safety"},
    {"retrieval", "dynamics"},
    {"memory"},
    {"evaluation"},
    {"tools", "train"},
    {"server", "cli"},
)
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
ALLOWED = {("cli", "server")}  # the command starts the server and calls tools through its dispatch

# What a room may use of its own level or above, and why.
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem != "__init__")


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Rooms that a file imports when it runs; what only a type checker reads does not count."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module == "context_graph":
            names += [f"context_graph.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("context_graph.")}
    return {name for name in found if name in LEVEL}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_down(path):
    own = room(path)
    assert own in LEVEL, f"{own} has no place in the picture: improve docs/architecture.md first"
    for other in imports(path) - {own}:
        assert LEVEL[other] < LEVEL[own] or (own, other) in ALLOWED, f"{path.name} in {own} imports {other}"


def test_nothing_loads_a_pickle_or_runs_stored_text():
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", "") or ""}
                assert not names & {"pickle", "marshal", "shelve", "joblib", "dill"}, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec", "compile"}, path


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_module_says_what_it_is_for_in_one_sentence(path):
    text = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert (text and text.splitlines()[0].rstrip().endswith((".", ":"))) or text.count("\n") == 0, path
