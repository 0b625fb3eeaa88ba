"""How a result shows itself: in a short line, as plain data, as a table in a notebook or of pandas."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeVar

from context_graph.errors import NotApplicable
from context_graph.instants import to_iso

__all__ = ["Listing", "Plain", "Row", "Table", "line", "plain"]

WIDTH = 60
"""Characters of a text in a repr."""

CELL = 300
"""Characters of a text in a cell of a notebook."""


def line(text: str, width: int = WIDTH) -> str:
    """A text as one line of at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def plain(value: Any) -> Any:
    """A value as JSON takes it: dataclasses and named tuples as objects, instants as RFC 3339 text."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return float(value)  # one of NumPy is a float, and prints as something else
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Plain):
        return value.to_dict()
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: plain(entry) for name, entry in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    return [plain(entry) for entry in value] if isinstance(value, Iterable) else str(value)


class Plain:
    """A dataclass that becomes plain data."""

    __slots__ = ()
    INSTANTS: ClassVar[Sequence[str]] = ()
    """Its fields that hold microseconds."""

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON takes them; instants are RFC 3339 text in UTC."""
        assert is_dataclass(self)
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        instants = {name: to_iso(values[name]) for name in self.INSTANTS if values[name] is not None}
        return {name: plain(value) for name, value in (values | instants).items()}


class Row(Plain):
    """What is one row of a table; a notebook shows its cells below each other."""

    __slots__ = ()

    def row(self) -> dict[str, Any]:
        """The cells by column, with datetimes: what of it a reader looks at first."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return _html([], [[name, value] for name, value in self.row().items()])


class _HasRow(Protocol):
    def row(self) -> dict[str, Any]: ...
    def to_dict(self) -> dict[str, Any]: ...


class Table:
    """What consists of rows."""

    __slots__ = ()

    def rows(self) -> Sequence[_HasRow]:
        """The rows, in order."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`; instants are timestamps in UTC."""
        try:
            import pandas
        except ImportError as error:
            raise NotApplicable("to_pandas needs pandas, which is not installed; pip install pandas") from error
        return pandas.DataFrame([row.row() for row in self.rows()])

    def _repr_html_(self) -> str:
        rows = [row.row() for row in self.rows()]
        return _html(list(rows[0]) if rows else [], [list(row.values()) for row in rows])


Item = TypeVar("Item", bound=_HasRow)


class Listing(list[Item], Table):
    """A list that also shows itself as a table."""

    __slots__ = ()

    def rows(self) -> Sequence[Item]:
        return self

    def to_dicts(self) -> list[dict[str, Any]]:
        """Each entry as JSON takes it."""
        return [entry.to_dict() for entry in self]


def _html(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; stored text may be anybody's, so nothing of it is markup."""
    first = f"<thead><tr>{''.join(f'<th>{_cell(name)}</th>' for name in head)}</tr></thead>" if head else ""
    body = "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in rows)
    return f"<table>{first}<tbody>{body or '<tr><td>nothing</td></tr>'}</tbody></table>"


def _cell(value: Any) -> str:
    from html import escape

    if value is None:
        return ""
    if isinstance(value, datetime):
        value = value.isoformat(sep=" ", timespec="minutes")
    elif isinstance(value, float):
        value = f"{value:.3g}"
    text = line(str(value), CELL)
    # Controls, also those that turn the direction of text, are shown and not obeyed.
    return escape("".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text))
