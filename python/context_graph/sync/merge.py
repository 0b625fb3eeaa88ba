"""Joining the entries of one batch with the rows that are here, inside one transaction."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from context_graph.errors import InvalidInput
from context_graph.models import Edge, Node, NodeKind, NodeState, Record, Scope
from context_graph.safety.inspect import QUARANTINE_FROM
from context_graph.store import KINDS, OWN, Registers, Stamp
from context_graph.sync.batch import Batch, Entry, parsed_entry, spelling
from context_graph.sync.inspection import inspected, suspicion_of
from context_graph.sync.outgoing import entry_of
from context_graph.sync.rows import Item, checked_row, new_row, rows_here
from context_graph.sync.vectors import Vectors, text_of, vectors_here

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import RegisterRows, Transaction

__all__ = ["Folded", "Merge"]

MAX_HELD = 5_000
"""Edges that wait for an end of before, looked at each time."""

NAMESAKE = "0" * 64
"""The origin of what all homes conclude alike: of two records of one name the later made is put away."""

Key = tuple[str, str]


@dataclass(slots=True)
class Folded:
    """What batches changed.

    Attributes
    ----------
    received : int
        Entries in them.
    written : int
        Rows that came, changed or went.
    conflicts : int
        Rows that both homes had written since they last met; of each register the later write stands.
    held : int
        Rows that wait for another.
    skipped : int
        Entries of scopes that are not shared with the peer.
    quarantined : int
        Memories that read like an instruction to an agent.
    forgotten, purged : int
        Memories that went into the trash or for good.
    """

    received: int = 0
    written: int = 0
    conflicts: int = 0
    held: int = 0
    skipped: int = 0
    quarantined: int = 0
    forgotten: int = 0
    purged: int = 0

    def __add__(self, other: "Folded") -> "Folded":
        mine, theirs = asdict(self), asdict(other)
        return Folded(**{name: count + theirs[name] for name, count in mine.items()})


@dataclass(slots=True)
class Merge:
    """One batch on its way into one transaction.

    Parameters
    ----------
    key : str
        The public key of this home.
    scopes : collection of str
        Those that are shared with the peer: no row of another comes in or is changed.
    vectors : mapping
        Of new memories, by id.
    since : int
        The clock when the two homes last met.
    follow : bool
        Whether the next batch is asked for from the end of this one.
    """

    memory: "Runtime"
    tx: "Transaction"
    rows: "RegisterRows"
    batch: Batch
    key: str
    scopes: Collection[str]
    vectors: Mapping[str, Vectors]
    since: int = 0
    follow: bool = True
    done: Folded = field(default_factory=Folded)
    gone: set[str] = field(default_factory=set)
    """Memories that were live and are no more, also those that hang on one which is deleted for good."""

    brought: int = 0
    """Live memories that were not here before."""

    nodes: set[str] = field(default_factory=set)
    """All that came, changed or went."""

    _written: dict[Key, Registers] = field(default_factory=dict)
    _held: dict[Key, Entry] = field(default_factory=dict)
    _purged: dict[str, int] = field(default_factory=dict)
    _known: dict[Key, Registers] = field(default_factory=dict)
    _waiting: dict[Key, Entry] = field(default_factory=dict)
    _items: dict[Key, Item] = field(default_factory=dict)
    _deleted: set[str] = field(default_factory=set)
    """Of the ids in the batch, those that were deleted for good."""

    _scopes: dict[str, str] = field(default_factory=dict)
    """Of the nodes that are here, of those that the batch names."""

    _told: dict[Key, Registers] = field(default_factory=dict)
    """What the peer says of each row, without the values."""

    _apart: set[str] = field(default_factory=set)
    """Records that were put away since another has their name."""

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._written or self._held or self._purged)

    def received(self) -> dict[str, Any]:
        """What the event keeps of it, so that the log tells which write each register comes from."""
        return {
            "peer": self.batch.sender,
            "cursor": self.batch.cursor if self.follow else None,
            "rows": [
                [*row, registers.to_json(), int(self._told.get(row) == registers)]  # 1: it need not be told so there
                for row, registers in self._written.items()
            ],
            "held": [entry.to_json() for entry in self._held.values()],
            "purged": sorted([id, hlc] for id, hlc in self._purged.items()),
        }

    def run(self) -> None:
        """Take in everything, in an order in which what is needed is there."""
        self.done.received = self.batch.size
        self._look()
        self._purge()
        for entry in sorted(filter(self._allowed, self.batch.entries), key=_turn):
            self._take(entry)
        self._settle()
        self.done.written, self.done.held = len(self._written), len(self._held)

    def _look(self) -> None:
        """Read what is here of all that the batch tells of."""
        for table in KINDS:
            self._look_at(table, {entry.id for entry in self.batch.entries if entry.table == table})
        self._look_at("nodes", set(self.batch.purged))
        ends = {end for entry in self.batch.entries for end in _ends(entry)}
        ends |= {end for item in self._items.values() if isinstance(item, Edge) for end in (item.source, item.target)}
        self._see(self.tx.nodes(ends))
        self.tx.have_nodes(ends)
        self._deleted = self.rows.purged({*ends, *self.batch.purged, *(entry.id for entry in self.batch.entries)})

    def _see(self, nodes: Iterable[Item]) -> None:
        """Note that some nodes are here."""
        self._scopes |= {node.id: str(node.scope) for node in nodes if isinstance(node, Node)}

    def _look_at(self, table: str, ids: Collection[str]) -> None:
        if ids:
            registers = self.rows.registers(table, ids)
            self._known |= {(table, id): _named(found, self.key) for id, found in registers.items()}
            self._waiting |= {(table, id): parsed_entry(found) for id, found in self.rows.held(table, ids).items()}
            self._items |= {(table, item.id): item for item in rows_here(self.tx, table, ids)}

    def _purge(self) -> None:
        for id, hlc in self.batch.purged.items():
            item = self._items.get(("nodes", id))
            if isinstance(item, Node) and str(item.scope) not in self.scopes:
                self.done.skipped += 1
            elif id not in self._deleted:
                self._purged[id] = hlc
                self.nodes.add(id)
                if isinstance(item, Node):
                    for node in [item, *self.tx.derived(id)]:
                        self._goes(node)
        self._deleted |= self._purged.keys()

    def _goes(self, node: Node) -> None:
        if node.kind == NodeKind.MEMORY and node.state == NodeState.LIVE:
            self.gone.add(node.id)

    def _allowed(self, entry: Entry) -> bool:
        """Whether it is of a scope that is shared, changes nothing that is not, and gives no orders."""
        if entry.columns.get("state") == NodeState.QUARANTINED:
            raise InvalidInput(f"{entry.table[:-1]} {entry.id} is in quarantine there: such rows do not leave a home")
        if entry.id in self._deleted or not self._deleted.isdisjoint(_ends(entry)):
            return False
        item = self._items.get((entry.table, entry.id))
        scopes = {entry.columns.get("scope", Scope.USER)}
        if isinstance(item, Node | Record):
            scopes.add(item.scope)
        ends = {*_ends(entry), *((item.source, item.target) if isinstance(item, Edge) else ())}
        scopes |= {self._scopes[end] for end in ends if end in self._scopes}
        if not all(str(scope) in self.scopes for scope in scopes) or self._stays_here(entry):
            self.done.skipped += 1
            return False
        if suspicion_of(entry) >= QUARANTINE_FROM:
            self.done.quarantined += 1  # only memories can wait for the user
            return False
        return True

    def _stays_here(self, entry: Entry) -> bool:
        """Whether it names a record of a kind that belongs to one machine."""
        row = entry.table, entry.id
        return entry.table == "records" and row not in self._items and self.tx.row("records", (entry.id,)) is not None

    def _take(self, entry: Entry) -> None:
        row = entry.table, entry.id
        self._told[row] = _named(entry.stamps, self.key)
        registers = self._known.get(row)
        if registers is not None and registers.alive and row in self._items:
            if entry.alive:
                self._change(row, entry, registers)
            elif entry.there > registers.there:
                self._remove(row)
                self._note(row, entry.stamps)
        elif registers is None or registers.alive or entry.there > registers.there:
            waiting = self._held.get(row) or self._waiting.get(row)
            joined = entry if waiting is None else waiting.joined(entry)
            if joined is not entry:
                self._told.pop(row)  # part of it is of another home
            if not joined.alive:
                self._note(row, joined.stamps)
            elif joined != waiting and (self._may_differ(entry, joined) or not self._insert(joined)):
                self._held[row] = joined  # where its ends are there, `_settle` sees whether they are shared

    def _may_differ(self, entry: Entry, joined: Entry) -> bool:
        """Whether an edge may have other ends than those of the entry that was looked at."""
        return joined is not entry and entry.table == "edges"

    def _note(self, row: Key, registers: Registers) -> None:
        self._written[row] = self._known[row] = registers
        self._held.pop(row, None)
        self._waiting.pop(row, None)

    # A row that is here

    def _change(self, row: Key, entry: Entry, before: Registers) -> None:
        item = self._items[row]
        mine = entry_of(entry.table, item, before, self.key, whole=True)
        at = max(before.at, entry.at) if entry.whole else before.at
        columns: dict[str, Any] = {}
        stamps: dict[str, Stamp] = {}
        both = False
        for group, (stamp, values) in mine.registers.items():
            their_stamp, theirs = entry.registers.get(group, (stamp, values))
            if their_stamp > stamp or (
                their_stamp == stamp and theirs != values and spelling(theirs) > spelling(values)
            ):
                columns |= theirs
            elif theirs != values:
                self._told.pop(row, None)  # the peer has something else under this stamp
            stamps[group] = max(stamp, their_stamp, at)
            both = both or (theirs != values and self._since_met(stamp, their_stamp))
        registers = Registers(True, at, {group: stamp for group, stamp in stamps.items() if stamp != at})
        if not columns and registers == before:
            return
        self.done.conflicts += both
        if columns and not self._write(row, item, columns):
            self.tx.remove(item)  # it leads to what is not here: it waits, as a new one would
            del self._items[row]
            self._held[row] = mine.joined(entry)
            return
        self._note(row, self._put_away(self._items[row], registers) if columns else registers)

    def _since_met(self, mine: Stamp, theirs: Stamp) -> bool:
        """Whether both homes wrote since they last met, so that neither knew of the other's write."""
        apart = (mine.origin == self.key) != (theirs.origin == self.key)
        return apart and mine.hlc > self.since and theirs.hlc > self.since

    def _write(self, row: Key, item: Item, columns: dict[str, Any]) -> bool:
        """Change columns of a row; False where an end of it is not here."""
        changed = checked_row(row[0], asdict(item) | columns)
        if isinstance(item, Node) and isinstance(changed, Node):
            if (changed.kind, changed.derived_from) != (item.kind, item.derived_from):
                raise InvalidInput(
                    f"node {item.id} is a {item.kind} here: neither that nor what it is derived from changes"
                )
            changed = self._inspected(changed, item)
            if changed.state == NodeState.FORGOTTEN and item.state == NodeState.LIVE:
                self.done.forgotten += item.kind == NodeKind.MEMORY
                self._goes(item)
            self.tx.put(changed)
            self._see([changed])
            self._embed(changed, item)
            self.nodes.add(item.id)
        elif isinstance(changed, Edge) and not self._has_ends(changed):
            return False
        else:
            changed = self._named_apart(changed)
            self.tx.put(changed)
        self._items[row] = changed
        return True

    def _remove(self, row: Key) -> None:
        """Take a row away; edges that hung on it wait, since homes agree on them one by one."""
        item = self._items.pop(row)
        if not isinstance(item, Node):
            self.tx.remove(item)
            return
        edges = self.tx.edges(item.id)
        self._look_at("edges", {edge.id for edge in edges} - {id for table, id in self._known if table == "edges"})
        for edge in edges:
            known = self._known.get(("edges", edge.id))
            if known is not None and known.alive:
                self._held["edges", edge.id] = entry_of("edges", edge, known, self.key)
            self._written.pop(("edges", edge.id), None)
            self._items.pop(("edges", edge.id), None)
        self.done.forgotten += item.kind == NodeKind.MEMORY
        self._goes(item)
        self.nodes.add(item.id)
        self._scopes.pop(item.id, None)
        self.tx.remove_node(item.id)

    # A row that is not

    def _insert(self, entry: Entry) -> bool:
        """Make a row of an entry; False where it has to wait."""
        if not entry.whole:
            return False
        ready = self.vectors.get(entry.id)
        item = ready.node if ready is not None and ready.entry is entry and ready.node is not None else new_row(entry)
        if isinstance(item, Node):
            item = self._inspected(item, None)
            if item.kind == NodeKind.MEMORY:
                item = replace(item, ordinal=self.tx.next_ordinal())
                self.brought += item.state == NodeState.LIVE
            self.tx.put(item, new=True)
            self._see([item])
            self._embed(item, None)
            self.nodes.add(item.id)
        elif isinstance(item, Edge) and not self._has_ends(item):
            return False
        else:
            item = self._named_apart(item, entry.at)
            self.tx.put(item, new=True)
        row = entry.table, entry.id
        self._items[row] = item
        self._note(row, self._put_away(item, _named(entry.stamps, self.key)))
        return True

    def _has_ends(self, edge: Edge) -> bool:
        return edge.source in self._scopes and edge.target in self._scopes

    def _settle(self) -> None:
        """Let in the edges whose ends are there by now."""
        waiting: list[tuple[str, tuple[str, ...]]] = []
        waiting += [(id, (source, target)) for id, source, target in self.rows.held_edges(self.nodes, MAX_HELD)]
        waiting += [(id, _ends(entry)) for (table, id), entry in self._held.items() if table == "edges"]
        self._see(self.tx.nodes({end for _, ends in waiting for end in ends}))
        there = self._scopes.keys()
        ready = {id for id, ends in waiting if there >= {*ends}}
        self._look_at("edges", ready - {id for table, id in self._items if table == "edges"})
        for id in sorted(ready):
            row = "edges", id
            entry = self._held.get(row) or self._waiting.get(row)
            if entry is not None and row not in self._items and row not in self._written and self._allowed(entry):
                self._insert(entry)

    # Memories

    def _inspected(self, node: Node, before: Node | None) -> Node:
        kept, waits = inspected(node, before, self.memory.clock())
        self.done.quarantined += waits
        return kept

    def _embed(self, node: Node, before: Node | None) -> None:
        if node.kind != NodeKind.MEMORY or (before is not None and text_of(before) == text_of(node)):
            return
        found = self.vectors.get(node.id)
        if found is None or found.text != text_of(node):
            found = vectors_here(self.memory, node)
        found.put(self.tx, node.id, fresh=before is None)

    # Records

    def _named_apart(self, item: Item, at: Stamp | None = None) -> Item:
        """Of two records of one name, the one that was made first keeps it; all homes put the other one away alike."""
        if not isinstance(item, Record) or item.state != NodeState.LIVE:
            return item
        other = self.tx.namesake(item)
        if other is None:
            return item
        row = "records", other.id
        if row not in self._known:
            self._look_at("records", {other.id})
        theirs, mine = self._known.get(row), at or self._known["records", item.id].at
        if theirs is not None and (theirs.at, other.id) < (mine, item.id):
            self._apart.add(item.id)
            return replace(item, state=NodeState.FORGOTTEN)
        self._apart.add(other.id)
        put_away = replace(other, state=NodeState.FORGOTTEN)
        self.tx.put(put_away)
        self._items[row] = put_away
        if theirs is not None:
            self._note(row, self._put_away(put_away, theirs))
        return item

    def _put_away(self, item: Item, registers: Registers) -> Registers:
        """Registers of a record, with what all homes conclude of one whose name another has."""
        if item.id not in self._apart:
            return registers
        later = registers.later | {"state": Stamp(registers.of("state").hlc + 1, NAMESAKE)}
        return Registers(registers.alive, registers.at, later)


def _turn(entry: Entry) -> tuple[int, str]:
    """What goes first: edges that went, then nodes, then what needs them."""
    went = entry.table == "edges" and not entry.alive
    return (0 if went else 1 + KINDS.index(entry.table)), entry.id


def _ends(entry: Entry) -> tuple[str, ...]:
    values = entry.registers["ends"][1] if entry.table == "edges" and entry.alive else {}
    return tuple(str(values[end]) for end in ("source", "target") if end in values)


def _named(registers: Registers, key: str) -> Registers:
    """With the key of this home in the stamps that are its own."""

    def named(stamp: Stamp) -> Stamp:
        return Stamp(stamp.hlc, key) if stamp.origin == OWN else stamp

    later = {group: named(stamp) for group, stamp in registers.later.items()}
    return Registers(registers.alive, named(registers.at), later)
