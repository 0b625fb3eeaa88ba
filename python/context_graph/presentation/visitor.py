"""Who reads resources and prompts, and which sessions are open to them."""

from dataclasses import dataclass, replace

from context_graph.errors import ResourceNotFound
from context_graph.models import Caller

__all__ = ["CURRENT", "Visitor", "shortened"]

CURRENT = "current_session"
MAX_REPEATED_CHARS = 80


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who reads.

    Attributes
    ----------
    caller : Caller
        Of the connection, in its current session.
    sessions : frozenset of str
        Those that calls of the connection acted in; no other is opened by naming it.
    tools : frozenset of str
        What a pulse may suggest.
    """

    caller: Caller
    sessions: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def within(self, session: str, uri: str) -> Caller:
        """The caller in a session that a URI names."""
        if session == CURRENT or session == self.caller.session_id:
            return self.caller
        if session in self.sessions:
            return replace(self.caller, session_id=session)
        raise ResourceNotFound(
            f"session must be {CURRENT} or one that a call of this connection has named as its session_id, got "
            f"{shortened(session)} in {shortened(uri)}; call a tool with that session_id first, or read {CURRENT}"
        )


def shortened(text: str) -> str:
    """A text that came from a client, as an error repeats it."""
    if len(text) <= MAX_REPEATED_CHARS:
        return repr(text)
    return f"{text[:MAX_REPEATED_CHARS]!r}... ({len(text)} characters)"
