"""An export back into a memory: checked whole before anything is written, then taken in, batch by batch."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from context_graph.connectors.jsonl.exporter import SIGNED, UNTOLD
from context_graph.connectors.jsonl.format import KINDS, VERSION, parsed, read
from context_graph.embed import lexical, multimodal
from context_graph.errors import InvalidInput
from context_graph.index.batch import unpack_words
from context_graph.index.idf_features import FollowedStatistics
from context_graph.index.vector_codec import completed, vectors_of
from context_graph.models import Edge, Goal, Node, NodeKind, NodeState, Record
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.reading.media import FILE, media_of
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion
from context_graph.safety.pii import scrub, scrub_all
from context_graph.store import Pair, Session, check_item, keys

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = ["Imported", "Plan", "check", "import_lines"]

BATCH = 200
"""Nodes of one event: an event is one text in RAM, and one step of undo."""

COUNTED_AT_ONCE = 4_096
"""Memories of the store whose words are in RAM at once while they are counted."""

SPACES = {"E1", "E6", "E9", "E12"}
Vectors = dict[str, tuple[str, bytes]]


@dataclass(slots=True)
class Imported:
    """What an import did.

    Attributes
    ----------
    known : int
        Nodes, edges, goals and records that were there already, with the same text.
    conflicts : list of str
        Ids of nodes whose text differs from the one here, which stays, and of records whose name another has here.
    embedded : int
        Memories that came without vectors, whose text had to be cleaned, or whose file is not signed by this store.
    signed : bool
        Whether the key of this store signed the file, so that its vectors were believed.
    redacted, quarantined : int
        Memories in which something was replaced, or that read like an order to an agent.
    events : list of str
        Hashes that undo the import, newest first.
    """

    nodes: int = 0
    edges: int = 0
    goals: int = 0
    records: int = 0
    vectors: int = 0
    known: int = 0
    conflicts: list[str] = field(default_factory=list)
    embedded: int = 0
    redacted: int = 0
    quarantined: int = 0
    signed: bool = False
    events: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a checked file holds."""

    lines: int
    nodes: int
    next_ordinal: int
    signed: bool
    """Whether the key of this store signed it: else its vectors are made anew."""


def check(memory: "Runtime", lines: Iterable[str]) -> Plan:
    """Read a whole export and see that every line is sound and names only what is there; writes nothing."""
    digest, count, header, ended, signed = hashlib.sha256(), 0, None, False, False
    order = _Order()
    nodes = order.nodes
    referenced_at: dict[str, int] = {}
    for number, text in enumerate(lines, 1):
        with _at(number):
            line = parsed(text)
            if ended:
                raise InvalidInput("expected nothing after the end")
            if header is None:
                header = _header(line)
            elif line.get("type") == "end":
                _check_end(line, count, digest.hexdigest())
                ended, signed = True, _is_signed(memory, line, digest.digest())
            else:
                item = read(line)
                order.take(line, item)
                for other in _check_item(item, nodes):
                    referenced_at.setdefault(other, number)
        digest.update(text.encode())
        count += 1
    if header is None or not ended:
        raise InvalidInput(f"the file ends after {count} lines without its end: it was cut; export it again")
    missing = set(referenced_at) - nodes
    missing -= {node.id for node in memory.store.nodes(missing)}
    if missing:
        first = min(missing, key=lambda id: referenced_at[id])
        raise InvalidInput(f"line {referenced_at[first]}: it names node {first}, which is neither in the file nor here")
    if order.last_ordinal >= header["next_ordinal"]:
        raise InvalidInput(f"line 1: next_ordinal must be above {order.last_ordinal}, the last of the memories")
    return Plan(count, len(nodes), header["next_ordinal"], signed)


def _is_signed(memory: "Runtime", line: dict[str, Any], digest: bytes) -> bool:
    home, signature = memory.settings.home, line.get("signature")
    if not isinstance(signature, str) or not keys.exists(home):
        return False
    return keys.verify(keys.public_key(home), SIGNED + digest, signature)


class _Order:
    """Lines stand in the order of an export, and a vector right behind its node."""

    def __init__(self) -> None:
        self.nodes: set[str] = set()
        self.last_ordinal = -1
        self._kind = 0
        self._node: str | None = None

    def take(self, line: dict[str, Any], item: Any) -> None:
        if isinstance(item, tuple):
            if item[0] != self._node:
                raise InvalidInput(f"a vector of {item[0]} must stand right behind its node")
            return
        kind = list(KINDS).index(line["type"])
        if kind < self._kind:
            raise InvalidInput(
                f"a {line['type']} stands behind a {list(KINDS)[self._kind]}; expected {', '.join(KINDS)}"
            )
        self._kind = kind
        self._node = item.id if isinstance(item, Node) else None
        if isinstance(item, Node) and item.ordinal is not None:
            if item.ordinal <= self.last_ordinal:
                raise InvalidInput(
                    f"node.ordinal must be above {self.last_ordinal}, the one before it, got {item.ordinal}"
                )
            self.last_ordinal = item.ordinal


