"""The documents of a folder as records, in step with their files: what is new, changed, moved or gone."""

import os
import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.connectors.folder.documents import MARKDOWN, Skipped, Survey, text_files
from context_graph.connectors.folder.readers.registry import suffix_of
from context_graph.connectors.folder.readings import Reading, Readings, digest
from context_graph.errors import ContextGraphError, Refused
from context_graph.knowledge.document import Broken, Document, DocumentTree, document_of
from context_graph.knowledge.graph import DocumentGraph, DocumentNode
from context_graph.knowledge.project import (
    broken_links,
    documents,
    folder_in,
    project_name,
    project_root,
    trees,
)
from context_graph.models import Record
from context_graph.progress import counted
from context_graph.runtime.records import Records
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Generation", "generate"]

WRITTEN_AT_ONCE = 250
"""Documents of one event."""

READ_ONE_BY_ONE = 16
"""Records of changed documents; where more are asked for, all are read at once."""

MAX_NOTED = 200
"""Errors, broken links and orphans that a record lists; all are counted."""

WHOLE, IN_PART = digest(b"whole"), digest(b"in part")
"""How a document was read: without a problem, or with some, as in its front matter."""

NO_ERROR = ("unknown kind", "hidden or built", "ignored by git")
"""Reasons to leave out what nobody expects to be read."""


_ONE_RUN = threading.Lock()
"""Held for a run, above all other locks: threads of one process wait for each other, other processes are refused."""


@dataclass(frozen=True, slots=True)
class Generation:
    """What a run did.

    Attributes
    ----------
    moved : int
        Of those that were updated, the ones whose path alone is another.
    new_edges : int
        Pairs of documents that were not joined before.
    """

    project: Path
    folder: str
    files: int
    added: int
    updated: int
    moved: int
    removed: int
    unchanged: int
    generated: int
    new_edges: int
    errors: tuple[str, ...]
    broken: tuple[Broken, ...]
    orphans: tuple[str, ...]


@dataclass(slots=True)
class _Work:
    """What is to be written, and what was found on the way."""

    added: list[Document]
    changed: list[tuple[Record, Document]]
    errors: list[str]
    parsed: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """Path -> hash, and whether it was read `WHOLE` or `IN_PART`."""

    read: int = 0
    unchanged: int = 0
    refused: set[str] = field(default_factory=set)
    """Paths of documents that the store does not take as they are now."""


def generate(memory: "Runtime", wanted: str, *, incremental: bool = False, force: bool = False) -> Generation:
    """Bring the documents of a folder to what its Markdown files say now.

    A file that cannot be read is told and leaves the others alone; what is known of it stays. A file that moved keeps
    its id, as its content says which it was.

    Parameters
    ----------
    wanted : str
        The folder, below the project.
    incremental : bool
        Count what changed, and not all that there is, and leave out what could not be read before. In both cases a
        file is parsed where its content, its record, the rules of secrets or the programs that read it changed.
    force : bool
        Parse every file and write every document anew, also one that is the same.
    """
    root = project_root(memory)
    folder = folder_in(root, wanted, field="docsPath")
    with _ONE_RUN, memory.store.lease("documents") as held:
        if not held:
            raise Refused(
                "another process is reading the documents of this memory", hint="call again when it has finished"
            )
        return _generated(memory, root, folder, incremental=incremental and not force, force=force)


def _generated(memory: "Runtime", root: Path, folder: Path, *, incremental: bool, force: bool) -> Generation:
    project, below = project_name(memory), folder.relative_to(root).as_posix()
    view = documents(memory)
    before = view.graph(project)
    nodes = {
        node.document.path: node for node in before.nodes if below == "." or node.document.path.startswith(f"{below}/")
    }
    inventory = Survey(folder, folder)
    paths = [path for path in text_files(inventory) if suffix_of(path) in MARKDOWN]
    unread = {_joined(below, one.path) for one in inventory.skipped if _may_be_there(one)}
    # A path that a document has is clean: cleaning all of them would take longer than reading the files.
    places = {path: name if (name := _joined(below, path)) in nodes else _clean(memory, name) for path in paths}
    here = set(places.values())
    gone = {path: node for path, node in nodes.items() if path not in here and not _is_kept(path, unread)}
    readings = Readings.of(memory.settings, "the graph")
    records = _Records(memory)
    shelf, work = (
        Records(memory, Document),
        _Work([], [], [_told(below, one) for one in inventory.skipped if _is_error(one)]),
    )
    by_hash: dict[str, list[DocumentNode]] = {}
    for path in sorted(gone, reverse=True):
        by_hash.setdefault(gone[path].document.hash, []).append(gone[path])
    new: set[str] = set()
    other: set[str] = set()
    moved: set[str] = set()
    for path in counted(paths, "reading documents"):
        place = places[path]
        try:
            data = _bytes_of(os.path.join(folder, path))
            text = data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            work.errors.append(f"{place}: {error.strerror if isinstance(error, OSError) else 'not text in UTF-8'}")
            gone.pop(place, None)
            continue
        work.read += 1
        hash, node = sha256(data).hexdigest(), nodes.get(place)
        if node is None and by_hash.get(hash):
            node = by_hash[hash].pop()
            del gone[node.document.path]
            moved.add(place)
        if node is not None and (node.document.path, node.document.hash) == (place, hash) and not force:
            reading = readings.get(_file(node), _content(readings, node))
            if incremental:
                is_as_noted = reading is not None or not readings.are_possible
            else:
                is_as_noted = reading is not None and reading.memories == WHOLE  # else its problems are told again
            if is_as_noted:
                work.unchanged += 1
                continue
        try:
            document, problems = document_of(project, place, hash, _clean(memory, text))
        except (ContextGraphError, ValueError, RecursionError) as error:
            work.errors.append(f"{place}: {error}")
            continue
        work.errors += [f"{place}: {problem}" for problem in problems]
        work.parsed[place] = hash, IN_PART if problems else WHOLE
        if node is None:
            work.added.append(document)
            new.add(place)
        elif document != node.document:
            work.changed.append((records[node.id], document))
            other.add(place)
        elif force:
            work.changed.append((records[node.id], document))
            work.unchanged += 1
        else:
            work.unchanged += 1
        if len(work.added) + len(work.changed) >= WRITTEN_AT_ONCE:
            _write(shelf, work)
    _write(shelf, work)
    added, updated = len(new - work.refused), len(other - work.refused)
    removed = [records[node.id] for node in gone.values()]
    shelf.write_all(removed=removed)
    after = documents(memory).graph(project)
    for node in after.nodes if work.parsed else ():
        hash, how = work.parsed.get(node.document.path, ("", WHOLE))
        if hash == node.document.hash:
            readings.note(_file(node), Reading(_content(readings, node), how, ()))
    readings.save()
    generation = Generation(
        root, below, work.read, added, updated, len(moved - work.refused), len(removed), work.unchanged,
        added + updated if incremental else added + updated + work.unchanged,
        len(_joins(after) - _joins(before)) if incremental else _count_of_edges(after, here),
        tuple(work.errors),
        tuple(one for one in broken_links(root, after) if one.source in here),
        tuple(path for path in (after.nodes[place].document.path for place in after.orphans) if path in here),
    )  # fmt: skip
    _note(memory, project, generation, full=not incremental)
    return generation


