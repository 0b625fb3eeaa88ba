"""A client of an MCP server over its pipes, for servers of others: one question at a time."""

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["StdioServer", "text_of"]

VERSION = "2025-06-18"
ANSWER_S = 180
"""How long an answer may take; a server that loads a model at its first call needs a while."""


class StdioServer:
    """A server process that is asked over its pipes and ended with the block.

    Parameters
    ----------
    log : Path
        What it writes to stderr.
    """

    def __init__(self, command: Sequence[object], variables: Mapping[str, str], log: Path) -> None:
        self._log = log
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                env=dict(variables), cwd=log.parent,
            )  # fmt: skip
        self._requests = 0
        client = {"name": "context-graph-benchmark", "version": "1"}
        try:
            self._ask("initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client})
            self._send({"method": "notifications/initialized"})
        except BaseException:
            self.close()
            raise

    def call(self, tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """The result of a tool; raises RuntimeError with the server's words where the tool fails."""
        result: dict[str, Any] = self._ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise RuntimeError(f"{tool} failed: {text_of(result)[:500]}")
        return result

    def _ask(self, method: str, params: Mapping[str, object]) -> Any:
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        assert self._process.stdout is not None
        late = threading.Timer(ANSWER_S, self._process.kill)
        late.start()
        try:
            for line in self._process.stdout:
                answer = json.loads(line) if line.startswith(b"{") else {}
                if answer.get("id") == self._requests and "method" not in answer:
                    if "error" in answer:
                        raise RuntimeError(f"{method} was refused: {answer['error']}")
                    return answer["result"]
        finally:
            late.cancel()
        last = self._log.read_text("utf-8", errors="replace").strip().splitlines()[-3:]
        raise RuntimeError(f"the server ended, or said nothing to {method} for {ANSWER_S} s; its last words: {last}")

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # who waits for the answer tells what it said at its end
            self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self._process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def text_of(result: Mapping[str, Any]) -> str:
    """The text of a tool's result."""
    return "\n".join(part["text"] for part in result.get("content", ()) if part.get("type") == "text")
