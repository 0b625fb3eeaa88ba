"""Which memories are to become cases: by id, by a search, by what they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from context_graph.access import shown
from context_graph.errors import InvalidInput
from context_graph.models import Caller, Node, NodeKind
from context_graph.reading.metadata import CASE
from context_graph.recall.catalogue import Filter, catalogue
from context_graph.recall.question import Question
from context_graph.recall.recall import recall
from context_graph.runtime import Runtime

__all__ = ["MAX_TAKEN", "Selection", "selected"]

MAX_TAKEN = 500
"""Memories of one run: it is one write, and searches wait meanwhile."""

MAX_HITS = 100
"""Memories that a query finds."""

PAGE = 256


@dataclass(frozen=True, slots=True)
class Selection:
    """Which memories: those that are all of what is given, the ones that an agent is answered with.

    Attributes
    ----------
    ids : sequence of str
        Ids or citation tags.
    query : str, optional
        The memories that a search finds, at most 100.
    """

    ids: Sequence[str] = ()
    query: str | None = None
    which: Filter = field(default_factory=Filter)


def selected(memory: Runtime, selection: Selection, caller: Caller) -> list[Node]:
    """The memories of a selection that are no cases, the oldest first."""
    if not selection.ids and selection.query is None and selection.which == Filter():
        raise InvalidInput("expected which memories to take: a tag, a query, ids or a scope; got none", field="from")
    nodes: dict[str, Node] = {}
    for node in _matching(memory, selection, caller):
        if node.kind == NodeKind.MEMORY and CASE not in node.metadata:
            nodes[node.id] = node
        if len(nodes) > MAX_TAKEN:
            raise InvalidInput(
                f"expected at most {MAX_TAKEN} memories at once, more are selected; narrow it by a tag, since or until",
                field="from",
            )
    if not nodes:
        raise InvalidInput(
            "expected memories, none is selected (cases are none, nor what is forgotten or superseded); "
            "list and search_graph show what there is",
            field="from",
        )
    return sorted(nodes.values(), key=lambda node: (node.ordinal or 0, node.id))


def _matching(memory: Runtime, selection: Selection, caller: Caller) -> Iterator[Node]:
    memory.catch_up()
    session_id, agent_id = selection.which.session_id, selection.which.agent_id
    which = replace(
        selection.which,
        session_id=session_id and memory.written_name(session_id),
        agent_id=agent_id and memory.written_name(agent_id),
    )
    if selection.ids:
        if len(selection.ids) > MAX_TAKEN:
            raise InvalidInput(
                f"expected at most {MAX_TAKEN} ids, got {len(selection.ids)}; take them in parts", field="from"
            )
        chosen = [shown(memory, id, caller, field="from") for id in selection.ids]
        if selection.query is not None:
            ids = {node.id for node in _hits(memory, selection.query, caller)}
            chosen = [node for node in chosen if node.id in ids]
        yield from (node for node in chosen if which.passes(node))
    elif selection.query is not None:
        yield from (node for node in _hits(memory, selection.query, caller) if which.passes(node))
    else:
        after = None
        while page := catalogue(memory, selection.which, caller, limit=PAGE, after=after):
            yield from page
            after = page[-1].id


def _hits(memory: Runtime, query: str, caller: Caller) -> list[Node]:
    answer = recall(memory, Question(query, MAX_HITS, record=False), caller=caller)
    return [hit.node for hit in answer.hits]
