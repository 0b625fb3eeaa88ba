"""A line between two processes that delays, breaks, and tells what passes."""

import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

__all__ = ["Line"]


class Line:
    """Listens on a port of its own and passes on what comes to another one.

    Parameters
    ----------
    breaks : float
        The share of connections that end after a few bytes.
    delay_s : float
        The longest wait before a piece goes on.
    """

    def __init__(self, port: int, *, seed: int, breaks: float = 0.0, delay_s: float = 0.0) -> None:
        self._port, self._random, self.breaks, self._delay_s = port, random.Random(seed), breaks, delay_s
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._ended = threading.Event()
        self.on_answer: Callable[[], None] = lambda: None
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def end(self) -> None:
        self._ended.set()
        self._listener.close()

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            left = self._random.randrange(20_000) if self._random.random() < self.breaks else None
            with suppress(OSError):
                far = socket.create_connection(("127.0.0.1", self._port))
                for source, target, answers in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._pass, args=(source, target, left, answers), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, left: int | None, answers: bool) -> None:
        with suppress(OSError), source, target:
            while piece := source.recv(16_384):
                self._ended.wait(self._random.random() * self._delay_s)
                if left is not None and (left := left - len(piece)) < 0:
                    target.sendall(piece[: len(piece) // 2])
                    # Closed alone, a socket on which the other thread waits stays open, and both ends wait with it.
                    for end in (source, target):
                        end.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(piece)
                if answers:
                    self.on_answer()
            target.shutdown(socket.SHUT_WR)
