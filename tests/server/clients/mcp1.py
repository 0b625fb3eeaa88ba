"""A session of the client of `mcp` 1.x: reads a job as JSON on stdin, writes what it saw as JSON on stdout."""

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import McpError


async def main(job):
    async with AsyncExitStack() as stack:
        if job["url"]:
            read, write, _ = await stack.enter_async_context(streamable_http_client(job["url"]))
        else:
            command, *args = job["command"]
            server = StdioServerParameters(command=command, args=args, env=job["env"])
            read, write = await stack.enter_async_context(stdio_client(server))
        session = await stack.enter_async_context(ClientSession(read, write))
        contact = await session.initialize()
        seen = {"revision": contact.protocolVersion, "tools": [one.name for one in (await session.list_tools()).tools]}
        calls = seen["calls"] = {}
        for name, arguments in job["calls"]:
            result = await session.call_tool(name, arguments)
            calls[name] = {"error": result.isError, "text": result.content[0].text, "values": result.structuredContent}
        refused = await session.call_tool("search_graph", {"query": 7})
        seen["refused"] = {"error": refused.isError, "text": refused.content[1].text}
        try:
            await session.call_tool("no_such_tool", {})
        except McpError as error:
            seen["unknown"] = error.error.code
        uris = [str(one.uri) for one in (await session.list_resources()).resources]
        seen["resources"] = {
            uri: len((await session.read_resource(uri)).contents[0].text) for uri in [*uris, *job["uris"]]
        }
        seen["templates"] = len((await session.list_resource_templates()).resourceTemplates)
        seen["prompts"] = {
            one.name: len((await session.get_prompt(one.name, job["prompts"].get(one.name))).messages)
            for one in (await session.list_prompts()).prompts
        }
        return seen


json.dump(asyncio.run(main(json.load(sys.stdin))), sys.stdout)
