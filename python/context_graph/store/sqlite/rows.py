"""The one place where dataclasses become rows, and rows dataclasses.

A row is a dict from column to an SQLite value. Its values survive SQLite and JSON unchanged, which is
what makes before-images, undo and replay exact: floats are finite and never -0.0, booleans are 0 or 1,
mappings are canonical JSON text.
"""

import json
import math
import operator
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import pairwise
from typing import Any, Union, get_args, get_origin, get_type_hints

from context_graph.errors import InvalidInput, StoreCorrupt
from context_graph.models import Edge, Goal, Node, NodeKind, Record
from context_graph.names import name_key
from context_graph.store.chain import canonical
from context_graph.store.records import Pair, Session

__all__ = [
    "TABLES",
    "Row",
    "Table",
    "Value",
    "completed",
    "decode",
    "encode",
    "encode_column",
    "encode_edges",
    "key_of",
    "table_of",
    "with_name_key",
]  # fmt: skip

Value = str | int | float | None
Row = dict[str, Value]


@dataclass(frozen=True, slots=True)
class _Vector:
    node_id: str
    space: str
    model: str
    sha256: str


@dataclass(frozen=True, slots=True)
class _Counter:
    name: str
    value: int


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    if not value.isascii():
        value.encode()
    return str(value)


def _integer(value: Any) -> int:
    number = operator.index(value)
    if not -(2**63) <= number < 2**63:
        raise ValueError
    return number


def _float(value: Any) -> float:
    if type(value) is not float and isinstance(value, str):
        raise TypeError
    number = float(value) + 0.0  # SQLite keeps no -0.0, so neither does a row
    if not math.isfinite(number):
        raise ValueError
    return number


def _boolean(value: Any) -> int:
    if value not in (0, 1):
        raise ValueError
    return int(value)


def _mapping(value: Any) -> str:
    return "{}" if value == {} else canonical(dict(value)).decode()


def _member(kind: type[StrEnum]) -> Callable[[Any], StrEnum]:
    """`kind` itself, which looks a member up more slowly."""
    members = {str(member): member for member in kind}
    return lambda value: members.get(value) or kind(value)


def _ids(value: Any) -> str | None:
    if isinstance(value, str):
        raise TypeError
    return canonical([_text(id) for id in value]).decode() if value else None


@dataclass(frozen=True, slots=True)
class _Codec:
    expects: str
    encode: Callable[[Any], Value]
    decode: Callable[[Any], Any] | None = None
    """None where SQLite returns the value as it was given."""


_CODECS: dict[Any, _Codec] = {
    str: _Codec("text in valid Unicode", _text),
    int: _Codec("a 64-bit integer", _integer),
    float: _Codec("a finite number", _float),
    bool: _Codec("true or false", _boolean, bool),
}


def _codec(hint: Any) -> _Codec:
    if get_origin(hint) in (Union, types.UnionType):
        inside = _codec(next(part for part in get_args(hint) if part is not type(None)))
        decode = inside.decode
        return _Codec(
            f"{inside.expects} or None",
            lambda value: None if value is None else inside.encode(value),
            decode and (lambda value: None if value is None else decode(value)),
        )
    if get_origin(hint) is tuple:
        return _Codec("a sequence of ids", _ids, lambda text: () if text is None else tuple(json.loads(text)))
    if get_origin(hint) is not None:
        return _Codec("a mapping that JSON can hold", _mapping, lambda text: {} if text == "{}" else json.loads(text))
    if issubclass(hint, StrEnum):
        member = _member(hint)
        return _Codec(f"one of {', '.join(hint)}", lambda value: str(member(value)), member)
    return _CODECS[hint]


class Table:
    """A projection table: its columns, its key, and the dataclass its rows stand for."""

    def __init__(self, name: str, key: tuple[str, ...], kind: type, *extra: str) -> None:
        self.name = name
        self.key = key
        self.kind = kind
        hints = get_type_hints(kind)
        self.fields = tuple(field.name for field in fields(kind))
        self.columns = self.fields + extra
        self.codecs = {column: _codec(hints[column]) for column in self.fields}
        self.encoders = [(column, codec.encode) for column, codec in self.codecs.items()]
        self.values = operator.attrgetter(*self.fields)
        decoders = [codec.decode for codec in self.codecs.values()]
        self.decoders = [(place, decoder) for place, decoder in enumerate(decoders) if decoder]
        # of a frozen dataclass: its `__init__` takes twice as long, and many rows are read for one answer
        self.setters = [getattr(kind, field).__set__ for field in self.fields]
        self.select = f"SELECT {', '.join(self.columns)} FROM {name}"
        self.where = " AND ".join(f"{column} = ?" for column in key)
        self.insert = f"INSERT INTO {name} ({', '.join(self.columns)}) VALUES ({', '.join('?' * len(self.columns))})"
        self.delete = f"DELETE FROM {name} WHERE {self.where}"


