"""The ASGI application: which path is answered by what."""

import asyncio
import json
from collections.abc import Iterable

from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from context_graph.server.http.answers import Refusal, reply, wrong_method
from context_graph.server.http.guard import Guard
from context_graph.server.http.legacy import MESSAGES, Messages, Stream
from context_graph.server.http.metrics import MeasuredHost, exposition
from context_graph.server.http.openapi import openapi
from context_graph.server.http.pages import PAGES, Page
from context_graph.server.http.rest import ROUTES, Endpoint
from context_graph.server.http.service import Service
from context_graph.server.http.streamable import Streamable
from context_graph.server.http.syncing import Syncing
from context_graph.server.http.viewing import Export, Viewing
from context_graph.server.http.views import VIEWS
from context_graph.server.http.watching import Watch
from context_graph.sync.limits import PATH

__all__ = ["application"]


def application(service: Service, host: MeasuredHost, *, sse: bool = False, names: Iterable[str] = ()) -> ASGIApp:
    """The application.

    Parameters
    ----------
    sse : bool
        Whether clients of 2024-11-05 are served at /sse.
    names : iterable of str
        Of this server, beside those of the loopback.
    """
    routes = [Route("/mcp", Streamable(service))]
    routes += [Route(route.path, Endpoint(service, route)) for route in ROUTES]
    routes += [Route("/api/v1/metrics", _Metrics(service, host)), Route("/api/v1/openapi.json", _Description())]
    routes += [Route(view.path, Viewing(service, view)) for view in VIEWS]
    routes += [Route("/api/v1/export", Export(service)), Route(PATH, Syncing(service))]
    routes += [Route("/api/v1/watch", Watch(service))]
    routes += [Route(path, Page(path)) for path in PAGES]
    if sse:
        routes += [Route("/sse", Stream(service)), Route(MESSAGES, Messages(service))]
    return Guard(Router(routes, redirect_slashes=False, default=_nowhere), service, names, public=frozenset(PAGES))


async def _nowhere(scope: Scope, receive: Receive, send: Send) -> None:
    raise Refusal(
        404, "there is nothing at this path; MCP is at /mcp, REST at /api/v1 (see /api/v1/openapi.json), a page at /"
    )


class _Metrics:
    def __init__(self, service: Service, host: MeasuredHost) -> None:
        self._service, self._host = service, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            raise wrong_method(scope["method"], "GET")
        text = await asyncio.to_thread(exposition, self._service, self._host)
        await reply(send, 200, text, kind="text/plain; version=0.0.4; charset=utf-8")


class _Description:
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            raise wrong_method(scope["method"], "GET")
        await reply(send, 200, json.dumps(openapi()))
