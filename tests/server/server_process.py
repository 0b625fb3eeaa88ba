"""Servers behind raw pipes: a process, or a host of this process."""

import json
import os
import select
import subprocess
import sys
import threading
from functools import partial

from context_graph.server.connection import Connection
from context_graph.server.pipes import Pipes

__all__ = ["Attached", "Server", "environment"]

DEADLINE_S = 60  # generous: a loaded machine is no failure


def environment(home, tools="core"):
    """The variables of a server: of a person who allows permanent deletion."""
    return os.environ | {
        "CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": "base", "CONTEXT_GRAPH_TOOLS": tools,
        "CONTEXT_GRAPH_ALLOW_PERMANENT_DELETION": "true",
    }  # fmt: skip


class Speaker:
    """Speaks lines of JSON, remembers the last lines that came back."""

    meta = None

    def __init__(self, write, from_server):
        self.write, self._from_server = write, from_server
        self.lines = []
        self._pending = b""
        self._id = 0
        self.before_answer = []
        self.answering = {}

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def read(self, timeout=DEADLINE_S):
        """The next line as JSON; None at the end."""
        while b"\n" not in self._pending:
            ready, _, _ = select.select([self._from_server], [], [], timeout)
            assert ready, "no answer in time"
            data = os.read(self._from_server, 1 << 20)
            if not data:
                return None
            self._pending += data
        line, self._pending = self._pending.split(b"\n", 1)
        self.lines = [*self.lines[-99:], line]
        return json.loads(line)

    def request(self, method, /, **params):
        """Send a request in the era begun and leave its answer for later; returns its id."""
        self._id += 1
        if self.meta:
            params["_meta"] = self.meta
        self.send(id=self._id, method=method, params=params)
        return self._id

    def ask(self, method, /, **params):
        """The answer to a request; what the server tells before it is kept in `before_answer`.

        What the server asks is answered by the function in `answering` under its method: it is given the message and
        returns a result or an error, or None for no answer.
        """
        number, self.before_answer = self.request(method, **params), []
        while True:
            message = self.read()
            assert message is not None, self.errors()
            if "method" not in message and message["id"] == number:
                return message
            self.before_answer.append(message)
            if "id" in message and message.get("method") in self.answering:
                answer = self.answering[message["method"]](message)
                if answer is not None:
                    self.send(id=message["id"], **answer)

    def begin(self, version="2025-11-25", abilities=None):
        """Shake hands, or discover in the era without a handshake."""
        client = {"name": "test", "version": "1"}
        if version >= "2026":
            self.meta = {
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": abilities or {},
                "io.modelcontextprotocol/clientInfo": client,
            }
            return self.ask("server/discover")["result"]
        params = {"protocolVersion": version, "capabilities": abilities or {}, "clientInfo": client}
        answer = self.ask("initialize", **params)["result"]
        self.send(method="notifications/initialized")
        return answer

    def call(self, name, /, **arguments):
        return self.ask("tools/call", name=name, arguments=arguments)["result"]


class Server(Speaker):
    """A server in a process of its own, for what only a process can show.

    Parameters
    ----------
    measured : bool
        Let coverage follow into the process, where a test run is measured; it makes every start slower.
    options
        For `subprocess.Popen`.
    """

    def __init__(self, home, *, program=("-m", "context_graph.server"), tools="core", measured=True, **options):
        variables = environment(home, tools)
        if not measured:
            variables = {name: value for name, value in variables.items() if not name.startswith("COV")}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
        self.popen = subprocess.Popen([sys.executable, *program], env=variables, **(pipes | options))
        super().__init__(self.popen.stdin.write, self.popen.stdout.fileno())

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
            if stream is not None:
                stream.close()


class Attached(Speaker):
    """A host of this process behind pipes: the same lines as a server's, without the second that a process takes."""

    def __init__(self, host):
        self.host = host
        (read_end, self._to_server), (from_server, self._write_end) = os.pipe(), os.pipe()
        self.ended = threading.Event()
        self.pipes = Pipes(read_end, self._write_end, on_end=self.ended.set)
        self._connection = Connection(host, self.pipes.send, self.pipes.settled)
        receive, at_end = self._connection.receive, self._connection.end_of_input
        self._thread = threading.Thread(target=self.pipes.run, args=(receive, at_end))
        self._thread.start()
        super().__init__(partial(os.write, self._to_server), from_server)

    def errors(self):
        return "the connection ended"

    def leave(self):
        os.close(self._to_server)
        self._thread.join()
        self._connection.close()
        self.pipes.drain()
        self.pipes._input.close()
        os.close(self._write_end)
        os.close(self._from_server)

    def end(self):
        """Leave, and close the host."""
        self.leave()
        if self.host._warming is not None:
            self.host._warming.join()
        self.host.close()
