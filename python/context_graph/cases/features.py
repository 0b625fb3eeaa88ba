"""Features of cases: their types, what a value of each must be, and the type that a value has by itself."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from context_graph.errors import InvalidInput
from context_graph.inference.networks import is_number, spelt
from context_graph.models import from_iso
from context_graph.regex import regex

__all__ = [
    "MAX_FEATURES", "Boolean", "Categorical", "Date", "Feature", "Number", "Ordinal", "Set", "Text", "check_names",
    "feature_of", "spelt",
]  # fmt: skip

MAX_FEATURES = 256
"""Of one case, query or model."""

MAX_FEATURE_NAME = 128
MAX_ELEMENTS = 1_000
"""Of the value of a set."""

MAX_TEXT = 10_000
"""Characters of one value."""

LONG, MANY_WORDS = 48, 3
"""A text of more characters, or of so many words, is compared by meaning where no type is declared; others are words
of a list."""

_DATE = regex(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")


class _Feature(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)

    weight: float = Field(default=1.0, ge=0, le=1_000)
    """How much it counts beside the others."""

    def checked(self, name: str, value: Any) -> Any:
        """A value as it is kept; raises `InvalidInput` where it is none of this type."""
        raise NotImplementedError


class Number(_Feature):
    """Compared by distance over the range; without one declared, that of the cases."""

    type: Literal["number"] = "number"
    min: float | None = None
    max: float | None = None

    @model_validator(mode="after")
    def _ordered(self) -> "Number":
        if self.min is not None and self.max is not None and not self.min < self.max:
            raise ValueError(f"min must be below max, got {self.min:g} and {self.max:g}")
        return self

    def checked(self, name: str, value: Any) -> float | int:
        if not is_number(value):
            raise _wrong(name, "a finite number", value)
        if (self.min is not None and value < self.min) or (self.max is not None and value > self.max):
            low, high = ("..." if end is None else f"{end:g}" for end in (self.min, self.max))
            raise _wrong(name, f"a number from {low} to {high}", value)
        number: float | int = value
        return number


class Ordinal(_Feature):
    """Compared by how many places lie between two words of an order."""

    type: Literal["ordinal"] = "ordinal"
    order: tuple[str, ...] = Field(min_length=2, max_length=1_000)

    @model_validator(mode="after")
    def _distinct(self) -> "Ordinal":
        if len(set(self.order)) < len(self.order):
            raise ValueError("order must name each word once")
        return self

    def checked(self, name: str, value: Any) -> str:
        if value not in self.order:
            raise _wrong(name, f"one of {', '.join(self.order[:20])}", value)
        return str(value)


class Categorical(_Feature):
    """Equal or not."""

    type: Literal["categorical"] = "categorical"
    values: tuple[str | int | float | bool, ...] | None = Field(default=None, max_length=10_000)

    def checked(self, name: str, value: Any) -> Any:
        if not isinstance(value, str | bool) and not is_number(value):
            raise _wrong(name, "a text, a number or true or false", value)
        if self.values is not None and spelt(value) not in map(spelt, self.values):
            raise _wrong(name, f"one of {', '.join(str(one) for one in self.values[:20])}", value)
        return _short(name, value)


class Set(_Feature):
    """Compared by Jaccard's index: what both have, over what either has."""

    type: Literal["set"] = "set"

    def checked(self, name: str, value: Any) -> list[Any]:
        plain = isinstance(value, list | tuple) and all(isinstance(one, str | int | float | bool) for one in value)
        if not plain or len(value) > MAX_ELEMENTS:
            raise _wrong(name, f"a list of at most {MAX_ELEMENTS} texts or numbers", value)
        return [_short(name, one) for one in value]


class Text(_Feature):
    """Compared by the cosine of what two texts mean."""

    type: Literal["text"] = "text"

    def checked(self, name: str, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise _wrong(name, "a text", value)
        return str(_short(name, value))


class Date(_Feature):
    """Compared by distance in time over the range; without one declared, that of the cases."""

    type: Literal["date"] = "date"
    min: str | None = None
    max: str | None = None

    @model_validator(mode="after")
    def _ordered(self) -> "Date":
        try:
            ends = [from_iso(end) for end in (self.min, self.max) if end is not None]
        except InvalidInput as error:
            raise ValueError(str(error)) from error
        if len(ends) == 2 and not ends[0] < ends[1]:
            raise ValueError(f"min must be before max, got {self.min} and {self.max}")
        return self

    def checked(self, name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise _wrong(name, "a date such as 2026-11-21", value)
        from_iso(value, field=f"features.{name}"[:60])
        return value


class Boolean(_Feature):
    """Equal or not."""

    type: Literal["boolean"] = "boolean"

    def checked(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise _wrong(name, "true or false", value)
        return value


def _written_out(value: Any) -> Any:
    """A type alone stands for a feature with nothing else said."""
    return {"type": value} if isinstance(value, str) else value


Feature = Annotated[
    Annotated[Number | Ordinal | Categorical | Set | Text | Date | Boolean, Field(discriminator="type")],
    BeforeValidator(_written_out),
]


def feature_of(value: Any) -> Feature | None:
    """The type that a value has by itself; None of what is no value of a feature."""
    if isinstance(value, bool):
        return Boolean()
    if isinstance(value, int | float):
        return Number() if is_number(value) else None
    if isinstance(value, list | tuple):
        return Set()
    if not isinstance(value, str):
        return None
    if _DATE.fullmatch(value):
        try:
            from_iso(value)
        except InvalidInput:
            return Categorical()
        return Date()
    return Text() if len(value) > LONG or len(value.split()) >= MANY_WORDS else Categorical()


def check_names(features: Mapping[str, Any], field: str) -> None:
    """Raise `InvalidInput` where there are none or too many, or where one has no proper name."""
    if not 0 < len(features) <= MAX_FEATURES:
        raise InvalidInput(
            f"{field} must have 1 to {MAX_FEATURES} features, got {len(features)}; leave out what tells cases apart "
            "least",
            field=field,
        )
    for name in features:
        if not name.strip() or len(name) > MAX_FEATURE_NAME or not name.isprintable():
            raise InvalidInput(
                f"a name of a feature must have 1 to {MAX_FEATURE_NAME} printable characters, got {name[:40]!r}",
                field=field,
            )


def _short(name: str, value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise _wrong(name, f"at most {MAX_TEXT} characters", f"{len(value)} characters")
    return value


def _wrong(name: str, expected: str, value: Any) -> InvalidInput:
    return InvalidInput(
        f"feature {name!r:.80} must be {expected}, got {value!r:.60}; correct the value, or leave the feature out",
        field="features",
    )
