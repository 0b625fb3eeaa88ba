"""Serving one client on stdin and stdout."""

import logging
import sys
from contextlib import ExitStack

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
    stderr = logging.StreamHandler(sys.stderr)
    stderr.setLevel(logging.WARNING)  # also where a client asks for more
    logging.basicConfig(handlers=[stderr], level=logging.WARNING, format="context-graph: %(levelname)s %(message)s")
    host, ending = Host(settings), ExitStack()
    ending.callback(host.close)
    life = Lifecycle(ending.close)
    life.guard()  # before anything slow: a signal may come at any time
    try:
        pipes = Pipes(*take_over(), on_end=life.leave)
        connection = Connection(host, pipes.send, pipes.settled)
        ending.callback(pipes.drain)
        ending.callback(connection.close)
        pipes.run(connection.receive, connection.end_of_input)
        connection.abandon()
    except Exception:
        logger.exception("the server failed")
        life.leave(1)
    life.leave()
