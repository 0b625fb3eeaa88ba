"""Memories as Markdown: a new folder, or one of ours brought to what is remembered now."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.connectors.markdown.naming import Names, wiki_link
from context_graph.connectors.markdown.note import Fields, Note, read_note, rendered
from context_graph.connectors.markdown.vault import Entry, Vault, sum_of
from context_graph.display import Plain
from context_graph.errors import InvalidInput, UnusablePath
from context_graph.models import Edge, EdgeType, Node, NodeKind, NodeState
from context_graph.store import keys

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Reader

__all__ = ["ExportedFolder", "store_of", "write_folder"]

MENTIONS = 2
"""Memories that a concept needs to have a note."""

MAX_SUPERSEDED = 10
MAX_LINKS = 200

WORDS = {
    EdgeType.TEMPORAL: ("next", "previous"),
    EdgeType.SEMANTIC: ("similar", "similar"),
    EdgeType.RELATIONAL: ("linked", "linked from"),
    EdgeType.CAUSAL: ("causes", "caused by"),
    EdgeType.HIERARCHICAL: ("a kind of", "has kind"),
}
"""How an edge reads at its source, and at its target."""


@dataclass(slots=True)
class ExportedFolder(Plain):
    """What an export did to a folder.

    Attributes
    ----------
    memories, concepts : int
        That have a file now.
    written, unchanged, removed : int
        Files.
    restored : list of str
        Files of these that were there after the last export, were gone, and are written again.
    kept : list of (str, str)
        Files that stayed as they are although they are no longer what is remembered, with the reason.
    """

    path: Path
    memories: int = 0
    concepts: int = 0
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    restored: list[str] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)


def store_of(memory: "Runtime") -> str:
    """By what a folder is known to be an export of this store: nobody without its key can tell."""
    return keys.pseudonym(memory.settings.home, "markdown folder")


def write_folder(memory: "Runtime", folder: Path) -> ExportedFolder:
    """Write each live memory of every session, and each concept that several of them mention, to a file of its own.

    A second export of a folder brings it up to date. A file that says what it should is not touched, and one that was
    edited since is neither written nor removed: an import takes it in first. A file that was deleted is written again
    and named while its memory is there. Each file is written whole or not at all, readable by its owner alone.
    """
    if folder.exists() and not folder.is_dir():
        raise UnusablePath(f"{folder} is a file; name a folder", field="path")
    memory.store.effects.flush()
    store = store_of(memory)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    vault = Vault(folder)
    if vault.store != store and (vault.store or any(folder.iterdir())):
        whose = "the export of another store" if vault.store else "not empty and no export of this store"
        raise UnusablePath(f"{folder} is {whose}, and nothing was written; name a new folder", field="path")
    vault.save(store, vault.entries)
    with memory.store.snapshot() as seen:
        return _Export(seen, vault, store).run()


def _why_kept(data: bytes) -> str:
    """Why a file that somebody wrote into stays as it is."""
    try:
        read_note(data, exported=True)
    except InvalidInput as error:
        return f"edited since, and import cannot read it: {error}"
    return "edited since; import takes it in"


class _Export:
    def __init__(self, reader: "Reader", vault: Vault, store: str) -> None:
        self.reader, self.vault, self.store = reader, vault, store
        self.report = ExportedFolder(vault.folder)
        self.present = set(vault.scan()[0])
        self.links: dict[str, list[Edge]] = defaultdict(list)
        self.names: dict[str, str] = {}
        self.replaced: dict[str, list[str]] = defaultdict(list)
        self.entries: dict[str, Entry] = {}
        self.moved: dict[str, Entry] = {}

    def run(self) -> ExportedFolder:
        for edges in self.reader.scan(Edge):
            for edge in edges:
                self.links[edge.source].append(edge)
                self.links[edge.target].append(edge)
        places = self._places()
        for node in self._nodes():
            self._write(node, places)
        for path in sorted(self.vault.entries.keys() - self.entries.keys()):
            self._remove(path, self.vault.entries[path])
        self.vault.save(self.store, self.entries)
        return self.report

    def _nodes(self) -> Iterator[Node]:
        """What has a file: live memories as they were stored, and then concepts that several of them mention."""
        memories = set()
        for page in self.reader.scan(Node):
            for node in page:
                if node.state != NodeState.LIVE:
                    continue
                if node.kind == NodeKind.MEMORY:
                    memories.add(node.id)
                    yield node
                else:
                    ends = {end for edge in self.links[node.id] for end in (edge.source, edge.target)}
                    if len(ends & memories) >= MENTIONS:
                        yield node

    def _places(self) -> dict[str, str]:
        """The path of each node: where its file lies, or a new one."""
        lying: dict[str, str] = {}
        ids = {node.id for node in self._nodes()}
        for path, entry in self.vault.entries.items():
            if entry.id in ids:
                lying.setdefault(entry.id, path)
        for path, entry in self.vault.entries.items():
            if entry.id not in ids:  # a correction that was taken back
                lying.setdefault(entry.was, path)
        for path in sorted(self.present - self.vault.entries.keys()):
            with suppress(InvalidInput):
                id = read_note(self.vault.read(path)).id
                if id and id not in lying:  # an export that was interrupted wrote it
                    lying[id] = path
                elif id and lying[id] not in self.present:  # its reader moved it
                    self.moved[path] = self.vault.entries[lying[id]]
                    lying[id] = path
        names, places = Names((*self.present, *lying.values())), {}
        for node in self._nodes():
            places[node.id] = lying.get(node.id) or names.path(node, concept=node.kind == NodeKind.CONCEPT)
            self.names[node.id] = node.name
            if node.superseded_by:
                self.replaced[node.superseded_by].append(node.id)
        return places

    def _write(self, node: Node, places: Mapping[str, str]) -> None:
        path, concept = places[node.id], node.kind == NodeKind.CONCEPT
        if concept:
            self.report.concepts += 1
        else:
            self.report.memories += 1

        def text(extra: Mapping[str, object] | None = None) -> bytes:
            return rendered(
                node, supersedes=self._to(self.replaced[node.id][:MAX_SUPERSEDED], places),
                superseded_by=next(self._to([node.superseded_by or ""], places), ""),
                links=self._linked(node, places), extra=extra, concept=concept,
            ).encode()  # fmt: skip

        data, digest = text(), Fields.of(node).digest
        before, entry = self._bytes(path), self.vault.entries.get(path) or self.moved.get(path)
        if before is not None and before != data:
            note = self._ours(before, node, entry)
            reason = _why_kept(before) if note is None else ""
            if note is not None and note.extra:
                data = text(note.extra)
                try:
                    read_note(data)
                except InvalidInput as error:
                    reason = f"with its own front matter it could not be read back: {error}"
            if reason:
                self.report.kept.append((path, reason))
                if entry is not None:
                    self.entries[path] = entry
                return
        if before == data:
            self.report.unchanged += 1
        else:
            self.vault.write(path, data)
            self.report.written += 1
            if before is None and entry is not None:
                self.report.restored.append(path)
        self.entries[path] = Entry(node.id, node.id, digest, digest, sum_of(data))

    def _bytes(self, path: str) -> bytes | None:
        """What is there now; empty where something is that cannot be read."""
        if path not in self.present and not self.vault.exists(path):
            return None
        try:
            return self.vault.read(path)
        except InvalidInput:
            return b""

    def _ours(self, data: bytes, node: Node, entry: Entry | None) -> Note | None:
        """The note, where it holds no edit: its bytes are known, or it says what its hash says."""
        try:
            note = read_note(data)
        except InvalidInput:
            return None
        if entry is not None and sum_of(data) == entry.sha256:
            return note
        return note if note.id == node.id and note.fields(Fields.of(node)).digest == note.hash else None

    def _remove(self, path: str, entry: Entry) -> None:
        """Take the file away of what is no longer there, unless somebody wrote into it."""
        if (data := self._bytes(path)) is None:
            return
        if sum_of(data) == entry.sha256 and entry.was == entry.id:
            self.vault.remove(path)
            self.report.removed += 1
        else:
            self.entries[path] = entry
            self.report.kept.append((path, "what it holds is no longer remembered, and somebody wrote it"))

    def _to(self, ids: Iterable[str], places: Mapping[str, str]) -> Iterator[str]:
        return (wiki_link(places[id], self.names[id]) for id in ids if id in places)

    def _linked(self, node: Node, places: Mapping[str, str]) -> list[tuple[str, str]]:
        """What it is linked to, each word and target once."""
        links = set()
        for edge in self.links[node.id]:
            other = edge.target if edge.source == node.id else edge.source
            if other == node.id or other not in places:
                continue
            word = WORDS[EdgeType(edge.edge_type)][edge.source != node.id]
            if edge.origin == "mentions":
                word = "mentions" if edge.source == node.id else "mentioned by"
            links.add((word, places[other], self.names[other]))
        return [(word, wiki_link(path, name)) for word, path, name in sorted(links)[:MAX_LINKS]]
