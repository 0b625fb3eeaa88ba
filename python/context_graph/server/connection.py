"""One client's requests: each is answered once, or not at all where the client gives it up."""

import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from context_graph.client_model import ClientModel, Completion, Prompt, reachable
from context_graph.errors import ContextGraphError
from context_graph.models import Caller
from context_graph.presentation.visitor import Visitor
from context_graph.resources import Target
from context_graph.server.dispatch import Outcome, failed
from context_graph.server.errors import error_values
from context_graph.server.host import Host
from context_graph.server.jsonrpc import INTERNAL_ERROR, Id, Message, RequestError, Response, failure
from context_graph.server.lookup import Lookup
from context_graph.server.progress import Progress
from context_graph.server.protocol import Protocol, ToolCall
from context_graph.server.sampling import Sampling
from context_graph.server.subscriptions import SUBSCRIPTION_KEY, Subscriptions
from context_graph.server.wire import result_of
from context_graph.server.workers import Workers
from context_graph.tools import built

if TYPE_CHECKING:
    from context_graph.server.logs import ClientLog

__all__ = ["CALLS_AT_ONCE", "Client", "Connection"]

logger = logging.getLogger(__name__)

CALLS_AT_ONCE = 4

MAX_NAMED_SESSIONS = 10_000
"""Of one client, which may name a new one with every call; with more, it begins anew to open them."""

Send = Callable[[dict[str, Any]], None]


class Client:
    """Who is served, by one connection or by several beside each other.

    Parameters
    ----------
    caller : Caller, optional
        Whom calls come from; by default one whom nobody else is.
    permit : callable, optional
        Given the name of a tool and its arguments, raises what is wrong where this client may not call it so.
    hears_logs : bool
        Whether the server's log, which tells of all its clients, may be told to this one.
    follows : bool
        Whether `current_session` is the session of the last call, as in a connection whose calls follow each other;
        else it is the caller's own.
    """

    def __init__(
        self,
        caller: Caller | None = None,
        *,
        permit: Callable[[str, Mapping[str, Any]], None] | None = None,
        hears_logs: bool = True,
        follows: bool = True,
    ) -> None:
        self.caller = caller or Caller(str(uuid.uuid4()), str(uuid.uuid4()))
        self.permit, self.hears_logs, self._follows = permit, hears_logs, follows
        self._changing = threading.Lock()
        self.session: str | None = None
        """Of the last call, where that is followed."""

        self._sessions: frozenset[str] = frozenset()
        """Those that calls were made in."""

    def acted_in(self, session: str) -> None:
        """A call was made in a session."""
        with self._changing:
            if self._follows:
                self.session = session
            if session not in self._sessions:
                others = self._sessions if len(self._sessions) < MAX_NAMED_SESSIONS else frozenset()
                self._sessions = others | {session}

    def visitor(self) -> Visitor:
        """Who reads resources: in the current session, and in those that calls have named."""
        with self._changing:
            return Visitor(self.caller.within(self.session), self._sessions, frozenset(built()))


