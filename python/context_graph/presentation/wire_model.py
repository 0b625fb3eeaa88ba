"""An object on the wire, and the types of its fields that JSON knows and Python does not."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from context_graph.regex import regex

__all__ = ["UUID", "Id", "Moment", "WireModel", "uuid_text"]

UUID = regex(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


def uuid_text(text: str) -> str:
    """A text that is a UUID, in lower case."""
    if not UUID.fullmatch(text):
        raise PydanticCustomError("uuid", "not a UUID")
    return text.lower()


Id = Annotated[str, AfterValidator(uuid_text), WithJsonSchema({"type": "string", "format": "uuid"})]

Moment = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
"""A date-time in an answer."""


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
