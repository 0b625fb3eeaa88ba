"""Memory: what a program opens; it stores, answers, and lets go."""

import builtins
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from context_graph import arguments
from context_graph.access import shown
from context_graph.advice import VERBS, advising, reword
from context_graph.agents.chains import write_chains
from context_graph.agents.tasks import TASKS
from context_graph.agents.watching import stop_watching
from context_graph.cases import Cases
from context_graph.connectors.claude_code import ledger
from context_graph.derived import Facts
from context_graph.display import Listing
from context_graph.errors import InvalidInput, NotFound
from context_graph.instants import from_datetime
from context_graph.models import Caller, Domain, Node, Scope
from context_graph.runtime import Runtime
from context_graph.runtime.runtime import new_id, now
from context_graph.settings import Settings, load_settings

if TYPE_CHECKING:
    from context_graph.connectors.jsonl.exporter import Exported
    from context_graph.connectors.markdown.exporter import ExportedFolder
    from context_graph.derived.facts import Entry
    from context_graph.ingest.batch import Unfit
    from context_graph.ingest.draft import Draft
    from context_graph.ingest.forget import Forgotten, Restored
    from context_graph.ingest.remember import Remembered
    from context_graph.presentation.history import Version
    from context_graph.recall.answer import Answer, Hit
    from context_graph.recall.briefing import Briefing
    from context_graph.recall.compression import Mode
    from context_graph.recall.inject import Injected
    from context_graph.recall.priority import Priority
    from context_graph.recall.question import Question

    Reference = str | Node | Hit | Remembered
    """What names a memory."""

__all__ = ["Memory"]

MAX_RESULTS, MAX_PAGE = 100, 10_000
CONTEXT_TOKENS = 2_048


