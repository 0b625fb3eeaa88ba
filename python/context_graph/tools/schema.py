"""JSON schemas of the models as clients get them: no titles, no nulls, local references only."""

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from context_graph.syntax_trees import syntax_tree

__all__ = ["PULSE", "expected", "json_schema", "resolve", "signature"]

PULSE = {
    "type": "object",
    "description": "Cognitive pulse, on every tool result.",
    "properties": {
        "entropy": {"type": "number", "minimum": 0, "maximum": 1},
        "coherence": {"type": "number", "minimum": 0, "maximum": 1},
        "suggested": {"type": ["string", "null"], "description": "Tool to call next, 'continue', or null."},
    },
    "required": ["entropy", "coherence", "suggested"],
}


class _Plain(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        described = super().model_schema(schema)
        described.pop("title", None)
        fields = schema["cls"].model_fields
        for name, text in _described(schema["cls"]).items():
            if name in fields:
                described["properties"][fields[name].alias or name].setdefault("description", text)
        return described

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        if "default" in made and made["default"] is None:
            del made["default"]
        return made

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])  # None is left out of answers


def _described(model: type) -> dict[str, str]:
    """The docstrings under the fields of a model, those that it inherits included."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            found |= _docstrings(base.__module__).get(base.__name__, {})
    return found


@lru_cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """The docstrings under the fields of each class of a module, read off its source.

    Pydantic can do so as well, but for every model when it is made, class by class, which is a fifth of the start;
    few schemas are asked for.
    """
    try:
        tree = syntax_tree(inspect.getsource(sys.modules[module]))
    except OSError:  # no source is installed
        return {}
    by_class: dict[str, dict[str, str]] = {}
    for made in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for field, below in pairwise(made.body):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    by_class.setdefault(made.name, {})[name] = inspect.cleandoc(text)
    return by_class


def json_schema(model: type[BaseModel], *, output: bool = False) -> dict[str, Any]:
    """The schema of a model; an answer's includes the pulse that every answer carries."""
    mode: JsonSchemaMode = "serialization" if output else "validation"
    schema = model.model_json_schema(by_alias=True, mode=mode, schema_generator=_Plain)
    schema.pop("title", None)
    schema.pop("description", None)  # a model's docstring is for its readers in Python
    schema.setdefault("properties", {})
    if output:
        schema["properties"]["pulse"] = PULSE
        schema["required"] = [*schema.get("required", []), "pulse"]
        if name := getattr(model, "pulse_also_as", None):
            schema["properties"][name] = {"type": "object"}
    return schema


def resolve(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with its local reference followed."""
    while "$ref" in schema:
        target = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def expected(schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """A value's schema in words: 'an integer from 1 to 100'."""
    schema = resolve(schema, root)
    if "enum" in schema:
        return f"one of {', '.join(str(choice) for choice in schema['enum'])}"
    if "const" in schema:
        return str(schema["const"])
    kind = schema.get("type")
    if kind == "string":
        return _text(schema)
    if kind in ("integer", "number"):
        return f"{'an integer' if kind == 'integer' else 'a number'}{_span(schema, 'minimum', 'maximum')}"
    if kind == "array":
        items = expected(schema.get("items", {}), root)
        count = _span(schema, "minItems", "maxItems", " items")
        return f"a list{count and ' of' + count.removeprefix(' from').removeprefix(' of')}, each {items}"
    if kind == "boolean":
        return "true or false"
    names = ", ".join(schema.get("properties", ()))
    return f"an object with {names}" if names else f"an object{' with an entry' * bool(schema.get('minProperties'))}"


def _text(schema: Mapping[str, Any]) -> str:
    form = schema.get("format")
    if form == "uuid":
        return "a UUID such as 0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"
    if form == "date-time":
        return "a date-time such as 2026-11-21T09:30:00Z"
    if "pattern" in schema:
        return f"text that matches {schema['pattern']}"
    return f"text{_span(schema, 'minLength', 'maxLength', ' characters').replace(' from', ' of')}"


def _span(schema: Mapping[str, Any], low: str, high: str, unit: str = "") -> str:
    if low in schema and schema[low] == schema.get(high):
        return f" of {schema[low]}{unit}"
    if low in schema and high in schema:
        return f" from {schema[low]} to {schema[high]}{unit}"
    if low in schema:
        return f" from {schema[low]}{unit}" + (" on" if not unit else " or more")
    return f" of at most {schema[high]}{unit}" if high in schema else ""


def signature(name: str, schema: Mapping[str, Any]) -> str:
    """A tool's arguments in one line: optional ones with a question mark or their default."""
    parts = []
    for field, value in schema["properties"].items():
        value = resolve(value, schema)
        optional = field not in schema.get("required", ())
        default = f" = {value['default']!r}" if value.get("default") not in (None, []) else ""
        parts.append(f"{field}{'?' if optional else ''}: {expected(value, schema)}{default}")
    return f"{name}({'; '.join(parts)})"
