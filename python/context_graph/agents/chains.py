"""Chains of tool calls as records: written now and then, a bounded number of them, and what recurs in them."""

import logging
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from context_graph.errors import ContextGraphError, Refused
from context_graph.inference.patterns import PatternCounts
from context_graph.knowledge.project import project_name
from context_graph.knowledge.running import CallChain, Step, Trajectory
from context_graph.runtime.calls import PAUSE_US, WaitingChain
from context_graph.runtime.records import Records
from context_graph.runtime.tasks import Every, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["habits", "known_chains", "trajectory_of", "write_chains"]

logger = logging.getLogger(__name__)

WRITTEN_EVERY_S = 120.0
MAX_CHAINS = 500
"""That are kept: a new one takes the place of the oldest."""

MIN_CHAIN_CALLS = 2
"""Of a chain that is written: a single call is followed by nothing."""

MILLISECOND = 1_000


@task("calls", trigger=Every(WRITTEN_EVERY_S))
def write(memory: "Runtime", round: Round) -> None:
    """Write the calls since the last time, and count the chains anew where any process may have written some.

    A process that wrote some counts all of them here, so that no call waits for it; one that is not used does nothing.
    """
    written, known = write_chains(memory), _counted.get(memory)
    if written if known is None else known.head != memory.store.head():
        _count(memory)


def write_chains(memory: "Runtime", *, closing: bool = False) -> int:
    """Write what is new of the chains of this process by one event, and say how many chains it is of.

    Where nothing can be written they are dropped: they are worth no error.
    """
    waiting = memory.calls.all(memory.clock())
    if closing:
        waiting = [replace(one, ended=True) for one in waiting]
    new = [one for one in waiting if len(one.calls) > one.written and len(one.calls) >= MIN_CHAIN_CALLS]
    if new and not memory.store.unwritable:
        try:
            project = _project(memory)
            _write(memory, [_chain_of(one, project) for one in new])
        except ContextGraphError as error:
            logger.warning("chains of tool calls are not written now: %s", error)
            return 0
    else:
        new = []
    memory.calls.written([one for one in waiting if one.ended or len(one.calls) >= MIN_CHAIN_CALLS])
    return len(new)


def _write(memory: "Runtime", chains: list[CallChain]) -> None:
    """Write chains: one that is there anew, a new one in the place of the oldest where there are enough."""
    shelf = Records(memory, CallChain)
    entries = sorted(shelf.all(), key=lambda one: one.value.started_at)
    places = {entry.value.id: entry.record for entry in entries}
    changed = [(places[one.id], one) for one in chains if one.id in places]
    added = [one for one in chains if one.id not in places]
    goes_on = {record.id for record, _ in changed}
    oldest = [entry.record for entry in entries if entry.record.id not in goes_on]
    excess = min(len(oldest), max(0, len(entries) + len(added) - MAX_CHAINS))
    changed += zip(oldest[:excess], added, strict=False)
    shelf.write_all(added=added[excess:], changed=changed, clean=True)


def known_chains(memory: "Runtime") -> list[CallChain]:
    """Those that are written, and those of this process, oldest first."""
    chains = {entry.value.id: entry.value for entry in Records(memory, CallChain).all()}
    now = memory.clock()
    for id, one in chains.items():  # one whose process was killed has ended all the same
        if not one.ended and now - one.last_at > PAUSE_US:
            chains[id] = replace(one, ended=True)
    waiting = memory.calls.all(now)
    project = _project(memory) if waiting else ""
    chains |= {one.id: _chain_of(one, project) for one in waiting}
    return sorted(chains.values(), key=lambda one: (one.started_at, one.id))


@dataclass(frozen=True, slots=True)
class _Counted:
    counts: PatternCounts
    head: tuple[int, str]
    """Of the log when they were counted."""


_counting = threading.Lock()
_counted: "WeakKeyDictionary[Runtime, _Counted]" = WeakKeyDictionary()


def habits(memory: "Runtime") -> PatternCounts:
    """What is called one after the other; what other processes write is counted within two minutes."""
    known = _counted.get(memory)
    return _count(memory) if known is None else known.counts


def _count(memory: "Runtime") -> PatternCounts:
    """Count all chains; a full history takes a tenth of a second, so once it is known the background does it."""
    with _counting:
        head, counts = memory.store.head(), PatternCounts()
        here = memory.calls.told_to(counts, memory.clock())
        ids = {one.id for one in here}
        stored = [entry.value.tools for entry in Records(memory, CallChain).all() if entry.value.id not in ids]
        counts.count([*stored, *([call.tool for call in one.calls] for one in here)])
        memory.calls.told_only_to(counts)
        _counted[memory] = _Counted(counts, head)
        return counts


def trajectory_of(chain: CallChain) -> Trajectory:
    """A chain as a trajectory: a step for each call."""
    failed = set(chain.failed)
    return Trajectory(
        id=chain.id, agent_id=chain.agent, started_at=chain.started_at,
        completed_at=chain.last_at if chain.ended else 0, success=chain.success, project=chain.project,
        steps=tuple(
            Step(tool, "failed" if i in failed else "answered", ms, chain.started_at + offset * MILLISECOND)
            for i, (tool, ms, offset) in enumerate(zip(chain.tools, chain.ms, chain.offsets_ms, strict=True))
        ),
    )  # fmt: skip


def _project(memory: "Runtime") -> str:
    """The project of this process; empty where it was started in the root of all files."""
    try:
        return project_name(memory)
    except Refused:
        return ""


def _chain_of(one: WaitingChain, project: str) -> CallChain:
    started = one.calls[0].at
    return CallChain(
        id=one.id, agent=one.agent, started_at=started, last_at=one.calls[-1].at, ended=one.ended,
        tools=tuple(call.tool for call in one.calls), ms=tuple(round(call.ms, 1) for call in one.calls),
        offsets_ms=tuple((call.at - started) // MILLISECOND for call in one.calls),
        failed=tuple(i for i, call in enumerate(one.calls) if not call.ok), project=project,
    )  # fmt: skip
