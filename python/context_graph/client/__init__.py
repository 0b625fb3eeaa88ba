"""A client of the server in plain Python."""

from context_graph.client.client import Client
from context_graph.client.transport import StdioTransport, Transport

__all__ = ["Client", "StdioTransport", "Transport"]
