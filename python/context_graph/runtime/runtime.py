"""The opened parts of one memory on one machine, without its verbs: what stores, searches and connectors work on."""

import gc
import logging
import os
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from copy import deepcopy
from types import TracebackType
from typing import Self, TypeVar

import numpy as np

from context_graph.derived import MaterializedView, Supplies, Views
from context_graph.embed import Embedder, Fingerprint
from context_graph.embed.own.cross_encoder import CrossEncoder
from context_graph.embed.own.description import described
from context_graph.embed.semantic import DIMENSIONS
from context_graph.errors import StoreError
from context_graph.index.corpus import Corpus
from context_graph.index.loader import Applied, apply_event, load
from context_graph.index.novelty import NoveltyIndex
from context_graph.index.segment_cache import segments_of
from context_graph.locks import Rank, lock, reentrant_lock
from context_graph.models import Author, Caller, Event, Node
from context_graph.nervous.clusters import Clusters
from context_graph.nervous.lifecycle import Lifecycle, stage_of
from context_graph.retrieval.config import RANKING
from context_graph.runtime.calls import CallChains
from context_graph.runtime.session import SessionState
from context_graph.runtime.standing import Standing, answering, standing
from context_graph.runtime.tasks import Background, Task
from context_graph.safety.pii import scrub
from context_graph.settings import Settings
from context_graph.store import GENESIS, Change, Reader, Store, changes_of, keys, time_of
from context_graph.texts import forget_texts, kept_for_texts
from context_graph.visibility import Viewer

__all__ = ["Runtime", "new_id", "now"]

logger = logging.getLogger(__name__)

View = TypeVar("View", bound=MaterializedView)

SECOND = 1_000_000
MILLISECOND = 1_000
"""What the stamp of an event may lag behind the times in it."""


UNFELT = ("effects", "checkpoint", "calls")
"""Events that change no answer."""


DRAWN_TOGETHER = 64
"""Random numbers that are drawn at once: a memory takes a dozen, and each draw is a call of the system."""

_drawn: list[str] = []
os.register_at_fork(after_in_child=_drawn.clear)  # two processes never make one id


