"""A client that does not read is not read from: what waits for it stays bounded."""

import json
import os
import threading

import anyio
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage

from context_graph.server import pipes
from context_graph.server.pipes import Pipes
from tests.requirements import requirement

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""A server's process ends with its pipes, so nothing closes them."""

PATIENCE_S = 30
PING = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n'


class Client:
    """The other ends of both pipes, and a server that answers every request with a text of some length."""

    def __init__(self, answer_bytes: int) -> None:
        (self.read_end, self.to_server), (self.from_server, self.write_end) = os.pipe(), os.pipe()
        os.set_blocking(self.to_server, False)
        self.ended = threading.Event()
        self.pipes = Pipes(self.read_end, self.write_end, on_end=self.ended.set)
        self.text = "x" * answer_bytes
        self.taken = 0
        self.sent = 0

    async def answer(self, *, answering: bool) -> None:
        incoming, outgoing = self.pipes.open()
        async with incoming:
            async for item in incoming:
                self.taken += 1
                if answering:
                    result = {"text": self.text}
                    await outgoing.send(
                        SessionMessage(types.JSONRPCResponse(jsonrpc="2.0", id=item.message.id, result=result))
                    )

    async def flood(self) -> None:
        """Send pings until none has been taken for a while."""
        still = 0
        while still < 20:
            try:
                os.write(self.to_server, PING % self.sent)
                self.sent += 1
                still = 0
            except BlockingIOError:
                still += 1
                await anyio.sleep(0.01)  # lets the server run; how long does not matter to what is asserted
            if self.sent % 100 == 0:
                await anyio.sleep(0)

    def leave(self) -> None:
        os.close(self.to_server)
        os.close(self.from_server)


@pytest.mark.parametrize("answering", [True, False], ids=["answers unread", "answers outstanding"])
@requirement("server:back-pressure")
def test_a_client_that_never_reads_is_not_read_from(answering):
    client = Client(answer_bytes=10_000)
    bound = pipes.MAX_UNWRITTEN_BYTES // 10_000 + pipes.MAX_UNDER_WAY if answering else pipes.MAX_UNDER_WAY

    async def talk():
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: client.answer(answering=answering))
            with anyio.fail_after(PATIENCE_S):
                await client.flood()
            assert client.sent > client.taken + 500, "the rest lies in the pipe"
            assert client.taken <= bound + 10
            assert client.pipes._unwritten <= pipes.MAX_UNWRITTEN_BYTES + (pipes.MAX_UNDER_WAY + 10) * 10_100
            group.cancel_scope.cancel()

    anyio.run(talk)
    client.leave()
    assert client.ended.wait(PATIENCE_S), "a client that leaves is noticed while its input is not read"


def test_a_client_that_reads_again_is_answered_every_request():
    client = Client(answer_bytes=10_000)

    async def talk():
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: client.answer(answering=True))
            with anyio.fail_after(PATIENCE_S):
                await client.flood()
                with os.fdopen(client.from_server, "rb", closefd=False) as lines:
                    seen = [
                        json.loads(await anyio.to_thread.run_sync(lines.readline))["id"] for _ in range(client.sent)
                    ]
            assert seen == list(range(client.sent))
            group.cancel_scope.cancel()

    anyio.run(talk)
    client.leave()
    assert client.ended.wait(PATIENCE_S)
