"""The Python files of a project as syntax trees, each as the module it is imported as."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from context_graph.connectors.folder.listing import text_files
from context_graph.connectors.folder.parts import Survey
from context_graph.regex import regex
from context_graph.syntax_trees import syntax_tree

__all__ = ["Function", "Source", "Sources", "is_within", "read_sources"]

MAX_FILES_READ = 5_000
"""Files that are read; what is beyond is told."""

MAX_TREE_DEPTH = 400
"""Of a syntax tree that is read: those who walk through it do so by recursion."""

_TEST = regex(r"(?:^|/)(?:tests?/|test_[^/]*\.py$|[^/]*_test\.py$|conftest\.py$)")


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method of a file."""

    name: str
    """With the classes that it stands in: "Store.open"."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    public: bool
    """Whether neither its name nor that of a class around it begins with an underscore, and no function is around."""


@dataclass(frozen=True)
class Source:
    """One file.

    Attributes
    ----------
    path : str
        Below the project.
    module : str
        As it is imported from `import_root`.
    """

    path: str
    text: str
    tree: ast.Module
    module: str
    import_root: str

    @property
    def is_test(self) -> bool:
        return _TEST.search(self.path) is not None

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree: it is walked through several times."""
        return list(ast.walk(self.tree))

    @cached_property
    def functions(self) -> list[Function]:
        """All of them, in reading order."""
        return list(_functions(self.tree, "", public=True))


@dataclass(frozen=True, slots=True)
class Sources:
    """The files that could be read, and why others could not."""

    files: list[Source]
    problems: list[dict[str, object]]

    @property
    def skipped(self) -> str:
        """How many files could not be read, behind how many were; empty where all were."""
        return f"; {len(self.problems)} skipped as unread" if self.problems else ""


def read_sources(root: Path, scope: str = "") -> Sources:
    """The Python files below a folder of a project, or the one file; what git ignores, is hidden, built or leads out
    of the project is left out.

    Parameters
    ----------
    scope : str
        A folder or file below the root; all of it by default.
    """
    inventory = Survey(root, root)
    paths = [path for path in text_files(inventory) if path.endswith(".py") and is_within(path, scope)]
    files, problems = [], []
    for path in paths[:MAX_FILES_READ]:
        try:
            text = (root / path).read_bytes().decode("utf-8")
            tree = syntax_tree(text.removeprefix("\ufeff"))
            if _is_deep(tree):
                raise RecursionError(f"nested deeper than {MAX_TREE_DEPTH} levels")
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            problems.append(_problem(path, 1, error.strerror if isinstance(error, OSError) else "not text in UTF-8"))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = error.lineno if isinstance(error, SyntaxError) and error.lineno else 1
            problems.append(_problem(path, line, f"no Python that this version reads: {getattr(error, 'msg', error)}"))
        else:
            module, import_root = _module(root, path)
            files.append(Source(path, text, tree, module, import_root))
    if len(paths) > MAX_FILES_READ:
        problems.append(_problem("", 0, f"{len(paths)} files, of which the first {MAX_FILES_READ} are read"))
    return Sources(files, problems)


def _problem(path: str, line: int, message: object) -> dict[str, object]:
    return {"path": path, "line": line, "kind": "unread", "message": str(message)}


def _is_deep(tree: ast.AST) -> bool:
    level = [tree]
    for _ in range(MAX_TREE_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


def is_within(path: str, scope: str) -> bool:
    """Whether a path lies in a folder of the project or is that file; all do in the whole of it."""
    return scope in ("", ".", path) or path.startswith(f"{scope.rstrip('/')}/")


def _module(root: Path, path: str) -> tuple[str, str]:
    """The name of a module and the folder it is imported from: the one above the outermost package."""
    place = PurePosixPath(path)
    parts = [] if place.name == "__init__.py" else [place.stem]
    folder = place.parent
    while folder != PurePosixPath(".") and (root / folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or place.parent.name, folder.as_posix()


def _functions(node: ast.AST, around: str, *, public: bool) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            is_public = public and not child.name.startswith("_")
            yield Function(f"{around}{child.name}", child, is_public)
            yield from _functions(child, f"{around}{child.name}.", public=False)
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{around}{child.name}.", public=public and not child.name.startswith("_"))
        else:
            yield from _functions(child, around, public=public)