def _header(line: dict[str, Any]) -> dict[str, Any]:
    version, ordinal = line.get("version"), line.get("next_ordinal")
    if line.get("type") != "context-graph export" or not isinstance(version, int):
        raise InvalidInput("expected the header of a context-graph export")
    if version > VERSION:
        raise InvalidInput(f"the export has version {version}, this program reads up to {VERSION}; upgrade it")
    if not isinstance(ordinal, int) or not 0 <= ordinal < 2**31:
        raise InvalidInput(f"next_ordinal must be a whole number in [0, 2^31), got {ordinal!r:.40}")
    return line


def _check_end(line: dict[str, Any], count: int, digest: str) -> None:
    if line.get("lines") != count or line.get("sha256") != digest:
        raise InvalidInput(
            f"the end does not fit the {count} lines before it: the file was changed or cut; export it again"
        )


def _check_item(item: Any, nodes: set[str]) -> list[str]:
    """See that an item can be stored; returns the ids of the nodes that it needs."""
    if isinstance(item, tuple):
        return [item[0]]
    check_item(item)
    if isinstance(item, Pair | Session):
        return [item.first, item.second] if isinstance(item, Pair) else []
    if isinstance(item, Node):
        if item.id in nodes:
            raise InvalidInput(f"node {item.id} is in the file twice")
        nodes.add(item.id)
        return [item.superseded_by] if item.superseded_by else []
    return [item.source, item.target] if isinstance(item, Edge) else []


def import_lines(
    memory: "Runtime",
    lines: Iterable[str],
    plan: Plan,
    on_progress: Callable[[int], None] = lambda done: None,
    *,
    events: list[str] | None = None,
) -> Imported:
    """Write a checked export; what is here already stays as it is, so a second import adds nothing.

    Into an empty memory ordinals are kept, so that an export of it is the same file.

    Parameters
    ----------
    on_progress : callable
        Is told how many nodes were taken in so far.
    events : list of str, optional
        Where the hashes of the writes go, the newest first; whoever is interrupted has those that were made.
    """
    return _Import(memory, plan, on_progress, [] if events is None else events).run(lines)


