"""The registry of prompts: which there are, and what each wants to know."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from context_graph.errors import InvalidInput, PromptNotFound
from context_graph.presentation.visitor import Visitor, shortened
from context_graph.suggestions import nearest

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Argument", "Message", "Prompt", "all_prompts", "described", "fenced", "find", "prompt"]

MAX_ARGUMENT_CHARS = 8_000
_PROMPTS: dict[str, "Prompt"] = {}


@dataclass(frozen=True, slots=True)
class Argument:
    """What a prompt is told.

    Attributes
    ----------
    choices : tuple of str
        Its values, where there are only a few.
    names : str, optional
        What its values name; they are suggested then.
    """

    name: str
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()
    names: Literal["topic", "session"] | None = None
    min_chars: int = 1
    max_chars: int = MAX_ARGUMENT_CHARS


@dataclass(frozen=True, slots=True)
class Message:
    """A part of a prompt: a text, or the resource of a URI, which stands in its place."""

    text: str = ""
    uri: str | None = None


Function = Callable[["Runtime", Mapping[str, str], Visitor], list[Message]]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt."""

    name: str
    title: str
    arguments: tuple[Argument, ...]
    function: Function

    @property
    def description(self) -> str:
        """What a person reads: the function's docstring in one paragraph."""
        return re.sub(r"\s+", " ", inspect.getdoc(self.function) or "").strip()

    def argument(self, name: str) -> Argument:
        """The argument of a name."""
        for one in self.arguments:
            if one.name == name:
                return one
        raise self._unknown(name)

    def messages(self, memory: "Runtime", arguments: Mapping[str, Any], visitor: Visitor) -> list[Message]:
        """The prompt's text for these arguments; wrong ones are told what was expected."""
        for name in arguments:
            self.argument(name)
        values = {one.name: arguments[one.name] for one in self.arguments if arguments.get(one.name) not in (None, "")}
        for one in self.arguments:
            _check(one, values.get(one.name))
        return self.function(memory, values, visitor)

    def _unknown(self, name: str) -> InvalidInput:
        known = ", ".join(one.name for one in self.arguments) or "none"
        return InvalidInput(f"unknown argument {shortened(name)}; {self.name} has {known}", field=name[:80])


def _check(argument: Argument, value: Any) -> None:
    expected = (
        f"one of {', '.join(argument.choices)}"
        if argument.choices
        else f"text of {argument.min_chars} to {argument.max_chars} characters"
    )
    if value is None:
        if argument.required:
            told = f"{argument.name} parameter not provided; expected {expected} ({argument.description})"
            raise InvalidInput(told, field=argument.name)
        return
    if not isinstance(value, str):
        told = f"{argument.name} must be {expected}, got {type(value).__name__}; write it as a string"
        raise InvalidInput(told, field=argument.name)
    if not argument.min_chars <= len(value) <= argument.max_chars or (
        argument.choices and value not in argument.choices
    ):
        raise InvalidInput(f"{argument.name} must be {expected}, got {shortened(value)}", field=argument.name)


def prompt(*, title: str, arguments: tuple[Argument, ...] = ()) -> Callable[[Function], Function]:
    """Register a function `(memory, arguments, visitor) -> messages` as a prompt."""

    def register(function: Function) -> Function:
        name = function.__name__
        _PROMPTS[name] = Prompt(name, title, arguments, function)
        return function

    return register


def all_prompts() -> list[Prompt]:
    """Every prompt by its name."""
    return sorted(_PROMPTS.values(), key=lambda one: one.name)


def find(name: str) -> Prompt:
    """The prompt of a name."""
    if name in _PROMPTS:
        return _PROMPTS[name]
    near = nearest(name, _PROMPTS)
    guess = f"did you mean {near}? " if near else ""
    raise PromptNotFound(f"no prompt is called {shortened(name)}; {guess}there are {', '.join(sorted(_PROMPTS))}")


def described(one: Prompt) -> dict[str, Any]:
    """As a list shows it."""
    arguments = [
        {"name": argument.name, "description": argument.description, "required": argument.required}
        for argument in one.arguments
    ]
    return {"name": one.name, "title": one.title, "description": one.description, "arguments": arguments}


def fenced(text: str) -> str:
    """A text of somebody else in the middle of a prompt: each line is marked, so that none passes for ours."""
    from context_graph.safety.quoting import quoted

    return quoted("", text)
