"""The models of arguments and answers, and the types that JSON knows and Python does not."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, GetCoreSchemaHandler, PrivateAttr, WithJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, PydanticKnownError

from context_graph.citations import is_tag
from context_graph.errors import ContextGraphError
from context_graph.models import from_iso
from context_graph.presentation.wire_model import Id, Moment, WireModel, uuid_text

__all__ = [
    "AgentId", "DomainName", "Id", "Instant", "Maybe", "Moment", "NodeRef", "ScopeName", "StatusOutput", "ToolInput",
    "ToolOutput", "Verbosity", "WireModel",
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


def _instant(value: Any) -> int:
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    return from_iso(value)


def _not_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError("literal_error", "a boolean is not a number")  # True == 1 in Python
    return value


def _node_ref(text: str) -> str:
    return text if is_tag(text) else uuid_text(text)


NodeRef = Annotated[str, AfterValidator(_node_ref), WithJsonSchema({"type": "string", "format": "uuid"})]
"""An id of a node, or its citation tag: `access.shown` takes both."""

Instant = Annotated[int, BeforeValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A date-time on the wire, microseconds in the function."""

DomainName = Literal["code", "medical", "legal", "creative", "research", "general"]
ScopeName = Literal["user", "session", "context"]
Verbosity = Annotated[Literal[0, 1, 2], BeforeValidator(_not_boolean)]
AgentId = str


class ToolInput(WireModel):
    """Arguments of a tool; `session_id` and `agent_id`, where it has them, say who calls."""

    problem_texts: ClassVar[Mapping[str, str]] = {}
    """What is said of an argument that is wrong, where the contract has words for it; by field, or field and kind of
    problem as "field:kind"."""

    hints: ClassVar[Mapping[str, str]] = {}
    """What to do where an argument is wrong, likewise."""


class ToolOutput(WireModel):
    """Answer of a tool; what is None is left out."""

    model_config = ConfigDict(strict=False)

    pulse_also_as: ClassVar[str | None] = None
    """A second key for the pulse, where the contract has one."""

    @classmethod
    def failure(cls, values: dict[str, Any], took_ms: float) -> dict[str, Any]:
        """An error as the contract of the tool has it, by its values and how long the call took."""
        return {"error": values}

    def took(self, ms: float) -> None:
        """Hear how long the call took: for answers whose contract tells it."""

    _session: str | None = PrivateAttr(None)
    _problem: ContextGraphError | None = PrivateAttr(None)

    @property
    def problem(self) -> ContextGraphError | None:
        """Why the call failed all the same, where the answer says what was done until then."""
        return self._problem

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


class StatusOutput(ToolOutput):
    """Answer of a tool whose contract has a status."""

    status: Literal["success", "failure"]
    error: str | None = None
    """Why it failed (status=failure)."""

    @classmethod
    def failure(cls, values: dict[str, Any], took_ms: float) -> dict[str, Any]:
        """The message as a text beside `status`; the rest in `details`."""
        return {"status": "failure", "error": values["message"], "details": values}
