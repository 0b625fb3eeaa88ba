"""A folder of Markdown back into a memory: what was edited corrects, what is new is remembered."""

from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from context_graph.connectors.markdown.exporter import store_of
from context_graph.connectors.markdown.note import Fields, Note, read_note
from context_graph.connectors.markdown.vault import MARKER, Entry, Vault, sum_of
from context_graph.errors import ContextGraphError, InvalidInput, Refused
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

CARRIED = ("tags", "aliases", "source", "heading", "kind")
"""Metadata that a correction takes over from what it corrects."""

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
class _New:
    """A file that no memory stands for yet."""

    path: str
    note: Note
    digest: str
    sha256: str


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
        raise InvalidInput(f"expected a folder of Markdown, {folder} is none", field="path")
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
        self.by_file_id = {entry.was: entry for entry in self.entries.values() if entry.was}
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
        new = [one for path in paths if (one := self._taken(path)) is not None]
        self._store(new)
        missing = self._missing(paths) if self.own else {}
        self.report.missing = sorted(missing)
        if forget_missing and len(missing) > MAX_MISSING_SHARE * len(self.entries):
            reason = (
                f"{len(missing)} of {len(self.entries)} files are gone, so nothing was forgotten; is the disk there?"
            )
            self.report.skipped.append((".", reason))
        elif forget_missing and missing:
            self._forget(list(missing.values()))

    def _taken(self, path: str) -> _New | None:
        """Take one file in; one that is new is returned."""
        try:
            data = self.vault.read(path)
            note, sha256 = read_note(data), sum_of(data)
            if note.kind == "concept" and note.id and note.hash:
                self._concept(path, sha256)
                return None
            if self.own and (known := self._known(path, note)) is not None:
                self._compare(path, note, known[0], known[1], sha256)
                return None
            if not note.text.strip():
                raise InvalidInput("it holds no text")
            return self._new(path, note, sha256)
        except ContextGraphError as error:
            self.report.skipped.append((path, str(error)))
            return None

    # A file that stands for a memory

    def _known(self, path: str, note: Note) -> tuple[Node, Entry] | None:
        """The memory that a file stands for, and when they last agreed; None where it stands for none."""
        entry = self.entries.get(path)
        if entry is None or note.id not in ("", entry.was):  # its front matter may be gone
            entry = self.by_file_id.get(note.id) or Entry(note.id, note.id, note.hash, note.hash, "")
        for one in (entry, Entry(note.id, note.id, note.hash, note.hash, "")):  # what it was, if it is taken back
            nodes = self.memory.store.nodes([one.id]) if one.id else []
            if nodes and nodes[0].kind == NodeKind.MEMORY:
                return nodes[0], one
        return None

    def _compare(self, path: str, note: Note, node: Node, entry: Entry, sha256: str) -> None:
        """See what was edited, and take it in."""
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
        for _ in range(MAX_FOLLOWED):
            if not node.superseded_by or not (nodes := self.memory.store.nodes([node.superseded_by])):
                break
            node = nodes[0]
            if Fields.of(node).says_as(edited):
                return node if self.path_of.get(node.id, path) == path else None
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
            importance=edited.importance if by_user else None,
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

    def _new(self, path: str, note: Note, sha256: str) -> _New:
        stem = PurePosixPath(path).stem
        base = Fields("", "" if stem.lower().startswith("untitled") else stem, (), DEFAULT_IMPORTANCE, "", 0)
        edited = note.fields(base)
        return _New(path, replace(note, name=edited.name), edited.digest, sha256)

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
            name=note.name or None,
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
