"""Answers the paths of views and of the export: the gate, the tokens and the statuses are those of REST."""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from starlette.types import Receive, Scope, Send

from context_graph.errors import ContextGraphError, Forbidden
from context_graph.server.errors import error_values, incident
from context_graph.server.http.answers import Refusal, reply
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.identity import Identity
from context_graph.server.http.rest import headers_of, numbers_of, status_of
from context_graph.server.http.service import Service
from context_graph.server.http.streamable import busy
from context_graph.server.http.views import View

__all__ = ["Export", "Viewing"]

BLOCK_BYTES = 1 << 18

Answer = TypeVar("Answer")


class _Reading:
    """What a client reads in a worker thread, as one request of its share."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def _read(self, scope: Scope, send: Send, read: Callable[[Identity | None], Answer]) -> Answer | None:
        """What was read; None where the client was told why not."""
        if scope["method"] != "GET":
            raise Refusal(405, f"{scope['method']} is not for this path", {"Allow": "GET"})
        identity: Identity | None = scope[IDENTITY]
        owner = identity.session if identity else None
        if (status := self._service.gate.enter(owner, 0)) != 0:
            raise busy(status)
        try:
            return await asyncio.to_thread(read, identity)
        except Refusal:
            raise
        except ContextGraphError as error:
            values = error_values(error)
        except Exception as error:  # a defect: the log has it
            values = incident(error)
        finally:
            self._service.gate.leave(owner, 0)
        await reply(send, status_of(values), {"error": values}, headers_of(values))
        return None


class Viewing(_Reading):
    """One path, answered by the function of a view."""

    def __init__(self, service: Service, view: View) -> None:
        super().__init__(service)
        self._view = view

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("path_params", {})) | numbers_of(scope, self._view.query)

        def read(identity: Identity | None) -> Any:
            caller = self._service.client(identity).caller
            model = self._view.function(self._service.host.memory(), caller, given)
            return model.model_dump(mode="json", by_alias=True, exclude_none=True)

        if (values := await self._read(scope, send, read)) is not None:
            await reply(send, 200, values)


class Export(_Reading):
    """All memories as JSON Lines, which `context-graph import` reads back; the file is whole before it is sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with tempfile.TemporaryDirectory(prefix="context-graph-") as folder:
            path = Path(folder) / "export.jsonl"

            def write(identity: Identity | None) -> int:
                if identity is not None and not identity.may("admin"):
                    raise Forbidden(
                        f"an export holds the memories of all sessions, and the token {identity.name!r} has the scope "
                        f"{identity.scope}",
                        hint="use a token of scope admin: context-graph token new NAME --scope admin makes one",
                    )
                return self._service.host.memory().export(path, vectors=False).bytes

            size = await self._read(scope, send, write)
            if size is None:
                return
            headers = {
                "content-type": "application/jsonl", "content-length": str(size), "cache-control": "no-store",
                "content-disposition": 'attachment; filename="context-graph.jsonl"',
            }  # fmt: skip
            raw = [(name.encode(), value.encode()) for name, value in headers.items()]
            await send({"type": "http.response.start", "status": 200, "headers": raw})
            with path.open("rb") as file:
                while block := await asyncio.to_thread(file.read, BLOCK_BYTES):
                    await send({"type": "http.response.body", "body": block, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
