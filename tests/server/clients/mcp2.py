"""A session of the client of `mcp` 2.x: reads a job as JSON on stdin, writes what it saw as JSON on stdout."""

import json
import sys

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError


async def main():
    job = json.load(sys.stdin)
    command, *args = job["command"]
    server = job["url"] or StdioServerParameters(command=command, args=args, env=job["env"])
    async with Client(server, mode=job["mode"]) as client:
        seen = {"revision": client.protocol_version, "tools": [one.name for one in (await client.list_tools()).tools]}
        calls = seen["calls"] = {}
        for name, arguments in job["calls"]:
            result = await client.call_tool(name, arguments)
            calls[name] = {
                "error": result.is_error, "text": result.content[0].text, "values": result.structured_content,
            }  # fmt: skip
        refused = await client.call_tool("search_graph", {"query": 7})
        seen["refused"] = {"error": refused.is_error, "text": refused.content[1].text}
        try:
            await client.call_tool("no_such_tool", {})
        except MCPError as error:
            seen["unknown"] = error.error.code
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        seen["resources"] = {
            uri: len((await client.read_resource(uri)).contents[0].text) for uri in [*uris, *job["uris"]]
        }
        seen["templates"] = len((await client.list_resource_templates()).resource_templates)
        seen["prompts"] = {
            one.name: len((await client.get_prompt(one.name, job["prompts"].get(one.name))).messages)
            for one in (await client.list_prompts()).prompts
        }
        json.dump(seen, sys.stdout)


anyio.run(main)
