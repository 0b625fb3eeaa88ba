"""Work that may follow an answer: the later chunks of long memories, and vectors that a better model makes anew."""

import logging
import queue
import threading
from typing import TYPE_CHECKING

import numpy as np

from context_graph.errors import ContextGraphError
from context_graph.memory.embedding import completed, fingerprint_of
from context_graph.memory.loading import segments_of
from context_graph.retrieval.features import pack_tokens
from context_graph.store.segments import SEGMENT_ROWS

if TYPE_CHECKING:
    from context_graph.memory.memory import Memory

__all__ = ["Background"]

logger = logging.getLogger(__name__)


class Background:
    """One daemon thread that starts with the first task; `wait` is for tests and for orderly ends."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._tasks: queue.Queue[str | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._closing = False

    @property
    def left(self) -> int:
        """How many memories wait for their vectors, or for the rest of them."""
        return self._tasks.qsize()

    def embed(self, node_id: str) -> None:
        """Embed all of a memory; until then it is found by its words."""
        self._tasks.put(node_id)
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
            try:
                if not self._closing:
                    self._embed(task)
            except ContextGraphError as error:  # forgotten meanwhile, or a busy store: the memory stays as it is
                logger.warning("embedding %s failed: %s", task, error)
            finally:
                self._tasks.task_done()
        self._tasks.task_done()

    def _embed(self, node_id: str) -> None:
        memory = self._memory
        embedder, node = memory.embedder, memory.store.node(node_id)
        before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
        fingerprint = fingerprint_of(memory, node, before[0] if before else None)
        done = completed(embedder, fingerprint, lambda: self._closing)
        if done is None:
            return
        semantic, chunks = done
        with memory.store.write("embedded", memory.author()) as tx:
            tx.node(node_id)
            tx.put_vector(node_id, "E1", embedder.model, semantic.astype(np.float16).tobytes())
            tx.put_vector(node_id, "E12", embedder.model, pack_tokens(chunks))
            tx.note.update(operation="embedded", nodes=[node_id], chunks=len(chunks))
            if node.ordinal is not None:  # before the commit: a kill in between leaves no cache without these vectors
                segments_of(memory.store, embedder).remove(node.ordinal // SEGMENT_ROWS)
