"""How far a call is, told to a client that asks for it; and a call that is cancelled stops."""

import asyncio
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from context_graph.progress import followed

__all__ = ["EVERY_S", "Progress"]

T = TypeVar("T")
Report = Callable[[float, float | None, str], Any]

EVERY_S = 0.25
"""Least time between two notifications of one call."""


class Progress:
    """One call, from the event loop: around what runs in a worker thread.

    The worker never waits for the client: it leaves what is to be told, and the loop sends it before the answer.

    Parameters
    ----------
    report : coroutine function, optional
        Sends a notification; none where the client did not ask for any.
    clock : callable
        Seconds.
    """

    def __init__(self, report: Report | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._report, self._clock = report, clock
        self._cancelled = threading.Event()
        self._told_at = -EVERY_S
        self._loop = asyncio.get_running_loop()
        self._news: asyncio.Queue[tuple[float, float | None, str] | None] = asyncio.Queue()
        self._sending: asyncio.Task[None] | None = None

    @classmethod
    def of(cls, ctx: Any) -> Self:
        """For a request, which names a token where it wants to hear of its progress."""
        return cls(ctx.session.report_progress if "progress_token" in (ctx.meta or {}) else None)

    def during(self, work: Callable[[], T]) -> T:
        """Do the work, in a worker thread."""
        with followed(self._tell, self._cancelled.is_set):
            return work()

    def _tell(self, done: int, total: int | None, name: str) -> None:
        now = self._clock()
        if self._report is None or now - self._told_at < EVERY_S:
            return
        self._told_at = now
        self._loop.call_soon_threadsafe(self._news.put_nowait, (done, total, name))

    async def _send(self, report: Report) -> None:
        while (news := await self._news.get()) is not None:
            await report(*news)

    async def __aenter__(self) -> Self:
        if self._report is not None:
            self._sending = asyncio.create_task(self._send(self._report))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._cancelled.set()
        if self._sending is not None:
            if kind is not None:
                self._sending.cancel()
            else:
                self._news.put_nowait(None)
                await self._sending
