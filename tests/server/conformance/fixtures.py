"""A server over HTTP as users have it, with the tools, resources and prompts that the public suite asks for.

They are registered as those of the package are, so that everything between the suite and them is what users get.
"""

import json
import logging
import threading
from dataclasses import replace

from context_graph.client_model import Prompt, client_model
from context_graph.errors import InvalidInput
from context_graph.progress import counted
from context_graph.prompts.registry import Argument, Message, prompt
from context_graph.resources.registry import Content, resource
from context_graph.server import serve_http
from context_graph.settings import load_settings
from context_graph.tools import find, registry
from context_graph.tools.base import ToolInput, ToolOutput
from context_graph.tools.registry import tool

logger = logging.getLogger("context_graph.conformance")
pause = threading.Event().wait

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
"""Of the suite's json_schema_2020_12_tool; the order of its members is the suite's."""


class NoInput(ToolInput):
    """Nothing is asked."""


class Text(ToolOutput):
    """A text."""

    text: str


@tool(family="conformance", title="Simple text", tier=1, read_only=True)
def test_simple_text(memory, args: NoInput, caller) -> Text:
    """Answer with a text."""
    return Text(text="This is a simple text response for testing.")


@tool(family="conformance", title="An error", tier=1, read_only=True)
def test_error_handling(memory, args: NoInput, caller) -> Text:
    """Answer with an error."""
    raise InvalidInput("This tool intentionally returns an error for testing")


@tool(family="conformance", title="Progress", tier=1, read_only=True)
def test_tool_with_progress(memory, args: NoInput, caller) -> Text:
    """Take three steps."""
    for _ in counted(range(3), "steps"):
        pause(0.3)  # longer than the server's least time between two notifications
    return Text(text="three steps")


@tool(family="conformance", title="Logs", tier=1, read_only=True)
def test_tool_with_logging(memory, args: NoInput, caller) -> Text:
    """Log three lines."""
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        logger.info(line)
        pause(0.05)
    return Text(text="three lines")


@tool(family="conformance", title="Logs unasked", tier=1, read_only=True)
def test_logging_tool(memory, args: NoInput, caller) -> Text:
    """Log a line that a client of 2026-07-28 has not asked for."""
    logger.warning("nobody asked")
    return Text(text="one line")


@tool(family="conformance", title="A stream", tier=1, read_only=True)
def test_streaming_elicitation(memory, args: NoInput, caller) -> Text:
    """Work a while: the stream of the answer carries no request of the server's own."""
    for _ in counted(range(2), "steps"):
        pause(0.1)
    return Text(text="two steps")


class Asked(ToolInput):
    """What the client's model is asked."""

    prompt: str


@tool(family="conformance", title="Sampling", tier=1, read_only=True)
def test_sampling(memory, args: Asked, caller) -> Text:
    """Ask the client's model."""
    ask = client_model()
    completion = ask(Prompt("Answer briefly.", args.prompt, 100))
    return Text(text=f"LLM response: {completion.text or completion.problem}")


@tool(family="conformance", title="JSON Schema 2020-12", tier=1, read_only=True)
def json_schema_2020_12_tool(memory, args: NoInput, caller) -> Text:
    """Have a schema with every keyword that may be lost on the way."""
    return Text(text="called")


registry._TOOLS["json_schema_2020_12_tool"].__dict__["input_schema"] = SCHEMA  # a cached property


@resource(
    "test://static-text",
    name="static-text",
    title="Static text",
    mime_type="text/plain",
    changes="never",
    listed=("test://static-text",),
)
def static_text(memory, target, visitor) -> Content:
    """A text that never changes."""
    return Content("This is the content of the static text resource.")


@resource("test://template/{id}/data", name="data", title="Data", mime_type="application/json", changes="never")
def data_of(memory, target, visitor) -> Content:
    """What the URI names."""
    id = target.parameters["id"]
    return Content(json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"}))


@resource("test://watched-resource", name="watched", title="Watched", mime_type="text/plain", changes="store")
def watched(memory, target, visitor) -> Content:
    """What may change."""
    return Content(str(memory.store.data_version()))


@resource("test://example-resource", name="example", title="Example", mime_type="text/plain", changes="never")
def example(memory, target, visitor) -> Content:
    """What a prompt embeds."""
    return Content("Embedded resource content for testing.")


@prompt(title="Simple")
def test_simple_prompt(memory, arguments, visitor):
    """One message."""
    return [Message("This is a simple prompt for testing.")]


@prompt(
    title="Arguments",
    arguments=(Argument("arg1", "First test argument", required=True), Argument("arg2", "Second test argument", True)),
)
def test_prompt_with_arguments(memory, arguments, visitor):
    """What it was told."""
    return [Message(f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'")]


@prompt(title="Embedded", arguments=(Argument("resourceUri", "URI of the resource to embed", required=True),))
def test_prompt_with_embedded_resource(memory, arguments, visitor):
    """A resource and a message."""
    return [Message(uri=arguments["resourceUri"]), Message("Please process the embedded resource above.")]


if __name__ == "__main__":
    assert find("test_simple_text")
    serve_http(replace(load_settings()[0], tools="all", sampling=True), "127.0.0.1", 0)
