"""The models of arguments and answers, and the types that JSON knows and Python does not."""

import re
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    PrivateAttr,
    WithJsonSchema,
    model_validator,
)  # fmt: skip
from pydantic_core import CoreSchema, PydanticCustomError, PydanticKnownError

from context_graph.citations import is_tag
from context_graph.models import from_iso

__all__ = [
    "AgentId", "DomainName", "Id", "Instant", "Maybe", "Moment", "NodeRef", "ScopeName", "ToolInput", "ToolOutput",
    "Verbosity", "WireModel",
]  # fmt: skip

T = TypeVar("T")


class _LeftOut:
    """Marks a field that may be left out but not be null: its schema is that of the value."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        nullable = handler(source)
        schema: CoreSchema = nullable["schema"]
        return schema


Maybe = Annotated[T | None, _LeftOut()]
"""An argument that may be left out; None in Python then, never null on the wire."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _uuid(text: str) -> str:
    if not _UUID.fullmatch(text.lower()):
        raise PydanticCustomError("uuid", "not a UUID")
    return text.lower()


def _instant(value: Any) -> int:
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    return from_iso(value)


def _not_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError("literal_error", "a boolean is not a number")  # True == 1 in Python
    return value


Id = Annotated[str, AfterValidator(_uuid), WithJsonSchema({"type": "string", "format": "uuid"})]


def _node_ref(text: str) -> str:
    return text if is_tag(text) else _uuid(text)


NodeRef = Annotated[str, AfterValidator(_node_ref), WithJsonSchema({"type": "string", "format": "uuid"})]
"""An id of a node, or its citation tag: `access.shown` takes both."""

Instant = Annotated[int, BeforeValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A date-time on the wire, microseconds in the function."""

Moment = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
"""A date-time in an answer."""

DomainName = Literal["code", "medical", "legal", "creative", "research", "general"]
ScopeName = Literal["user", "session", "context"]
Verbosity = Annotated[Literal[0, 1, 2], BeforeValidator(_not_boolean)]
AgentId = str


class WireModel(BaseModel):
    """An object on the wire; the docstring under a field is its description in the schema."""

    model_config = ConfigDict(strict=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _whole_numbers(cls, values: Any) -> Any:
        """JSON knows one kind of number: 5.0 is an integer."""
        if not isinstance(values, dict):
            return values
        return {
            key: int(value) if isinstance(value, float) and value.is_integer() else value
            for key, value in values.items()
        }


class ToolInput(WireModel):
    """Arguments of a tool; `session_id` and `agent_id`, where it has them, say who calls."""


class ToolOutput(WireModel):
    """Answer of a tool; what is None is left out."""

    model_config = ConfigDict(strict=False)

    pulse_also_as: ClassVar[str | None] = None
    """A second key for the pulse, where the contract has one."""

    _session: str | None = PrivateAttr(None)

    @property
    def session(self) -> str | None:
        """Whose pulse goes with the answer."""
        return self._session

    def of_session(self, session: str | None) -> Self:
        """This answer as one to a session."""
        self._session = session
        return self

    def wire(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def notes(self) -> list[str]:
        """What a reader should be told in words besides the values."""
        return []