class Memory(Runtime):
    """The long-term memory in a home directory.

    Everything heavy (models, indexes) loads at first use. Safe to share between threads, and between clients: each
    call takes its `caller`, by default the memory's own. An instant is a datetime; one without a zone is taken as UTC,
    as in `metadata.date`, and what comes back is in UTC. Where a memory is named, its id will do, its citation tag, or
    what another verb has returned of it.

    Parameters
    ----------
    home : path or Settings, optional
        Its folder, which is made where there is none. The other settings, and the folder where none is named, are
        those of the environment and the file, as for the command.
    session_id : str, optional
        The session of the memory's own caller; a new one by default.
    clock, ids : callable
        Time in microseconds and new ids; given by tests to make a run reproducible.

    Examples
    --------
    >>> from context_graph import Memory                                    # doctest: +SKIP
    >>> memory = Memory("notes")                                            # doctest: +SKIP
    >>> memory.remember("Anna plays the clarinet.")                         # doctest: +SKIP
    >>> memory.recall("Which instrument does Anna play?")[0].content        # doctest: +SKIP
    'Anna plays the clarinet.'
    """

    def __init__(
        self,
        home: "str | os.PathLike[str] | Settings | None" = None,
        *,
        session_id: str | None = None,
        clock: Callable[[], int] = now,
        ids: Callable[[], str] = new_id,
    ) -> None:
        super().__init__(_settings(home), tasks=TASKS, session_id=session_id, clock=clock, ids=ids)
        self.deletion_listeners.append(self._let_go)

    def __repr__(self) -> str:
        return f"Memory({str(self.settings.home)!r})"

    def close(self) -> None:
        """Write which tools were called, finish background work that is short, and let go of the files."""
        stop_watching(self)
        write_chains(self, closing=True)
        super().close()

    @property
    def cases(self) -> Cases:
        """The memories that are cases; see `context_graph.cases`."""
        return self.view(Cases)

    # Storing

    def remember(
        self,
        content: "str | Draft",
        *,
        rationale: str | None = None,
        speaker: str | None = None,
        occurred_at: date | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        importance: float | None = None,
        name: str | None = None,
        domain: str | None = None,
        scope: str | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        link_to: "Reference | Sequence[Reference] | None" = None,
        supersedes: "Reference | Sequence[Reference] | None" = None,
        caller: Caller | None = None,
    ) -> "Remembered":
        """Take in one memory; see `context_graph.ingest.remember`.

        Parameters
        ----------
        content : str or Draft
            What to remember; a Draft has the other fields itself.
        rationale : str, optional
            Why it matters.
        occurred_at : datetime, optional
            When it happened; by default what the text says at its beginning, or now.
        tags : sequence of str, optional
            Labels; they stand in `metadata.tags`.
        importance : float, optional
            In [0, 1].
        link_to, supersedes : a memory, or several
            Memories that it belongs to; memories whose place it takes.
        """
        from context_graph.ingest.remember import Draft, remember

        draft = Draft.of(
            content, rationale=rationale, speaker=speaker, occurred_at=occurred_at, tags=tags, metadata=metadata,
            importance=importance, name=name, domain=domain, scope=scope, session_id=session_id, agent_id=agent_id,
            link_to=_references(link_to), supersedes=_references(supersedes),
        )  # fmt: skip
        with advising(VERBS):
            return remember(self, draft, caller=self._caller(caller))

    def remember_many(
        self,
        drafts: "Iterable[str | Draft]",
        *,
        caller: Caller | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> "builtins.list[Remembered | Unfit]":
        """Take in many memories, 64 to a write; see `context_graph.ingest.batch`.

        Each result stands for one draft: what became of it, or the error for which it was not stored.
        """
        from context_graph.ingest.batch import remember_many
        from context_graph.ingest.draft import Draft

        if isinstance(drafts, str) or not isinstance(drafts, Iterable):
            kind = type(drafts).__name__
            raise InvalidInput(
                f"drafts must be a list of texts and drafts, got {kind}; remember takes one", field="drafts"
            )
        drafted = (one if isinstance(one, Draft) else Draft(one) for one in drafts)
        outcomes = remember_many(self, drafted, caller=self._caller(caller), progress=progress)
        for outcome in outcomes:
            if isinstance(outcome, NotFound):
                reword(outcome, VERBS)
        return outcomes

    # Asking

    def recall(
        self,
        question: "str | Question",
        *,
        top_k: int | None = None,
        as_of: date | None = None,
        asked_at: date | None = None,
        created_after: date | None = None,
        min_similarity: float | None = None,
        domain: str | None = None,
        scope: str | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        agent_ids: Sequence[str] | None = None,
        project: str | None = None,
        caller: Caller | None = None,
    ) -> "Answer":
        """Answer one question with the memories that fit it best; see `context_graph.recall.recall`.

        Parameters
        ----------
        question : str or Question
            What is asked; a Question has the other fields itself.
        top_k : int, optional
            Most results; the setting `top_k` by default.
        as_of : datetime, optional
            Answer from what was valid then.
        asked_at : datetime, optional
            What "yesterday" is read against; now by default. It hides nothing.
        min_similarity : float, optional
            Least relevance of a result, in [0, 1].
        agent_ids : sequence of str, optional
            Only memories of these agents.
        project : str, optional
            Only memories of this project: its name, the address of its repository, or a folder that was seeded.
        """
        from context_graph.recall.question import Question
        from context_graph.recall.recall import recall

        most = None if top_k is None else arguments.number(top_k, "top_k", 1, MAX_RESULTS)
        asked = Question.of(
            question, default_top_k=self.settings.top_k, top_k=most, as_of=as_of, asked_at=asked_at,
            created_after=created_after, min_similarity=min_similarity, domain=domain, scope=scope,
            session_id=session_id, agent_id=agent_id, agent_ids=agent_ids, project=project,
        )  # fmt: skip
        return recall(self, asked, caller=self._caller(caller))

    def inject(
        self,
        question: "str | Question",
        *,
        max_tokens: int = CONTEXT_TOKENS,
        mode: "Mode" = "auto",
        verbosity: int = 1,
        priority: "Priority" = "normal",
        as_of: date | None = None,
        asked_at: date | None = None,
        domain: str | None = None,
        scope: str | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        project: str | None = None,
        caller: Caller | None = None,
    ) -> "Injected":
        """What an agent should be told for a question: `str()` of it goes into the prompt.

        Empty where nothing is relevant enough. What is told is quoted, so that no memory gives orders; see
        `context_graph.recall.inject`.

        Parameters
        ----------
        max_tokens : int
            Length of the text at most.
        verbosity : int
            0 text alone, 1 with citation tags, 2 also with name and relevance of every memory.
        priority : str
            "low": from the answer cache, else by the words alone; "critical": all that is relevant, whole, as far as
            the budget goes; "high" is as "normal".
        project : str, optional
            Only memories of this project; see `recall`.
        """
        from context_graph.recall.compression import Mode
        from context_graph.recall.inject import considered, inject
        from context_graph.recall.priority import Priority
        from context_graph.recall.question import Question

        arguments.number(max_tokens, "max_tokens", 100, 8_192)
        arguments.number(verbosity, "verbosity", 0, 2)
        arguments.one_of(mode, "mode", get_args(Mode))
        arguments.one_of(priority, "priority", get_args(Priority))
        asked = Question.of(
            question, default_top_k=considered(max_tokens, priority), as_of=as_of, asked_at=asked_at, domain=domain,
            scope=scope, session_id=session_id, agent_id=agent_id, project=project,
        )  # fmt: skip
        return inject(
            self, asked, caller=self._caller(caller), max_tokens=max_tokens, mode=mode, verbosity=verbosity,
            priority=priority,
        )  # fmt: skip

    def brief(
        self,
        question: str = "",
        *,
        scopes: Sequence[str] | None = None,
        budget: int | None = None,
        user: str | None = None,
        project: str | None = None,
        caller: Caller | None = None,
    ) -> "Briefing":
        """What an agent should know before a turn: preferences, what is pinned, named or open; of a project, nothing
        that belongs to others. See `context_graph.recall.briefing`.
        """
        from context_graph.recall.briefing import BUDGET, brief

        if question:
            arguments.text(question, "question", advice="leave it out for what holds in any turn")
        labels = None if scopes is None else arguments.names(scopes, "scopes")
        most = BUDGET if budget is None else arguments.number(budget, "budget", 0, 1_000)
        return brief(
            self, question, scopes=labels, budget=most, user=user, project=project, caller=self._caller(caller)
        )

    def facts(self, name: str | None = None, *, caller: Caller | None = None) -> "Listing[Entry]":
        """What memories state of a person or thing, gathered over sessions, with the memories that say so.

        Parameters
        ----------
        name : str, optional
            By the whole name or the first; all without one.
        """
        named = None if name is None else arguments.text(name, "name")
        return Listing(self.entries(named, caller=caller))

    def entries(self, name: str | None = None, *, caller: Caller | None = None) -> "builtins.list[Entry]":
        """Facts that a caller may see, gathered over all sessions; see `context_graph.derived.facts`.

        Parameters
        ----------
        name : str, optional
            Only of this person or thing, by the whole name or the first.
        """
        return self.view(Facts).entries(self.corpus, self.present(), self.viewer(self._caller(caller)), name)

    def get(self, memory: "Reference", *, caller: Caller | None = None) -> Node:
        """One memory as it is now; one that is forgotten is an error that says how it comes back."""
        with advising(VERBS):
            return shown(self, _reference(memory), self._caller(caller), field="memory")

    def list(
        self,
        *,
        limit: int = 100,
        after: "Reference | None" = None,
        speaker: str | None = None,
        tags: Sequence[str] | None = None,
        since: date | None = None,
        until: date | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        domain: str | None = None,
        scope: str | None = None,
        past: bool = False,
        caller: Caller | None = None,
    ) -> Listing[Node]:
        """Memories, the last stored first; those that are all of what is given.

        Parameters
        ----------
        after : optional
            Go on behind this memory, the last of the page before; what is stored meanwhile moves no page.
        since, until : datetime, optional
            When it happened; the second is excluded.
        past : bool
            Also what another memory has taken the place of.
        """
        from context_graph.recall.catalogue import Filter, catalogue

        texts = {"speaker": speaker, "session_id": session_id, "agent_id": agent_id}
        words = {"domain": (domain, Domain), "scope": (scope, Scope)}
        which = Filter(
            **{field: arguments.text(value, field) for field, value in texts.items() if value is not None},
            **{field: arguments.one_of(word, field, all) for field, (word, all) in words.items() if word is not None},
            tags=() if tags is None else arguments.names(tags, "tags"),
            since=None if since is None else from_datetime(since, field="since"),
            until=None if until is None else from_datetime(until, field="until"),
            past=arguments.flag(past, "past"),
        )
        behind = None if after is None else _reference(after)
        most = arguments.number(limit, "limit", 1, MAX_PAGE)
        with advising(VERBS):
            return Listing(catalogue(self, which, self._caller(caller), limit=most, after=behind))

    def history(self, memory: "Reference", *, caller: Caller | None = None) -> "Listing[Version]":
        """What happened to a memory, oldest first, with the hash that takes each write back; in the trash, too."""
        from context_graph.presentation.history import history

        with advising(VERBS):
            node = shown(self, _reference(memory), self._caller(caller), field="memory", forgotten=True)
        return Listing(history(self, node.id, caller=self._caller(caller)))

    # Taking back

    def forget(
        self,
        memory: "Reference",
        *,
        reason: str = "user_requested",
        permanently: bool = False,
        caller: Caller | None = None,
    ) -> "Forgotten":
        """Put a memory into the trash, from where `undo` brings it back for 30 days.

        Parameters
        ----------
        reason : str
            Why; agents give another than user_requested.
        permanently : bool
            Delete it for good, from every file; only the user may ask for that, so a program does where its user did.
        """
        from context_graph.ingest.forget import forget

        caller = self._caller(caller)
        with advising(VERBS):
            for_good = arguments.flag(permanently, "permanently")
            node = shown(self, _reference(memory), caller, field="memory", forgotten=for_good)
        return forget(self, node.id, arguments.text(reason, "reason"), soft=not for_good, caller=caller)

    def undo(
        self,
        what: "Reference | Forgotten | Restored | None" = None,
        *,
        preview: bool = False,
        caller: Caller | None = None,
    ) -> "Restored":
        """Take back one write; undoing the undo redoes it.

        Parameters
        ----------
        what : optional
            The hash of a write, as `history` names it; what a write has returned; or a memory: the last write that
            changed it. Without, the last write of this session that stands; called again, the one before.
        preview : bool
            Only say what would change.
        """
        from context_graph.ingest.undoing import undo

        with advising(VERBS):
            return undo(self, None if what is None else _write(what), self._caller(caller), preview=preview)

    @overload
    def export(
        self, path: "str | os.PathLike[str]", *, vectors: bool = True, format: Literal["jsonl"] = "jsonl"
    ) -> "Exported": ...

    @overload
    def export(
        self, path: "str | os.PathLike[str]", *, vectors: bool = True, format: Literal["markdown"]
    ) -> "ExportedFolder": ...

    def export(
        self,
        path: "str | os.PathLike[str]",
        *,
        vectors: bool = True,
        format: Literal["jsonl", "markdown"] = "jsonl",
    ) -> "Exported | ExportedFolder":
        """Write all memories, of every session, to a new file of JSON Lines, which an import reads back exactly.

        Parameters
        ----------
        vectors : bool
            Without them the file is a tenth as large, and an import embeds every text anew.
        format : str
            markdown writes a folder to read, link and edit, or brings one up to date, and says what it did.
        """
        target = _path(path, "path")
        if arguments.one_of(format, "format", ("jsonl", "markdown")) == "markdown":
            from context_graph.connectors.markdown.exporter import write_folder

            return write_folder(self, target)
        from context_graph.connectors.jsonl.exporter import write_file

        return write_file(self, target, vectors=vectors)

    def _caller(self, caller: Any) -> Caller:
        if caller is not None and not isinstance(caller, Caller):
            kind = type(caller).__name__
            raise InvalidInput(f"caller must be a Caller(session_id, context_id), got {kind}", field="caller")
        return caller or self.caller

    def _let_go(self, node: Node) -> None:
        """Notes and lines that hold it go; what a hook captured is not captured again from the transcript."""
        from context_graph.connectors import manifest
        from context_graph.ingest import scratchpad

        scratchpad.let_go(self, node.content)
        manifest.let_go(self.settings.home, node)
        ledger.let_go(self.settings.home, node.session_id, node.speaker or "", node.content, node.occurred_at)


def _settings(home: Any) -> Settings:
    """The settings of a folder, or those that are given."""
    if isinstance(home, Settings):
        return home
    return load_settings({"home": None if home is None else _path(home, "home")})[0]


def _path(value: Any, field: str) -> Path:
    if not isinstance(value, str | os.PathLike) or not isinstance(name := os.fspath(value), str):
        kind = type(value).__name__
        raise InvalidInput(f"{field} must be a path, got {kind} {str(value)[:40]!r}; give a str or a Path", field=field)
    if not name.strip() or "\0" in name:
        raise InvalidInput(f"{field} must be a path, got {name!r}; name a folder or a file", field=field)
    return Path(os.path.expanduser(name))


def _reference(memory: Any) -> str:
    """The id or tag of what names a memory."""
    id = getattr(memory, "id", memory)
    return arguments.text(id, "memory", advice="give its id, its tag, or what a verb returned of it").strip()


def _references(memories: Any) -> list[str] | None:
    """The ids or tags of one or several memories."""
    if memories is None:
        return None
    several = isinstance(memories, list | tuple | set)
    return [_reference(memory) for memory in (memories if several else [memories])]


def _write(what: Any) -> str:
    """The hash of what a removal or an undo has returned, or the memory or hash that is named."""
    return getattr(what, "reversal_hash", None) or _reference(what)
