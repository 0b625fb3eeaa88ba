"""A server process behind raw pipes, for what only a process can show."""

import json
import os
import select
import subprocess
import sys

import pytest

DEADLINE_S = 60  # generous: a loaded machine is no failure


class Process:
    """One server; speaks lines of JSON, remembers every byte that came on stdout."""

    def __init__(self, home, *, program=("-m", "context_graph.server"), tools="core"):
        environment = os.environ | {
            "CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": "base", "CONTEXT_GRAPH_TOOLS": tools,
        }  # fmt: skip
        self.popen = subprocess.Popen(
            [sys.executable, *program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment, bufsize=0,
        )  # fmt: skip
        self.lines = []
        self._pending = b""
        self._id = 0

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write(self, data):
        self.popen.stdin.write(data)

    def read(self):
        """The next line as JSON; None at the end."""
        while b"\n" not in self._pending:
            ready, _, _ = select.select([self.popen.stdout], [], [], DEADLINE_S)
            assert ready, "no answer in time"
            data = os.read(self.popen.stdout.fileno(), 1 << 20)
            if not data:
                return None
            self._pending += data
        line, self._pending = self._pending.split(b"\n", 1)
        self.lines.append(line)
        return json.loads(line)

    def ask(self, method, /, **params):
        """The answer to a request, in the era begun."""
        self._id += 1
        if self.meta:
            params["_meta"] = self.meta
        self.send(id=self._id, method=method, params=params)
        while True:
            message = self.read()
            assert message is not None, self.errors()
            if message.get("id") == self._id:
                return message

    meta = None

    def begin(self, version="2025-11-25"):
        """Shake hands, or discover in the era without a handshake."""
        client = {"name": "test", "version": "1"}
        if version >= "2026":
            self.meta = {
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": client,
            }
            return self.ask("server/discover")["result"]
        answer = self.ask("initialize", protocolVersion=version, capabilities={}, clientInfo=client)["result"]
        self.send(method="notifications/initialized")
        return answer

    def call(self, name, /, **arguments):
        return self.ask("tools/call", name=name, arguments=arguments)["result"]

    def leave(self):
        """Close stdin and wait: the exit code."""
        self.popen.stdin.close()
        return self.wait()

    def wait(self):
        return self.popen.wait(DEADLINE_S)

    def errors(self):
        return self.popen.stderr.read().decode() if self.popen.poll() is not None else ""

    def end(self):
        if self.popen.poll() is None:
            self.popen.kill()
            self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            stream.close()


@pytest.fixture
def start(tmp_path):
    """Starts servers on one home and ends them."""
    started = []

    def begin(**more):
        started.append(Process(tmp_path / "home", **more))
        return started[-1]

    yield begin
    for process in started:
        process.end()
