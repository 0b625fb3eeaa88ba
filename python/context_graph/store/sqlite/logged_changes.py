"""The changes in the payload of an event, each kept as its JSON: a tenth of what parsed ones take in RAM.

A purge reads all events that counted reads of what goes, and carries what they changed elsewhere: tens of thousands
of changes, of which only table and key are looked at.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from sys import intern
from typing import Any

from context_graph.store.chain import canonical
from context_graph.store.payload import Payload
from context_graph.store.sqlite.changes import ChangeRecord
from context_graph.store.sqlite.rows import Row

__all__ = ["LoggedChange", "LoggedPayload", "read_payload", "sides_of", "with_residue"]


class LoggedChange:
    """One change: table and key, and the rest as JSON."""

    __slots__ = ("body", "key", "table")

    def __init__(self, record: ChangeRecord, body: bytes | None = None) -> None:
        self.table = intern(record["table"])
        self.key = tuple(map(intern, record["key"]))
        self.body = canonical(record) if body is None else body

    def parsed(self) -> ChangeRecord:
        record: ChangeRecord = json.loads(self.body)
        return record


@dataclass(slots=True)
class LoggedPayload:
    """The content of an event.

    Attributes
    ----------
    head : dict
        All members but the two below, parsed.
    changes : list of LoggedChange
    residue : dict
        Of a purge: what emptied events changed in rows that remain, by their sequence number.
    """

    head: dict[str, Any] = field(default_factory=dict)
    changes: list[LoggedChange] = field(default_factory=list)
    residue: dict[str, list[LoggedChange]] = field(default_factory=dict)

    def all_changes(self) -> Iterator[LoggedChange]:
        return chain(self.changes, *self.residue.values())


def read_payload(body: bytes) -> LoggedPayload:
    """Parse canonical JSON (`chain.canonical`: without blanks), of the changes one at a time."""
    reader, payload = _Reader(body.decode()), LoggedPayload()
    for name in reader.members():
        if name == "changes":
            payload.changes = reader.changes()
        elif name == "residue":
            payload.residue = {seq: reader.changes() for seq in reader.members()}
        else:
            payload.head[name] = reader.value()
    return payload


def with_residue(payload: Mapping[str, Any], residue: Mapping[str, list[LoggedChange]]) -> Payload:
    """The payload of a purge, its changes as they are written, without parsing any."""
    lists = {seq: b"[%s]" % b",".join(change.body for change in changes) for seq, changes in residue.items()}
    members = {name: canonical(value) for name, value in payload.items()} | {"residue": _object(lists)}
    return Payload(_object(members))


def _object(members: Mapping[str, bytes]) -> bytes:
    return b"{%s}" % b",".join(b"%s:%s" % (canonical(name), members[name]) for name in sorted(members))


def sides_of(record: ChangeRecord) -> tuple[Row, Row]:
    """The row before and after, an empty one where there was none."""
    return record["before"] or {}, record["after"] or {}


class _Reader:
    """A place in a JSON text, which goes on as it is read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._decode = json.JSONDecoder().raw_decode

    def value(self) -> Any:
        value, self._at = self._decode(self._text, self._at)
        return value

    def members(self) -> Iterator[str]:
        """The names of an object; at each, its value comes next and has to be read."""
        self._at += 1
        if self._text[self._at] == "}":
            self._at += 1
            return
        mark = ","
        while mark == ",":
            name = self.value()
            self._at += 1  # the colon
            yield name
            mark = self._text[self._at]
            self._at += 1

    def changes(self) -> list[LoggedChange]:
        changes: list[LoggedChange] = []
        mark = ","
        self._at += 1
        if self._text[self._at] == "]":
            self._at += 1
            return changes
        while mark == ",":
            start = self._at
            record = self.value()
            changes.append(LoggedChange(record, self._text[start : self._at].encode()))
            mark = self._text[self._at]
            self._at += 1
        return changes
