"""What is uncertain becomes a question: pairs of late memories of which one may be past, or which disagree."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from context_graph.embed.chunks import sentences
from context_graph.models import Caller, EdgeType, Node, NodeState
from context_graph.presentation.addresses import is_of_file
from context_graph.reading import cues, supersession
from context_graph.reading.qualifiers import qualified_alike
from context_graph.reading.restatements import restates
from context_graph.reading.themes import of_other_labels
from context_graph.recall.apart import CERTAIN, never_replaces, surely_apart
from context_graph.recall.apart.moves import move_apart
from context_graph.recall.conflicts import disagreement
from context_graph.recall.current.changes import tells_change
from context_graph.recall.current.comparable import comparable, ordered
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["LATEST", "POSSIBLE", "Proposal", "proposals"]

LATEST = 100
"""Memories that are looked at, the newest, each beside those that it was linked to as alike when it was stored."""

MAX_PROPOSALS = 5

POSSIBLE = -0.5
"""Log odds of two statements from which on, up to `CERTAIN`, the user is asked whether the later takes the place of the
earlier; below, both may hold."""

MAX_JUDGED_CHARS = 200
"""Characters of a statement that is judged without a question."""


class Proposal(NamedTuple):
    """Two memories about which the user may be asked.

    Attributes
    ----------
    kind : str
        "update": the later one may take the place of the earlier; "conflict": they disagree, and none is the later.
    earlier, later : Node
        In the order in which they were said or, where that is not known, stored.
    """

    kind: Literal["update", "conflict"]
    earlier: Node
    later: Node


def proposals(memory: "Runtime", caller: Caller) -> list[Proposal]:
    """What to ask the user, the latest first: conflicts, then statements of which the later may have ended the earlier.

    Only single statements are judged: no question, no exclamation, no condition. Nothing is written.
    """
    viewer = memory.viewer(caller)

    def stated(ids: Iterable[str]) -> dict[str, Node]:
        return {node.id: node for node in memory.store.nodes(ids) if _stated(node) and may_see(node, viewer)}

    latest = memory.corpus.ids[-LATEST:]
    nodes = stated(latest)  # first, so that of what is linked to no statement nothing is read
    pairs = {frozenset((edge.source, edge.target)) for edge in memory.store.edges(nodes, types=[EdgeType.SEMANTIC])}
    nodes |= stated({id for pair in pairs for id in pair}.difference(latest))
    questions = [
        proposal
        for pair in pairs
        if len(pair) == 2 and pair <= nodes.keys() and (proposal := _judged({id: nodes[id] for id in pair}))
    ]
    questions.sort(key=lambda one: (one.kind, -one.later.created_at, -one.earlier.created_at))
    return questions[:MAX_PROPOSALS]


def _judged(pair: Mapping[str, Node]) -> Proposal | None:
    earlier, later = sorted(pair.values(), key=lambda node: (node.occurred_at, node.created_at, node.id))
    against = disagreement(earlier, later, earlier.content, later.content)
    if against and not ordered(earlier, later):
        return Proposal("conflict", earlier, later)
    if not comparable(earlier, later) or not supersession.related(earlier.content, later.content):
        return None
    texts = (earlier.content, later.content)
    if any(rule(*texts) for rule in (restates, move_apart, of_other_labels, supersession.two_of_a_kind, _of_another)):
        return None
    if surely_apart("", *texts) or never_replaces(*texts):
        return None
    likely = supersession.logit(*texts)
    if POSSIBLE <= likely < CERTAIN:
        return Proposal("update", earlier, later)
    return Proposal("conflict", earlier, later) if against and likely < POSSIBLE else None


def _of_another(earlier: str, later: str) -> bool:
    """Whether two statements are of things that exclude each other, as staging and production do, and the later tells
    of no change: both hold.
    """
    return qualified_alike(earlier, later) is False and not tells_change(later)


def _stated(node: Node) -> bool:
    """Whether it is one plain statement that holds today."""
    text = node.content.strip()
    return (
        node.state == NodeState.LIVE
        and node.valid_to is None
        and not is_of_file(node)
        and len(text) <= MAX_JUDGED_CHARS
        and not text.endswith(("!", "?"))
        and len(sentences(text)) == 1
        and not cues.OPEN.search(text)
    )
