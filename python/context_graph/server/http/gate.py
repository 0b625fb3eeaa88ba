"""How much may be under way at once: what is above is refused at once, and told when to come again."""

import threading
from collections.abc import Hashable

from context_graph.server.pipes import MAX_UNDER_WAY

__all__ = ["MAX_STREAMS", "RETRY_AFTER_S", "Gate"]

MAX_CALLS_OF_CLIENT = 64
"""Requests of one session, or of one token beside sessions, that are not answered yet."""

MAX_HELD_BYTES = 268_435_456
"""Bodies of requests that are being received or worked on, together."""

MAX_STREAMS = 1_000
"""Streams of notifications that are open at once, each of one client."""

RETRY_AFTER_S = 1


class Gate:
    """Counts requests from when they are taken until they are settled, and streams while they are open."""

    def __init__(self) -> None:
        self._changing = threading.Condition()
        self._by_client: dict[Hashable, int] = {}
        self._bytes = 0
        self.under_way = 0
        self.streams = 0
        self.refused = 0

    def enter(self, client: Hashable | None, size: int) -> int:
        """Take a request: 0, or the HTTP status of the refusal.

        Parameters
        ----------
        client
            Whose request it is; None where this is not known, so that only all requests together are bounded.
        size : int
            Of its body.
        """
        with self._changing:
            status = 0
            if client is not None and self._by_client.get(client, 0) >= MAX_CALLS_OF_CLIENT:
                status = 429
            elif self.under_way >= MAX_UNDER_WAY or self._bytes + size > MAX_HELD_BYTES:
                status = 503
            if status:
                self.refused += 1
                return status
            self.under_way += 1
            self._bytes += size
            if client is not None:
                self._by_client[client] = self._by_client.get(client, 0) + 1
            return 0

    def leave(self, client: Hashable | None, size: int) -> None:
        """A request is settled."""
        with self._changing:
            self.under_way -= 1
            self._bytes -= size
            if client is not None:
                self._by_client[client] -= 1
                if not self._by_client[client]:
                    del self._by_client[client]
            self._changing.notify_all()

    def open_stream(self) -> bool:
        """Take one of the streams that there may be; False where all are taken."""
        with self._changing:
            if self.streams >= MAX_STREAMS:
                return False
            self.streams += 1
            return True

    def close_stream(self) -> None:
        """A stream has ended, and what was sent on it has left."""
        with self._changing:
            self.streams -= 1
            self._changing.notify_all()

    def wait_idle(self, timeout_s: float) -> None:
        """Wait a moment until nothing is under way and no stream is open."""
        with self._changing:
            self._changing.wait_for(lambda: not self.under_way and not self.streams, timeout_s)
