"""Taking in many memories: 64 to a write, each judged beside those before it, as if they came one by one."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, TypedDict, TypeVar

from context_graph.errors import InvalidInput, NotFound, Refused
from context_graph.garbage import uncollected
from context_graph.graph.entities import node_name
from context_graph.index.batch import form_of
from context_graph.index.corpus import Corpus
from context_graph.index.fields import FIELDS
from context_graph.index.novelty import Surroundings
from context_graph.ingest.duplicates import same_text
from context_graph.ingest.known import reinforce
from context_graph.ingest.least_difference import least_difference
from context_graph.ingest.linking import Links
from context_graph.ingest.prepare import Prepared, prepare
from context_graph.ingest.reading_beside import read_beside
from context_graph.ingest.remember import Assessment, Draft, Remembered, consider, feel, made_node, write
from context_graph.models import Author, Caller, Microseconds, Node
from context_graph.reading.fingerprints import spoken
from context_graph.store import Said

if TYPE_CHECKING:
    from context_graph.embed import Embedder
    from context_graph.embed.ahead import Ahead
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = ["BATCH", "SMALL_BATCH", "Unfit", "batched", "remember_batches", "remember_many", "remember_together"]

T = TypeVar("T")
_fields = itemgetter(*FIELDS)

BATCH = 64
"""Drafts of one write: they are lost together where a process ends, and searches wait while they are taken in."""

SMALL_BATCH = 8
"""Drafts of one write in the background: whoever calls meanwhile waits for some hundredths of a second."""

PAUSE_S = 0.001
"""How long the background leaves the model alone: a lock that it took again at once would go to nobody else."""

SEARCHED_TOGETHER = 8
"""Texts from which on a search for all of them takes less time than one for each."""

Unfit = InvalidInput | NotFound | Refused
"""What is wrong with one draft; any other error ends the whole."""

UNFIT = (InvalidInput, NotFound, Refused)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A draft that is part of a write: what was found, its memory, and its links where it is a new one."""

    assessment: Assessment
    node: Node
    links: Links | None

    def told(self, event_hash: str) -> Remembered:
        if self.links is not None:
            return self.assessment.stored(self.node, self.links, event_hash)
        return self.assessment.known_already(self.node, "" if self.assessment.draft.passive else event_hash)


@dataclass(frozen=True, slots=True)
class _ReadAhead:
    """What was read of a draft before any lock was taken.

    Attributes
    ----------
    passes : Ahead, optional
        Those of a model; None where there is none.
    previous : str
        What stood before it in its session then.
    updates : int
        Of the word statistics, by which its vectors are weighted.
    """

    passes: "Ahead | None" = None
    previous: str = ""
    updates: int = -1

    def needed(self, memory: "Runtime", tx: "Transaction", one: Prepared, caller: Caller) -> "Ahead | None":
        """The passes, where the vectors are to be made of them once more: others have stored something since."""
        if self.passes is None or one.text.latest is None or memory.embedder.statistics.updates != self.updates:
            return self.passes
        session = memory.written_name(one.draft.session_id or caller.session_id)
        return None if spoken(tx.last_said(session)) == self.previous else self.passes


UNREAD = _ReadAhead()


class _Inputs(TypedDict):
    """What the vectors of a text are made of beside itself."""

    previous: str
    occurred_at: Microseconds | None
    rationale: str


def remember_many(
    memory: "Runtime",
    drafts: Iterable[Draft],
    *,
    caller: Caller | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Remembered | Unfit]:
    """Take in drafts in their order, 64 to a write; each becomes what `remember` would have made of it.

    A write is one event: it is there as a whole or not at all, and undone as a whole. Where one fails or the process
    ends, those before it stay; given the same drafts again, what is stored is known.

    Parameters
    ----------
    drafts : iterable of Draft
        `link_to` may also name drafts that stand before it: the objects themselves.
    progress : callable, optional
        Told after each write how many drafts are done, and of how many.

    Returns
    -------
    list of Remembered or error
        One for each draft, in order: what became of it, or why it cannot be stored. Such a draft stops no other.
    """
    drafted = list(drafts)
    outcomes: list[Remembered | Unfit] = []
    for some in remember_batches(memory, batched(drafted, BATCH), expected=len(drafted), caller=caller):
        outcomes += some
        if progress is not None:
            progress(len(outcomes), len(drafted))
    return outcomes


