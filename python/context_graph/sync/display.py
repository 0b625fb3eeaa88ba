"""What another home says, as it may be shown: its words are data, for a terminal and for an agent."""

from context_graph.safety.display import printable
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion

__all__ = ["plain_line"]

MAX_PEER_LINE = 500
"""Characters of it."""


def plain_line(text: str, limit: int = MAX_PEER_LINE) -> str:
    """One line without control characters; in the place of what reads like an order to an agent, that it does."""
    line = printable(" ".join(text.split()))[:limit]
    if suspicion(text) < QUARANTINE_FROM and suspicion(line) < QUARANTINE_FROM:
        return line
    return "(the message reads like an instruction to an agent, and is left out)"