class _Import:
    def __init__(self, memory: "Runtime", plan: Plan, on_progress: Callable[[int], None], events: list[str]) -> None:
        self.memory, self.plan, self.on_progress = memory, plan, on_progress
        self.done = Imported(signed=plan.signed, events=events)
        self.author = memory.author(memory.caller.within("import", "import"))
        self.empty = memory.store.counts()["nodes"] == 0
        self.last: dict[str, Node] = {}
        self.lines_read = 0
        self.next_ordinal = memory.store.ordinals_used()
        self.followed = _statistics_of(memory, self.next_ordinal)
        self.embedder = copy(memory.embedder)
        self.embedder.statistics = self.followed.statistics
        """Weights texts as if they were told one by one: no index has them before the import ends."""

    def run(self, lines: Iterable[str]) -> Imported:
        nodes: list[tuple[Node, Vectors]] = []
        others: list[Any] = []
        for text in lines:
            line = parsed(text)
            if line["type"] in ("context-graph export", "end"):
                continue
            item = read(line)
            if isinstance(item, tuple):
                nodes[-1][1][item[1]] = item[2:]
            elif isinstance(item, Node):
                if len(nodes) >= BATCH:
                    self._nodes(nodes)
                    nodes = []
                nodes.append((item, {}))
            else:
                if nodes:
                    self._nodes(nodes)
                    nodes = []
                others.append(item)
                if len(others) >= 10 * BATCH:
                    self._others(others)
                    others = []
        self._nodes(nodes)
        self._others(others)
        self._settle()
        return self.done

    def _nodes(self, batch: list[tuple[Node, Vectors]]) -> None:
        known = {node.id: node for node in self.memory.store.nodes([node.id for node, _ in batch])}
        fresh = []
        for node, vectors in batch:
            self.lines_read += 1
            if node.id in known:
                if known[node.id].content == node.content:
                    self.done.known += 1
                else:
                    self.done.conflicts.append(node.id)
                continue
            fresh.append(self._prepared(node, vectors))
        with self._write() as tx:
            for node, vectors in fresh:
                if node.kind == NodeKind.MEMORY and not self.empty:
                    node = replace(node, ordinal=tx.next_ordinal())
                tx.put(node)
                for space, (model, data) in vectors.items():
                    tx.put_vector(node.id, space, model, data)
            if fresh:
                tx.note.update(operation="imported", nodes=[node.id for node, _ in fresh])
        self.done.nodes += len(fresh)
        self.done.vectors += sum(len(vectors) for _, vectors in fresh)
        self.on_progress(self.lines_read)

    def _prepared(self, node: Node, vectors: Vectors) -> tuple[Node, Vectors]:
        """A node as it may be stored here: a file is no more trusted than an agent."""
        kinds = self.memory.settings.redacted
        cleaned = replace(
            node,
            content=scrub(node.content, kinds=kinds).text,
            rationale=scrub(node.rationale, kinds=kinds).text,
            name=scrub(node.name, kinds=kinds).text,
            metadata=scrub_all(dict(node.metadata), kinds=kinds)[0],
            speaker=scrub(node.speaker, kinds=kinds).text if node.speaker else node.speaker,
            agent_id=self.memory.written_name(node.agent_id) if node.agent_id else node.agent_id,
            session_id=self.memory.written_name(node.session_id),
        )
        if cleaned != node:
            self.done.redacted += 1
            # No longer the file: what had to be replaced in its text stands in it too.
            node = cleaned
            vectors = {id: vector for id, vector in vectors.items() if id in UNTOLD and id != FILE}
        elif not self.plan.signed:
            vectors = {id: vector for id, vector in vectors.items() if id in UNTOLD}
        taint = suspicion(node.content)
        if taint >= QUARANTINE_FROM and node.state == NodeState.LIVE and node.kind == NodeKind.MEMORY:
            self.done.quarantined += 1
            node = replace(
                node, state=NodeState.QUARANTINED, taint=taint, state_at=self.memory.clock(), state_by="system",
                state_reason="it reads like an instruction to an agent",
            )  # fmt: skip
        if node.kind == NodeKind.MEMORY:
            self.followed.follow(self._ordinal_of(node))
            if not vectors.keys() >= SPACES or vectors["E6"][0] != lexical.MAKER:
                file_vectors = {FILE: vectors[FILE]} if FILE in vectors else {}
                vectors = self._embedded(node, vectors.get(multimodal.ID, ("", None))[1]) | file_vectors
            self.followed.count(unpack_words(vectors["E6"][1])[1])
            if node.state == NodeState.LIVE:
                self.last[node.session_id] = node
        return node, vectors

    def _ordinal_of(self, node: Node) -> int:
        """The one that a memory will have here."""
        ordinal = node.ordinal if self.empty and node.ordinal is not None else self.next_ordinal
        self.next_ordinal = ordinal + 1
        return ordinal

    def _embedded(self, node: Node, multimodal: bytes | None) -> Vectors:
        self.done.embedded += 1
        fingerprint = fingerprint_of(
            self.memory.store, self.embedder, node, self.last.get(node.session_id), media_of(node, multimodal)
        )
        whole = completed(self.embedder, fingerprint)
        assert whole is not None
        made = replace(fingerprint, semantic=whole[0], chunks=whole[1], pending=[])
        return vectors_of(node, made, self.embedder.makers)

    def _others(self, batch: list[Any]) -> None:
        goals = {goal.id for goal in self.memory.store.goals()}
        with self._write() as tx:
            for item in batch:
                if isinstance(item, Edge):
                    self._count("edges", tx.edge(item.id) is not None, partial(tx.put, item))
                elif isinstance(item, Goal):
                    self._count("goals", item.id in goals, partial(tx.put, item))
                elif isinstance(item, Record):
                    self._record(tx, item)
                elif not tx.has(item):
                    tx.put(item)
            if tx.has_changes():
                tx.note.update(operation="imported", nodes=[])

    def _record(self, tx: "Transaction", record: Record) -> None:
        """A record as it may be stored here: cleaned as a node is."""
        kinds = self.memory.settings.redacted
        record = replace(
            record,
            name=scrub(record.name, kinds=kinds).text,
            data=scrub_all(dict(record.data), kinds=kinds)[0],
            agent_id=self.memory.written_name(record.agent_id) if record.agent_id else record.agent_id,
            session_id=self.memory.written_name(record.session_id),
        )
        known = tx.has(record)
        if not known and record.state == NodeState.LIVE and tx.namesake(record) is not None:
            self.done.conflicts.append(record.id)
        else:
            self._count("records", known, partial(tx.put, record))

    def _count(self, name: str, known: bool, put: Callable[[], None]) -> None:
        if known:
            self.done.known += 1
        else:
            put()
            setattr(self.done, name, getattr(self.done, name) + 1)

    def _settle(self) -> None:
        """Ordinals that were lost in the exported memory are lost here too."""
        if self.empty and self.plan.next_ordinal:
            with self._write() as tx:
                tx.skip_ordinals(self.plan.next_ordinal)
        self.memory.catch_up()

    @contextmanager
    def _write(self) -> "Iterator[Transaction]":
        with self.memory.writing, self.memory.store.write("imported", self.author) as tx:
            yield tx
        if tx.committed is not None:
            self.done.events.insert(0, tx.committed.hash[:16])


def _statistics_of(memory: "Runtime", ordinals: int) -> FollowedStatistics:
    """The word statistics of all that is stored, without its indexes."""
    followed = FollowedStatistics()
    for first in range(0, ordinals, COUNTED_AT_ONCE):
        for ordinal, data in memory.store.vectors_by_ordinal("E6", first, first + COUNTED_AT_ONCE - 1):
            followed.follow(ordinal)
            followed.count(unpack_words(data)[1])
    return followed


@contextmanager
def _at(number: int) -> Iterator[None]:
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"line {number}: {error}") from error
