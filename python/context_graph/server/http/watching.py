"""GET /api/v1/watch: a stream that says which memories were written, by any client or process, while it is open."""

import asyncio
from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.types import Receive, Scope, Send

from context_graph.errors import ContextGraphError
from context_graph.models import Caller
from context_graph.server.http.answers import begin_events, event, wrong_method
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.outlets import Outlet
from context_graph.server.http.service import Service
from context_graph.server.http.viewing import AS_TOOL

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["Watch"]

WATCH_EVERY_S = 2.0
"""How often one number is compared, while anybody watches."""

MAX_NAMED_CHANGES = 200
"""Memories that one message names."""


class _Watcher:
    """One stream: whose it is, and up to which change it has heard."""

    def __init__(self, caller: Caller, number: int) -> None:
        self.caller, self.number = caller, number
        self.outlet = Outlet()


class Watch:
    """The streams of one server, and the task that looks for what they tell; without a stream nothing is looked for."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._watchers: set[_Watcher] = set()
        self._looking: asyncio.Task[None] | None = None
        self._version: int | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            raise wrong_method(scope["method"], "GET")
        identity = scope[IDENTITY]
        client = self._service.client(identity)
        if client.permit is not None:
            client.permit(AS_TOOL[False], {})
        self._service.open_stream()
        try:
            watcher = _Watcher(client.caller, await asyncio.to_thread(self._number))
            self._begin(watcher)
            try:
                await begin_events(send, [(b"x-content-type-options", b"nosniff")])
                await event(send, "{}", "watching")
                await watcher.outlet.stream(receive, send, allowed=lambda: self._service.holds(identity))
            finally:
                self._end(watcher)
        finally:
            self._service.close_stream()

    def _begin(self, watcher: _Watcher) -> None:
        self._watchers.add(watcher)
        self._service.watching.add(watcher.outlet)
        if self._looking is None:
            self._looking = asyncio.get_running_loop().create_task(self._look())

    def _end(self, watcher: _Watcher) -> None:
        self._watchers.discard(watcher)
        self._service.watching.discard(watcher.outlet)
        if not self._watchers and self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(WATCH_EVERY_S)
            watchers = list(self._watchers)
            for watcher, changes in zip(watchers, await asyncio.to_thread(self._news, watchers), strict=True):
                if changes is not None:
                    watcher.outlet.put(changes)

    def _number(self) -> int:
        from context_graph.derived import News

        memory = self._service.host.memory()
        _ = memory.corpus  # what was written before belongs to what is shown already
        return memory.view(News).since(0).number

    def _news(self, watchers: list[_Watcher]) -> list[dict[str, Any] | None]:
        """What each is to hear, None for nothing; a store that cannot be read now is looked at next time."""
        try:
            memory = self._service.host.memory()
            version = memory.store.data_version()
            if version == self._version:
                return [None] * len(watchers)
            news = [_seen_by(memory, watcher) for watcher in watchers]
            self._version = version
        except ContextGraphError:
            return [None] * len(watchers)
        return news


def _seen_by(memory: "Memory", watcher: _Watcher) -> dict[str, Any] | None:
    """What was written since a watcher heard of it last, of what they may see."""
    from context_graph.derived import News

    corpus = memory.corpus
    watcher.number, nodes = memory.view(News).since(watcher.number)
    if nodes is None:
        return {"nodes": [], "all": False}
    with corpus.lock:
        shared = corpus.shared(memory.viewer(watcher.caller))
        rows = np.array([row for id in nodes if (row := corpus.row_of.get(id)) is not None], np.int64)
        seen = [corpus.ids[row] for row in np.sort(rows[shared[rows]]).tolist()]
    if not seen:
        return None
    return {"nodes": seen[-MAX_NAMED_CHANGES:], "all": len(seen) <= MAX_NAMED_CHANGES}
