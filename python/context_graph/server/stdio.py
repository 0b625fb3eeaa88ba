"""Serving one client on stdin and stdout."""

import logging
import sys

from context_graph.server.connection import Connection
from context_graph.server.host import Host
from context_graph.server.lifecycle import Lifecycle
from context_graph.server.pipes import Pipes, take_over
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
    life.guard()  # before anything slow: a signal may come at any time
    try:
        pipes = Pipes(*take_over(), on_end=life.leave)
        pipes.run(Connection(host, pipes.send, pipes.settled).receive)
    except Exception:
        logger.exception("the server failed")
        life.leave(1)
    life.leave()
