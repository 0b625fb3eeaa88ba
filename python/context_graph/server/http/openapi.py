"""The OpenAPI 3.1 page of the REST paths, generated from the models of the tools that answer them."""

import json
import re
from collections.abc import Mapping
from typing import Any

from context_graph import __version__
from context_graph.server.http.rest import ROUTES, Route
from context_graph.server.http.views import VIEWS, View

__all__ = ["openapi"]

ERRORS = {
    400: "An argument is wrong; the error says which, what was expected and what came.",
    401: "The token is missing or not known.",
    403: "The token's scope does not allow it, or an argument names somebody else.",
    404: "There is no such memory, tag or hash.",
    409: "Understood, and refused; the error says why.",
    413: "The body is too long.",
    415: "The body is not application/json.",
    429: "Too many requests of this client are under way; Retry-After says when to come again.",
    503: "Too many requests are under way; Retry-After says when to come again.",
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "hint"],
            "properties": {
                "code": {"type": ["string", "integer"]},
                "message": {"type": "string"},
                "hint": {"type": "string"},
                "field": {"type": "string"},
                "retryable": {"type": "boolean"},
            },
        }
    },
}


def openapi() -> dict[str, Any]:
    """The description, as JSON values."""
    schemas: dict[str, Any] = {"Error": ERROR}
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    for view in VIEWS:
        paths[view.path] = {view.method.lower(): _viewing(view, schemas)}
    text = {"schema": {"type": "string"}}
    paths["/api/v1/export"] = {
        "get": {
            "operationId": "export",
            "summary": "All memories of every session as JSON Lines, which an import reads back, without vectors.",
            "description": "Needs a token of scope admin, if any.",
            "responses": {"200": {"description": "Lines.", "content": {"application/jsonl": text}}} | _errors(),
        }
    }
    paths["/api/v1/watch"] = {
        "get": {
            "operationId": "watch",
            "summary": "Server-sent events: which memories were written while the stream is open.",
            "description": "Each is an object with the ids in nodes, and whether these are all. "
            "Needs a token of scope read, if any.",
            "responses": {"200": {"description": "Events.", "content": {"text/event-stream": text}}} | _errors(),
        }
    }
    paths["/api/v1/metrics"] = {
        "get": {
            "operationId": "metrics",
            "summary": "Counts and times, as Prometheus reads them.",
            "responses": {"200": {"description": "Text.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Context Graph", "version": __version__, "license": {"name": "Apache-2.0"}},
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    tool, name = route.entry, "".join(part.title() for part in route.tool.split("_"))
    schemas[f"{name}Output"] = _placed(tool.output_schema, f"{name}Output", schemas)
    answer = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}Output"}}}
    operation: dict[str, Any] = {
        "operationId": route.tool,
        "summary": route.summary,
        "description": f"{tool.description} Needs a token of scope {'read' if tool.read_only else 'write'}, if any.",
        "responses": {"200": {"description": "The tool's answer.", "content": answer}} | _errors(),
    }
    if route.arguments is None:
        schemas[f"{name}Input"] = _placed(tool.input_schema, f"{name}Input", schemas)
        body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}Input"}}}
        operation["requestBody"] = {"required": True, "content": body}
    else:
        properties = tool.input_schema["properties"]
        operation["parameters"] = _parameters(route.path, {part: properties[part] for part in route.query})
    return operation


def _viewing(view: View, schemas: dict[str, Any]) -> dict[str, Any]:
    name = view.output.__name__
    schemas[name] = _placed(view.output.model_json_schema(mode="serialization"), name, schemas)
    answer = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    posted = {}
    if view.body is not None:
        schemas[view.body.__name__] = _placed(view.body.model_json_schema(), view.body.__name__, schemas)
        schema = {"$ref": f"#/components/schemas/{view.body.__name__}"}
        posted = {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
    return posted | {
        "operationId": view.function.__name__,
        "summary": view.summary,
        "description": f"Needs a token of scope {'write' if view.writes else 'read'}, if any.",
        "parameters": _parameters(view.path, view.query),
        "responses": {"200": {"description": view.summary, "content": answer}} | _errors(),
    }


def _parameters(path: str, query: Mapping[str, Any]) -> list[dict[str, Any]]:
    parts = re.findall(r"\{(\w+)\}", path)
    return [{"name": part, "in": "path", "required": True, "schema": {"type": "string"}} for part in parts] + [
        {"name": part, "in": "query", "schema": schema} for part, schema in query.items()
    ]


def _errors() -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {str(status): {"description": text, "content": error} for status, text in ERRORS.items()}


def _placed(schema: dict[str, Any], name: str, schemas: dict[str, Any]) -> dict[str, Any]:
    """A schema whose own definitions have moved beside it."""
    definitions = schema.get("$defs", {})
    text = json.dumps({key: value for key, value in schema.items() if key not in ("$defs", "$schema")})

    def moved(text: str) -> Any:
        return json.loads(re.sub(r'"#/\$defs/([^"]+)"', rf'"#/components/schemas/{name}.\1"', text))

    for key, definition in definitions.items():
        schemas[f"{name}.{key}"] = moved(json.dumps(definition))
    placed: dict[str, Any] = moved(text)
    return placed
