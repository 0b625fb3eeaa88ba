"""The path at which another home asks for what it has not seen, and tells what this one has not."""

import asyncio
import threading
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from context_graph.errors import ContextGraphError
from context_graph.server.errors import error_values, incident
from context_graph.server.http.answers import Refusal, body_of, header, reply, size_of, wrong_method
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.identity import SYNC, Identity
from context_graph.server.http.rest import headers_of, status_of
from context_graph.server.http.service import Service
from context_graph.server.http.streamable import busy
from context_graph.sync.limits import MAX_BATCH_BYTES

if TYPE_CHECKING:
    from context_graph.sync.exchange import Answering

__all__ = ["Syncing"]


class Syncing:
    """Answers questions that a known key has signed; beside that, a token of its own is needed where any is."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._making = threading.Lock()
        self._answering: Answering | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            raise wrong_method(scope["method"], "POST")
        identity: Identity | None = scope[IDENTITY]
        if identity is not None and not identity.may(SYNC):
            told = "context-graph token new NAME --scope sync makes one that does"
            raise Refusal(
                403, f"the token {identity.name!r} has the scope {identity.scope}, which lets no home in; {told}"
            )
        kind = (header(scope, "content-type") or "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refusal(415, f"Content-Type must be application/json, got {kind[:80]!r}")
        owner, size = identity.session if identity else None, size_of(scope, MAX_BATCH_BYTES)
        if (status := self._service.gate.enter(owner, size)) != 0:
            raise busy(status)
        try:
            question = await body_of(receive, MAX_BATCH_BYTES)
            answer = await asyncio.to_thread(self._answer, question)
        except ContextGraphError as error:
            values = error_values(error)
        except Refusal:
            raise
        except Exception as error:  # a defect: the log has it
            values = incident(error)
        else:
            await reply(send, 200, answer.decode())
            return
        finally:
            self._service.gate.leave(owner, size)
        await reply(send, status_of(values), {"error": values}, headers_of(values))

    def _answer(self, question: bytes) -> bytes:
        from context_graph.sync.exchange import Answering
        from context_graph.sync.run import limits_of

        memory = self._service.host.memory()
        with self._making:
            if self._answering is None:
                self._answering = Answering(memory, limits=limits_of(memory))
        return self._answering.answer(question)
