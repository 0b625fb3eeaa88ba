"""The envelope of the kg_ tools: camelCase on the wire, and success, data, error and metadata in every answer."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel

from context_graph.errors import Refused
from context_graph.tools.base import ToolInput, ToolOutput, WireModel

__all__ = ["KgInput", "KgMetadata", "KgModel", "KgOutput", "NullableText"]

NullableText = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
"""A text that is null on the wire where there is none."""


class KgModel(WireModel):
    """An object in an answer."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, strict=False)


class KgInput(ToolInput):
    """Arguments of a kg_ tool."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class KgMetadata(KgModel):
    execution_time: float = 0.0
    """Milliseconds."""

    cached: bool | None = None
    """Whether the answer was given before, and the documents are the same."""

    item_count: int | None = None


class KgOutput(ToolOutput):
    """An answer; each tool names its `data`, and its own `metadata` where it has more to tell."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    success: bool
    error: str | None = None
    """What went wrong (success=false)."""

    metadata: KgMetadata = Field(default_factory=KgMetadata)

    @classmethod
    def failure(cls, values: dict[str, Any], took_ms: float) -> dict[str, Any]:
        """The message as a text; the rest in `details`."""
        return {
            "success": False,
            "error": values["message"],
            "metadata": {"executionTime": took_ms},
            "details": values,
        }

    def failing(self, reason: str, hint: str) -> Self:
        """This answer as that of a call that failed, with what was done until then in its `data`."""
        self.success, self.error, self._problem = False, reason, Refused(reason, hint=hint)
        return self

    def took(self, ms: float) -> None:
        self.metadata.execution_time = round(ms, 3)

    def wire(self) -> dict[str, Any]:
        """The answer as JSON values; null where the contract asks for a value and there is none."""
        values: dict[str, Any] = wire_of(self)
        return values


def wire_of(value: Any) -> Any:
    """A model as JSON values: what is None is left out, unless the field is required."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {
            (field.alias or name): wire_of(one)
            for name, field in fields.items()
            if (one := getattr(value, name)) is not None or field.is_required()
        } | (value.model_extra or {})
    if isinstance(value, dict):
        return {key: wire_of(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [wire_of(one) for one in value]
    return value
