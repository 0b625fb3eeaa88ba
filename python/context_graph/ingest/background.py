"""Work that may follow an answer: the later chunks of long memories, vectors that a better model makes anew, files."""

import logging
import queue
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple
from zlib import crc32

from context_graph.embed import lexical, occasional_in
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.errors import ContextGraphError
from context_graph.index.batch import form_of, with_form
from context_graph.index.corpus import Corpus
from context_graph.index.loader import behind, unfinished, unreviewed
from context_graph.index.snapshot import segments_of
from context_graph.index.vector_codec import completed, put_vectors, vectors_of
from context_graph.ingest.renewal import RENEWED_AT_ONCE, renew
from context_graph.ingest.rereading import readable, reread
from context_graph.reading.fingerprints import fingerprint_of

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Background"]

logger = logging.getLogger(__name__)

REVIEWED_AT_ONCE, READ_AT_ONCE = 256, 32
"""Memories of one event: enough for few events, few enough to leave between two; to read a file takes longer."""

READ_OFF_TEXT = {"E5", "E7"}
"""Spaces whose vectors a text alone decides on: none where it states no cause, or holds no code."""


class Task(NamedTuple):
    """What is to be done with some memories."""

    verb: Literal["embed", "renew", "review", "read"]
    node_ids: tuple[str, ...]


