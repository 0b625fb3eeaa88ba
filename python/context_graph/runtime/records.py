"""Records: what is kept under a name and is no memory, each with data of a registered type.

A type of record is a dataclass or a model of pydantic under `@record_type("kind")`; its data are stored as JSON and
come back as the type, checked. Every write is one event, so it is undone, replayed and exported as memories are.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from context_graph.errors import InvalidInput, NotFound, StoreCorrupt
from context_graph.models import Caller, Event, NodeState, Record, Scope
from context_graph.safety.pii import scrub, scrub_all
from context_graph.store import change_of
from context_graph.suggestions import nearest
from context_graph.texts import storable, storable_all
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.runtime.runtime import Runtime

__all__ = ["MAX_RECORD_CHARACTERS", "RECORD_TYPES", "Entry", "Records", "check_record", "record_type"]

MAX_RECORD_CHARACTERS = 1_000_000
"""Of the data of one record as JSON."""

MAX_RECORD_NAME = 128
RECORD_TYPES: dict[str, type] = {}
"""Every type of record by its kind."""

T = TypeVar("T")


def record_type(kind: str) -> Callable[[type[T]], type[T]]:
    """Register the type of the data of a kind of record."""

    def register(made: type[T]) -> type[T]:
        if kind in RECORD_TYPES:
            raise ValueError(f"expected a kind that no type has, got {kind!r} of {RECORD_TYPES[kind].__name__} again")
        RECORD_TYPES[kind] = made
        return made

    return register


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(RECORD_TYPES[kind])


def problems(error: ValidationError) -> str:
    """What is wrong with data, place by place, in one line."""
    lines = [f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in error.errors()[:3]]
    return "; ".join(line.replace("Value error, ", "") for line in lines)


def check_record(record: Record) -> None:
    """Raise `InvalidInput` where no registered type reads the data of a record."""
    if record.kind not in RECORD_TYPES:
        raise InvalidInput(f"expected a record of {', '.join(RECORD_TYPES) or 'no kind'}, got {record.kind!r:.40}")
    if not isinstance(record.name, str) or not 0 < len(record.name) <= MAX_RECORD_NAME:
        raise InvalidInput(f"record.name must have 1 to {MAX_RECORD_NAME} characters, got {record.name!r:.40}")
    try:
        _adapter(record.kind).validate_python(dict(record.data))
    except ValidationError as error:
        raise InvalidInput(f"the data of {record.kind} {record.name!r:.80} do not fit: {problems(error)}") from error


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A record with its data as what they are.

    Attributes
    ----------
    event_hash : str
        Undoes the write that this came of; empty where it was read.
    """

    record: Record
    value: T
    event_hash: str = ""

    @property
    def name(self) -> str:
        return self.record.name


