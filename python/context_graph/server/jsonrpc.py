"""JSON-RPC 2.0: from a line to a message, and what is answered to a line that is none."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from context_graph.regex import regex
from context_graph.texts import storable, storable_all

__all__ = [
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "PARSE_ERROR",
    "SURROGATE",
    "Id",
    "Message",
    "Refused",
    "RequestError",
    "Response",
    "encoded",
    "failure",
    "parse",
]

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603

SCANNED_BYTES = 262_144
"""How much of a line that cannot be parsed is looked through for its id."""

_TOKEN = regex(rb'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
_ID = regex(rb'\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,400})\s*[,}]', re.DOTALL)
SURROGATE = regex(rb"\\u[dD][89a-fA-F]")

Id = str | int


@dataclass(frozen=True, slots=True)
class Message:
    """A request; a notification, which nobody answers, where it has no id."""

    method: str
    params: dict[str, Any]
    id: Id | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """The answer of the other side to a request of ours; without an id where it names none that could be ours."""

    id: Id | None
    result: Any = None
    error: Any = None


class RequestError(Exception):
    """A request that cannot be answered, as the protocol says it: a code, a message, and data beside it."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Refused(RequestError):
    """A line that is no message; `id` is the one it names, where that can be read."""

    def __init__(self, code: int, message: str, id: Id | float | None) -> None:
        super().__init__(code, message)
        self.id = id


def parse(line: bytes) -> Message | Response:
    """The message of a line."""
    try:
        body = json.loads(line.decode())
        if SURROGATE.search(line):
            body = _of_whole_characters(body)
    except RecursionError:
        raise Refused(PARSE_ERROR, "Parse error: it nests too deep", _id_in(line)) from None
    except ValueError:
        raise Refused(PARSE_ERROR, "Parse error: it is not JSON in UTF-8", _id_in(line)) from None
    if isinstance(body, list):
        raise Refused(INVALID_REQUEST, "Invalid Request: batches are not taken; send one message a line", None)
    if not isinstance(body, dict):
        raise Refused(INVALID_REQUEST, "Invalid Request: it is not a JSON-RPC 2.0 request", None)
    if "method" not in body and ("result" in body or "error" in body):
        answered = body.get("id")
        known = isinstance(answered, Id) and not isinstance(answered, bool)
        return Response(answered if known else None, body.get("result"), body.get("error"))
    method, params, id = body.get("method"), body.get("params"), body.get("id")
    if "id" in body and (isinstance(id, bool) or not isinstance(id, Id)):
        told = "Invalid Request: the id must be a string or an integer"
        raise Refused(INVALID_REQUEST, told, id if isinstance(id, float) else None)
    if body.get("jsonrpc") != "2.0" or not isinstance(method, str) or not isinstance(params, dict | None):
        told = 'Invalid Request: a request has "jsonrpc": "2.0", a method and, where it has params, an object of them'
        raise Refused(INVALID_REQUEST, told, id)
    return Message(method, params or {}, id)


def _of_whole_characters(body: Any) -> Any:
    """A body whose texts UTF-8 can hold: half of a surrogate pair, as where a program cuts a text in the middle of an
    emoji, becomes U+FFFD.
    """
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        id = body.get("id") if isinstance(body, dict) else None
        if isinstance(id, str) and id != storable(id):  # no answer could name it
            raise Refused(PARSE_ERROR, "Parse error: its id has half of a surrogate pair", None) from None
        return storable_all(body)
    return body


def failure(error: RequestError, id: Id | float | None) -> dict[str, Any]:
    """The answer to what cannot be answered."""
    values = {"code": error.code, "message": error.message}
    return {"jsonrpc": "2.0", "id": id, "error": values if error.data is None else values | {"data": error.data}}


def encoded(message: Mapping[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _id_in(line: bytes) -> Id | None:
    """The id of a message that cannot be parsed, where it stands at the top and can be read."""
    depth, line = 0, line[:SCANNED_BYTES]
    for token in _TOKEN.finditer(line):
        text = token.group()
        depth += (text in (b"{", b"[")) - (text in (b"}", b"]"))
        if depth == 1 and text == b'"id"' and (found := _ID.match(line, token.end())):
            try:
                id: Id = json.loads(found[1])
                encoded({"id": id})
            except ValueError:
                return None
            return id
    return None
