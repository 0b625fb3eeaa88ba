"""The content of an event, of which no more is parsed than is asked for.

An event that stored many memories at once holds a third of a megabyte of JSON, and its history asks for one row of it.
"""

import json
import re
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
        end = -1 if head is None else self.body.find(_NOTE, head.end())
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
        """The changes of these tables in their order: the table, and the record in its JSON form, or None for a row
        that was inserted.
        """
        if self._layout is None:
            for record in self._whole.get("changes", ()):
                if record["table"] in tables:
                    yield record["table"], None if record["before"] is None else record
            return
        tail = re.compile(rb'\],"table":"(%s)"\}' % "|".join(map(re.escape, tables)).encode())
        start = self._layout.start
        for found in tail.finditer(self.body, start, self._layout.end):
            key = self.body.rfind(_KEY, start, found.start())
            inserted = self.body.endswith(_INSERTED, start, key)
            yield found[1].decode(), None if inserted else self._record(start, found.end())
            start = found.end()

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