class Records(Generic[T]):
    """The records of one type, as a caller shares them.

    Parameters
    ----------
    of : type
        Registered under `@record_type`.
    caller : Caller, optional
        The memory's own by default.
    """

    def __init__(self, memory: "Runtime", of: type[T], caller: Caller | None = None) -> None:
        self._memory, self._caller = memory, caller or memory.caller
        self.kind = next(kind for kind, known in RECORD_TYPES.items() if known is of)
        self._adapter = _adapter(self.kind)

    def all(self) -> list[Entry[T]]:
        """Those that are live, oldest first."""
        viewer = self._memory.viewer(self._caller)
        records = self._memory.store.records(self.kind)
        return [self._read(one) for one in records if one.state == NodeState.LIVE and may_see(one, viewer)]

    def get(self, name: str, *, having: Callable[[T], bool] = lambda _: True) -> Entry[T]:
        """The one of a name; that of the conversation comes before that of the session and that of the user.

        Parameters
        ----------
        having : callable
            Which of them an error names, where none is called so.
        """
        entries = {entry.name: entry for entry in sorted(self.all(), key=lambda one: _NEARNESS[one.record.scope])}
        if name in entries:
            return entries[name]
        usable = sorted(one for one, entry in entries.items() if having(entry.value))
        near = nearest(name, usable)
        known = ", ".join(usable[:10]) or f"no {self.kind} yet"
        guess = f"did you mean {near!r}? " if near else ""
        raise NotFound(f"{self.kind.capitalize()} not found: {name[:80]!r}; {guess}there are: {known}")

    def first(self, entry: Entry[T]) -> T | None:
        """The value that a record had when it was added; None where the log no longer has it."""
        for event in self._memory.store.lineage(entry.record.id, limit=MAX_LINEAGE, parsed=False):
            change = change_of(event, "records", entry.record.id)
            if change is not None and change.inserted and change.after is not None:
                value: T = self._adapter.validate_python(json.loads(change.after["data"]))
                return value
        return None

    def named(self, name: str) -> Entry[T] | None:
        """The live one of a name that the user's sessions share, without a look at the others."""
        now = self._memory.clock()
        wanted = Record(id="", kind=self.kind, name=name, session_id="", created_at=now, updated_at=now)
        record = self._memory.store.namesake(wanted)
        return None if record is None else self._read(record)

    def add(self, name: str, value: T, *, scope: Scope = Scope.USER) -> Entry[T]:
        """Keep a value under a name that is free."""
        name = scrub(storable(name.strip()), kinds=self._memory.settings.redacted).text
        if not 0 < len(name) <= MAX_RECORD_NAME or not name.isprintable():
            raise InvalidInput(
                f"a name of a {self.kind} must have 1 to {MAX_RECORD_NAME} printable characters, got {name[:40]!r} of "
                f"{len(name)}",
                field="name",
            )
        author, now = self._memory.author(self._caller), self._memory.clock()
        record = Record(
            id=self._memory.new_id(), kind=self.kind, name=name, scope=scope, agent_id=author.agent_id,
            session_id=author.session_id, context_id=author.context_id, created_at=now, updated_at=now,
            data=self._data(value),
        )  # fmt: skip
        return self._written(record, "added")

    def change(self, entry: Entry[T], value: T) -> Entry[T]:
        """Replace the value of a record."""
        return self._written(replace(entry.record, data=self._data(value), updated_at=self._memory.clock()), "changed")

    def remove(self, entry: Entry[T]) -> Entry[T]:
        """Take a record away; undo brings it back, where its name is free then."""
        gone = replace(entry.record, state=NodeState.FORGOTTEN, updated_at=self._memory.clock())
        return self._written(gone, "removed")

    def purge(self, entry: Entry[T]) -> None:
        """Delete a record for good, with every trace of it in the log and in backups."""
        with self._memory.writing:
            self._memory.store.purge(entry.record.id, self._memory.author(self._caller))
            self._memory.committed()

    def write_all(
        self,
        *,
        added: Sequence[T] = (),
        changed: Sequence[tuple[Record, T]] = (),
        removed: Sequence[Record] = (),
        clean: bool = False,
    ) -> Event | None:
        """Add, change and remove many by one event; each new one is named by its id. None where nothing is to be done.

        Parameters
        ----------
        clean : bool
            Whether the values hold no secrets and personal data already.
        """
        if not (added or changed or removed):
            return None
        author, now = self._memory.author(self._caller), self._memory.clock()
        records = [replace(one, data=self._data(value, clean), updated_at=now) for one, value in changed]
        records += [replace(one, state=NodeState.FORGOTTEN, updated_at=now) for one in removed]
        for value in added:
            id = self._memory.new_id()
            records.append(
                Record(
                    id=id, kind=self.kind, name=id, agent_id=author.agent_id, session_id=author.session_id,
                    context_id=author.context_id, created_at=now, updated_at=now, data=self._data(value, clean),
                )
            )  # fmt: skip
        with self._memory.store.write(self.kind, author) as tx:
            for record in records:
                tx.put(record)
            counts = {"added": len(added), "changed": len(changed), "removed": len(removed)}
            kinds = self.kind if self.kind.endswith("s") else f"{self.kind}s"
            tx.note.update(operation=f"{kinds}_written", records=[record.id for record in records], **counts)
        self._memory.committed(tx.committed)
        return tx.committed

    def _written(self, record: Record, operation: str) -> Entry[T]:
        with self._memory.store.write(self.kind, self._memory.author(self._caller)) as tx:
            tx.put(record)
            tx.note.update(operation=f"{self.kind}_{operation}", records=[record.id])
        assert tx.committed is not None
        self._memory.committed(tx.committed)
        return replace(self._read(record), event_hash=tx.committed.hash)

    def _read(self, record: Record) -> Entry[T]:
        try:
            return Entry(record, self._adapter.validate_python(dict(record.data)))
        except ValidationError as error:
            raise StoreCorrupt(
                f"the {record.kind} {record.name!r:.80} does not fit this version ({problems(error)}); upgrade, or "
                f"remove it with context-graph {record.kind} rm"
            ) from error

    def _data(self, value: T, clean: bool = False) -> dict[str, Any]:
        """The JSON of a value without secrets and personal data."""
        data: dict[str, Any] = self._adapter.dump_python(value, mode="json", exclude_none=True)
        if not clean:
            data = scrub_all(storable_all(data), kinds=self._memory.settings.redacted)[0]
        if len(repr(data)) > MAX_RECORD_CHARACTERS:
            raise InvalidInput(
                f"the data of a {self.kind} must stay below {MAX_RECORD_CHARACTERS} characters, got {len(repr(data))}; "
                "make it of fewer parts"
            )
        if clean:
            return data
        try:
            self._adapter.validate_python(data)
        except ValidationError as error:
            raise InvalidInput(f"without its personal data the {self.kind} does not fit: {problems(error)}") from error
        return data


MAX_LINEAGE = 100_000
"""Events of one record that are looked through."""

_NEARNESS = {Scope.USER: 0, Scope.SESSION: 1, Scope.CONTEXT: 2}
