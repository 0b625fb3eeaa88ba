"""Servers over HTTP on a free port, in processes of their own."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from urllib.parse import urlsplit

from server_process import DEADLINE_S, environment

from context_graph.server.http.tokens import Tokens

__all__ = [
    "DEADLINE_S", "ENDLESS", "HOSTILE", "INITIALIZE", "HttpServer", "enveloped", "exchanged", "remembered",
    "tool_called", "until",
]  # fmt: skip

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip

HOSTILE = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">\u202egnp.exe"
"""A memory that would like to be more than text."""

ENDLESS = """
import threading
from dataclasses import replace
from context_graph.errors import Cancelled
from context_graph.progress import stage
from context_graph.server import serve_http
from context_graph.settings import load_settings
from context_graph.tools import registry

never = threading.Event()

def endless(memory, args, caller):
    try:
        while not never.wait(0.01):
            stage("again")
    except Cancelled:
        (memory.settings.home / "stopped").touch()
        raise

registry._TOOLS["get_recent_context"] = replace(registry.find("get_recent_context"), function=endless)
serve_http(load_settings()[0], "127.0.0.1", 0)
"""
"""A server whose get_recent_context answers only when it is cancelled."""


class HttpServer:
    """A server process; it is ready when it has said where it listens."""

    def __init__(self, home, *options, transport="http", tools="core", program=None):
        self.home = home
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script; a child inherits it
            signal.signal(signal.SIGINT, signal.default_int_handler)
        program = program or ("-m", "context_graph.cli", "serve", "--transport", transport, "--port", "0")
        self.popen = subprocess.Popen(
            [sys.executable, *program, *options], env=environment(home, tools), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.told = []
        while not (found := re.search(r"MCP at (http://[^/]+)/mcp", self.told[-1] if self.told else "")):
            line = self.popen.stderr.readline()
            assert line, f"the server ended: {self.told}"
            self.told.append(line)
        self.url = found[1]

    @property
    def mcp(self):
        return f"{self.url}/mcp"

    def token(self, name, scope="write", **more):
        """A new token, as the header that sends it."""
        return {"Authorization": f"Bearer {Tokens(self.home).new(name, scope, **more)}"}

    def end(self):
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        self.popen.stdout.close()
        self.popen.stderr.close()


def enveloped(method, /, id=1, **params):
    """A request of 2026-07-28: its body and its headers."""
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    body = {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": meta}}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method, "Accept": "application/json, text/event-stream"}
    for key in ("name", "uri"):
        if key in params:
            headers["Mcp-Name"] = params[key]
    return body, headers


def remembered(server, http, content, **more):
    """The id of a new memory."""
    body = {"content": content, "rationale": "for the log of the boat", **more}
    return http.post(f"{server.url}/api/v1/remember", json=body).json()["node_id"]


def tool_called(server, http, tool, /, **arguments):
    """The values of a tool that must succeed."""
    body, headers = enveloped("tools/call", name=tool, arguments=arguments)
    result = http.post(server.mcp, json=body, headers=headers).json()["result"]
    assert not result.get("isError"), result
    return json.loads(result["content"][1]["text"])  # behind the line of the pulse


def exchanged(url, data):
    """What comes back for some bytes; a server that closes has said all it says."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), DEADLINE_S) as raw:
        raw.sendall(data)
        with suppress(ConnectionError):
            return raw.recv(65_536)
    return b""


def until(holds):
    """Ask again until something holds."""
    never = threading.Event()
    assert any(holds() or never.wait(0.05) for _ in range(DEADLINE_S * 20))
