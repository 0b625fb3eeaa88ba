"""What a client may expect of a home, from what the server told it: acknowledged, or cut off before the answer."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from context_graph.models import Node

__all__ = ["Known", "Ledger", "Write"]

WORDS = "anchor basalt cedar dune ember fjord granite heron islet juniper kelp lagoon marsh nectar orchid".split()

AFTER = {"store": "live", "supersede": "live", "restore": "live", "forget": "forgotten", "purge": "absent"}


@dataclass
class Write:
    """One write that was asked for.

    Attributes
    ----------
    text : str
        The memory that it stores, forgets or restores.
    old : str, optional
        The memory that a stored one supersedes.
    """

    kind: str
    text: str
    old: str | None = None


@dataclass
class Known:
    """One memory: the states it may be in, and the names the server gave it."""

    states: set[str] = field(default_factory=lambda: {"absent"})
    id: str = ""
    reversal: str = ""
    superseded_by: set[str | None] = field(default_factory=lambda: {None})
    """Texts of the memory that may have superseded it."""


class Ledger:
    """Writes asked for and answers received, in the manner of Jepsen's checkers: an unanswered write may be or not be.

    Parameters
    ----------
    name : str
        Sets its memories apart from those of other ledgers.
    """

    def __init__(self, name: str, random: Random) -> None:
        self.name = name
        self.random = random
        self.known: dict[str, Known] = {}
        self.pending: dict[Any, Write] = {}
        self.acknowledged = 0
        self._made = 0

    def ask(self, request: Any, write: Write) -> None:
        """Note a write that is on its way."""
        self.pending[request] = write

    def next(self) -> tuple[Write, str, dict[str, Any]]:
        """A write that is possible now: what it is, and the tool and arguments that ask for it."""
        busy = {text for write in self.pending.values() for text in (write.text, write.old)}
        live = [text for text, known in self.known.items() if known.states == {"live"} and text not in busy]
        gone = [text for text, known in self.known.items() if known.reversal and text not in busy]
        fresh = [text for text in live if self.known[text].superseded_by == {None}]
        successors = {text for known in self.known.values() for text in known.superseded_by}
        alone = [text for text in fresh if text not in successors]
        kind = self.random.choices(("store", "supersede", "forget", "restore", "purge"), (5, 2, 3, 2, 1))[0]
        if kind == "forget" and live:
            text = self.random.choice(live)
            return Write(kind, text), "forget_concept", {"node_id": self.known[text].id, "reason": "obsolete"}
        if kind == "purge" and alone:
            text = self.random.choice(alone)
            given = {"node_id": self.known[text].id, "reason": "user_requested", "soft_delete": False}
            return Write(kind, text), "forget_concept", given
        if kind == "restore" and gone:
            text = self.random.choice(gone)
            given = {"reversal_hash": self.known[text].reversal, "preview": False}
            return Write(kind, text), "use_tool", {"name": "restore_from_hash", "arguments": given}
        self._made += 1
        text = f"Entry {self._made} of {self.name}: {' '.join(self.random.choices(WORDS, k=12))}"
        self.known[text] = Known()
        arguments = {"content": text, "rationale": "a line of the station's diary"}
        if kind == "supersede" and fresh:
            old = self.random.choice(fresh)
            return (
                Write(kind, text, old),
                "store_memory",
                arguments | {"metadata": {"supersedes": [self.known[old].id]}},
            )
        return Write("store", text), "store_memory", arguments

    def answer(self, request: Any, values: dict[str, Any]) -> None:
        """Take in an acknowledgement."""
        write = self.pending.pop(request)
        known = self.known[write.text]
        self.acknowledged += 1
        if write.kind == "forget":
            known.states, known.reversal = {"forgotten"}, values["reversal_hash"]
            return
        if write.kind == "purge":
            known.states = {"absent"}
            return
        if write.kind == "restore":
            assert values["restored_nodes"] == [known.id]
            known.reversal = ""
        else:
            assert not values["already_known"]
            known.id = values["node_id"]
        known.states = {"live"}
        if write.old:
            self.known[write.old].superseded_by = {write.text}

    def cut_off(self) -> None:
        """The server is dead: what is pending may have happened or not."""
        for write in self.pending.values():
            known = self.known[write.text]
            known.states = known.states | {AFTER[write.kind]}
            if write.old:
                self.known[write.old].superseded_by |= {write.text}

    def check(self, nodes: Iterable[Node], vectors: dict[str, int]) -> None:
        """Compare with what the store holds, and go on from there.

        Parameters
        ----------
        vectors : dict
            How many vectors each node has.
        """
        nodes = list(nodes)
        found, by_id = {node.content: node for node in nodes}, {node.id: node.content for node in nodes}
        assert len(found) == len(nodes), "a memory is there twice"
        assert found.keys() <= self.known.keys(), "a memory is there that nobody stored"
        for text, known in self.known.items():
            node = found.get(text)
            state = "absent" if node is None else str(node.state)
            assert state in known.states, f"{text!r} is {state}, expected {known.states}"
            successor = None if node is None or node.superseded_by is None else by_id.get(node.superseded_by, "?")
            assert successor in known.superseded_by, f"{text!r} is superseded by {successor!r}"
            if node is not None:
                assert vectors.get(node.id) == 4, f"{text!r} has {vectors.get(node.id)} vectors"
                assert not known.id or known.id == node.id
                known.id = node.id
            if state != "forgotten":
                known.reversal = ""
            known.states, known.superseded_by = {state}, {successor}
        for write in self.pending.values():
            if write.old:  # with the memory comes what it supersedes, in one piece
                assert (write.text in found) == (self.known[write.old].superseded_by == {write.text})
        self.pending = {}
        self.known = {text: known for text, known in self.known.items() if known.states != {"absent"}}
