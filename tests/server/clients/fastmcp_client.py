"""A session of FastMCP's client: reads a job as JSON on stdin, writes what it saw as JSON on stdout."""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp.shared.exceptions import MCPError


async def main(job):
    command, *args = job["command"]
    server = job["url"] or StdioTransport(command, args, env=job["env"])
    async with Client(server, mode=job["mode"]) as client:
        seen = {"revision": client.protocol_version, "tools": [one.name for one in await client.list_tools()]}
        calls = seen["calls"] = {}
        for name, arguments in job["calls"]:
            result = await client.call_tool(name, arguments, raise_on_error=False)
            calls[name] = {
                "error": result.is_error, "text": result.content[0].text, "values": result.structured_content,
            }  # fmt: skip
        refused = await client.call_tool("search_graph", {"query": 7}, raise_on_error=False)
        seen["refused"] = {"error": refused.is_error, "text": refused.content[1].text}
        try:
            await client.call_tool("no_such_tool", {})
        except MCPError as error:
            seen["unknown"] = error.error.code
        uris = [str(one.uri) for one in await client.list_resources()]
        seen["resources"] = {uri: len((await client.read_resource(uri))[0].text) for uri in [*uris, *job["uris"]]}
        seen["templates"] = len(await client.list_resource_templates())
        seen["prompts"] = {
            one.name: len((await client.get_prompt(one.name, job["prompts"].get(one.name))).messages)
            for one in await client.list_prompts()
        }
        return seen


json.dump(asyncio.run(main(json.load(sys.stdin))), sys.stdout)