class _Records:
    """The records of documents by id: a few are read one by one, all at once where more are asked for."""

    def __init__(self, memory: "Runtime") -> None:
        self._store = memory.store
        self._by_id: dict[str, Record] = {}
        self._read = 0

    def __getitem__(self, id: str) -> Record:
        if id not in self._by_id:
            self._read += 1
            record = self._store.record(id) if self._read <= READ_ONE_BY_ONE else None
            records = self._store.records("document") if record is None else [record]
            self._by_id |= {one.id: one for one in records}
        return self._by_id[id]


def _write(shelf: "Records[Document]", work: _Work) -> None:
    """Write what waits by one event; a document that does not fit is told, and the others are written."""
    try:
        shelf.write_all(added=work.added, changed=work.changed, clean=True)
    except ContextGraphError:
        for document in work.added:
            _write_one(shelf, work, [document], [])
        for record, document in work.changed:
            _write_one(shelf, work, [], [(record, document)])
    work.added, work.changed = [], []


def _write_one(
    shelf: "Records[Document]", work: _Work, added: list[Document], changed: list[tuple[Record, Document]]
) -> None:
    try:
        shelf.write_all(added=added, changed=changed, clean=True)
    except ContextGraphError as error:
        path = (added or [document for _, document in changed])[0].path
        work.parsed.pop(path, None)
        work.refused.add(path)
        work.errors.append(f"{path}: {error}")


def _note(memory: "Runtime", project: str, run: Generation, *, full: bool) -> None:
    """Keep what a run found of the folder as a whole; nothing is written where that is what is known."""
    shelf, now = Records(memory, DocumentTree), memory.clock()
    entry = next((one for one in trees(memory) if one.value.folder == run.folder), None)
    before = None if entry is None else entry.value
    changed = bool(run.added or run.updated or run.removed)
    tree = DocumentTree(
        project=project, folder=run.folder,
        generated_at=now if full or before is None else before.generated_at,
        updated_at=now if changed or before is None else before.updated_at,
        files=run.files, errors=run.errors[:MAX_NOTED], broken=run.broken[:MAX_NOTED],
        broken_count=len(run.broken), orphans=run.orphans[:MAX_NOTED], passages=before.passages if before else "",
    )  # fmt: skip
    if entry is None:
        shelf.write_all(added=[tree])
    elif tree != before:
        shelf.change(entry, tree)


def _file(node: DocumentNode) -> str:
    return f"{node.document.project}/{node.document.path}"


def _content(readings: Readings, node: DocumentNode) -> bytes:
    """What a document was read from, and its record as it was written."""
    return readings.content(f"{node.document.hash} {node.id} {node.modified}".encode())


def _joins(graph: DocumentGraph) -> set[tuple[str, str]]:
    return {(graph.nodes[source].id, graph.nodes[target].id) for source, target in graph.pairs}


def _count_of_edges(graph: DocumentGraph, paths: Collection[str]) -> int:
    """The edges that have an end among some documents."""
    places = {graph.by_path[path] for path in paths if path in graph.by_path}
    return sum(source in places or target in places for source, target in graph.pairs)


def _bytes_of(place: str) -> bytes:
    with open(place, "rb") as file:  # pathlib takes twice as long, and there may be many files
        return file.read()


def _joined(below: str, path: str) -> str:
    return path if below == "." else f"{below}/{path}"


def _clean(memory: "Runtime", text: str) -> str:
    return scrub(text, kinds=memory.settings.redacted).text


def _may_be_there(skipped: Skipped) -> bool:
    """Whether the content of what was left out is unknown: what is known of it stays then."""
    return skipped.reason.startswith("unreadable")


def _is_kept(path: str, kept: set[str]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in kept)


def _is_error(skipped: Skipped) -> bool:
    markdown = Path(skipped.path).suffix.lower() in MARKDOWN
    folder = skipped.reason.startswith(("a link to a folder", "unreadable"))
    return (markdown or folder) and skipped.reason not in NO_ERROR


def _told(below: str, skipped: Skipped) -> str:
    return f"{_joined(below, skipped.path)}: {skipped.reason}"
