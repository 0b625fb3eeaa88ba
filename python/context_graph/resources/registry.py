"""The registry of resources: which there are, and which one a URI names."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, quote, unquote

from context_graph.errors import InvalidInput, ResourceNotFound
from context_graph.presentation.visitor import Visitor, shortened
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Content", "Resource", "Target", "all_resources", "described", "find", "of_template"]

MAX_URI_CHARS = 2_048
_PARAMETER = regex(r"\{(\w+)\}")
_RESOURCES: dict[str, "Resource"] = {}

Changes = Literal["session", "store", "never"]


@dataclass(frozen=True, slots=True)
class Content:
    """What was read; of the resource's own type where none is named."""

    text: str
    mime_type: str | None = None


Function = Callable[["Runtime", "Target", Visitor], Content]


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource, or all that a template names.

    Attributes
    ----------
    template : str
        The URI; a name in braces stands for a parameter.
    choices : mapping
        The values of parameters that have only a few.
    options : mapping
        What may stand behind a question mark, and its values.
    listed : tuple of str
        URIs of it that are worth a place in a list of resources.
    changes : str
        With what it changes: with calls in a session alone, with any write to the store, or never by itself.
    """

    template: str
    name: str
    title: str
    mime_type: str
    changes: Changes
    function: Function
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    listed: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """What a host reads: the function's docstring in one paragraph."""
        return re.sub(r"\s+", " ", inspect.getdoc(self.function) or "").strip()

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(_PARAMETER.findall(self.template))

    def matched(self, path: str) -> dict[str, str] | None:
        """The parameters in a URI without its options; None where it is no URI of this resource.

        The last parameter takes slashes as well: a topic may be a path.
        """
        parts = _PARAMETER.split(self.template)
        last = len(parts) - 2 if parts[-1] == "" else -1
        pattern = "".join(
            re.escape(part) if i % 2 == 0 else "(.+)" if i == last else "([^/]+)" for i, part in enumerate(parts)
        )
        match = re.fullmatch(pattern, path, re.S)
        if match is None:
            return None
        return {name: unquote(value) for name, value in zip(self.parameters, match.groups(), strict=True)}

    def uri(self, **parameters: str) -> str:
        """The URI with these parameters."""
        return _PARAMETER.sub(lambda name: quote(parameters[name[1]], safe=""), self.template)


@dataclass(frozen=True, slots=True)
class Target:
    """A URI that is one of a resource's."""

    uri: str
    resource: Resource
    parameters: Mapping[str, str]
    options: Mapping[str, str]

    def read(self, memory: "Runtime", visitor: Visitor) -> Content:
        """What it is now; a read changes nothing, not even counts."""
        content = self.resource.function(memory, self, visitor)
        return content if content.mime_type else replace(content, mime_type=self.resource.mime_type)


def resource(
    template: str, *, name: str, title: str, mime_type: str, changes: Changes, **more: Any
) -> Callable[[Function], Function]:
    """Register a function `(memory, target, visitor) -> Content` as what a template's URIs lead to."""

    def register(function: Function) -> Function:
        _RESOURCES[template] = Resource(template, name, title, mime_type, changes, function, **more)
        return function

    return register


def all_resources() -> list[Resource]:
    """Every resource, in the order of their import."""
    return list(_RESOURCES.values())


def of_template(template: str) -> Resource:
    """The resource of a template, or of a URI that is listed."""
    for one in _RESOURCES.values():
        if template == one.template or template in one.listed:
            return one
    known = ", ".join(_RESOURCES)
    raise ResourceNotFound(f"no resource has the template {shortened(template)}; there are {known}")


def find(uri: str) -> Target:
    """What a URI asks for; wrong ones are told what was expected."""
    if len(uri) > MAX_URI_CHARS:
        raise InvalidInput(f"uri must have at most {MAX_URI_CHARS} characters, got {len(uri)}", field="uri")
    path, mark, query = uri.partition("?")
    for one in _RESOURCES.values():
        parameters = one.matched(path)
        if parameters is not None:
            _check(one, parameters, uri)
            return Target(uri, one, parameters, _options(one, query, uri) if mark else {})
    known = ", ".join(_RESOURCES)
    raise ResourceNotFound(f"no resource has the URI {shortened(uri)}; expected one of {known}")


def described(one: Resource, uri: str | None = None) -> dict[str, str]:
    """As a list shows it: the template, or one URI of it."""
    of = f"{uri}".rpartition("/")[2] if uri and len(one.listed) > 1 else ""
    return {
        **({"uriTemplate": one.template} if uri is None else {"uri": uri}),
        "name": f"{one.name}-{of}" if of else one.name,
        "title": f"{one.title}: {of}" if of else one.title,
        "description": one.description,
        "mimeType": one.mime_type,
    }


def _check(one: Resource, parameters: Mapping[str, str], uri: str) -> None:
    for name, value in parameters.items():
        if "\0" in value or "\ufffd" in value:
            raise InvalidInput(f"{name} must be text in UTF-8, percent-encoded, got {shortened(uri)}", field=name)
        choices = one.choices.get(name)
        if choices and value not in choices:
            raise InvalidInput(
                f"{name} must be one of {', '.join(choices)}, got {shortened(value)} in {shortened(uri)}", field=name
            )


def _options(one: Resource, query: str, uri: str) -> dict[str, str]:
    known = " or ".join(f"?{name}={value}" for name, values in one.options.items() for value in values)
    options = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if value not in one.options.get(name, ()) or name in options:
            expected = known or f"none for {one.template}"
            raise InvalidInput(f"options expected: {expected}; got {shortened(f'{name}={value}')} in {shortened(uri)}")
        options[name] = value
    return options
