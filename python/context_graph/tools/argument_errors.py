"""Arguments from the wire into a model, and what is wrong with them in words an agent can act on."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from context_graph.errors import InvalidInput
from context_graph.suggestions import nearest
from context_graph.tools.base import ToolInput
from context_graph.tools.schema import expected, resolve

__all__ = ["read"]

Model = TypeVar("Model", bound=ToolInput)
MAX_PROBLEMS = 4
"""Problems told at once."""


def read(model: type[Model], arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Model:
    """The arguments as the model's object; every problem is one `InvalidInput` with the first field's name."""
    if not isinstance(arguments, Mapping):
        raise InvalidInput(f"arguments must be an object, got {_shown(arguments)}", field="arguments")
    try:
        return model.model_validate(dict(arguments))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        lines = [_message(problem, schema) for problem in errors[:MAX_PROBLEMS]]
        more = f" (and {len(errors) - MAX_PROBLEMS} more)" if len(errors) > MAX_PROBLEMS else ""
        field = next((str(problem["loc"][0]) for problem in errors if problem["loc"]), None)
        named = f"{field}:{errors[0]['type']}"
        if text := model.problem_texts.get(named) or model.problem_texts.get(field or ""):
            raise InvalidInput(text, field=field, hint="; ".join(lines) + more) from None
        hint = model.hints.get(named) or model.hints.get(field or "", "")
        raise InvalidInput("; ".join(lines) + more, field=field, hint=hint) from None


def _message(problem: ErrorDetails, schema: Mapping[str, Any]) -> str:
    """One problem: what was expected, what came, what to do."""
    place, kind, came = _path(problem["loc"]), problem["type"], problem["input"]
    inner = _schema_at(problem["loc"], schema)
    if kind == "extra_forbidden":
        known = list(_schema_at(problem["loc"][:-1], schema).get("properties", ()))
        near = nearest(str(problem["loc"][-1]), known, cutoff=0.5)
        guess = f"did you mean {near}? " if near else ""
        return f"unknown argument {place}; {guess}known: {', '.join(known) or 'none'}"
    if kind == "value_error":
        return (
            str(problem["ctx"]["error"]) if not place or not _formatted(inner) else _wrong(place, inner, schema, came)
        )
    if kind == "missing":
        return f"{place} parameter not provided; expected {expected(inner, schema)}{_meaning(inner)}"
    if kind == "string_too_short" and came == "":
        return f"{place.capitalize()} string is empty; expected {expected(inner, schema)}{_meaning(inner)}"
    above = _schema_at(problem["loc"][:-1], schema)
    required = bool(problem["loc"]) and problem["loc"][-1] in above.get("required", ())
    advice = "; leave it out to use the default" if came is None and not required else ""
    return _wrong(place, inner, schema, came) + advice


def _wrong(place: str, inner: Mapping[str, Any], schema: Mapping[str, Any], came: Any) -> str:
    return f"{place} must be {expected(inner, schema)}, got {_shown(came)}"


def _formatted(inner: Mapping[str, Any]) -> bool:
    return "format" in inner


def _meaning(inner: Mapping[str, Any]) -> str:
    return f" ({inner['description'].rstrip('.')})" if inner.get("description") else ""


def _path(loc: tuple[int | str, ...]) -> str:
    """filters.johari_quadrants[1]"""
    path = ""
    for step in loc:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else str(step)
    return path


def _schema_at(loc: tuple[int | str, ...], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    here: Mapping[str, Any] = schema
    for step in loc:
        here = resolve(here, schema)
        here = here.get("items", {}) if isinstance(step, int) else here.get("properties", {}).get(step, {})
    return resolve(here, schema)


def _shown(value: Any) -> str:
    """A value as JSON, short; the text '5' and the number 5 look different."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, str) and len(value) > 60:
        return f"{json.dumps(value[:60], ensure_ascii=False)}... ({len(value)} characters)"
    if len(text) <= 80:
        return text
    return f"{text[:80]}..." + (f" ({len(value)} items)" if isinstance(value, list | tuple) else "")
