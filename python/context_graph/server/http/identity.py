"""Whom a token names, and what they may do: no argument of a call widens it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from context_graph.errors import Forbidden
from context_graph.models import Caller
from context_graph.tools import find

__all__ = ["SCOPES", "SYNC", "Identity"]

SCOPES = ("read", "write", "admin")
"""Each holds those before it."""

SYNC = "sync"
"""The scope of a token for another home, which opens its path and nothing else."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a token names.

    Attributes
    ----------
    name : str
        The token's.
    session : str
        In which calls are made that name none, where there is no connection to have one.
    """

    name: str
    scope: str
    user: str | None
    agent: str
    session: str

    @property
    def owner(self) -> str:
        """Whose sessions are theirs: a user's, whatever their token."""
        return f"token {self.name}" if self.user is None else f"user {self.user}"

    def caller(self, session_id: str, context_id: str) -> Caller:
        """Who calls."""
        return Caller(session_id, context_id, self.agent, self.user)

    def may(self, scope: str) -> bool:
        """Whether the token has a scope."""
        if SYNC in (scope, self.scope):
            return self.scope in (scope, "admin")
        return SCOPES.index(scope) <= SCOPES.index(self.scope)

    def check(self, name: str, arguments: Mapping[str, Any]) -> str | None:
        """Refuse a call for which the token has no scope, or that names somebody else; returns the session it names."""
        tool, inner = find(name), arguments.get("arguments")
        if name == "use_tool" and isinstance(arguments.get("name"), str) and arguments["name"] != name:
            return self.check(arguments["name"], inner if isinstance(inner, Mapping) else {})
        if not tool.read_only and not self.may("write"):
            raise Forbidden(
                f"{name} writes, and the token {self.name!r} has the scope {self.scope}",
                hint="use a token of scope write: context-graph token new NAME --scope write makes one",
            )
        for field, own in (("agent_id", self.agent), ("user", self.user)):
            if field in tool.input.model_fields and arguments.get(field) not in (None, own):
                raise Forbidden(
                    f"{field} must be {own!r}, whom the token {self.name!r} names, got {str(arguments[field])[:80]!r}",
                    hint=f"leave {field} out where it may be left out, else give {own!r}",
                )
        session = arguments.get("session_id")
        return session if isinstance(session, str) else None
