"""Serving many clients of one home over HTTP."""

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace

import uvicorn

from context_graph.errors import InvalidInput
from context_graph.server.http.app import application
from context_graph.server.http.guard import is_loopback
from context_graph.server.http.metrics import MeasuredHost
from context_graph.server.http.service import Service
from context_graph.server.lifecycle import Lifecycle
from context_graph.settings import Settings
from context_graph.tools import listed

__all__ = ["serve"]

logger = logging.getLogger(__name__)

MAX_CONNECTIONS = 2_048
"""Of TCP; a client of more is told 503 at once."""

SETTLE_S = 0.15
"""How long requests under way at the end may take to be answered."""


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # signals are the Lifecycle's


def serve(
    settings: Settings,
    host: str,
    port: int,
    *,
    sse: bool = False,
    names: Sequence[str] = (),
    listening: Callable[[str], None] | None = None,
) -> None:
    """Serve until a signal comes; ends the process."""
    listed(settings.tools)
    settings = replace(settings, allow_permanent_deletion=False)  # whoever reaches a port is not the person at it
    measured = MeasuredHost(settings)
    service = Service(measured, loopback=is_loopback(host))
    if not service.loopback and not service.tokens.identities():
        raise InvalidInput(
            f"host {host} can be reached from other machines, which needs a token, and there is none",
            field="host",
            hint="context-graph token new NAME --scope write makes one; or leave --host out",
        )
    stderr = logging.StreamHandler(sys.stderr)
    stderr.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[stderr], level=logging.WARNING, format="context-graph: %(levelname)s %(message)s")
    listener = _listener(host, port)
    app = application(service, measured, sse=sse, names=[*names, *([] if host in ("0.0.0.0", "::") else [host])])
    server = _Server(
        uvicorn.Config(
            app, lifespan="off", ws="none", http="h11", log_config=None, access_log=False, server_header=False,
            proxy_headers=False, limit_concurrency=MAX_CONNECTIONS, timeout_graceful_shutdown=1,
        )
    )  # fmt: skip
    ending = ExitStack()
    ending.callback(measured.close)
    life = Lifecycle(ending.close, with_parent=False)
    life.guard()

    async def run() -> None:
        loop = service.loop

        def stop() -> None:
            server.should_exit = True
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                loop.call_soon_threadsafe(service.close)
                service.gate.wait_idle(SETTLE_S)

        ending.callback(stop)
        await server.serve([listener])

    shown, bound = f"[{host}]" if ":" in host else host, listener.getsockname()[1]
    url = f"http://{shown}:{bound}"
    if listening is None:
        print(f"context-graph: MCP at {url}/mcp, REST at /api/v1, the page at /", file=sys.stderr, flush=True)
    else:
        listening(url)
    if sse:
        told = "SSE at /sse is deprecated since 2025-03-26; clients that know streamable HTTP use /mcp"
        print(f"context-graph: {told}", file=sys.stderr, flush=True)
    measured.warm()
    try:
        asyncio.run(run())
    except Exception:
        logger.exception("the server failed")
        life.leave(1)
    life.leave()


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens; what keeps it from doing so is told before anything is loaded."""
    bare = host.strip("[]")
    try:
        with ExitStack() as unfit:
            family, kind, protocol, _, address = socket.getaddrinfo(bare, port, type=socket.SOCK_STREAM)[0]
            listener = unfit.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(1_024)
            unfit.pop_all()
    except OSError as error:
        hint = "choose another one with --port or --host; --port 0 takes any that is free"
        raise InvalidInput(f"cannot listen on {host} port {port}: {error.strerror}", field="port", hint=hint) from None
    listener.setblocking(False)
    return listener
