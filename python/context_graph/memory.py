"""Memory: what a program opens; it stores, answers, and lets go."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from context_graph.agents.tasks import TASKS
from context_graph.cases import Cases
from context_graph.connectors.claude_code import ledger
from context_graph.derived import Facts
from context_graph.models import Caller, Node
from context_graph.runtime import Runtime
from context_graph.runtime.runtime import new_id, now
from context_graph.settings import Settings, load_settings

if TYPE_CHECKING:
    from context_graph.derived.facts import Entry
    from context_graph.ingest.batch import Unfit
    from context_graph.ingest.draft import Draft
    from context_graph.ingest.remember import Remembered
    from context_graph.recall.recall import Answer, Question

__all__ = ["Memory"]


class Memory(Runtime):
    """The long-term memory in a home directory.

    Everything heavy (models, indexes) loads at first use. Safe to share between threads, and between clients: each
    call takes its `caller`, by default the memory's own.

    Parameters
    ----------
    settings : Settings, optional
        By default those of the environment and the file, as for the command.
    session_id : str, optional
        The session of the memory's own caller; a new one by default.
    clock, ids : callable
        Time in microseconds and new ids; given by tests to make a run reproducible.

    Examples
    --------
    >>> from context_graph import Draft, Memory, Question           # doctest: +SKIP
    >>> memory = Memory()                                           # doctest: +SKIP
    >>> memory.remember(Draft("Anna plays the clarinet.", rationale="a hobby of a friend"))   # doctest: +SKIP
    >>> memory.recall(Question("Which instrument does Anna play?")).hits[0].node.content      # doctest: +SKIP
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        session_id: str | None = None,
        clock: Callable[[], int] = now,
        ids: Callable[[], str] = new_id,
    ) -> None:
        super().__init__(settings or load_settings()[0], tasks=TASKS, session_id=session_id, clock=clock, ids=ids)
        self.deletion_listeners.append(self._let_go)

    @property
    def cases(self) -> Cases:
        """The memories that are cases; see `context_graph.cases`."""
        return self.view(Cases)

    def remember(self, draft: "Draft", *, caller: Caller | None = None) -> "Remembered":
        """Take in one memory; see `context_graph.ingest.remember`."""
        from context_graph.ingest.remember import remember

        return remember(self, draft, caller=caller)

    def remember_many(
        self,
        drafts: "Iterable[Draft]",
        *,
        caller: Caller | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> "list[Remembered | Unfit]":
        """Take in many memories, 64 to a write; see `context_graph.ingest.batch`.

        Each result stands for one draft: what became of it, or the error for which it was not stored.
        """
        from context_graph.ingest.batch import remember_many

        return remember_many(self, drafts, caller=caller, progress=progress)

    def recall(self, question: "Question", *, caller: Caller | None = None) -> "Answer":
        """Answer one question; see `context_graph.recall.recall`."""
        from context_graph.recall.recall import recall

        return recall(self, question, caller=caller)

    def entries(self, name: str | None = None, *, caller: Caller | None = None) -> "list[Entry]":
        """Facts that a caller may see, gathered over all sessions; see `context_graph.derived.facts`.

        Parameters
        ----------
        name : str, optional
            Only of this person or thing, by the whole name or the first.
        """
        return self.view(Facts).entries(self.corpus, self.present(), self.viewer(caller or self.caller), name)

    def _let_go(self, node: Node) -> None:
        """Notes and lines that hold it go; what a hook captured is not captured again from the transcript."""
        from context_graph.connectors import manifest
        from context_graph.ingest import scratchpad

        scratchpad.let_go(self, node.content)
        manifest.let_go(self.settings.home, node)
        ledger.let_go(self.settings.home, node.session_id, node.speaker or "", node.content, node.occurred_at)
