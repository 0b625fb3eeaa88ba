"""A folder of Markdown back into a memory: what was edited corrects, what is new is remembered."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from context_graph.connectors.folder.stored import FOLDER, LOCATION
from context_graph.connectors.markdown.exporter import store_of
from context_graph.connectors.markdown.note import Fields, Note, read_note
from context_graph.connectors.markdown.vault import MARKER, Entry, Vault, sum_of
from context_graph.errors import ContextGraphError, InvalidInput, Refused, UnusablePath
from context_graph.graph.entities import node_name
from context_graph.index.segment_cache import segments_of
from context_graph.index.vector_codec import completed, put_vectors, vectors_of
from context_graph.ingest.batch import remember_many
from context_graph.ingest.draft import METADATA_LIMIT, Draft, cleaned, settled
from context_graph.ingest.forget import put_away
from context_graph.ingest.remember import Remembered, remember
from context_graph.models import Caller, Node, NodeKind, NodeState
from context_graph.reading.fingerprints import NAMED, fingerprint_of
from context_graph.reading.metadata import texts
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion
from context_graph.store import keys

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["FolderImport", "import_folder", "is_export"]

AGENT = "import"
DIGEST = "markdown"
"""Metadata key of the digest of the file that a memory was made of: a second import knows it."""

CARRIED = ("tags", "aliases", "source", "heading", "kind", "captured", FOLDER, *LOCATION)
"""Metadata that a correction takes over from what it corrects: it is of the same project, and of the same file."""

DEFAULT_IMPORTANCE = 0.5
MAX_MISSING_SHARE = 0.9
"""Of the files of an export; where more is gone, a disk is likely not there."""

MAX_FOLLOWED = 100


@dataclass(slots=True)
class FolderImport:
    """What an import did, or with `dry_run` would do.

    Attributes
    ----------
    corrected, changed, stored : list of str
        Files whose text corrects a memory, whose fields changed it, and that are memories from now on.
    unchanged, known : int
        Files that say what they said, and new ones that a memory says already.
    conflicts, skipped : list of (str, str)
        Files that nothing was taken from, for the memory changed since or for what is wrong with them.
    quarantined : list of str
        Files that are new and read like an order to an agent.
    missing : list of str
        Files that are gone, whose memories are not.
    forgotten : int
    events : list of str
        Hashes that undo it, newest first.
    """

    dry_run: bool = False
    corrected: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    unchanged: int = 0
    known: int = 0
    conflicts: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    quarantined: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    forgotten: int = 0
    events: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it was read."""

    path: str
    note: Note
    sha256: str


@dataclass(frozen=True, slots=True)
class _New(_File):
    """A file that no memory stands for yet, with the name that it gets."""

    name: str
    digest: str


def is_export(folder: Path) -> bool:
    """Whether a folder says that it is an export, of whatever store."""
    return (folder / MARKER).is_file()


def import_folder(
    memory: "Runtime", folder: Path, *, forget_missing: bool = False, dry_run: bool = False
) -> FolderImport:
    """Take the edits of a folder in; what cannot be taken in is named, and stops nothing else.

    In an export of this store a file stands for its memory: its text supersedes the old one, other fields change the
    memory itself. In any other folder every file is a stranger: its text and plain fields make a new memory, and the
    folder stays as it is.

    Parameters
    ----------
    forget_missing : bool
        Forget the memories whose files are gone, in one write; refused where more than nine tenths are.
    """
    if not folder.is_dir():
        raise UnusablePath(f"expected a folder of Markdown, {folder} is none", field="path")
    vault = Vault(folder)
    own = bool(vault.store) and keys.exists(memory.settings.home) and vault.store == store_of(memory)
    if forget_missing and not own:
        raise InvalidInput(
            f"{folder} is no export of this store, so nothing is missing from it", field="forget_missing"
        )
    return _Import(memory, vault, own, FolderImport(dry_run)).run(forget_missing)


