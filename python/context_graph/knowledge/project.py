"""The folder whose documents are read, and which of its paths may be."""

import os
from functools import cached_property
from pathlib import Path
from unicodedata import normalize

from context_graph.errors import InvalidInput, NotInitialized, Refused
from context_graph.knowledge.document import Broken, DocumentTree
from context_graph.knowledge.graph import DocumentGraph
from context_graph.knowledge.view import Documents
from context_graph.runtime.records import Entry, Records
from context_graph.runtime.runtime import Runtime
from context_graph.safety.pii import scrub

__all__ = [
    "FilesByName", "broken_links", "documents", "exists_in", "folder_in", "graph_of", "project_name", "project_root",
    "trees",
]  # fmt: skip

MAX_FILES_BY_NAME = 200_000
"""Files of a project that are looked up by name; of a larger one the rest is found by path alone."""

NO_ATTACHMENTS = {"node_modules", "__pycache__", "venv", "site-packages"}
"""Folders that programs fill with many files, none of which a document shows."""


def project_root(memory: Runtime) -> Path:
    """The folder of the settings, else the working directory; the root of all files is none."""
    root = (memory.settings.project or Path.cwd()).resolve()
    if root == root.parent:
        raise Refused(
            f"expected the folder of a project, got {root}: everything lies in it",
            hint="set CONTEXT_GRAPH_PROJECT, or start the server in the folder of the project",
        )
    return root


def project_name(memory: Runtime) -> str:
    """The root as records name it: without personal data."""
    return scrub(project_root(memory).as_posix(), kinds=memory.settings.redacted).text


def folder_in(root: Path, wanted: str, *, field: str) -> Path:
    """A folder of a project by its path below it; a link that leads out is followed before it is judged."""
    try:
        folder = (root / wanted).resolve()
        is_folder = folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a null character, a name too long
        raise InvalidInput(
            f"{field} must be a folder below {root}, got {wanted[:80]!r} of {len(wanted)} characters, which "
            f"is none ({getattr(error, 'strerror', None) or type(error).__name__})",
            field=field,
        ) from None
    if not folder.is_relative_to(root):
        raise InvalidInput(
            f"{field} must stay inside the project {root}, got {wanted[:80]!r}; set CONTEXT_GRAPH_PROJECT to read "
            "another project",
            field=field,
        )
    if not is_folder:
        raise InvalidInput(f"{field} must be a folder of {root}, and {wanted[:80]!r} is none", field=field)
    return folder


def exists_in(root: Path, path: str) -> bool:
    """Whether a file or folder of a project is there, its accents composed or not; what leads out of the project is
    not.
    """
    forms = (path,) if path.isascii() else dict.fromkeys((path, normalize("NFC", path), normalize("NFD", path)))
    return any(_exists_in(root, form) for form in forms)


def _exists_in(root: Path, path: str) -> bool:
    try:
        if not os.path.lexists(os.path.join(root, path)):  # most links that lead nowhere, without following any
            return False
        place = (root / path).resolve()
        return place.is_relative_to(root) and place.exists()
    except (OSError, RuntimeError, ValueError):
        return False


class FilesByName:
    """The files of a project by their names, wherever they stand; listed at the first question."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __call__(self, target: str) -> bool:
        """Whether a file has this name, or this end of its path; case makes no difference."""
        wanted = _folded(target).strip("/")
        return any(f"/{path}".endswith(f"/{wanted}") for path in self._paths.get(wanted.rsplit("/", 1)[-1], ()))

    @cached_property
    def _paths(self) -> dict[str, list[str]]:
        paths: dict[str, list[str]] = {}
        count = 0
        for top, folders, files in os.walk(self._root):
            folders[:] = [name for name in folders if not name.startswith(".") and name not in NO_ATTACHMENTS]
            below = os.path.relpath(top, self._root)
            for name in files:
                paths.setdefault(_folded(name), []).append(_folded(os.path.join(below, name)))
            count += len(files)
            if count >= MAX_FILES_BY_NAME:
                break
        return paths


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


def broken_links(root: Path, graph: DocumentGraph) -> list[Broken]:
    """The links of the documents of a project that lead nowhere, by document and line."""
    return graph.broken(lambda path: exists_in(root, path), FilesByName(root))


def documents(memory: Runtime) -> Documents:
    """The view of all documents, up to date with what any process has written."""
    memory.catch_up()
    return memory.view(Documents)


def graph_of(memory: Runtime) -> DocumentGraph:
    """The graph of this project; `NotInitialized` where none was made."""
    graph = documents(memory).graph(project_name(memory))
    if not graph.nodes and not trees(memory):
        raise NotInitialized(
            "Database not initialized", hint=f"run kg_graph_generate first: {project_root(memory)} has no graph yet"
        )
    return graph


def trees(memory: Runtime) -> list[Entry[DocumentTree]]:
    """The folders of this project that were read, oldest first."""
    name = project_name(memory)
    return [entry for entry in Records(memory, DocumentTree).all() if entry.value.project == name]
