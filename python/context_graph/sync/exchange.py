"""Two homes exchange what either has not seen, by signed questions and answers that fit each other alone."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from context_graph.errors import ContextGraphError, InvalidInput, SyncRefused
from context_graph.instants import MINUTE_US
from context_graph.store import Position, keys
from context_graph.sync.batch import Batch, opened, position_of, sealed, signed_by
from context_graph.sync.display import plain_line
from context_graph.sync.fold import finish_purges, fold
from context_graph.sync.limits import Limits
from context_graph.sync.merge import Folded
from context_graph.sync.outgoing import MAX_ROWS, batch_after
from context_graph.sync.peers import Peer, Peers
from context_graph.sync.state import state_hash
from context_graph.sync.status import noted

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Answering", "Exchanged", "exchange"]

MAX_DELAY_US = 10 * MINUTE_US
"""How far the time of a question may lie from the clock here."""

MAX_NONCES = 100_000
MAX_EXCHANGES = 100_000


@dataclass(slots=True)
class Exchanged:
    """What came and went between two homes.

    Attributes
    ----------
    sent : int
        Entries that the other side was told.
    signed : int
        Events that the last checkpoint there signs.
    equal : bool or None
        Whether both have the same shared state now; None where that was not asked.
    state : str
        The hash of what is shared here.
    stopped_there : str
        Why the other side took something not in; empty where it took all.
    """

    folded: Folded = field(default_factory=Folded)
    sent: int = 0
    rounds: int = 0
    signed: int = 0
    equal: bool | None = None
    state: str = ""
    stopped_there: str = ""

    def __add__(self, later: "Exchanged") -> "Exchanged":
        """Of two exchanges with one home, what came and went, and how it stands after the later one."""
        folded, sent, rounds = self.folded + later.folded, self.sent + later.sent, self.rounds + later.rounds
        return replace(later, folded=folded, sent=sent, rounds=rounds)


class Answering:
    """The side that is asked.

    Parameters
    ----------
    max_rows : int
        Of one batch.
    """

    def __init__(self, memory: "Runtime", *, max_rows: int = MAX_ROWS, limits: Limits | None = None) -> None:
        self._memory, self._max_rows, self._limits = memory, max_rows, limits
        self._key = keys.public_key(memory.settings.home)

    def answer(self, data: bytes) -> bytes:
        """The answer to a signed question.

        Raises
        ------
        SyncRefused
            Nobody known asks, it is for another home, too old, or came before.
        InvalidInput
            It is no question.
        """
        memory = self._memory
        sender, question = opened(data)
        peer = Peers(memory.settings.home).with_key(sender)
        if peer is None:
            raise SyncRefused(
                f"the key {sender[:16]} is no peer's here",
                hint=f"context-graph peer add NAME --key {sender} adds it, where its owner is known to you",
            )
        self._check_fresh(question)
        scopes = [scope for scope in peer.scopes if scope in question["scopes"]]
        reply: dict[str, Any] = {"to": sender, "nonce": question["nonce"], "scopes": scopes}
        received, signed, problem = 0, None, None
        if question.get("batch") is not None:
            try:
                question_batch = Batch.from_json(sender, question["batch"])
                fold(memory, question_batch, self._key, peer.name, scopes, limits=self._limits)
                received, signed = question_batch.size, question_batch.signed
            except ContextGraphError as error:
                problem = f"{error}; {error.hint}" if error.hint else str(error)
                reply["problem"] = problem
        after, mark = _after(question.get("after"))
        without = sender if question.get("knows") is True else ""
        batch = batch_after(memory.store, self._key, scopes, after, mark, max_rows=self._max_rows, without=without)
        with memory.store.registers.opened() as rows:
            reply["have"] = rows.cursor(sender)
        reply["batch"] = batch.to_json()
        if question.get("compare"):
            reply["state"] = state_hash(memory.store, self._key, scopes)
        noted(memory, peer, received=received, sent=batch.size, error=problem, signed=signed)
        return sealed(memory.settings.home, reply)

    def _check_fresh(self, question: dict[str, Any]) -> None:
        moment, nonce, now = question.get("time"), question.get("nonce"), self._memory.clock()
        if question.get("to") != self._key:
            raise SyncRefused("the question is for another home; it names the key of the one that it asks")
        if not isinstance(moment, int) or not isinstance(nonce, str) or not 16 <= len(nonce) <= 64:
            raise InvalidInput("a question names its time, and a nonce of 16 to 64 characters")
        if not isinstance(question.get("scopes"), list):
            raise InvalidInput("a question names the scopes that are shared, as a list")
        if abs(moment - now) > MAX_DELAY_US:
            raise SyncRefused(
                f"the question was asked {abs(moment - now) / 1_000_000:,.0f} s from now; set both clocks right"
            )
        with self._memory.store.registers.opened() as rows:
            fresh = rows.first_use(nonce, now, now - 2 * MAX_DELAY_US, MAX_NONCES)
        if not fresh:
            raise SyncRefused("the question came before: a nonce is used once")


def exchange(
    memory: "Runtime",
    peer: Peer,
    ask: Callable[[bytes], bytes],
    *,
    max_rows: int = MAX_ROWS,
    limits: Limits | None = None,
) -> Exchanged:
    """Tell a peer what it has not seen, and take in what it tells, until neither has anything left.

    Parameters
    ----------
    ask : callable
        Takes a question there and brings the answer.

    Raises
    ------
    SyncRefused
        Somebody else answers.
    SyncStopped
        The peer would take away more memories than it may.
    """
    home = memory.settings.home
    key = keys.public_key(home)
    finish_purges(memory)
    with memory.store.registers.opened() as rows:
        cursor = rows.cursor(peer.key)
    done, outgoing, compare, knows = Exchanged(), None, False, False
    for _ in range(MAX_EXCHANGES):
        nonce = secrets.token_hex(16)
        question = {
            "to": peer.key, "time": memory.clock(), "nonce": nonce, "after": cursor, "scopes": list(peer.scopes),
            "batch": None if outgoing is None else outgoing.to_json(), "compare": compare, "knows": knows,
        }  # fmt: skip
        answer = _answer(signed_by_peer(ask(sealed(home, question)), peer), key, nonce)
        scopes = [scope for scope in answer["scopes"] if scope in peer.scopes]
        done.rounds += 1
        if outgoing is not None:
            done.stopped_there = plain_line(str(answer.get("problem") or ""))
            done.sent += 0 if done.stopped_there else outgoing.size
        batch = Batch.from_json(peer.key, answer.get("batch"))
        done.folded += fold(memory, batch, key, peer.name, scopes, limits=limits)
        done.signed, cursor = batch.signed, batch.cursor
        if compare:
            done.state = state_hash(memory.store, key, scopes)
            done.equal = answer.get("state") == done.state
            break
        outgoing = None
        if not done.stopped_there:
            after, mark = _after(answer.get("have"))
            outgoing = batch_after(memory.store, key, scopes, after, mark, max_rows=max_rows, without=peer.key)
            knows = outgoing.after == after  # what came from here is still here, so nobody need tell it back
            if not (outgoing.size or outgoing.more):
                outgoing = None
        compare = outgoing is None and not batch.size and not batch.more
    return done


def signed_by_peer(data: bytes, peer: Peer) -> dict[str, Any]:
    """What a peer says; in the place of an answer of somebody else an error."""
    try:
        return signed_by(data, peer.key)
    except InvalidInput as error:
        raise SyncRefused(f"{peer.name}: {error}") from error


def _answer(answer: dict[str, Any], key: str, nonce: str) -> dict[str, Any]:
    scopes = answer.get("scopes")
    if answer.get("to") != key or answer.get("nonce") != nonce:
        raise SyncRefused("the answer is one to another question")
    if not isinstance(scopes, list):
        raise SyncRefused("the answer names no scopes")
    return answer


def _after(values: Any) -> tuple[Position, str]:
    """A cursor of untrusted data: a position, and its mark."""
    if values is None:
        return Position(), ""
    if not isinstance(values, list) or len(values) != 4 or not isinstance(values[3], str):
        raise InvalidInput(f"expected a position of a log and its mark, got {values!r:.60}")
    return position_of(values[:3]), values[3]
