"""Paths that no tool answers, the views and the export: the gate, the tokens and the statuses are those of REST."""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.types import Receive, Scope, Send

from context_graph.errors import ContextGraphError, Forbidden, InvalidInput
from context_graph.presentation.wire_model import WireModel
from context_graph.server.errors import error_values, incident
from context_graph.server.http.answers import Refusal, reply, size_of, wrong_method
from context_graph.server.http.guard import IDENTITY
from context_graph.server.http.identity import Identity
from context_graph.server.http.rest import headers_of, json_of, parameters_of, status_of
from context_graph.server.http.service import Service
from context_graph.server.http.streamable import busy
from context_graph.server.http.views import View

__all__ = ["Export", "Viewing"]

BLOCK_BYTES = 1 << 18

MAX_BODY_BYTES = 65_536

AS_TOOL = {False: "get_node_lineage", True: "restore_from_hash"}
"""The tool that a token must be allowed to call, by whether a view writes."""

Answer = TypeVar("Answer")


class _Answering:
    """What is done for a client in a worker thread, as one request of its share."""

    method = "GET"

    def __init__(self, service: Service) -> None:
        self._service = service

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, does: Callable[[Identity | None, dict[str, Any]], Answer]
    ) -> Answer | None:
        """What was done with who asks and what was posted; None where the client was told why not."""
        if scope["method"] != self.method:
            raise wrong_method(scope["method"], self.method)
        identity: Identity | None = scope[IDENTITY]
        owner, size = identity.session if identity else None, size_of(scope, MAX_BODY_BYTES)
        if (status := self._service.gate.enter(owner, size)) != 0:
            raise busy(status)
        try:
            posted = {} if self.method == "GET" else await json_of(scope, receive, MAX_BODY_BYTES)
            return await asyncio.to_thread(does, identity, posted)
        except Refusal:
            raise
        except ContextGraphError as error:
            values = error_values(error)
        except Exception as error:  # a defect: the log has it
            values = incident(error)
        finally:
            self._service.gate.leave(owner, size)
        await reply(send, status_of(values), {"error": values}, headers_of(values))
        return None


class Viewing(_Answering):
    """One path, answered by the function of a view."""

    def __init__(self, service: Service, view: View) -> None:
        super().__init__(service)
        self._view, self.method = view, view.method

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parameters = dict(scope.get("path_params", {})) | parameters_of(scope, self._view.query)

        def does(identity: Identity | None, posted: dict[str, Any]) -> Any:
            client = self._service.client(identity)
            if client.permit is not None:
                client.permit(AS_TOOL[self._view.writes], {})
            if self._view.body is not None:
                posted = _checked(self._view.body, posted)
            model = self._view.function(self._service.host.memory(), client.caller, parameters | posted)
            return model.model_dump(mode="json", by_alias=True, exclude_none=True)

        if (values := await self._answer(scope, receive, send, does)) is not None:
            await reply(send, 200, values)


class Export(_Answering):
    """All memories as JSON Lines, which `context-graph import` reads back; the file is whole before it is sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with tempfile.TemporaryDirectory(prefix="context-graph-") as folder:
            path = Path(folder) / "export.jsonl"

            def does(identity: Identity | None, posted: dict[str, Any]) -> int:
                if identity is not None and not identity.may("admin"):
                    raise Forbidden(
                        f"an export holds the memories of all sessions, and the token {identity.name!r} has the scope "
                        f"{identity.scope}",
                        hint="use a token of scope admin: context-graph token new NAME --scope admin makes one",
                    )
                return self._service.host.memory().export(path, vectors=False).bytes

            size = await self._answer(scope, receive, send, does)
            if size is None:
                return
            file = path.open("rb")
        # The file has no name any more: a server that ends while it sends leaves no memories on the disk.
        headers = {
            "content-type": "application/jsonl", "content-length": str(size), "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "content-disposition": 'attachment; filename="context-graph.jsonl"',
        }  # fmt: skip
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        with file:
            await send({"type": "http.response.start", "status": 200, "headers": raw})
            while block := await asyncio.to_thread(file.read, BLOCK_BYTES):
                await send({"type": "http.response.body", "body": block, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


def _checked(model: type[WireModel], posted: dict[str, Any]) -> dict[str, Any]:
    """The fields of a body, which are those of its model."""
    try:
        return model(**posted).model_dump()
    except ValidationError as error:
        problem = error.errors()[0]
        field = ".".join(str(part) for part in problem["loc"])
        known = ", ".join(model.model_fields)
        came = "" if problem["type"] == "missing" else f", got {problem['input']!r:.60}"
        raise InvalidInput(f"{field[:40]}: {problem['msg']}{came}; the body has {known}", field=field[:40]) from None
