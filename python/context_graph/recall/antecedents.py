"""Which later statements complete one of the first results: "Cancelled." names nothing, and ends the plan before it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading.ellipsis import Ellipsis, ellipsis_of, is_antecedent
from context_graph.recall.current.comparable import comparable

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["NOTHING_ELLIPTIC", "Elliptic", "elliptic"]

FIRST_RESULTS, MAX_OTHERS_BETWEEN, MAX_ROWS_BEHIND = 3, 5, 12
"""Results whose elliptic successors are looked for, statements that may stand between the two, and memories that are
read behind a result."""


class Elliptic(NamedTuple):
    """Elliptic statements that were told after some results.

    Attributes
    ----------
    later : list of (Node, int)
        None of the results themselves, and the place of the result that each completes.
    pairs : frozenset of (str, str)
        Ids of an earlier statement and an elliptic one that gives a new value of it, or ends it.
    """

    later: list[tuple[Node, int]]
    pairs: frozenset[tuple[str, str]]


NOTHING_ELLIPTIC = Elliptic([], frozenset())


def elliptic(memory: "Runtime", corpus: Corpus, mask: np.ndarray, results: Sequence[Node]) -> Elliptic:
    """The elliptic statements whose antecedent is one of the first results, or an elliptic one that completes it.

    The antecedent is the last statement before that the value can be of, by the same speaker.

    Parameters
    ----------
    mask : bool (n,)
        Which memories may answer.
    """
    result_ids = {node.id for node in results}
    following: dict[int, list[str]] = {}
    with corpus.lock:
        for place, node in enumerate(results[:FIRST_RESULTS]):
            row = corpus.row_of.get(node.id)
            if row is not None:
                rows = range(row + 1, min(row + 1 + MAX_ROWS_BEHIND, len(mask)))
                following[place] = [corpus.ids[later] for later in rows if mask[later] and corpus.ids[later]]
    nodes = {node.id: node for node in memory.store.nodes([id for ids in following.values() for id in ids])}
    later: list[tuple[Node, int]] = []
    pairs: set[tuple[str, str]] = set()
    for place, ids in following.items():
        statements = [nodes[id] for id in ids if id in nodes and comparable(results[place], nodes[id])]
        for node, completed in _completing(results[place], statements):
            pairs |= {(before.id, node.id) for before in completed}
            if node.id not in result_ids:
                result_ids.add(node.id)
                later.append((node, place))
    return Elliptic(later, frozenset(pairs))


def _completing(first: Node, following: Sequence[Node]) -> list[tuple[Node, list[Node]]]:
    """Of the statements behind one those that complete it, each with all that it completes: that one, and what did so
    before.
    """
    completing: list[tuple[Node, list[Node]]] = []
    chain: dict[str, list[Node]] = {first.id: [first]}
    statements = [first, *following]
    for place, node in enumerate(statements[1:], 1):
        if (ellipsis := ellipsis_of(node.content)) is None:
            continue
        before = statements[max(0, place - 1 - MAX_OTHERS_BETWEEN) : place]
        antecedent = next((one for one in reversed(before) if _may_complete(ellipsis, one, chain)), None)
        if antecedent is None and ellipsis.kind in ("thing", "name"):
            antecedent = before[-1]  # no word tells that "curry" stands for "lasagne"
        if antecedent is not None and antecedent.id in chain:
            completing.append((node, chain[antecedent.id]))
            chain[node.id] = [*chain[antecedent.id], node]
    return completing


def _may_complete(ellipsis: Ellipsis, before: Node, chain: dict[str, list[Node]]) -> bool:
    """Whether an elliptic statement may complete one before it: what moved a plan may be called off."""
    moved_it = ellipsis.kind == "end" and len(chain.get(before.id, ())) > 1
    return moved_it or is_antecedent(before.content, ellipsis.kind, ellipsis.value)
