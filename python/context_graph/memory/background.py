"""Work that may follow an answer: the later chunks of long memories."""

import logging
import queue
import threading
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import Fingerprint, late
from context_graph.embed.semantic import pooled
from context_graph.errors import ContextGraphError
from context_graph.retrieval.features import pack_tokens

if TYPE_CHECKING:
    from context_graph.memory.memory import Memory

__all__ = ["Background"]

logger = logging.getLogger(__name__)


class Background:
    """One daemon thread that starts with the first task; `wait` is for tests and for orderly ends."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._tasks: queue.Queue[tuple[str, Fingerprint] | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._closing = False

    def embed_rest(self, node_id: str, fingerprint: Fingerprint) -> None:
        """Embed the chunks that remember left pending; until then the memory is found by its words."""
        self._tasks.put((node_id, fingerprint))
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
                    self._embed(*task)
            except ContextGraphError as error:  # forgotten meanwhile, or a busy store: the memory stays as it is
                logger.warning("embedding the rest of %s failed: %s", task[0], error)
            finally:
                self._tasks.task_done()
        self._tasks.task_done()

    def _embed(self, node_id: str, fingerprint: Fingerprint) -> None:
        memory, chunks, pools = self._memory, list(fingerprint.chunks), []
        for chunk in fingerprint.pending:
            if self._closing:
                return
            hidden = memory.embedder.hidden([chunk])
            chunks.append(late.quantised(late.contextual(hidden[0])))
            pools.append(pooled(hidden))
        semantic = memory.embedder.with_rest(fingerprint, pools)
        with memory.store.write("embedded", memory.author()) as tx:
            tx.node(node_id)
            model = memory.embedder.model
            tx.put_vector(node_id, "E1", model, semantic.astype(np.float16).tobytes())
            tx.put_vector(node_id, "E12", model, pack_tokens(chunks))
            tx.note.update(operation="embedded", nodes=[node_id], chunks=len(chunks))
