"""Serving one client on stdin and stdout."""

import logging
import sys

from context_graph.server.host import Host
from context_graph.server.lifecycle import Lifecycle
from context_graph.server.protocol import deferred_models
from context_graph.settings import Settings
from context_graph.tools import listed

__all__ = ["serve"]

logger = logging.getLogger(__name__)


def serve(settings: Settings) -> None:
    """Serve until the client leaves, a signal comes or the parent dies; ends the process."""
    listed(settings.tools)  # a wrong setting is told before the client is
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="context-graph: %(levelname)s %(message)s")
    host = Host(settings)
    life = Lifecycle(host.close)
    life.guard()  # before the slow imports: a signal may come at any time
    try:
        _run(host, life)
    except Exception:
        logger.exception("the server failed")
        life.leave(1)
    life.leave()


def _run(host: Host, life: Lifecycle) -> None:
    import anyio

    with deferred_models():
        from context_graph.server.app import build
        from context_graph.server.pipes import Pipes, take_over

    server = build(host)
    pipes = Pipes(*take_over(), on_end=life.leave)

    async def connection() -> None:
        await server.run(*pipes.open(), server.create_initialization_options())

    anyio.run(connection)
