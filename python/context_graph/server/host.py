"""The memory behind a server: opened by the first call, warmed in the background, closed once."""

import logging
import threading
from collections.abc import Hashable, Mapping
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any

from context_graph.errors import ContextGraphError, StoreError
from context_graph.garbage import look_briefly
from context_graph.locks import Rank, lock
from context_graph.models import Caller
from context_graph.presentation.visitor import Visitor
from context_graph.server.dispatch import Outcome, call, failed
from context_graph.server.errors import error_values, incident
from context_graph.server.lookup import Lookup
from context_graph.server.sampling import MAX_QUESTIONS_OPEN
from context_graph.server.watchdog import STUCK_S, Watchdog
from context_graph.settings import Settings

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["Host"]

logger = logging.getLogger(__name__)

WARMING_QUESTIONS = ("Where do I live?", "What did I do last week?", "What did the doctor tell my family?")
"""Asked of the memory before a client asks: one for what holds now, one for a time, one for an area of life. What a
first question would wait for is then compiled, mapped and read: of 1,500 notes that takes half a second."""


class Host:
    """Answers calls of one server process; `initialize` and `tools/list` never wait for it.

    Parameters
    ----------
    stuck_s : float
        After how long a call that has not answered is reported on stderr.
    """

    def __init__(self, settings: Settings, *, stuck_s: float = STUCK_S) -> None:
        self.settings = settings
        self._opening = lock(Rank.HOST, "Host._opening")
        self._memory: Memory | None = None
        self._closed = False
        self._watchdog = Watchdog(stuck_s)
        self._warming: threading.Thread | None = None
        self._called = False
        self.questions = threading.Semaphore(MAX_QUESTIONS_OPEN)
        """How many more may be put to the models of clients."""

    def memory(self) -> "Memory":
        """The memory, opened at first use; an opening that failed is tried again by the next call."""
        with self._opening:
            if self._closed:
                raise StoreError("the server is shutting down", hint="call again after it has started anew")
            if self._memory is None:
                from context_graph.memory import Memory

                self._memory = Memory(self.settings)
            return self._memory

    def call(self, name: str, arguments: Mapping[str, Any] | None, caller: Caller | None = None) -> Outcome:
        """Call a tool, for the memory's own caller by default; waits for the memory where it is still being opened."""
        self._called = True
        with self._watchdog.watching(name):
            try:
                memory = self.memory()
            except ContextGraphError as error:
                return failed(error_values(error))
            except Exception as error:
                return failed(incident(error))
            return call(memory, name, arguments, caller=caller)

    def look_up(self, lookup: Lookup, visitor: Visitor) -> dict[str, Any] | None:
        """Answer a lookup; what goes wrong is a `RequestError`."""
        with self._watchdog.watching(lookup.name):
            try:
                return lookup.answer(self.memory(), visitor)
            except Exception as error:  # told as the protocol tells it; a defect is logged as an incident
                raise lookup.refusal(error) from None

    def waiting_for_client(self) -> AbstractContextManager[None]:
        """While this lasts, the call of this thread waits for its client, so it is not stuck."""
        return self._watchdog.excused()

    def stamp(self) -> tuple[Hashable, ...]:
        """Differs after every write to the store, by whatever process, and every edit of the manifest."""
        from context_graph.connectors.manifest import NAME

        memory = self.memory()
        try:
            status = (memory.settings.home / NAME).stat()
        except OSError:
            return (memory.store.data_version(),)
        return memory.store.data_version(), status.st_mtime_ns, status.st_size

    def warm(self) -> None:
        """Open the memory and load models and indexes beside the client's own start."""
        with self._opening:
            if self._warming is None and not self._closed:
                warming = threading.Thread(target=self._warm, name="context-graph-warm", daemon=True)
                warming.start()
                self._warming = warming

    def _warm(self) -> None:
        from context_graph.derived import Aliases
        from context_graph.recall.inject import inject
        from context_graph.recall.question import Question

        try:
            memory = self.memory()
            memory.embedder.load()
            memory.view(Aliases).read(memory.corpus)
            for question in WARMING_QUESTIONS:
                if not (self._called or self._closed):  # what a client asks warms as well, and sooner
                    inject(memory, Question(question, record=False))
        except Exception as error:  # the call that needs it will say so to the client
            if not self._closed:
                logger.warning("loading ahead failed: %s", error)
        look_briefly()

    def close(self) -> None:
        """Write what is queued and close the store; harmless when repeated or never opened."""
        self._closed = True
        memory = self._memory
        if memory is not None:
            with suppress(StoreError):  # closing tries again, and says where that fails
                memory.store.effects.flush()
            memory.close()
