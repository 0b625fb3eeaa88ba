"""What a program gives to the Python API, checked before anything is done with it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from context_graph.errors import InvalidInput
from context_graph.texts import says_something

__all__ = ["flag", "given", "names", "number", "one_of", "share", "text"]


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given: all but None."""
    return {name: value for name, value in fields.items() if value is not None}


def text(value: Any, field: str, *, advice: str = "") -> str:
    """A text that says something."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be a text, got {_shown(value)}{advice and f'; {advice}'}", field=field)
    if not says_something(value):
        raise InvalidInput(f"{field} must hold text, got {value[:20]!r}{advice and f'; {advice}'}", field=field)
    return value


def one_of(value: Any, field: str, choices: Iterable[str]) -> str:
    """One of some words."""
    if value not in (words := list(choices)):
        raise InvalidInput(f"{field} must be one of {', '.join(words)}, got {str(value)[:40]!r}", field=field)
    return str(value)


def names(value: Any, field: str) -> list[str]:
    """A list of texts; one alone is none, for its letters would be taken."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Collection):
        raise InvalidInput(f"{field} must be a list of texts, got {_shown(value)}; write [{value!r}]", field=field)
    return [text(entry, field) for entry in value]


def flag(value: Any, field: str) -> bool:
    """True or False, and nothing that merely counts as one: "no" is a text."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{field} must be True or False, got {_shown(value)}", field=field)
    return value


def number(value: Any, field: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInput(f"{field} must be a whole number from {least} to {most}, got {_shown(value)}", field=field)
    return value


def share(value: Any, field: str) -> float:
    """A number from 0 to 1."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InvalidInput(f"{field} must be a number from 0 to 1, got {_shown(value)}", field=field)
    return float(value)


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {str(value)[:40]!r}"
