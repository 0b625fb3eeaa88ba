"""An agent that remembers what it is told and looks it up before it answers: MCP over standard input and output.

The protocol is one JSON-RPC message a line. A client library does the same; here nothing but Python is needed.
"""

import json
import os
import subprocess
import sys
import tempfile

home = tempfile.TemporaryDirectory()
server = subprocess.Popen(
    [sys.executable, "-m", "context_graph.cli", "serve"],
    env=os.environ | {"CONTEXT_GRAPH_HOME": home.name, "CONTEXT_GRAPH_TIER": "base"},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    encoding="utf-8",
)


def send(**message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
    server.stdin.flush()


def ask(number, method, **params):
    send(id=number, method=method, params=params)
    return json.loads(server.stdout.readline())["result"]


def call(number, tool, **arguments):
    result = ask(number, "tools/call", name=tool, arguments=arguments)
    assert not result["isError"], result
    return result["structuredContent"]


client = {"name": "example", "version": "1"}
hello = ask(0, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
send(method="notifications/initialized")
print("connected to", hello["serverInfo"]["title"])

turns = ["My sister Anna plays the clarinet.", "The release moved to Friday.", "Which instrument does Anna play?"]
for number, said in enumerate(turns):
    if said.endswith("?"):
        context = call(2 * number + 1, "inject_context", query=said, max_tokens=200)["context"]
        print(f"user: {said}\nwhat the agent is told before it answers:\n{context}")
    else:
        stored = call(2 * number + 1, "store_memory", content=said, rationale="the user said so")
        print(f"user: {said}\nremembered as {stored['node_id'][:8]}")

server.communicate()  # closes its input, with which the server ends
home.cleanup()