class Background:
    """One daemon thread that starts with the first task; `wait` is for tests and for orderly ends."""

    def __init__(self, memory: "Runtime") -> None:
        self._memory = memory
        self._tasks: queue.Queue[Task | None] = queue.Queue()
        self._waiting: set[Task] = set()
        self._thread: threading.Thread | None = None
        self._closing = False
        self.short = False
        """Whether the process ends soon: what takes long is then left to servers and `context-graph embed`."""

    @property
    def left(self) -> int:
        """How many memories wait for their vectors, or for the rest of them."""
        return sum(len(task.node_ids) for task in self._known() if task.verb != "read")

    @property
    def unread(self) -> int:
        """How many files wait to be read."""
        return sum(len(task.node_ids) for task in self._known() if task.verb == "read")

    def _known(self) -> list["Task"]:
        return [task for task in list(self._tasks.queue) if task is not None]

    def loaded(self, corpus: Corpus) -> None:
        """Plan what a store that was just opened, or loaded anew, lacks."""
        memory = self._memory
        if memory.embedder is not memory.model:
            self.renew()
        for node_id in unfinished(memory.store, corpus, memory.embedder):
            self.embed(node_id)
        self.review(unreviewed(memory.store))
        self.read(readable(memory, corpus))

    def embed(self, node_id: str) -> None:
        """Embed all of a memory; until then it is found by its words."""
        self._put(Task("embed", (node_id,)))

    def renew(self) -> None:
        """Embed with the model of the settings what another one embedded; the memory answers with it from then on."""
        if not self.short:
            self._put(Task("renew", ()))

    def review(self, node_ids: Sequence[str]) -> None:
        """Give memories of an older version what this one makes of a text besides."""
        for start in range(0, len(node_ids), REVIEWED_AT_ONCE):
            self._put(Task("review", tuple(node_ids[start : start + REVIEWED_AT_ONCE])))

    def read(self, node_ids: Sequence[str]) -> None:
        """Read files that could not be read when they were stored."""
        for start in range(0, len(node_ids), READ_AT_ONCE):
            self._put(Task("read", tuple(node_ids[start : start + READ_AT_ONCE])))

    def _put(self, task: "Task") -> None:
        if self._memory.store.unwritable:
            return
        if task in self._waiting:  # indexes that are loaded anew ask for what is left again
            return
        self._waiting.add(task)
        self._tasks.put(task)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="context-graph-embed", daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Until every task is done."""
        self._tasks.join()

    def close(self) -> None:
        """Stop after the pass that is running; what is left is embedded at the next opening."""
        self._closing = True
        if self._thread is not None:
            self._tasks.put(None)
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            self._waiting.discard(task)
            try:
                if not self._closing:
                    self._do(task)
            except ContextGraphError as error:  # forgotten meanwhile, or a busy store: the memory stays as it is
                logger.warning("embedding %s failed: %s", ", ".join(task.node_ids), error)
            except Exception:  # whatever it is, the memories after it are embedded
                logger.exception("embedding %s failed", ", ".join(task.node_ids))
            finally:
                self._tasks.task_done()
        self._tasks.task_done()

    def _do(self, task: "Task") -> None:
        if task.verb == "embed":
            self._embed(*task.node_ids)
        elif task.verb == "renew":
            self._renew()
        elif task.verb == "review":
            self._review(task.node_ids)
        else:
            for node_id in reread(self._memory, task.node_ids, lambda: self._closing):
                self.embed(node_id)

    def _renew(self) -> None:
        """Another process may do the same: each begins elsewhere."""
        memory, tried = self._memory, None
        while (left := behind(memory.store, memory.model.makers)) and left != tried and not self._closing:
            first = crc32(memory.caller.context_id.encode()) % len(left)
            renew(memory, [*left[first:], *left[:first]][:RENEWED_AT_ONCE], lambda: self._closing)
            tried = left
        memory.renewed()

    def _review(self, node_ids: Sequence[str]) -> None:
        """Most texts are English and hold nothing that an older version did not see: only what is read off their form
        changes for them.
        """
        memory, found, reformed = self._memory, {}, set()
        makers = memory.embedder.makers
        for node in memory.store.nodes(node_ids):
            if self._closing:
                return
            before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
            if occasional_in(node.content) or language_of(node.content) != ENGLISH:
                made_by = memory.store.vector_models(node.id)
                if any(made_by.get(space) != makers[space] for space in ("E1", "E12")):
                    continue  # a server with that model will look at it
                fingerprint = fingerprint_of(memory.store, memory.embedder, node, before[0] if before else None)
                found[node.id] = vectors_of(node, fingerprint, makers)
                if fingerprint.pending:
                    self.embed(node.id)
            elif words := memory.store.vectors([node.id], "E6"):
                formed = with_form(words[node.id], form_of(node.content))
                found[node.id] = {"E6": (lexical.MAKER, formed)}
                if formed != words[node.id]:
                    reformed.add(node.id)
        if not found:
            return
        with memory.store.write("embedded", memory.author(memory.caller)) as tx:
            for node_id, vectors in found.items():
                ordinal = tx.node(node_id).ordinal
                stale = READ_OFF_TEXT & tx.vector_models(node_id).keys() - vectors.keys()
                if len(vectors) > 1:
                    put_vectors(tx, node_id, vectors)
                else:
                    tx.put_vector(node_id, "E6", *vectors["E6"])
                    for space in stale:
                        tx.remove_vector(node_id, space)
                if (stale or len(vectors) > 1 or node_id in reformed) and ordinal is not None:
                    segments_of(memory.store, memory.embedder).remove(ordinal)
            tx.note.update(operation="embedded", nodes=list(found))

    def _embed(self, node_id: str) -> None:
        memory = self._memory
        embedder, node = memory.embedder, memory.store.node(node_id)
        before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
        fingerprint = fingerprint_of(memory.store, embedder, node, before[0] if before else None)
        done = completed(embedder, fingerprint, lambda: self._closing)
        if done is None:
            return
        semantic, chunks = done
        with memory.store.write("embedded", memory.author(memory.caller)) as tx:
            tx.node(node_id)
            whole = replace(fingerprint, semantic=semantic, chunks=chunks, pending=[])
            put_vectors(tx, node_id, vectors_of(node, whole, embedder.makers))
            tx.note.update(operation="embedded", nodes=[node_id], chunks=len(chunks))
            if node.ordinal is not None:  # before the commit: a kill in between leaves no cache without these vectors
                segments_of(memory.store, embedder).remove(node.ordinal)