def remember_batches(
    memory: "Runtime",
    batches: Iterable[Sequence[Draft]],
    *,
    expected: int,
    caller: Caller | None = None,
    gives_way: bool = False,
) -> Iterator[list[Remembered | Unfit]]:
    """As `remember_many`, of batches each of which becomes one write: yields what became of the drafts of each.

    Where there are many, another process reads the next batch while one is judged and written; so a batch is asked for
    before the one before it is stored.

    Parameters
    ----------
    expected : int
        How many drafts there will be.
    gives_way : bool
        Whether others come first: a model then reads a little at a time. For the background, in batches of
        `SMALL_BATCH`.
    """
    caller = caller or memory.caller
    ids: dict[int, str] = {}
    drafted: list[Draft] = []  # an object that is gone might give its identity to another
    for drafts, read in read_beside(memory, batches, caller, expected=expected):
        drafted += drafts
        yield _written(memory, drafts, ids, caller, read=read, gives_way=gives_way)


def remember_together(memory: "Runtime", drafts: Sequence[Draft], *, caller: Caller | None = None) -> list[Remembered]:
    """Take in drafts by one write: all are stored, and undone as a whole, or none is.

    Raises
    ------
    InvalidInput, NotFound or Refused
        What is wrong with the first draft that cannot be stored; nothing was written.
    """
    outcomes = _written(memory, drafts, {}, caller or memory.caller, whole=True)
    return [one for one in outcomes if isinstance(one, Remembered)]


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items, so many at a time."""
    waiting = iter(items)
    while part := list(islice(waiting, size)):
        yield part


def _written(
    memory: "Runtime",
    drafts: Sequence[Draft],
    ids: dict[int, str],
    caller: Caller,
    *,
    whole: bool = False,
    read: Sequence[Prepared | None] = (),
    gives_way: bool = False,
) -> list[Remembered | Unfit]:
    """Take in some drafts by one write.

    Parameters
    ----------
    ids : dict
        By the identity of a draft the id of its memory; those of these drafts are added.
    whole : bool
        What is wrong with one draft is raised, and none is stored.
    read : sequence of Prepared or None
        What another process has read of each.
    """
    prepared = [one or _prepared(memory, draft, caller) for draft, one in zip_longest(drafts, read)]
    if whole:
        _refuse_unfit(prepared)
    ready = [one for one in prepared if isinstance(one, Prepared)]
    authors = {memory.author(caller.within(one.draft.session_id, one.draft.agent_id)) for one in ready}
    if not authors:
        return [one for one in prepared if not isinstance(one, Prepared)]
    results: list[_Taken | Unfit] = []
    with uncollected(), ExitStack() as stack:
        memory.catch_up()  # texts are weighted with the words that the store has now
        aheads = _aheads(memory, prepared, caller, gives_way=gives_way)
        ahead = next(aheads)  # before any lock is taken: a model takes seconds, and others store meanwhile
        stack.enter_context(memory.writing)
        memory.catch_up()
        with memory.store.write("created", _writer(memory, authors, caller)) as tx:
            # Under the write lock, so that all of the store is in the indexes; until the commit nobody else reads them.
            corpus = stack.enter_context(memory.adding({author.session_id for author in authors}))
            for place, (draft, one) in enumerate(zip(drafts, prepared, strict=True)):
                if place % BATCH == 0:
                    ahead = next(aheads) if place else ahead
                    around = _surroundings(memory, corpus, prepared[place : place + BATCH], caller)
                if isinstance(one, Prepared):
                    results.append(_taken(memory, tx, corpus, one, ids, caller, ahead[place % BATCH], around))
                else:
                    results.append(one)
                if whole:
                    _refuse_unfit(results[-1:])  # ends the write: what it did so far is taken back
                if isinstance(results[-1], _Taken):
                    ids[id(draft)] = results[-1].node.id
            corpus.settle()
            done = [one for one in results if isinstance(one, _Taken)]
            _note(tx, done)
            tx.now = memory.clock()  # the event is not older than what it made
        event = tx.committed
        if event is not None:
            memory.entered(event)
    _afterwards(memory, done)
    return [one.told(event.hash if event else "") if isinstance(one, _Taken) else one for one in results]


def _refuse_unfit(outcomes: Iterable[object]) -> None:
    for one in outcomes:
        if isinstance(one, UNFIT):
            raise one


def _prepared(memory: "Runtime", draft: Draft, caller: Caller) -> Prepared | Unfit:
    try:
        return prepare(memory, draft, caller)
    except UNFIT as error:
        return error


def _aheads(
    memory: "Runtime", prepared: Sequence[Prepared | Unfit], caller: Caller, *, gives_way: bool
) -> Iterator[list[_ReadAhead]]:
    """Read the texts where all drafts are stored, `BATCH` of them at a time, since few states are kept, and yield what
    a model has read for each draft; where one is known, the window of the next is read by itself."""
    embedder = memory.embedder
    last: dict[str, str] = {}
    for some in batched(prepared, BATCH):
        part, before = {place: one for place, one in enumerate(some) if isinstance(one, Prepared)}, []
        for draft in (one.draft for one in part.values()):
            session = memory.written_name(draft.session_id or caller.session_id)
            if session not in last:
                last[session] = spoken(memory.store.last_said(session))
            before.append(last[session])
            last[session] = spoken(Said("", draft.content, draft.speaker))
        _read_ahead(embedder, [*part.values()], before)
        readings = [UNREAD] * len(some)
        ahead = embedder.ahead(
            (
                (one.text.said, one.draft.speaker, one.draft.name, previous)
                for one, previous in zip(part.values(), before, strict=True)
            ),
            between=_pause if gives_way else None,
        )
        for (place, one), previous in zip(part.items() if ahead is not None else (), before, strict=False):
            readings[place] = _embedded(embedder, one, previous, ahead)
        yield readings


def _embedded(embedder: "Embedder", one: Prepared, previous: str, ahead: "Ahead | None") -> _ReadAhead:
    """Make the vectors of a draft of what a model has read, and keep them with its text."""
    reading = _ReadAhead(ahead, previous, embedder.statistics.updates)
    if one.file is None and one.heading is None:  # else what is embedded is settled beside the store
        inputs: _Inputs = {
            "previous": previous, "occurred_at": one.draft.occurred_at, "rationale": one.draft.rationale,
        }  # fmt: skip
        one.text.take(embedder, reading.updates, one.text.fingerprint(embedder, **inputs, ahead=ahead), **inputs)
    return reading


def _pause() -> None:
    time.sleep(PAUSE_S)


def _read_ahead(embedder: "Embedder", drafts: Sequence[Prepared], before: Sequence[str]) -> None:
    """Make each reading of all texts before the next: the code and tables of one then stay in the processor's caches,
    and take half of the time that they take among all else that is done for a memory."""
    texts = [one.text for one in drafts if one.form is None]  # of the others all has been read
    for text in texts:
        form_of(text.content)
    for text in texts:
        _ = text.mentions, text.titles
    for text in texts:
        _ = text.statements
    for text in texts:
        least_difference(text.content, text.content)
    for text in texts:
        node_name(text.content, given=text.name)
    for text in texts:
        same_text(text.content, text.content)
    if embedder.tier != "base":
        return
    for one, previous in zip(drafts, before, strict=True):
        if one.file is None:
            one.text.fingerprint(
                embedder, previous=previous, occurred_at=one.draft.occurred_at, rationale=one.draft.rationale
            )


def _surroundings(
    memory: "Runtime", corpus: Corpus, prepared: Sequence[Prepared | Unfit], caller: Caller
) -> Surroundings | None:
    """What is around the texts that were read ahead; None where few were."""
    drafts = [one for one in prepared if isinstance(one, Prepared)]
    prints = [one.text.latest for one in drafts]
    read = [fingerprint for fingerprint in prints if fingerprint is not None]
    if len(read) < SEARCHED_TOGETHER or not len(corpus):
        return None
    viewer = memory.viewer(caller.within(drafts[0].draft.session_id, drafts[0].draft.agent_id))
    return memory.novelty.surroundings(corpus, read, viewer, now=memory.present())


def _writer(memory: "Runtime", authors: set[Author], caller: Caller) -> Author:
    """Session and agent where all drafts have the same, else the session of the caller and nobody."""
    sessions, agents = {author.session_id for author in authors}, {author.agent_id for author in authors}
    session = sessions.pop() if len(sessions) == 1 else memory.written_name(caller.session_id)
    return Author(session, agents.pop() if len(agents) == 1 else None, caller.context_id)


def _taken(
    memory: "Runtime",
    tx: "Transaction",
    corpus: Corpus,
    prepared: Prepared,
    ids: dict[int, str],
    caller: Caller,
    reading: _ReadAhead,
    around: Surroundings | None,
) -> _Taken | Unfit:
    """Judge one draft beside all before it and write it; indexes and session follow, so that the next one sees it."""
    try:
        with tx.step():
            ahead = reading.needed(memory, tx, prepared, caller)
            assessment = consider(memory, tx, corpus, _linked(prepared, ids), caller, ahead, around)
            if assessment.known is None:
                node, links = write(memory, tx, corpus, assessment, made_node(memory, assessment))
            else:
                node, links = assessment.known, None
                if not assessment.draft.passive:
                    node = reinforce(tx, assessment.draft, assessment.known, assessment.superseded, memory.clock())
    except UNFIT as error:
        return error
    if links is None:
        corpus.update(node.id, {"importance": node.importance})
        for old in assessment.superseded:
            corpus.update(old, {"valid_to": tx.node(old).valid_to})
        if not assessment.draft.passive:
            assessment.state.attend([node.id])
            assessment.state.rewards.append(assessment.reward.reward)
        return _Taken(assessment, node, None)
    row, form = tx.row("nodes", (node.id,)) or {}, assessment.prepared.form
    form = form_of(node.content) if form is None else form
    corpus.enter(_fields(row), assessment.fingerprint, form)
    for old in assessment.superseded:
        corpus.update(old, {"valid_to": node.created_at})
    if around is not None:
        around.searched.entered(assessment.fingerprint, corpus.row_of[node.id])
    memory.novelty.add(assessment.fingerprint, around)
    if not assessment.draft.passive:
        feel(memory, assessment, node)
        memory.interacted()
    return _Taken(assessment, node, links)


def _linked(prepared: Prepared, ids: dict[int, str]) -> Prepared:
    """With the ids of the drafts that it is to be linked to."""
    if not prepared.draft.link_to:
        return prepared
    links = []
    for target in prepared.draft.link_to:
        if isinstance(target, Draft):
            if id(target) not in ids:
                raise InvalidInput(
                    "link_to names a draft that is not among those before it, or was not stored; "
                    "leave it out, or store that one first",
                    field="link_to",
                )
            target = ids[id(target)]
        links.append(target)
    return replace(prepared, draft=replace(prepared.draft, link_to=links))


def _note(tx: "Transaction", taken: Sequence[_Taken]) -> None:
    """What the event says of itself: the memories that it made, and those whose reasons grew."""
    created = [one for one in taken if one.links is not None]
    grown = [one.node.id for one in taken if one.links is None and not one.assessment.draft.passive]
    if created:
        tx.note.update(
            operation="created",
            nodes=[one.node.id for one in created],
            edges=sum(len(one.links.edges) for one in created if one.links is not None),
        )
        tx.note |= {"reinforced": grown} if grown else {}
    elif grown:
        tx.type = "reinforced"
        tx.note.update(operation="reinforced", nodes=grown)


def _afterwards(memory: "Runtime", taken: Sequence[_Taken]) -> None:
    """What follows a write: long memories are embedded whole; sessions go to disk with the effects of reads."""
    new = [one.assessment for one in taken if one.links is not None]
    for one in taken:
        if one.links is not None and one.assessment.fingerprint.pending:
            memory.background.plan("embed", [one.node.id])
    states = {assessment.author.session_id: assessment for assessment in new if not assessment.draft.passive}
    for assessment in states.values():
        memory.store.effects.add(assessment.author, state=assessment.state.to_dict())
