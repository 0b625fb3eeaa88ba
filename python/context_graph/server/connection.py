"""One client's requests: each is answered once, or not at all where the client gives it up."""

import logging
import queue
import threading
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from context_graph.models import Caller
from context_graph.server.host import Host
from context_graph.server.jsonrpc import INTERNAL_ERROR, Id, Message, RequestError, failure
from context_graph.server.progress import Progress
from context_graph.server.protocol import Protocol, ToolCall
from context_graph.server.wire import result_of

__all__ = ["CALLS_AT_ONCE", "Connection"]

logger = logging.getLogger(__name__)

CALLS_AT_ONCE = 4

Send = Callable[[dict[str, Any]], None]


class Connection:
    """Answers messages as they come: calls in worker threads, all else where it was received.

    Parameters
    ----------
    send : callable
        Takes a message for the client, from any thread; does not wait for it.
    settled : callable
        Called once for each request, after its answer was sent or the client had given it up.
    """

    def __init__(self, host: Host, send: Send, settled: Callable[[], None]) -> None:
        self._host, self._send, self._settled = host, send, settled
        self._protocol = Protocol(host)
        self._caller = Caller(str(uuid.uuid4()), str(uuid.uuid4()))
        self._waiting: queue.SimpleQueue[_Call] = queue.SimpleQueue()
        self._changing = threading.Lock()
        self._under_way: set[_Call] = set()
        self._workers = 0

    def receive(self, message: Message) -> None:
        """Take a message; not for two threads at once."""
        if message.id is None:
            if message.method == "notifications/cancelled":
                self._cancel(message.params.get("requestId"))
            return
        try:
            answer = self._protocol.answer(message.method, message.params)
        except RequestError as error:
            self._answer(failure(error, message.id))
            return
        except Exception:
            self._answer(_defect(message.id, message.method))
            return
        if isinstance(answer, ToolCall):
            self._begin(_Call(message.id, answer, self._send))
        else:
            self._answer({"jsonrpc": "2.0", "id": message.id, "result": answer})

    def _begin(self, call: "_Call") -> None:
        with self._changing:
            self._under_way.add(call)
            wanted = min(len(self._under_way), CALLS_AT_ONCE)
        self._waiting.put(call)
        while self._workers < wanted:
            self._workers += 1
            threading.Thread(target=self._work, name=f"context-graph-call-{self._workers}", daemon=True).start()

    def _cancel(self, id: Any) -> None:
        with self._changing:
            given_up = [call for call in self._under_way if call.id == id]
            self._under_way.difference_update(given_up)
        for call in given_up:
            call.progress.cancel()
            self._settled()

    def _work(self) -> None:
        while True:
            call = self._waiting.get()
            if call not in self._under_way:
                continue
            work = partial(self._host.call, call.asked.name, call.asked.arguments, self._caller)
            try:
                result = self._protocol.result(result_of(call.progress.during(work)))
                answer = {"jsonrpc": "2.0", "id": call.id, "result": result}
            except Exception:  # what a tool does wrong is an outcome; this is a defect of the server
                answer = _defect(call.id, call.asked.name)
            with self._changing:
                wanted = call in self._under_way
                self._under_way.discard(call)
            if wanted:
                self._answer(answer)

    def _answer(self, answer: dict[str, Any]) -> None:
        self._send(answer)
        self._settled()


class _Call:
    """A call that waits for a worker, or is being worked on."""

    def __init__(self, id: Id, asked: ToolCall, send: Send) -> None:
        self.id, self.asked = id, asked
        token = asked.progress_token
        self.progress = Progress(None if token is None else partial(_tell, send, token))


def _defect(id: Id, asked: str) -> dict[str, Any]:
    """The answer to what a defect of the server keeps from being answered; call it where that was caught."""
    logger.exception("the answer to %s could not be made", asked)
    return failure(RequestError(INTERNAL_ERROR, "Internal error; the server's log has it"), id)


def _tell(send: Send, token: Id, done: float, total: float | None, message: str) -> None:
    params = {"progressToken": token, "progress": done, "message": message}
    if total is not None:
        params["total"] = total
    send({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