TABLES = {
    table.name: table
    for table in (
        Table("nodes", ("id",), Node, "name_key"),
        Table("edges", ("id",), Edge),
        Table("vectors", ("node_id", "space"), _Vector),
        Table("goals", ("id",), Goal),
        Table("records", ("id",), Record),
        Table("sessions", ("id",), Session),
        Table("pairs", ("first", "second"), Pair),
        Table("counters", ("name",), _Counter),
    )
}

_TABLE_OF = {table.kind: table for table in TABLES.values()}


def table_of(item: object) -> Table:
    """The table that keeps items of this kind."""
    return table_of_kind(type(item))


def table_of_kind(kind: type) -> Table:
    """The table of a dataclass."""
    table = _TABLE_OF.get(kind)
    if table is None:
        raise InvalidInput(f"expected a Node, Edge, Goal or Record, got {kind.__name__}")
    return table


def key_of(table: Table, row: Row) -> tuple[str, ...]:
    """The values that name a row in its table."""
    return tuple(str(row[column]) for column in table.key)


def encode_column(table: Table, column: str, value: Any) -> Value:
    """One field as SQLite keeps it.

    Raises
    ------
    InvalidInput
        The table has no such column, or the column takes no such value.
    """
    codec = table.codecs.get(column)
    if codec is None:
        raise InvalidInput(f"{table.name} has no column {column!r}; columns: {', '.join(table.fields)}", field=column)
    try:
        return codec.encode(value)
    except (TypeError, ValueError, OverflowError) as error:
        got = f"{type(value).__name__} {value!r:.60}"
        raise InvalidInput(f"{table.name}.{column} expects {codec.expects}, got {got}", field=column) from error


def encode(item: Any) -> Row:
    """The row that stands for `item`."""
    table = table_of(item)
    try:
        row = {name: encoded(value) for (name, encoded), value in zip(table.encoders, table.values(item), strict=True)}
    except (TypeError, ValueError, OverflowError):  # one by one: which field it is stands in the message
        row = {column: encode_column(table, column, getattr(item, column)) for column in table.fields}
    return with_name_key(row) if table.name == "nodes" else row


def encode_edges(edges: Sequence[Edge]) -> list[Row]:
    """The rows of edges that share most of their values: what one shares with the edge before it is encoded once."""
    table, rows = TABLES["edges"], [encode(edge) for edge in edges[:1]]
    for previous, edge in pairwise(edges):
        columns = zip(table.encoders, table.values(edge), table.values(previous), rows[-1].values(), strict=True)
        try:
            row = {
                name: encoded if value is last else encode(value) for (name, encode), value, last, encoded in columns
            }
        except (TypeError, ValueError, OverflowError):  # which field it is stands in the message
            row = encode(edge)
        rows.append(row)
    return rows


def check_item(item: Any) -> None:
    """Raise `InvalidInput` where a node, edge, goal, record, session or pair holds what no row can keep."""
    encode(item)


def completed(table: Table, row: Row) -> Row:
    """A whole row, also where an event of an older format wrote it: later columns are NULL, and keys those of today."""
    whole = {column: row.get(column) for column in table.columns}
    return with_name_key(whole) if table.name == "nodes" else whole


def with_name_key(row: Row) -> Row:
    """A node row whose lookup key fits its kind and name; `metadata.name_key` has precedence over the name."""
    row["name_key"] = None
    if row["kind"] == NodeKind.CONCEPT:
        named = json.loads(str(row["metadata"])).get("name_key")
        row["name_key"] = name_key(named if isinstance(named, str) else str(row["name"]))
    return row


def decode(table: Table, values: tuple[Value, ...]) -> Any:
    """The dataclass that stands for a row of `table.columns`.

    Raises
    ------
    StoreCorrupt
        The row holds what its columns cannot.
    """
    decoded = list(values[: len(table.fields)])
    try:
        for place, decoder in table.decoders:
            decoded[place] = decoder(decoded[place])
    except (TypeError, ValueError, RecursionError) as error:
        key = "/".join(str(values[table.fields.index(part)]) for part in table.key)
        raise StoreCorrupt(
            f"{table.name}: the row {key} is damaged ({error}); context-graph verify says what else is, "
            "context-graph replay makes the tables anew from the log"
        ) from error
    item: Any = object.__new__(table.kind)
    for setter, value in zip(table.setters, decoded, strict=True):
        setter(item, value)
    return item
