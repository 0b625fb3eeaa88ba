"""completion/complete: what an argument that somebody begins to type may become."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from context_graph.errors import InvalidInput
from context_graph.presentation.suggestions import MAX_SUGGESTIONS, beginning_with, concept_names, node_ids, sessions
from context_graph.presentation.visitor import Visitor, shortened
from context_graph.prompts import find as find_prompt
from context_graph.resources import of_template
from context_graph.server.lookup import Lookup, refusal

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["completion"]

MAX_TYPED_CHARS = 200
Names = Literal["topic", "session", "node"]


def completion(
    reference: Mapping[str, Any], name: str, text: str, settled: Mapping[str, Any], *, stateless: bool
) -> Lookup:
    """Suggestions for an argument of a prompt, or a parameter of a template.

    Parameters
    ----------
    settled : mapping
        The arguments that are settled already.
    """

    def answer(memory: "Memory", visitor: Visitor) -> dict[str, Any]:
        if len(text) > MAX_TYPED_CHARS:
            told = f"argument.value must have at most {MAX_TYPED_CHARS} characters, got {len(text)}"
            raise InvalidInput(told, field="argument.value")
        choices, names = _kind(reference, name, settled)
        words, more = (beginning_with(text, choices), False) if choices else _named(memory, names, text, visitor)
        shown = words[:MAX_SUGGESTIONS]
        total = {} if more else {"total": len(words)}
        return {"completion": {"values": shown, **total, "hasMore": more or len(words) > len(shown)}}

    return Lookup("completion/complete", answer, lambda error: refusal(error, stateless=stateless))


def _kind(reference: Mapping[str, Any], name: str, settled: Mapping[str, Any]) -> tuple[tuple[str, ...], Names | None]:
    """The values of an argument, where there are a few, and what else its values name."""
    if reference["type"] == "ref/prompt":
        argument = find_prompt(reference["name"]).argument(name)
        return argument.choices, argument.names
    resource = of_template(reference["uri"])
    if name not in resource.parameters:
        known = ", ".join(resource.parameters) or "none"
        raise InvalidInput(
            f"unknown parameter {shortened(name)}; {resource.template} has {known}", field="argument.name"
        )
    by_parameter: dict[str, Names] = {"session": "session", "node_id": "node", "topic": "topic"}
    by_scope: dict[Any, Names] = {"session": "session", "node": "node"}
    names = by_scope.get(settled.get("scope"), "topic") if name == "topic" else by_parameter.get(name)
    return resource.choices.get(name, ()), names


def _named(memory: "Memory", names: Names | None, text: str, visitor: Visitor) -> tuple[list[str], bool]:
    """What is called so, and whether there may be more of it."""
    if names == "session":
        return sessions(text, visitor), False
    if names == "node":
        called, more = concept_names(memory, text, visitor.caller)
        return [*node_ids(memory, text, visitor.caller), *called], more
    return concept_names(memory, text, visitor.caller) if names == "topic" else ([], False)
