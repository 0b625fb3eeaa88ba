"""The registry of tools: what exists, how it is called, and which of it is listed."""

import inspect
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from context_graph.errors import InvalidInput, ToolNotFound
from context_graph.models import Caller
from context_graph.suggestions import nearest, synonyms
from context_graph.tools.argument_errors import read
from context_graph.tools.base import ToolInput, ToolOutput
from context_graph.tools.schema import json_schema, signature

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["Tool", "all_tools", "built", "find", "listed", "tool"]

BY_IMPORTANCE = (
    "inject_context", "search_graph", "store_memory", "get_memetic_status", "get_graph_manifest", "forget_concept",
    "merge_concepts", "use_tool",
)  # fmt: skip
"""What `--tools core` lists, as far as it is built; some clients read only the first tools of a list."""

_SYNONYMS = synonyms(
    {
        "store_memory": "add save store remember create write put insert update edit memorize observations entities",
        "search_graph": "search find query lookup read list show memories",
        "inject_context": "recall retrieve get context ask answer",
        "forget_concept": "forget delete remove erase clear",
        "get_health": "ping status health",
    }
)
"""The tool that does what the tools of other memories say in their names: "add_memory", "search_nodes"."""

DESCRIPTION_LIMIT = 300
_TOOLS: dict[str, "Tool"] = {}

Function = Callable[["Memory", Any, Caller], ToolOutput]


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes
    ----------
    tier : int
        1 for every day, 2 for experienced agents, 3 for diagnosis.
    read_only, destructive, idempotent : bool
        The hints that clients use to ask for approval.
    """

    name: str
    family: str
    title: str
    tier: int
    read_only: bool
    destructive: bool
    idempotent: bool
    function: Function
    input: type[ToolInput]
    output: type[ToolOutput]

    @property
    def description(self) -> str:
        """What the agent reads: the function's docstring in one paragraph."""
        return re.sub(r"\s+", " ", inspect.getdoc(self.function) or "").strip()

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        return json_schema(self.input)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        return json_schema(self.output, output=True)

    @property
    def signature(self) -> str:
        """Name and arguments in one line, for agents that do not see the schema."""
        return signature(self.name, self.input_schema)

    @property
    def annotations(self) -> dict[str, bool]:
        """The hints under their names on the wire; no tool reaches beyond this machine."""
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": False,
        }

    def run(self, memory: "Memory", arguments: Mapping[str, Any], caller: Caller) -> ToolOutput:
        """Check the arguments and call the function; an error about a tool that is not listed tells its arguments.

        Parameters
        ----------
        caller : Caller
            Of the connection; the arguments may name another session and an agent.
        """
        try:
            args = read(self.input, arguments, self.input_schema)
        except InvalidInput as error:
            if self not in listed(memory.settings.tools):
                error.hint = f"{error.hint} {self.signature}".strip()
            raise
        caller = caller.within(getattr(args, "session_id", None), getattr(args, "agent_id", None))
        began = time.perf_counter()
        output = self.function(memory, args, caller)
        output.took(1_000 * (time.perf_counter() - began))
        return output if output.session else output.of_session(caller.session_id)


def tool(
    *, family: str, title: str, tier: int, read_only: bool, destructive: bool = False, idempotent: bool | None = None
) -> Callable[[Function], Function]:
    """Register a function `(memory, args, caller) -> output` as a tool; its annotations name the models.

    Parameters
    ----------
    idempotent : bool, optional
        Whether calling twice is like calling once; by default what only reads is.
    """

    def register(function: Function) -> Function:
        takes = list(inspect.signature(function).parameters.values())[1].annotation
        gives = inspect.signature(function).return_annotation
        entry = Tool(
            function.__name__, family, title, tier, read_only, destructive,
            read_only if idempotent is None else idempotent, function, takes, gives,
        )  # fmt: skip
        if len(entry.description) > DESCRIPTION_LIMIT:
            raise ValueError(
                f"{entry.name}: {len(entry.description)} characters of docstring, at most {DESCRIPTION_LIMIT}"
            )
        _TOOLS[entry.name] = entry
        return function

    return register


def all_tools() -> list[Tool]:
    """Every tool that is built, the most important first."""

    def importance(tool: Tool) -> tuple[int, int, str]:
        place = BY_IMPORTANCE.index(tool.name) if tool.name in BY_IMPORTANCE else len(BY_IMPORTANCE)
        return place, tool.tier, tool.name

    return sorted(_TOOLS.values(), key=importance)


def built(names: Iterable[str] | None = None) -> list[str]:
    """The names, of those given or of all, that are built tools."""
    return [tool.name for tool in all_tools()] if names is None else [name for name in names if name in _TOOLS]


def find(name: str) -> Tool:
    """The tool of a name."""
    if name in _TOOLS:
        return _TOOLS[name]
    near = nearest(name, _TOOLS, _SYNONYMS)
    guess = f"did you mean {near}? " if near else ""
    raise ToolNotFound(f"Unknown tool: {name[:80]}; {guess}get_graph_manifest names every tool")


def listed(selection: str) -> list[Tool]:
    """The tools that tools/list shows: core, all, or names separated by commas."""
    tools = all_tools()
    if selection == "all":
        return tools
    if selection == "core":
        return [tool for tool in tools if tool.name in BY_IMPORTANCE]
    names = [name.strip() for name in selection.split(",") if name.strip()]
    unknown = [name for name in names if name not in _TOOLS]
    if unknown or not names:
        raise InvalidInput(
            f"setting tools must be core, all, or names from {', '.join(built())}; got {selection[:80]!r}",
            field="tools",
        )
    return [tool for tool in tools if tool.name in names]
