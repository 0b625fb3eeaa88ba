"""Synchronising a home with its peers, each for itself: what fails with one leaves the others be."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.errors import ContextGraphError
from context_graph.ingest.concepts import join_spellings
from context_graph.sync.alone import alone
from context_graph.sync.exchange import Exchanged, exchange
from context_graph.sync.folder import read_folder, write_folder
from context_graph.sync.limits import Limits
from context_graph.sync.peers import Peer
from context_graph.sync.remote import Remote
from context_graph.sync.status import began, noted

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Outcome", "limits_of", "synchronise"]


@dataclass(slots=True)
class Outcome:
    """How it went with one peer.

    Attributes
    ----------
    error : str
        Why it failed; empty where it went well.
    problems : list of str
        What is wrong with files in the folder.
    """

    peer: Peer
    done: Exchanged = field(default_factory=Exchanged)
    error: str = ""
    problems: list[str] = field(default_factory=list)


def limits_of(memory: "Runtime") -> Limits:
    """The limits that the settings name."""
    return Limits(share=memory.settings.sync_max_deletions)


def synchronise(memory: "Runtime", peers: Sequence[Peer]) -> list[Outcome]:
    """Exchange with each of some peers what either has not seen; with none while another process does so."""
    try:
        with alone(memory.settings.home):
            return _synchronise(memory, peers)
    except ContextGraphError as error:  # not noted: the other process tells of these peers
        return [Outcome(peer, error=_line_of(error)) for peer in peers]


def _synchronise(memory: "Runtime", peers: Sequence[Peer]) -> list[Outcome]:
    outcomes = [_with_server(memory, peer) for peer in peers if peer.is_url]
    folders: dict[Path, list[Peer]] = {}
    for peer in peers:
        if peer.folder is not None:
            folders.setdefault(peer.folder, []).append(peer)
    for folder, group in folders.items():
        outcomes += _with_folder(memory, folder, group)
    return outcomes


def _with_server(memory: "Runtime", peer: Peer) -> Outcome:
    outcome = Outcome(peer)
    began(memory, peer)
    start = time.perf_counter()
    try:
        with Remote(peer, memory.settings.peer_hosts) as remote:
            outcome.done = exchange(memory, peer, remote.ask, limits=limits_of(memory))
            if _named_once(memory, outcome):
                outcome.done = outcome.done + exchange(memory, peer, remote.ask, limits=limits_of(memory))
        outcome.error = outcome.done.stopped_there and f"there: {outcome.done.stopped_there}"
    except ContextGraphError as error:
        outcome.error = _line_of(error)
    _note(memory, outcome, start)
    return outcome


def _with_folder(memory: "Runtime", folder: Path, peers: Sequence[Peer]) -> list[Outcome]:
    """Read what each peer wrote, then write for all of them what all of them may have."""
    outcomes, start = [], time.perf_counter()
    for peer in peers:
        outcome = Outcome(peer)
        began(memory, peer)
        try:
            if not folder.is_dir():
                raise ContextGraphError(f"there is no folder {folder}; make it, or mount what it lies on")
            outcome.done, outcome.problems = read_folder(memory, peer, folder, limits=limits_of(memory))
            _named_once(memory, outcome)
        except ContextGraphError as error:
            outcome.error = _line_of(error)
        except OSError as error:
            outcome.error = f"{folder} cannot be read ({error.strerror})"
        outcomes.append(outcome)
    try:
        if folder.is_dir():
            scopes = set.intersection(*(set(peer.scopes) for peer in peers))
            sent = write_folder(memory, folder, scopes) if scopes else 0
            for outcome in outcomes:
                outcome.done.sent = sent
    except ContextGraphError as error:
        for outcome in outcomes:
            outcome.error = outcome.error or _line_of(error)
    except OSError as error:  # what was written is whole; the next time all is written anew
        for outcome in outcomes:
            outcome.error = outcome.error or (
                f"{folder} cannot be written ({error.strerror}): what is new here was not told; nothing is lost"
            )
    for outcome in outcomes:
        _note(memory, outcome, start)
    return outcomes


def _line_of(error: ContextGraphError) -> str:
    return f"{error}; {error.hint}" if error.hint else str(error)


def _named_once(memory: "Runtime", outcome: Outcome) -> bool:
    """Join concepts that two homes made of one name, each for itself; whether there were any."""
    return bool(outcome.done.folded.written and join_spellings(memory)[0])


def _note(memory: "Runtime", outcome: Outcome, start: float) -> None:
    error = outcome.error or "; ".join(outcome.problems[:3])
    rounds = outcome.done.rounds
    latency_ms = (time.perf_counter() - start) * 1_000 / max(1, rounds)
    noted(
        memory, outcome.peer, received=outcome.done.folded.received, sent=outcome.done.sent, error=error or None,
        latency_ms=latency_ms, signed=outcome.done.signed if rounds else None,
    )  # fmt: skip
