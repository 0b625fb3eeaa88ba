"""Requests that are answered from the memory without a tool, such as the content of a resource."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_graph.errors import ContextGraphError, InvalidInput, NotFound
from context_graph.presentation.visitor import Visitor
from context_graph.prompts import Message
from context_graph.prompts import find as find_prompt
from context_graph.resources import Content, Target, find
from context_graph.server.errors import incident
from context_graph.server.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS, Id, RequestError

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["RESOURCE_NOT_FOUND", "Lookup", "prompted", "read", "refusal"]

RESOURCE_NOT_FOUND = -32002
"""Up to 2025-11-25; since then it is a wrong parameter."""

READ = {"ttlMs": 0, "cacheScope": "private"}
"""The next call may change what was read, and it is this client's alone."""

MAX_CONTENT_BYTES = 60_000


@dataclass(frozen=True, slots=True)
class Lookup:
    """A request whose answer takes a while.

    Attributes
    ----------
    name : str
        As the log names it.
    answer : callable
        Makes the result; None where nothing is answered yet.
    refusal : callable
        What an error is, as the protocol says it.
    """

    name: str
    answer: "Callable[[Memory, Visitor], dict[str, Any] | None]"
    refusal: Callable[[Exception], RequestError]
    progress_token: Id | None = None


def read(uri: str, *, stateless: bool) -> Lookup:
    """The content of the resource that a URI names."""

    def answer(memory: "Memory", visitor: Visitor) -> dict[str, Any]:
        target = find(uri)
        contents = [_wire_content(target, target.read(memory, visitor))]
        return {"contents": contents, **(READ if stateless else {})}

    return Lookup("resources/read", answer, lambda error: refusal(error, uri=uri, stateless=stateless))


def prompted(name: str, arguments: Mapping[str, Any]) -> Lookup:
    """The text of a prompt."""

    def answer(memory: "Memory", visitor: Visitor) -> dict[str, Any]:
        prompt = find_prompt(name)
        messages = prompt.messages(memory, arguments, visitor)
        contents = [_block(message, memory, visitor) for message in messages]
        _check_size("the prompt", contents)
        return {
            "description": prompt.description,
            "messages": [{"role": "user", "content": content} for content in contents],
        }

    return Lookup("prompts/get", answer, refusal)


def _block(message: Message, memory: "Memory", visitor: Visitor) -> dict[str, Any]:
    if message.uri is None:
        return {"type": "text", "text": message.text}
    target = find(message.uri)
    return {"type": "resource", "resource": _wire_content(target, target.read(memory, visitor))}


def _wire_content(target: Target, content: Content) -> dict[str, str]:
    """A content as results show it; it fits into a line."""
    _check_size(repr(target.uri[:80]), content.text)
    return {"uri": target.uri, "mimeType": content.mime_type or target.resource.mime_type, "text": content.text}


def _check_size(name: str, value: Any) -> None:
    size = len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    if size > MAX_CONTENT_BYTES:
        told = f"{name} has {size} bytes, a message holds {MAX_CONTENT_BYTES}; ask for a smaller part of it"
        raise InvalidInput(told)


def refusal(error: Exception, *, uri: str | None = None, stateless: bool = False) -> RequestError:
    """An error of ours, or a defect, as the protocol says it."""
    if isinstance(error, RequestError):
        return error
    if not isinstance(error, ContextGraphError):
        values = incident(error)
        return RequestError(INTERNAL_ERROR, f"{values['message']}; {values['hint']}")
    code = INTERNAL_ERROR
    data: dict[str, Any] = {"code": error.code, "retryable": error.retryable}
    if uri is not None:
        data["uri"] = uri[:256]
    if isinstance(error, NotFound):
        code = RESOURCE_NOT_FOUND if uri is not None and not stateless else INVALID_PARAMS
    elif isinstance(error, InvalidInput):
        code = INVALID_PARAMS
        if error.field:
            data["field"] = error.field
    return RequestError(code, f"{error}; {error.hint}" if error.hint else str(error), data)
