"""A client that does not read is not read from: what waits for it stays bounded."""

import json
import os
import threading
import time

import pytest

from context_graph.server import pipes
from context_graph.server.pipes import Pipes
from tests.requirements import requirement

PATIENCE_S = 30
PING = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n'
STILL_S = 0.2


class Client:
    """The other ends of both pipes, and a server that answers every request with a text of some length, or none."""

    def __init__(self, answer_bytes: int | None) -> None:
        (self.read_end, self.to_server), (self.from_server, self.write_end) = os.pipe(), os.pipe()
        os.set_blocking(self.to_server, False)
        self.unread = threading.Event()
        self.pipes = Pipes(self.read_end, self.write_end, on_end=self.unread.set)
        self.text = None if answer_bytes is None else "x" * answer_bytes
        self.taken = 0
        self.sent = 0
        self.thread = threading.Thread(target=self.pipes.run, args=(self.take,))
        self.thread.start()

    def take(self, message) -> None:
        self.taken += 1
        if self.text is not None:
            self.pipes.send({"jsonrpc": "2.0", "id": message.id, "result": {"text": self.text}})
            self.pipes.settled()

    def flood(self) -> None:
        """Send pings until none has been taken for a while; how long that is does not matter to what is asserted."""
        still_since = time.monotonic()
        while time.monotonic() - still_since < STILL_S:
            try:
                os.write(self.to_server, PING % self.sent)
                self.sent += 1
                still_since = time.monotonic()
            except BlockingIOError:
                threading.Event().wait(0.01)

    def leave(self) -> None:
        """Close the pipes; the server notices."""
        os.close(self.to_server)
        os.close(self.from_server)
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive(), "a client that leaves is noticed while its input is not read"
        self.pipes._input.close()


@pytest.mark.parametrize("answer_bytes", [10_000, None], ids=["answers unread", "answers outstanding"])
@requirement("server:back-pressure")
def test_a_client_that_never_reads_is_not_read_from(answer_bytes):
    client = Client(answer_bytes)
    bound = pipes.MAX_UNDER_WAY if answer_bytes is None else pipes.MAX_UNWRITTEN_BYTES // answer_bytes
    client.flood()
    assert client.sent > client.taken + 500, "the rest lies in the pipe"
    assert client.taken <= bound + 10
    assert client.pipes._unwritten <= pipes.MAX_UNWRITTEN_BYTES + 10_100
    client.leave()


def test_a_client_that_reads_again_is_answered_every_request():
    client = Client(answer_bytes=10_000)
    client.flood()
    with os.fdopen(client.from_server, "rb", closefd=False) as lines:
        assert [json.loads(lines.readline())["id"] for _ in range(client.sent)] == list(range(client.sent))
    client.leave()


def test_the_end_of_the_reader_is_told():
    client = Client(answer_bytes=10_000)
    os.close(client.from_server)
    os.write(client.to_server, PING % 0)
    assert client.unread.wait(PATIENCE_S)
    client.from_server = os.open(os.devnull, os.O_RDONLY)
    client.leave()
