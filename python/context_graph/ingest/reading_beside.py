"""Drafts that another process reads while those before them are judged and written."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from context_graph.children import ChildFailed, Conversation
from context_graph.errors import InvalidInput, Refused
from context_graph.graph.entities import Mention
from context_graph.graph.statements import Statement
from context_graph.ingest.draft import Draft, check_room
from context_graph.ingest.prepare import Begun, Prepared, begun
from context_graph.ingest.text_reader import Arrays, unpacked
from context_graph.kernels._dispatch import processor_count
from context_graph.models import Caller
from context_graph.reading.analysis import AnalyzedText
from context_graph.reading.fingerprints import spoken
from context_graph.safety.inspect import QUARANTINE_FROM
from context_graph.texts import storable, storable_all

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MIN_DRAFTS", "read_beside"]

logger = logging.getLogger(__name__)

MIN_DRAFTS = 512
"""From which on a process is worth its start: half a second of a core, and the memory of the word vectors."""

READER = "context_graph.ingest.text_reader"

Read = list[Prepared | None]
"""None of a draft that whoever stores it reads."""


def read_beside(
    memory: "Runtime", batches: Iterable[Sequence[Draft]], caller: Caller, *, expected: int
) -> Iterator[tuple[Sequence[Draft], Read]]:
    """Each batch with what was read of its drafts, while the next one is being read.

    Parameters
    ----------
    expected : int
        How many drafts there will be. Where they are few, on one core, and with a model, which keeps the cores busy
        itself, nothing is read beside.
    """
    if expected < MIN_DRAFTS or processor_count() < 2 or memory.embedder.tier != "base":
        for batch in batches:
            yield batch, [None] * len(batch)
        return
    memory.catch_up()  # texts are weighted with the words that the store has
    reading, before = _Reading(memory, caller), None
    try:
        for batch in batches:
            answer: Read = reading.answer() if before is not None else []
            reading.ask(batch)
            if before is not None:
                yield before, answer
            before = batch
        if before is not None:
            yield before, reading.answer()
    finally:
        reading.close()


class _Reading:
    """A process that reads the drafts of one batch; where it fails, whoever stores them reads them."""

    def __init__(self, memory: "Runtime", caller: Caller) -> None:
        self._memory, self._caller = memory, caller
        self._sessions: set[str] = set()
        self._asked: list[Begun | None] = []
        self._embedder, self._updates = memory.embedder, 0
        """Whose vectors these are, and by which word statistics they were weighted."""

        self._child: Conversation | None = None
        try:
            self._child = Conversation(READER)
        except ChildFailed as error:
            self._fail(error)

    def ask(self, drafts: Sequence[Draft]) -> None:
        """Have drafts read; `answer` tells of them."""
        self._asked = [_begun(self._memory, draft) for draft in drafts]
        if self._child is None or not any(self._asked):
            return
        question: dict[str, Any] = {
            "kinds": sorted(self._memory.settings.redacted),
            "drafts": [self._described(one.draft) for one in self._asked if one is not None],
        }
        statistics, updates, data = self._embedder.statistics, self._updates, b""
        if statistics.updates != self._updates:
            self._updates = statistics.updates
            question["memories"], data = statistics.memories, statistics.df.tobytes()
        try:
            self._child.ask(question, data)
        except ChildFailed as error:
            self._fail(error)
        except (TypeError, ValueError, RecursionError):  # whoever stores the draft says what is wrong with it
            self._asked, self._updates = [None] * len(drafts), updates

    def _described(self, draft: Draft) -> dict[str, Any]:
        session = self._memory.written_name(draft.session_id or self._caller.session_id)
        first = session not in self._sessions
        self._sessions.add(session)
        return {
            "content": storable(draft.content), "rationale": storable(draft.rationale),
            "metadata": storable_all(dict(draft.metadata)), "occurred_at": draft.occurred_at,
            "speaker": draft.speaker and storable(draft.speaker), "name": draft.name and storable(draft.name),
            "session": session, "previous": spoken(self._memory.store.last_said(session)) if first else "",
        }  # fmt: skip

    def answer(self) -> Read:
        """What was read of the drafts that were asked for last."""
        if self._child is None or not any(self._asked):
            return [None] * len(self._asked)
        try:
            readings, data = self._child.answer()
        except ChildFailed as error:
            self._fail(error)
            return [None] * len(self._asked)
        waiting, arrays = iter(readings), Arrays(data)
        return [None if one is None else self._prepared(one, next(waiting), arrays) for one in self._asked]

    def _prepared(self, one: Begun, reading: dict[str, Any], arrays: Arrays) -> Prepared | None:
        fingerprint = unpacked(reading["print"], arrays)
        taint, of_rationale = reading["suspicions"]
        if of_rationale >= QUARANTINE_FROM:
            return None  # whoever stores it says why not
        draft = replace(
            one.draft, content=reading["content"], rationale=reading["rationale"], metadata=reading["metadata"],
            speaker=reading["speaker"], name=reading["name"],
        )  # fmt: skip
        try:
            check_room(draft)
        except InvalidInput:
            return None
        if agent := draft.agent_id or self._caller.agent_id:
            draft = replace(draft, agent_id=self._memory.written_name(agent))
        text = AnalyzedText(draft.content, draft.name, draft.speaker, draft.metadata)
        text.take(
            self._embedder, self._updates, fingerprint,
            previous=reading["previous"], occurred_at=draft.occurred_at, rationale=draft.rationale,
            words=tuple(reading["words"]), stems=frozenset(reading["stems"]), titles=reading["titles"],
            mentions=[Mention(*mention) for mention in reading["mentions"]],
            statements=[
                Statement(kind, source, target, (start, end), hedged)
                for kind, source, target, start, end, hedged in reading["statements"]
            ],
        )  # fmt: skip
        return Prepared(
            draft, text, None, tuple(reading["redactions"]), taint, one.understood, one.heading, reading["form"]
        )

    def _fail(self, error: ChildFailed) -> None:
        logger.warning("texts are read by this process alone: %s", error)
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.close()
        self._child = None


def _begun(memory: "Runtime", draft: Draft) -> Begun | None:
    """None of a draft with a file, and of one that cannot be stored: whoever stores it says why."""
    if draft.file is not None:
        return None
    try:
        return begun(memory, draft)
    except (InvalidInput, Refused):
        return None
