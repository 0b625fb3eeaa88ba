"""A server process of its own on a home, and a client that asks one thing at a time."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

__all__ = ["Served"]

PROCESS_SCHEDULED = 2
"""With a process's inverted id before it, the clock of its processor time: `clock_getcpuclockid(3)` on Linux."""


class Served:
    """A server process of its own on a home, and a client that asks one thing at a time."""

    def __init__(self, home: Path, tier: str) -> None:
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        variables |= {"CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": tier}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "context_graph.server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=variables,
        )  # fmt: skip
        self.pid = self._process.pid
        self._asked = 0
        self.ask(
            "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "bench", "version": "0"}
        )

    def ask(self, method: str, **params: object) -> bytes:
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def call(self, name: str, /, **arguments: object) -> None:
        answer = json.loads(self.ask("tools/call", name=name, arguments=arguments))
        assert not answer["result"]["isError"], answer

    def resident(self) -> dict[str, int]:
        """Bytes of RAM: all, and those that no other process shares."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        status = dict(line.split(":", 1) for line in lines)
        return {name: int(status[key].split()[0]) * 1024 for name, key in (("all", "VmRSS"), ("own", "RssAnon"))}

    def processor_s(self) -> float:
        """Processor time of all its threads so far."""
        return time.clock_gettime(~self.pid << 3 | PROCESS_SCHEDULED)

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait(10)