class Connection:
    """Answers messages as they come: calls in worker threads, all else where it was received.

    Parameters
    ----------
    send : callable
        Takes a message for the client, from any thread; does not wait for it.
    settled : callable
        Called once for each request, after its answer was sent or the client had given it up.
    client : Client, optional
        Whose connection it is; by default a client of its own.
    workers : Workers, optional
        Threads for calls, shared with other connections; by default threads of its own.
    stateless : bool, optional
        Whether each request names its revision; by default the first request decides it.
    send_within : callable, optional
        Given the id of a request and a message that belongs to it, sends the message where the answer will go; by
        default as any message.
    """

    def __init__(
        self,
        host: Host,
        send: Send,
        settled: Callable[[], None],
        *,
        client: Client | None = None,
        workers: Workers | None = None,
        stateless: bool | None = None,
        send_within: Callable[[Id, dict[str, Any]], None] | None = None,
    ) -> None:
        self._host, self._send, self._settled = host, send, settled
        self._client = client or Client()
        self._workers = workers or Workers(CALLS_AT_ONCE)
        self._subscriptions = Subscriptions(self._content, self._stamp, send)
        self._protocol = Protocol(host, self._subscriptions, self._log_from, stateless=stateless)
        self._sampling = Sampling(
            send_within or (lambda id, message: send(message)), host.settings.sampling_seconds, host.questions
        )
        self._log: ClientLog | None = None
        self._waiting: deque[_Call] = deque()
        self._changing = threading.Lock()
        self._under_way: set[_Call] = set()
        self._running = 0
        """Turns that are given to workers, and not over."""

    def receive(self, message: Message | Response) -> None:
        """Take a message; not for two threads at once."""
        if isinstance(message, Response):
            self._sampling.take(message)
            return
        if message.id is None:
            if message.method == "notifications/initialized":
                self._protocol.ready = True
            if message.method == "notifications/cancelled":
                self._cancel(message.params.get("requestId"))
                self._subscriptions.end(message.params.get("requestId"))
            return
        try:
            answer = self._protocol.answer(message.method, message.params, message.id)
        except RequestError as error:
            self._answer(failure(error, message.id))
            return
        except Exception:
            self._answer(_defect(message.id, message.method))
            return
        if isinstance(answer, dict):
            self._answer({"jsonrpc": "2.0", "id": message.id, "result": answer})
        else:
            self._begin(_Call(message.id, answer, self._send))

    def _begin(self, call: "_Call") -> None:
        with self._changing:
            self._under_way.add(call)
            self._waiting.append(call)
            if self._running >= CALLS_AT_ONCE:
                return
            self._running += 1
        self._workers.do(self._take_turn)

    def _cancel(self, id: Any) -> None:
        with self._changing:
            given_up = [call for call in self._under_way if call.id == id]
            self._under_way.difference_update(given_up)
        for call in given_up:
            call.progress.cancel()
            self._settled()

    def _take_turn(self) -> None:
        """Work on one call; the next one of this connection comes after those of others."""
        with self._changing:
            call = self._waiting.popleft() if self._waiting else None
        if call is not None and call in self._under_way:
            self._work(call)
        with self._changing:
            if not self._waiting:
                self._running -= 1
                return
        self._workers.do(self._take_turn)

    def _work(self, call: "_Call") -> None:
        answer: dict[str, Any] | None = None
        began = time.monotonic()
        try:
            values = call.progress.during(partial(self._result, call.id, call.request))
            if values is not None:
                answer = {"jsonrpc": "2.0", "id": call.id, "result": self._protocol.result(values)}
        except RequestError as error:
            answer = failure(error, call.id)
        except Exception:  # what a tool does wrong is an outcome; this is a defect of the server
            answer = _defect(call.id, call.request.name)
        logger.debug("%s took %.0f ms", call.request.name, 1_000 * (time.monotonic() - began))
        with self._changing:
            wanted = call in self._under_way
            self._under_way.discard(call)
        if wanted and answer is None:
            self._settled()
        elif wanted and answer is not None:
            self._answer(answer)
        elif answer is None:
            self._subscriptions.end(call.id)
        if isinstance(call.request, ToolCall):
            self._subscriptions.changed()

    def _result(self, id: Id, request: ToolCall | Lookup) -> dict[str, Any] | None:
        if isinstance(request, Lookup):
            return self._host.look_up(request, self._client.visitor())
        with reachable(self._model(id)):
            outcome = self._outcome(request)
        if outcome.session is not None:
            self._client.acted_in(outcome.session)
        return result_of(outcome, request.form, schema_listed=request.schema_listed)

    def _outcome(self, request: ToolCall) -> Outcome:
        if self._client.permit is not None:
            try:
                self._client.permit(request.name, request.arguments)
            except ContextGraphError as error:
                return failed(error_values(error))
        return self._host.call(request.name, request.arguments, self._client.caller)

    def _model(self, id: Id) -> ClientModel | None:
        """The client's model for the work on a request, where the user allows it."""
        if not self._host.settings.sampling:
            return None
        if reason := self._protocol.unasked:
            return lambda prompt: Completion(problem=reason)

        def ask(prompt: Prompt) -> Completion:
            with self._host.waiting_for_client():
                return self._sampling.ask(id, prompt)

        return ask

    def changed(self) -> None:
        """A call of the same client was made by another connection, which may have changed something."""
        self._subscriptions.changed()

    def give_up(self) -> None:
        """Let all calls under way end at their next stages, unanswered."""
        with self._changing:
            ids = {call.id for call in self._under_way}
        for id in ids:
            self._cancel(id)

    def abandon(self) -> None:
        """Answer what is still under way with an error: the server ends."""
        with self._changing:
            calls = sorted(self._under_way, key=lambda call: str(call.id))
            self._under_way.clear()
        for call in calls:
            text = "the server ended before this was done; whether it was written, a search or the history says"
            self._answer(failure(RequestError(INTERNAL_ERROR, text), call.id))
            call.progress.cancel()

    def end_of_input(self) -> None:
        """The client sends nothing more, so nobody waits for an answer of its own."""
        self._sampling.end()

    def close(self) -> None:
        """Say to the client that its streams end, and send no more logs."""
        self._sampling.end()
        if self._log is not None:
            self._log.close()
        for id in self._subscriptions.close():
            result = self._protocol.result({"_meta": {SUBSCRIPTION_KEY: id}})
            self._send({"jsonrpc": "2.0", "id": id, "result": result})

    def _log_from(self, level: str) -> None:
        from context_graph.server.logs import ClientLog  # few clients ask for it

        if not self._client.hears_logs:
            told = "the server's log tells of all its clients, so it is sent to tokens of scope admin alone"
            params = {"level": "warning", "logger": __name__, "data": {"message": told}}
            self._send({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
            return
        if self._log is None:
            self._log = ClientLog(self._send, self._host.settings.redacted)
        self._log.begin(level)

    def _content(self, target: Target) -> str:
        return target.read(self._host.memory(), self._client.visitor()).text

    def _stamp(self) -> Hashable:
        return self._client.session, self._host.stamp()

    def _answer(self, answer: dict[str, Any]) -> None:
        self._send(answer)
        self._settled()


class _Call:
    """A call that waits for a worker, or is being worked on."""

    def __init__(self, id: Id, request: ToolCall | Lookup, send: Send) -> None:
        self.id, self.request = id, request
        token = request.progress_token
        self.progress = Progress(None if token is None else partial(_tell, send, token))


def _defect(id: Id, method: str) -> dict[str, Any]:
    """The answer to what a defect of the server keeps from being answered; call it where that was caught."""
    logger.exception("the answer to %s could not be made", method)
    return failure(RequestError(INTERNAL_ERROR, "Internal error; the server's log has it"), id)


def _tell(send: Send, token: Id, done: float, total: float | None, message: str) -> None:
    params = {"progressToken": token, "progress": done, "message": message}
    if total is not None:
        params["total"] = total
    send({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