class _Import:
    def __init__(self, memory: "Runtime", vault: Vault, own: bool, report: FolderImport) -> None:
        self.memory, self.vault, self.own, self.report = memory, vault, own, report
        self.caller = memory.caller.within(agent_id=AGENT)
        self.entries = dict(vault.entries) if own else {}
        self.path_of = {entry.id: path for path, entry in self.entries.items()}
        self.exported = dict(self.entries)
        """What was known of the files when this import began."""

        self.occupied: set[str] = set()
        """Paths of these whose file is still there: with its id, or it cannot be read."""

        self.vacated: set[str] = set()
        """Paths of these whose file lies elsewhere now."""

        self.new: list[_New] = []
        self.seen_ids: set[str] = set()

    def run(self, forget_missing: bool) -> FolderImport:
        try:
            self._take_in(forget_missing)
        finally:  # what an interrupted run took in is taken in
            self._save()
        return self.report

    def _save(self) -> None:
        if self.own and not self.report.dry_run:
            try:
                self.vault.save(self.vault.store, self.entries)
            except OSError as error:
                self.report.skipped.append((MARKER, f"what was taken in could not be noted: {error.strerror}"))

    def _take_in(self, forget_missing: bool) -> None:
        paths, skipped = self.vault.scan()
        self.report.skipped += skipped
        moved: dict[str, list[_File]] = defaultdict(list)
        without_id = []
        for path in paths:
            with self._skipping(path):
                file = self._read(path)
                if file is None:
                    continue
                entry = self.exported.get(path)
                if not self.own:
                    self._add(file)
                elif file.note.id and (entry is None or entry.was != file.note.id):
                    moved[file.note.id].append(file)
                elif entry is not None and file.note.id:
                    self.occupied.add(path)
                    self._take(file, entry)
                else:
                    without_id.append(file)
        for id, files in moved.items():
            self._take_moved(id, files)
        for file in without_id:  # an export wrote it and its front matter is gone, or it is new
            with self._skipping(file.path):
                self._take(file, None if file.path in self.vacated else self.exported.get(file.path))
        self._store(self.new)
        missing = self._missing(paths) if self.own else {}
        self.report.missing = sorted(missing)
        if forget_missing and len(missing) > MAX_MISSING_SHARE * len(self.entries):
            reason = (
                f"{len(missing)} of {len(self.entries)} files are gone, so nothing was forgotten; is the disk there?"
            )
            self.report.skipped.append((".", reason))
        elif forget_missing and missing:
            self._forget(list(missing.values()))

    @contextmanager
    def _skipping(self, path: str) -> Iterator[None]:
        """What is wrong with a file stops nothing but the file."""
        try:
            yield
        except ContextGraphError as error:
            if path in self.exported:
                self.occupied.add(path)
            self.report.skipped.append((path, str(error)))

    def _read(self, path: str) -> _File | None:
        """One file; nothing for the note of a concept, which holds nothing to take in."""
        data = self.vault.read(path)
        file = _File(path, read_note(data, exported=path in self.exported), sum_of(data))
        if file.note.kind == "concept" and file.note.id and file.note.hash:
            self._concept(path, file.sha256)
            return None
        return file

    # A file that stands for a memory

    def _take(self, file: _File, entry: Entry | None) -> None:
        """Take in what a file says of its memory; one without a memory is new."""
        if (match := self._memory_of(file.note, entry)) is not None:
            self._compare(file, *match)
        else:
            self._add(file)

    def _take_moved(self, id: str, files: list[_File]) -> None:
        """Take in files that name one memory and do not lie where its file was.

        A file has moved where its old place is not occupied; of several, that one which says what it said. The others
        are copies.
        """
        places = {path: entry for path, entry in self.exported.items() if entry.was == id}
        free = {path: entry for path, entry in places.items() if path not in self.occupied}
        if not places:  # an export that was interrupted wrote it
            free = {"": Entry(id, id, files[0].note.hash, files[0].note.hash, "")}
        edited = []
        for file in files:
            path = next((path for path, entry in free.items() if self._says(file.note, entry)), None)
            if path is None:
                edited.append(file)
            else:
                self._take_from(path, file, free.pop(path))
        if len(edited) == len(free) == 1:
            path, entry = free.popitem()
            self._take_from(path, edited.pop(), entry)
        for file in edited:
            if free:
                reason = f"{len(edited)} files have the id {id}, all of them edited; leave it in one of them"
                self.report.conflicts.append((file.path, reason))
                continue
            with self._skipping(file.path):
                self._take_copy(file)

    def _take_from(self, path: str, file: _File, entry: Entry) -> None:
        """Take in a file that lay at another path."""
        self.vacated.add(path)
        with self._skipping(file.path):
            self._take(file, entry)

    def _take_copy(self, file: _File) -> None:
        """Take in a copy of a file that is still there: it is new where it says what is not known, by its own name."""
        match = self._memory_of(file.note, None)
        if match is None:
            self._add(file)
            return
        node, entry = match
        here = Fields.of(node)
        edited = file.note.fields(here)
        if edited.digest in (entry.file, here.digest) or self._replaced_by(node, edited) is not None:
            self.report.unchanged += 1
            return
        self._add(file, own_name=file.note.name != here.name)

    def _says(self, note: Note, entry: Entry) -> bool:
        """Whether a note says what a file said."""
        nodes = self.memory.store.nodes([entry.id])
        return bool(nodes) and note.fields(Fields.of(nodes[0])).digest == entry.file

    def _memory_of(self, note: Note, entry: Entry | None) -> tuple[Node, Entry] | None:
        """The memory that a file stands for, and when they last agreed; None where it stands for none."""
        own = Entry(note.id, note.id, note.hash, note.hash, "")
        for one in (entry or own, own):  # what it was, if it is taken back
            nodes = self.memory.store.nodes([one.id]) if one.id else []
            if nodes and nodes[0].kind == NodeKind.MEMORY:
                return nodes[0], one
        return None

    def _compare(self, file: _File, node: Node, entry: Entry) -> None:
        """See what was edited, and take it in."""
        path, note, sha256 = file.path, file.note, file.sha256
        self.seen_ids.add(node.id)
        here = Fields.of(node)
        edited = note.fields(here)
        if edited.digest == entry.file:
            self.report.unchanged += 1
            self._note(path, replace(entry, sha256=sha256))
            return
        same = node if edited.digest == here.digest else self._successor(path, node, edited)
        if same is not None:
            self.report.unchanged += 1
            self._note(path, Entry(same.id, note.id, edited.digest, Fields.of(same).digest, sha256))
            return
        if (reason := self._conflict(node, here, entry)) is not None:
            self.report.conflicts.append((path, reason))
            return
        if not edited.text.strip():
            raise InvalidInput("its text was deleted; delete the file to forget the memory")
        if node.modality != "text" and not edited.says_as(here):
            raise InvalidInput(f"what is said of a memory of {node.modality} is not corrected here")
        text = cleaned(Draft(edited.text), kinds=self.memory.settings.redacted)[0].content
        if suspicion(" ".join((text, edited.name, edited.speaker, *edited.tags))) >= QUARANTINE_FROM:
            raise InvalidInput("what was edited reads like an instruction to an agent, and the memory stays as it was")
        if edited.says_as(here):
            after = self._changed(node, here, edited)
            self.report.changed.append(path)
        else:
            after = self._corrected(path, node, here, edited)
            self.report.corrected.append(path)
        self.seen_ids.add(after.id)
        self._note(path, Entry(after.id, note.id, edited.digest, Fields.of(after).digest, sha256))

    def _successor(self, path: str, node: Node, edited: Fields) -> Node | None:
        """What took the place of a memory and says what the file says, and has no file of its own.

        So it is where an edit was taken in and that could not be noted.
        """
        after = self._replaced_by(node, edited)
        return after if after is not None and self.path_of.get(after.id, path) == path else None

    def _replaced_by(self, node: Node, edited: Fields) -> Node | None:
        """What took the place of a memory, at once or later, and says what a file says."""
        for _ in range(MAX_FOLLOWED):
            if not node.superseded_by or not (nodes := self.memory.store.nodes([node.superseded_by])):
                break
            node = nodes[0]
            if Fields.of(node).says_as(edited):
                return node
        return None

    def _conflict(self, node: Node, here: Fields, entry: Entry) -> str | None:
        """Why an edit is not taken in."""
        if node.state != NodeState.LIVE:
            return f"the memory is {node.state} here"
        if node.valid_to is not None:
            return "the memory is past; edit the one that took its place"
        if here.digest != entry.store:
            return "the memory changed here since the export; copy your edit, delete the file and export again"
        return None

    def _corrected(self, path: str, node: Node, here: Fields, edited: Fields) -> Node:
        """Store what the file says now in the place of what it said."""
        name = edited.name if edited.name != here.name else node.metadata.get(NAMED)
        by_user = node.importance_by_user or edited.importance != here.importance
        metadata = {key: node.metadata[key] for key in CARRIED if key in node.metadata}
        draft = Draft(
            edited.text,
            rationale=f"corrected in Markdown, in {path}"[:500],
            importance=edited.importance if by_user or node.importance != DEFAULT_IMPORTANCE else None,
            metadata=metadata | {"tags": self._tags(node, here, edited), "supersedes": [node.id]},
            domain=node.domain,
            scope=node.scope,
            occurred_at=node.occurred_at if edited.occurred == here.occurred else edited.occurred * 1_000,
            speaker=(node.speaker if edited.speaker == here.speaker else edited.speaker) or None,
            name=name if isinstance(name, str) and name.strip() else None,
            read_head=False,
        )
        if self.report.dry_run:
            settled(draft)
            return node
        context = node.context_id or self.memory.caller.context_id
        done = remember(self.memory, draft, caller=Caller(node.session_id, context, AGENT))
        self.report.events.insert(0, done.event_hash[:16])
        return done.node

    def _changed(self, node: Node, here: Fields, edited: Fields) -> Node:
        """Change what is said about a memory; one that has another name is found by it."""
        renamed = edited.name != here.name
        tags = self._tags(node, here, edited)
        clean = cleaned(
            Draft(node.content, name=edited.name or None, metadata={"tags": tags}), kinds=self.memory.settings.redacted
        )[0]
        metadata = dict(node.metadata) | ({"tags": clean.metadata["tags"]} if edited.tags != here.tags else {})
        if renamed:
            metadata = {key: value for key, value in metadata.items() if key != NAMED}
            metadata |= {NAMED: clean.name} if clean.name else {}
        if len(repr(metadata)) > METADATA_LIMIT:
            raise InvalidInput(f"with these tags its metadata have more than {METADATA_LIMIT} characters")
        columns: dict[str, object] = {"metadata": metadata}
        if renamed:
            columns["name"] = node_name(node.content, given=clean.name)
        if edited.importance != here.importance:
            columns |= {"importance": edited.importance, "importance_by_user": True}
        if self.report.dry_run:
            return node
        memory = self.memory
        author = memory.author(Caller(node.session_id, node.context_id or memory.caller.context_id, AGENT))
        with memory.writing:
            with memory.store.write("edited", author) as tx:
                now = tx.node(node.id)
                if now.content != node.content or Fields.of(now) != here:
                    raise Refused("the memory changed while it was read; import again")
                tx.update(node.id, **columns)
                after = tx.node(node.id)
                if renamed:
                    put_vectors(tx, node.id, self._vectors(after))
                    if node.ordinal is not None:
                        segments_of(memory.store, memory.embedder).remove(node.ordinal)
                tx.note.update(operation="edited", nodes=[node.id])
            memory.committed(tx.committed)
        if tx.committed is not None:
            self.report.events.insert(0, tx.committed.hash[:16])
        return after

    def _vectors(self, node: Node) -> dict[str, tuple[str, bytes]]:
        """The vectors of a memory that has another name now."""
        store, embedder = self.memory.store, self.memory.embedder
        before = store.session_memories(node.session_id, 1, before_position=node.position)
        made = fingerprint_of(store, embedder, node, before[0] if before else None)
        whole = completed(embedder, made)
        assert whole is not None
        return dict(vectors_of(node, replace(made, semantic=whole[0], chunks=whole[1], pending=[]), embedder.makers))

    def _tags(self, node: Node, here: Fields, edited: Fields) -> list[str]:
        """The tags of the file, and those that did not fit into it."""
        left_out = (tag for tag in texts(node.metadata, "tags") if tag not in here.tags)
        return list(dict.fromkeys((*edited.tags, *left_out)))

    def _note(self, path: str, entry: Entry) -> None:
        """Remember what a file says now; a second file of one memory is not noted."""
        other = self.path_of.get(entry.id, path)
        if other != path and other in self.entries and self.entries[other].id == entry.id:
            if self.vault.exists(other):
                return
            del self.entries[other]
        self.entries[path] = entry
        self.path_of[entry.id] = path

    def _concept(self, path: str, sha256: str) -> None:
        entry = self.entries.get(path)
        if self.own and entry is not None and entry.sha256 != sha256:
            raise InvalidInput("the note of a concept follows from memories; edit those")
        self.report.unchanged += 1

    # A file that is new

    def _add(self, file: _File, *, own_name: bool = True) -> None:
        """Have a file remembered: by the name in its front matter, if that is its own, else by that of the file."""
        if not file.note.text.strip():
            raise InvalidInput("it holds no text")
        stem = PurePosixPath(file.path).stem
        base = Fields("", "" if stem.lower().startswith("untitled") else stem, (), DEFAULT_IMPORTANCE, "", 0)
        fields = (file.note if own_name else replace(file.note, name=None)).fields(base)
        self.new.append(_New(file.path, file.note, file.sha256, fields.name, fields.digest))

    def _store(self, new: list[_New]) -> None:
        """Remember what is new, many to a write."""
        digests = {str(node.metadata.get(DIGEST)) for node in self.memory.store.with_metadata(f'"{DIGEST}"')}
        fresh = []
        for one in new:
            if one.digest in digests:
                self.report.known += 1
            else:
                digests.add(one.digest)
                fresh.append(one)
        if self.report.dry_run:
            for one in fresh:
                try:
                    settled(self._draft(one))
                    self.report.stored.append(one.path)
                except InvalidInput as error:
                    self.report.skipped.append((one.path, str(error)))
            return
        outcomes = remember_many(self.memory, [self._draft(one) for one in fresh], caller=self.caller)
        for one, outcome in zip(fresh, outcomes, strict=True):
            if not isinstance(outcome, Remembered):
                self.report.skipped.append((one.path, str(outcome)))
                continue
            self.seen_ids.add(outcome.node.id)
            if outcome.stored:
                self.report.stored.append(one.path)
            else:
                self.report.known += 1
            if outcome.node.state == NodeState.QUARANTINED:
                self.report.quarantined.append(one.path)
            if outcome.event_hash and outcome.event_hash[:16] not in self.report.events:
                self.report.events.insert(0, outcome.event_hash[:16])
            if self.own:
                here = Fields.of(outcome.node).digest
                edited = one.note.fields(Fields.of(outcome.node)).digest
                self._note(one.path, Entry(outcome.node.id, one.note.id, edited, here, one.sha256))

    def _draft(self, one: _New) -> Draft:
        """Text and plain fields: a file is a stranger."""
        note = one.note
        metadata: dict[str, object] = {"source": one.path, DIGEST: one.digest}
        if note.tags:
            metadata["tags"] = list(note.tags)
        if note.past:
            metadata["status"] = "superseded"
        return Draft(
            note.text,
            rationale=f"a Markdown note, {one.path}"[:500],
            importance=None if note.importance in (None, DEFAULT_IMPORTANCE) else note.importance,
            metadata=metadata,
            occurred_at=None if note.occurred is None else note.occurred * 1_000,
            speaker=note.speaker or None,
            name=one.name or None,
            agent_id=AGENT,
            read_head=False,
        )

    # Files that are gone

    def _missing(self, paths: list[str]) -> dict[str, Node]:
        """By path the memories that are live and whose files are gone."""
        there = set(paths)
        gone = {
            path: entry.id for path, entry in self.entries.items() if path not in there and not self.vault.exists(path)
        }
        live = {
            node.id: node
            for node in self.memory.store.nodes(set(gone.values()) - self.seen_ids)
            if node.state == NodeState.LIVE and node.kind == NodeKind.MEMORY
        }
        return {path: live[id] for path, id in gone.items() if id in live}

    def _forget(self, nodes: list[Node]) -> None:
        """Put the memories whose files are gone into the trash, in one write."""
        self.report.forgotten = len(nodes)
        if self.report.dry_run:
            return
        memory = self.memory
        with memory.writing:
            with memory.store.write("forgotten", memory.author(self.caller)) as tx:
                for node in nodes:
                    put_away(tx, node.id, "user_requested", moment=memory.clock(), by=AGENT)
                tx.note.update(operation="forgotten", nodes=[node.id for node in nodes])
            memory.committed(tx.committed)
        if tx.committed is not None:
            self.report.events.insert(0, tx.committed.hash[:16])