def now() -> int:
    """Microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000


def new_id() -> str:
    """A random UUID: its first digits serve as a citation tag."""
    if not _drawn:
        digits = secrets.token_hex(16 * DRAWN_TOGETHER)
        _drawn.extend(digits[start : start + 32] for start in range(0, len(digits), 32))
    try:
        digits = _drawn.pop()
    except IndexError:  # other threads took all of them
        digits = secrets.token_hex(16)
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


@kept_for_texts(maxsize=256)
def _sensitive(name: str, kinds: frozenset[str]) -> bool:
    """Whether a name holds sensitive text; few names are asked for again and again."""
    return bool(scrub(name, kinds=kinds).types)


class Runtime:
    """The store of a home directory, its indexes, and what follows from them.

    Everything heavy (models, indexes) loads at first use. Safe to share between threads.

    Parameters
    ----------
    settings : Settings
    tasks : mapping
        What is done after answers, by name; see `context_graph.runtime.tasks`.
    session_id : str, optional
        The session of calls that name none; a new one by default.
    clock, ids : callable
        Time in microseconds and new ids; given by tests to make a run reproducible.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        tasks: Mapping[str, Task],
        session_id: str | None = None,
        clock: Callable[[], int] = now,
        ids: Callable[[], str] = new_id,
    ) -> None:
        self.settings = settings
        self.clock, self.new_id = clock, ids
        self.started_at = clock()
        self.caller = Caller(session_id or ids(), ids())
        """Who calls where a call says nothing of it: the process itself, and work in the background."""

        self.store = Store.open(
            self.settings.home, clock=clock, new_id=ids, undo_retention_days=self.settings.undo_retention_days
        )
        self.model = Embedder(
            self.settings.tier,
            model_folder=self.settings.model_folder,
            space_models=self.settings.space_models,
            threads=self.settings.threads,
            own=described(self.settings.home, self.settings.model) if self.settings.model is not None else None,
            hosts=self.settings.hosts,
            fits=self.settings.home / "models",
        )
        """The model of the settings; `embedder` is the one that answers."""

        reranker, threads = self.settings.reranker, self.settings.threads
        self.reranker = None if reranker is None else CrossEncoder(reranker, threads=threads)
        """What reads the first results once more; None unless a setting names one."""

        self._embedder: Embedder | None = None
        self._choosing = lock(Rank.LEAF, "Runtime._choosing")
        self.writing = reentrant_lock(Rank.WRITING, "Runtime.writing")
        """Held while a memory is judged and committed, so that two threads do not store one thing twice."""

        self._opening = lock(Rank.OPENING, "Runtime._opening")
        self._corpus: Corpus | None = None
        self._seen, self._written_at = (0, GENESIS), 0
        self._data_version: int | None = None
        self._made: dict[str, Fingerprint] = {}
        self._sessions: dict[str, SessionState] = {}
        self._interactions: int | None = None
        self._standing: tuple[int, Standing] | None = None
        self._clusters: Clusters | None = None
        self._novelty: NoveltyIndex | None = None
        self.calls = CallChains(secrets.token_bytes(32))
        """What was called, one tool after the other; written by whoever knows the records."""

        self.background = Background(self, tasks)
        self.deletion_listeners: list[Callable[[Node], None]] = []
        """Called with each memory that is about to be deleted for good: what is kept of it elsewhere goes too."""

        self.ranking = dict(RANKING)
        """By tier: what each score weighs in a search."""

        self._derive()

    # Parts

    @property
    def corpus(self) -> Corpus:
        """The indexes, loaded at first use and up to date with every process's writes."""
        return self.catch_up()

    @property
    def embedder(self) -> Embedder:
        """Who makes vectors of questions and new memories: the model of the settings, once it has embedded the store.

        Until then the base tier answers from all memories; see `renewal`.
        """
        if self._embedder is None:
            found = answering(self.store, self.model)
            with self._choosing:
                self._embedder = self._embedder or found
        return self._embedder

    def renewed(self) -> None:
        """Answer with the model of the settings, where that has embedded the store; indexes are loaded anew."""
        with self.writing, self._opening:  # nothing is stored in between with vectors of the former
            if self._embedder is self.model or answering(self.store, self.model) is not self.model:
                return
            self._embedder = self.model
            for state in self._sessions.values():
                state.context = None  # of vectors of the former
            self._drop()

    def standing(self) -> Standing:
        """How far a change of models is, as it was at most a second ago."""
        now = self.clock()
        if self._standing is None or not 0 <= now - self._standing[0] < SECOND or not self._standing[1].waits:
            self._standing = now, standing(self.store, self.model, waits=self.embedder is not self.model)
        return self._standing[1]

    def notices(self) -> list[str]:
        """What whoever asks should know of the memory as a whole."""
        change = "" if self.embedder is self.model else self.standing().note
        return [note for note in (self.store.note or self.store.write_problem, change) if note]

    def catch_up(self) -> Corpus:
        """Take in what any process, this one too, has written since the last look; costs microseconds if nothing."""
        with self._opening:
            self._take_in()
            return self._load() if self._corpus is None else self._corpus

    def _take_in(self, written: Event | None = None, reader: Reader | None = None) -> None:
        """Bring the indexes up to date, or drop them where only loading them anew does.

        Parameters
        ----------
        written : Event, optional
            What this process has just written: where it is the next one, it need not be read back.
        reader : Reader, optional
            Who is asked for events, the store by default.
        """
        version = self.store.data_version()
        if self._corpus is None or version == self._data_version:
            return
        seq, hash = self._seen
        following = [written] if written and (written.seq, written.previous_hash) == (seq + 1, hash) else []
        if not following and not self._continues():
            self._forget_all()
        elif self._apply_news(self._corpus, reader or self.store, following):
            self._data_version = version
        else:
            self._drop()

    def committed(self, event: Event | None = None) -> None:
        """Take in what was just written; what cannot be read now is taken in later, for written it is."""
        try:
            with self.store.reading_to_write() if event else nullcontext() as reader, self._opening:
                self._take_in(event, reader)
        except StoreError as error:
            logger.warning("a write is committed, and its indexes follow later: %s", error)

    @contextmanager
    def adding(self, sessions: Collection[str]) -> Iterator[Corpus]:
        """The indexes, for a write that adds its memories to them before it is committed; nobody else reads them.

        To be entered inside the write, so that everything else is in them, and left after it; `entered` tells of its
        event. Where it fails, the indexes are loaded anew, and the sessions are what they were.

        Parameters
        ----------
        sessions : collection of str
            Those that the write changes; of one that this process has not met, the state is read when it is asked for.
        """
        sessions_before = {id: deepcopy(self._sessions[id]) for id in sessions if id in self._sessions}
        interactions = self.interactions
        with self._opening:
            self._take_in()
            corpus = self._load() if self._corpus is None else self._corpus
            if self._novelty is None:
                self._look_around(corpus)
            if self._clusters is None:
                self._count_clusters(corpus)
            with corpus.lock:
                first = len(corpus)
                try:
                    yield corpus
                except BaseException:
                    corpus.columns.live[first:] = False  # for whoever holds it and waits for its lock
                    self._sessions = {id: state for id, state in self._sessions.items() if id not in sessions}
                    self._sessions |= sessions_before
                    self._interactions = interactions
                    self._drop()
                    raise

    def entered(self, event: Event) -> None:
        """Note, inside `adding`, that the indexes hold already what an event has made."""
        self._note(event, changes_of(event))

    def _note(self, event: Event, changes: Sequence[Change]) -> None:
        """Count an event as taken in, and tell what follows from the memories."""
        self._seen, self._written_at = (event.seq, event.hash), time_of(event.hlc)
        if event.type not in UNFELT:
            for view in self._views:
                view.feed(changes)

    def present(self) -> int:
        """The moment that validity is judged at: not before the last write, though the machine's clock be set back."""
        return max(self.clock(), self._written_at + MILLISECOND)

    @property
    def novelty(self) -> NoveltyIndex:
        """What new memories are compared with; made at the first store."""
        return self._novelty or self._look_around(self.corpus)

    def _look_around(self, corpus: Corpus) -> NoveltyIndex:
        with corpus.lock:
            self._novelty = NoveltyIndex(corpus, corpus.embedder)
        return self._novelty

    def made(self, node_id: str, fingerprint: Fingerprint) -> None:
        """Keep a fingerprint just stored, so that catching up need not read it back."""
        self._made[node_id] = fingerprint

    def _derive(self) -> None:
        """What follows from the memories and is made when it is asked for: nothing yet."""
        # No views: clusters and novelty learn of a memory from whoever stores it, while it is judged, not from its
        # event. They hold on to the indexes that they were made of, so they go with these.
        self._clusters = self._novelty = None
        self._views = Views(Supplies(self.store, lambda: self.embedder, self.present))

    def _drop(self) -> None:
        """Let go of the indexes, of all that was made of them, and of every text that was read; they are loaded anew
        when they are asked for."""
        self._corpus = None
        self._made.clear()
        self._derive()
        forget_texts()
        gc.collect()  # what only a ring of references still holds, such as a search that was cut short

    def _load(self) -> Corpus:
        self._derive()
        embedder = self.embedder
        corpus = Corpus(embedder.statistics, backend=self.settings.backend, embedder=embedder)
        self._segments = segments_of(self.store, embedder)
        self._data_version = self.store.data_version()
        self._seen = load(self.store, corpus, embedder)
        self._written_at = max((time_of(event.hlc) for event in self.store.events(1)), default=0)
        self._corpus = corpus
        self.background.loaded(corpus)
        return corpus

    def _continues(self) -> bool:
        """Whether the log still holds what the indexes reflect: a restore may have replaced it."""
        seq, hash = self._seen
        return seq == 0 or self.store.hash_at(seq) == hash

    def _forget_all(self) -> None:
        """Drop what was derived from a store that is another one now."""
        self._interactions = None
        self._sessions.clear()
        self._drop()

    def _apply_news(self, corpus: Corpus, reader: Reader, first: Sequence[Event] = ()) -> bool:
        events = first or reader.events_since(self._seen[0])
        while events:
            for event in events:
                applied = apply_event(corpus, self.store, corpus.embedder, self._segments, event, self._made)
                if applied is None:
                    return False
                self._note(event, applied.changes)
                if applied.deleted:
                    self._forget_deleted(corpus, applied)
                self.background.changed(corpus, applied.changes)
            events = reader.events_since(self._seen[0])
        return True

    def _forget_deleted(self, corpus: Corpus, applied: Applied) -> None:
        """Let go of what was made of memories and names that are deleted for good, and of every text that was read."""
        with corpus.lock:
            for view in self._views:
                view.erase(applied.deleted, applied.erased)
            if self._novelty is not None:
                for row in applied.erased.values():
                    self._novelty.drop(corpus.bits.rows(np.array([row]))[0])
        for id in applied.deleted:
            self._made.pop(id, None)
        forget_texts()

    @property
    def clusters(self) -> Clusters:
        """Clusters of memories; counted from the store at the first store of this process."""
        return self._clusters if self._clusters is not None else self._count_clusters(self.corpus)

    def _count_clusters(self, corpus: Corpus) -> Clusters:
        clusters = Clusters(DIMENSIONS)
        known = self.store.columns(["ordinal", "semantic_cluster"])
        named = [(row, name) for row, name in known if name and row < len(corpus)]
        for start in range(0, len(named), 4_096):
            part = named[start : start + 4_096]
            with corpus.lock:
                vectors = corpus.semantic.rows(np.array([row for row, _ in part]))
            clusters.restore([name for _, name in part], vectors)
        self._clusters = clusters
        return clusters

    def view(self, kind: type[View]) -> View:
        """What follows from the memories, by its class; see `context_graph.derived`.

        To be asked for each time: a restore, or a change of models, makes all views anew.
        """
        return self._views.of(kind)

    # Sessions

    def author(self, caller: Caller) -> Author:
        """Who writes where somebody calls, by the names that are written."""
        agent = self.written_name(caller.agent_id) if caller.agent_id else caller.agent_id
        return Author(self.written_name(caller.session_id), agent, caller.context_id)

    def viewer(self, caller: Caller) -> Viewer:
        """Who looks where somebody calls, by the names that are written."""
        return Viewer(self.written_name(caller.session_id), caller.context_id)

    def written_name(self, name: str) -> str:
        """A name of a session or an agent as it is written: one that holds sensitive text becomes a pseudonym.

        Unlike a mark in its place this keeps sessions apart: who names one reads what is in it.
        """
        if not _sensitive(name, self.settings.redacted):
            return name
        return f"redacted-{keys.pseudonym(self.settings.home, name)}"

    def session(self, session_id: str) -> SessionState:
        """The state of a session, from the store if this process has not met it."""
        state = self._sessions.get(session_id)  # by the name that is written
        if state is None:
            written = self.written_name(session_id)
            state = self._sessions.get(written)
            if state is None:
                kept = self.store.session(written)
                state = SessionState.from_dict(written, dict(kept.state)) if kept else SessionState(written)
                self._sessions[written] = state
        return state

    @property
    def interactions(self) -> int:
        """Stores and retrievals so far, by all sessions."""
        if self._interactions is None:
            states = (session.state for session in self.store.sessions(limit=10_000))
            self._interactions = sum(state.get("pulse", {}).get("interactions", 0) for state in states)
        return self._interactions

    def interacted(self) -> None:
        """Count one store or retrieval."""
        self._interactions = self.interactions + 1

    def stage(self) -> Lifecycle:
        """Infancy, growth or maturity."""
        return stage_of(self.interactions)

    # Life

    def deleting(self, node: Node) -> None:
        """Tell whoever keeps something of a memory that it is about to be deleted for good."""
        for listener in self.deletion_listeners:
            listener(node)

    def close(self) -> None:
        """Finish background work that is short, write queued effects, let go of the files."""
        self.background.stop()
        with suppress(StoreError):  # closing the store tries again, and says where that fails
            self.store.effects.flush()  # a server that is ended while a step runs has written them
        self.background.close()
        self.store.close()
        for model in filter(None, (self.model, self._embedder)):
            model.unload()  # whoever opens many memories would hold a model for each until garbage is collected

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
