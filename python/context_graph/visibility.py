"""Who may see a memory: one rule, as a predicate over a node, as a mask over columns and as a condition of SQL.

A node is shared with a viewer where its scope is `user`; where it is `session`, and its session is the viewer's; where
it is `context`, and its session and its conversation are the viewer's. It answers where it is shared, live, and valid
at the moment asked about. What was forgotten is still shared: the trash shows it to those who could see it.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from context_graph.models import Microseconds, Node, NodeState, Scope

if TYPE_CHECKING:
    import numpy as np  # the server answers its first requests without it

__all__ = [
    "ANYONE",
    "SCOPES",
    "Viewer",
    "VisibilityColumns",
    "answers",
    "answers_mask",
    "answers_sql",
    "as_wide",
    "may_see",
    "may_see_mask",
    "may_see_sql",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: the session and the conversation whose memories are visible, by the names that are written."""

    session_id: str | None
    context_id: str | None = None


ANYONE = Viewer(None)
"""Who has no session: sees what everyone may see."""


# A predicate over a node.


class Scoped(Protocol):
    """What has a scope: a node, a record, a case."""

    @property
    def scope(self) -> Scope: ...
    @property
    def session_id(self) -> str: ...
    @property
    def context_id(self) -> str | None: ...


def may_see(node: Scoped, viewer: Viewer) -> bool:
    """Whether a node, or what else has a scope, is in a scope that the viewer shares."""
    if node.scope == Scope.USER:
        return True
    mine = viewer.session_id is not None and node.session_id == viewer.session_id
    here = viewer.context_id is not None and node.context_id == viewer.context_id
    return mine and (node.scope == Scope.SESSION or (node.scope == Scope.CONTEXT and here))


def as_wide(other: Scoped, node: Scoped) -> bool:
    """Whether everybody who may see a node may see the other one too."""
    if other.scope == Scope.USER:
        return True
    if node.scope == Scope.USER or other.session_id != node.session_id:
        return False
    return other.scope == Scope.SESSION or (node.scope == Scope.CONTEXT and other.context_id == node.context_id)


def answers(node: Node, viewer: Viewer, moment: Microseconds | None = None) -> bool:
    """Whether a node may be answered: shared, live, and valid at a moment, or whenever where none is given."""
    ended = moment is not None and node.valid_to is not None and node.valid_to <= moment
    begun = moment is None or node.valid_from <= moment
    return node.state == NodeState.LIVE and begun and not ended and may_see(node, viewer)


# A mask over columns.

SCOPES = {Scope.USER: 0, Scope.SESSION: 1, Scope.CONTEXT: 2}
"""The codes of scopes in a column."""


class VisibilityColumns(Protocol):
    """Columns that the rule reads: codes of texts, and int64 moments; what ends never has the largest `valid_to`."""

    @property
    def scope(self) -> "np.ndarray": ...
    @property
    def session(self) -> "np.ndarray": ...
    @property
    def context(self) -> "np.ndarray": ...
    @property
    def live(self) -> "np.ndarray": ...
    @property
    def valid_from(self) -> "np.ndarray": ...
    @property
    def valid_to(self) -> "np.ndarray": ...


def may_see_mask(columns: VisibilityColumns, session: int | None = None, context: int | None = None) -> "np.ndarray":
    """As `may_see`, of every row: bool (n,).

    Parameters
    ----------
    session, context : int, optional
        The viewer's, as codes of the columns; None where the viewer has none, as `ANYONE`.
    """
    mask: np.ndarray = columns.scope == SCOPES[Scope.USER]
    if session is not None and not mask.all():  # most stores have nothing of a narrower scope
        mine = columns.session == session
        mask |= mine & (columns.scope == SCOPES[Scope.SESSION])
        if context is not None:
            mask |= mine & (columns.scope == SCOPES[Scope.CONTEXT]) & (columns.context == context)
    return mask


def answers_mask(
    columns: VisibilityColumns, moment: Microseconds, session: int | None = None, context: int | None = None
) -> "np.ndarray":
    """As `answers`, of every row: bool (n,)."""
    mask = may_see_mask(columns, session, context)
    mask &= columns.live
    mask &= columns.valid_from <= moment
    mask &= moment < columns.valid_to
    return mask


# A condition of SQL over a row of nodes; its parameters are numbered as the caller places them.


def may_see_sql(session: str, context: str, row: str = "nodes") -> str:
    """As `may_see`: SQL in which `session` and `context` are the viewer's, or NULL."""
    return (
        f"({row}.scope = '{Scope.USER}' OR {row}.session_id = {session} AND ({row}.scope = '{Scope.SESSION}'"
        f" OR {row}.scope = '{Scope.CONTEXT}' AND {row}.context_id = {context}))"
    )


def answers_sql(session: str, context: str, moment: str, row: str = "nodes") -> str:
    """As `answers`: SQL in which `moment` is an instant, or NULL for any."""
    valid = (
        f"({moment} IS NULL OR {row}.valid_from <= {moment} AND ({row}.valid_to IS NULL OR {moment} < {row}.valid_to))"
    )
    return f"({row}.state = '{NodeState.LIVE}' AND {valid} AND {may_see_sql(session, context, row)})"
