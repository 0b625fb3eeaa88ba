"""use_tool: any tool by its name, listed or not."""

from typing import TYPE_CHECKING, Any, cast

from pydantic import ConfigDict

from context_graph.errors import InvalidInput
from context_graph.models import Caller
from context_graph.tools.base import Maybe, ToolInput, ToolOutput
from context_graph.tools.registry import find, tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["use_tool"]


class UseToolInput(ToolInput):
    name: str
    """Tool to call."""

    arguments: Maybe[dict[str, Any]] = None
    """Its arguments."""


class UseToolOutput(ToolOutput):
    """Whatever the tool that was named answers."""

    model_config = ConfigDict(extra="allow")


@tool(family="core", title="Use any tool", tier=1, read_only=False, destructive=True)
def use_tool(memory: "Memory", args: UseToolInput, caller: Caller) -> UseToolOutput:
    """Call any tool of this server by name, listed or not; the result is that tool's own. get_graph_manifest names the
    tools and their arguments.
    """
    inner = find(args.name)
    if inner.function is use_tool:
        raise InvalidInput("use_tool cannot call itself; name another tool", field="name")
    return cast(UseToolOutput, inner.run(memory, args.arguments or {}, caller))  # the schema is what it says to clients
