"""The content of an event, of which no more is parsed than is asked for.

An event that stored many memories at once holds a third of a megabyte of JSON, and its history asks for one row of it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from context_graph.regex import regex

__all__ = ["Payload"]

# Canonical JSON (`chain.canonical`) has sorted keys and no blanks, and a quotation mark within a text stands behind a
# backslash: none of these is found within one.
_HEAD = regex(rb'\{"blobs":\[(?:"\w*",?)*\],"changes":\[')
_NOTE = b'],"note":{'
_RECORD, _KEY, _INSERTED = b'{"after":', b'"key":[', b'"before":null,'
_BEFORE, _TABLE, _END = b'"before":{', b'],"table":"', b'"}'


class _Layout(NamedTuple):
    """Where the changes stand, and the note."""

    start: int
    end: int
    note: dict[str, Any]


class Payload(Mapping[str, Any]):
    """What `json.loads` would give of an event's content."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    @cached_property
    def _whole(self) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(self.body)
        return whole

    @cached_property
    def _layout(self) -> _Layout | None:
        """None where the content is of another form, such as that of a purge: then it is parsed whole."""
        head = _HEAD.match(self.body)
        # from the end, as it is the last: where another stood within it, what follows that is no JSON
        end = -1 if head is None else self.body.rfind(_NOTE, head.end())
        if head is None or end < 0:
            return None
        try:
            return _Layout(head.end(), end, json.loads(self.body[end + len(_NOTE) - 1 : -1]))
        except json.JSONDecodeError:
            return None

    def __getitem__(self, name: str) -> Any:
        return self._layout.note if name == "note" and self._layout else self._whole[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole)

    def __len__(self) -> int:
        return len(self._whole)

    def __bool__(self) -> bool:
        return self.body != b"{}"

    def records(self, tables: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
        """The changes of these tables in their order: the table, and the record in its JSON form, or None for the first
        row that was inserted into it. Those inserted after it, of which there may be thousands, are passed over.
        """
        if self._layout is None:
            inserted = set()
            for record in self._whole.get("changes", ()):
                table = record["table"]
                if table in tables and not (record["before"] is None and table in inserted):
                    yield table, None if record["before"] is None else record
                    inserted.update([table] if record["before"] is None else [])
            return
        firsts = {at: table for table in tables if (at := self._first_inserted(table)) >= 0}
        changed = {end: table for end, table in self._changed() if table in tables}
        for at in sorted(firsts.keys() | changed.keys()):
            if at in firsts:
                yield firsts[at], None
            else:
                yield changed[at], self._record(self._layout.start, at)

    def _first_inserted(self, table: str) -> int:
        """Where the first row that was inserted into a table ends; -1 without any."""
        assert self._layout is not None
        start, end = self._layout.start, self._layout.end
        tail = b'%s%s"}' % (_TABLE, table.encode())
        at = self.body.find(tail, start, end)
        while at >= 0 and not self.body.endswith(_INSERTED, start, self.body.rfind(_KEY, start, at)):
            at = self.body.find(tail, at + len(tail), end)
        return at + len(tail) if at >= 0 else -1

    def _changed(self) -> Iterator[tuple[int, str]]:
        """Where each row that was there before ends, and its table."""
        assert self._layout is not None
        at = self._layout.start
        while (at := self.body.find(_BEFORE, at, self._layout.end)) >= 0:
            name = self.body.find(_TABLE, at) + len(_TABLE)
            at = self.body.find(_END, name) + len(_END)
            yield at, self.body[name : at - len(_END)].decode()

    def record(self, table: str, id: str) -> Mapping[str, Any] | None:
        """The first change of the row with this id, in its JSON form; None where the event has none of it."""
        if self._layout is None:
            changes = self._whole.get("changes", ())
            return next((one for one in changes if one["table"] == table and one["key"][0] == id), None)
        tail = b"%s%s" % (_KEY, b'%s],"table":"%s"}' % (json.dumps(id, ensure_ascii=False).encode(), table.encode()))
        at = self.body.find(tail, self._layout.start, self._layout.end)
        return None if at < 0 else self._record(self._layout.start, at + len(tail))

    def _record(self, start: int, end: int) -> Mapping[str, Any]:
        record: dict[str, Any] = json.loads(self.body[self.body.rfind(_RECORD, start, end) : end])
        return record
