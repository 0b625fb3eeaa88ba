"""The resources that a client wants to hear of: it is told when one has changed, not what it is now."""

import logging
import threading
from collections.abc import Callable, Hashable, Iterable
from hashlib import blake2b
from typing import Any

from context_graph.errors import ContextGraphError, InvalidInput
from context_graph.resources import Target, find
from context_graph.server.jsonrpc import INVALID_REQUEST, Id, RequestError

__all__ = ["SUBSCRIPTION_KEY", "Subscriptions"]

logger = logging.getLogger(__name__)

SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
MAX_WATCHED = 256
"""URIs of one client."""

GATHER_S = 0.1
"""After a change others are waited for: a burst of calls is told of once."""

LOOK_EVERY_S = 2.0
"""How often writes of other processes and edits of the manifest are looked for, where a watched resource shows them."""

Send = Callable[[dict[str, Any]], None]


class Subscriptions:
    """Watches resources in a thread of its own, which starts with the first one.

    It sleeps until a call of the connection has ended; where something is watched that others change too, it also
    compares two numbers every two seconds. Only where these differ a resource is read again.

    Parameters
    ----------
    read : callable
        What a resource is now.
    stamp : callable
        Differs after every write to the store, by whatever process, and every edit of the manifest.
    send : callable
        Takes a notification for the client.
    gather : callable
        Waits for more changes after a first one; False where the server ends meanwhile.
    """

    def __init__(
        self,
        read: Callable[[Target], str],
        stamp: Callable[[], Hashable],
        send: Send,
        *,
        gather: Callable[[threading.Event], bool] = lambda ended: not ended.wait(GATHER_S),
    ) -> None:
        self._read, self._stamp, self._send, self._gather = read, stamp, send, gather
        self._news = threading.Condition()
        self._changed = False
        self._ended = threading.Event()
        self._targets: dict[str, Target] = {}
        self._digests: dict[str, bytes] = {}
        self._plain: set[str] = set()
        """Subscribed to one by one, as up to 2025-11-25."""

        self._streams: dict[Id, tuple[str, ...]] = {}
        """By the id of the request that opened it, what a stream tells of."""

        self._stamped: Hashable = None
        self._thread: threading.Thread | None = None

    def subscribe(self, uri: str) -> None:
        """Tell of one resource from now on; one that cannot be read or never changes is refused."""
        self._watch(uri)
        with self._news:
            self._plain.add(uri)
        self._begin()

    def unsubscribe(self, uri: str) -> None:
        """Tell of it no more."""
        with self._news:
            if uri not in self._plain:
                watched = ", ".join(sorted(self._plain)[:5]) or "none"
                raise InvalidInput(f"uri must be one that is subscribed to, got {uri[:80]!r}; there is {watched}")
            self._plain.discard(uri)
            self._let_go()

    def listen(self, id: Id, uris: Iterable[str]) -> None:
        """Open a stream: say which of some resources it tells of, and tell of these until it is ended."""
        honored = []
        for uri in dict.fromkeys(uris):
            try:
                self._watch(uri)
            except ContextGraphError as error:
                logger.info("%s is not subscribed to: %s", uri[:80], error)
            else:
                honored.append(uri)
        with self._news:
            if id in self._streams:
                raise RequestError(INVALID_REQUEST, f"Invalid Request: a stream with the id {id!r} is open already")
            self._streams[id] = tuple(honored)
            self._tell("notifications/subscriptions/acknowledged", id, notifications={"resourceSubscriptions": honored})
        self._begin()

    def end(self, id: Any) -> None:
        """Close a stream, if there is one of this id."""
        with self._news:
            if isinstance(id, Id) and self._streams.pop(id, None) is not None:
                self._let_go()

    def changed(self) -> None:
        """A call has ended, which may have changed something."""
        with self._news:
            self._changed = True
            self._news.notify()

    def close(self) -> list[Id]:
        """Tell of nothing more; returns the ids of the streams that were open."""
        self._ended.set()
        with self._news:
            open_streams = list(self._streams)
            self._streams.clear()
            self._plain.clear()
            self._news.notify()
        return open_streams

    def look(self, *, called: bool) -> None:
        """Read what may have changed, and tell of what has.

        Parameters
        ----------
        called : bool
            Whether a call has ended since the last look: without one, no session has changed.
        """
        stamp = self._stamp()  # before the targets: what is watched since, and written since, is looked at next time
        with self._news:
            targets = list(self._targets.items())
        written, self._stamped = stamp != self._stamped, stamp
        for uri, target in targets:
            if written or (called and target.resource.changes == "session"):
                digest = self._digest(target)
                with self._news:
                    if self._digests.get(uri, digest) == digest:
                        continue
                    self._digests[uri] = digest
                    self._announce(uri)

    def _announce(self, uri: str) -> None:
        if uri in self._plain:
            self._tell("notifications/resources/updated", uri=uri)
        for id, uris in self._streams.items():
            if uri in uris:
                self._tell("notifications/resources/updated", id, uri=uri)

    def _tell(self, method: str, id: Id | None = None, **params: Any) -> None:
        meta = {} if id is None else {"_meta": {SUBSCRIPTION_KEY: id}}
        self._send({"jsonrpc": "2.0", "method": method, "params": {**meta, **params}})

    def _watch(self, uri: str) -> None:
        target = find(uri)
        if target.resource.changes == "never":
            raise InvalidInput(f"{target.resource.template} has no updates to subscribe to; read it when it is needed")
        with self._news:
            if uri in self._targets:
                return
            if len(self._targets) >= MAX_WATCHED:
                raise InvalidInput(f"a client may subscribe to {MAX_WATCHED} resources; unsubscribe from some first")
        text = self._read(target)  # what cannot be read is refused
        with self._news:
            self._targets[uri] = target
            self._digests[uri] = _digest(text)

    def _let_go(self) -> None:
        """Forget what nobody wants to hear of any more."""
        wanted = self._plain.union(*self._streams.values())
        for uri in self._targets.keys() - wanted:
            del self._targets[uri], self._digests[uri]

    def _digest(self, target: Target) -> bytes:
        try:
            return _digest(self._read(target))
        except ContextGraphError as error:  # it is gone: a change as well
            return _digest(f"{type(error).__name__}: {error}")

    def _begin(self) -> None:
        stamp = self._stamp()
        with self._news:
            if self._thread is None:
                self._stamped = stamp
                self._thread = threading.Thread(target=self._run, name="context-graph-subscriptions", daemon=True)
                self._thread.start()
            self._news.notify()

    def _patience(self) -> float | None:
        """How long to wait for a call: for ever, where only calls change what is watched."""
        return LOOK_EVERY_S if any(one.resource.changes == "store" for one in self._targets.values()) else None

    def _run(self) -> None:
        while not self._ended.is_set():
            with self._news:
                if not self._changed and not self._ended.is_set():
                    self._news.wait(self._patience())
                called = self._changed
            if called and not self._gather(self._ended):
                return
            with self._news:
                self._changed = False
            try:
                self.look(called=called)
            except ContextGraphError as error:
                if not self._ended.is_set():
                    logger.warning("subscribed resources could not be looked at: %s", error)
            except Exception:
                logger.exception("subscribed resources could not be looked at")


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
