"""The MCP server object: what it says at first contact, its list of tools, its calls; every protocol revision."""

import asyncio
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from context_graph import __version__
from context_graph.errors import ToolNotFound
from context_graph.server.host import Host
from context_graph.server.progress import Progress
from context_graph.server.wire import result_of
from context_graph.tools import Tool, find, listed
from context_graph.tools.texts import server_instructions

__all__ = ["build"]

CALLS_AT_ONCE = 4
WARM_AFTER_S = 0.1
"""Lets the list of tools out before models are loaded."""

LIST_TTL_MS = 3_600_000
"""The list changes only with the settings, so with a new process."""


def build(host: Host) -> Server[Any]:
    """A server over a host, for any transport."""
    tools = {"resultType": "complete", "tools": [_described(tool) for tool in listed(host.settings.tools)]}
    limiter = anyio.CapacityLimiter(CALLS_AT_ONCE)

    async def list_tools(ctx: Any, params: types.PaginatedRequestParams | None) -> dict[str, Any]:
        if params is not None and params.cursor is not None:
            raise MCPError(types.INVALID_PARAMS, "Invalid cursor: the list of tools is one page")
        asyncio.get_running_loop().call_later(WARM_AFTER_S, host.warm)
        return tools

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> dict[str, Any]:
        try:
            find(params.name)
        except ToolNotFound as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        async with Progress.of(ctx) as progress:
            call = partial(progress.during, partial(host.call, params.name, params.arguments))
            outcome = await to_thread.run_sync(call, abandon_on_cancel=True, limiter=limiter)
        return result_of(outcome)

    server: Server[Any] = Server(
        "context-graph",
        version=__version__,
        title="Context Graph",
        instructions=server_instructions(),
        cache_hints={
            "tools/list": CacheHint(LIST_TTL_MS, "public"),
            "server/discover": CacheHint(LIST_TTL_MS, "public"),
        },
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _set_level)
    server.middleware.clear()  # tracing: nothing collects it here, and it costs each call
    return server


async def _set_level(ctx: Any, params: types.SetLevelRequestParams) -> types.EmptyResult:
    """Accepted for clients of older revisions; logs go to stderr at their own level."""
    return types.EmptyResult()


def _described(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "annotations": {"title": tool.title, **tool.annotations},
    }
