"""Which statement an elliptic one completes: "Cancelled." names nothing, and ends the last plan before it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading.ellipsis import Ellipsis, difference, ellipsis_of, is_antecedent
from context_graph.reading.subjects import content_stems
from context_graph.reading.tense import lean_of
from context_graph.recall.current.comparable import comparable

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["NOTHING_ELLIPTIC", "Elliptic", "elliptic"]

FIRST_RESULTS, MAX_ROWS_BEHIND, MAX_ROWS_BEFORE = 3, 12, 12
"""Results whose elliptic successors are looked for, memories that are read behind each, and before an elliptic one."""


class Elliptic(NamedTuple):
    """Elliptic statements among some results and behind the first of them.

    Attributes
    ----------
    later : list of (Node, int)
        None of the results themselves, and the place of the result that each completes.
    pairs : frozenset of (str, str)
        Ids of an earlier statement and an elliptic one that gives a new value of it, or ends it.
    completing : frozenset of str
        Ids of the elliptic ones of which it is known what they complete: they complete nothing else.
    """

    later: list[tuple[Node, int]]
    pairs: frozenset[tuple[str, str]]
    completing: frozenset[str]


NOTHING_ELLIPTIC = Elliptic([], frozenset(), frozenset())


def elliptic(memory: "Runtime", corpus: Corpus, mask: np.ndarray, results: Sequence[Node]) -> Elliptic:
    """The elliptic statements among some results, and those behind the first whose antecedent is one of these.

    The antecedent is the last statement before that the value can be of, by the same speaker; where that is elliptic,
    what it completes is completed as well.

    Parameters
    ----------
    mask : bool (n,)
        Which memories may answer.
    """
    with corpus.lock:
        row_of = {node.id: row for node in results if (row := corpus.row_of.get(node.id)) is not None}
        behind: set[int] = set()
        for node in results[:FIRST_RESULTS]:
            first = row_of.get(node.id, len(mask)) + 1
            behind.update(range(first, min(first + MAX_ROWS_BEHIND, len(mask))))
        ids = [corpus.ids[row] for row in sorted(behind) if mask[row] and corpus.ids[row]]
    of_results = {node.id: node for node in results}
    candidates = of_results | {node.id: node for node in memory.store.nodes(id for id in ids if id not in of_results)}
    if not any(ellipsis_of(node.content) for node in candidates.values()):
        return NOTHING_ELLIPTIC

    def before(node: Node) -> list[Node]:
        """What was told before it, the last first."""
        with corpus.lock:
            row = corpus.row_of.get(node.id, 0)
            rows = [each for each in range(max(0, row - MAX_ROWS_BEFORE), row) if mask[each] and corpus.ids[each]]
            ids_before = [corpus.ids[each] for each in rows]
        nodes = {each.id: each for each in memory.store.nodes(ids_before)}
        return [nodes[id] for id in reversed(ids_before) if id in nodes and comparable(nodes[id], node)]

    completed: dict[str, list[Node]] = {}
    for node in candidates.values():
        _complete(node, before, completed)
    places = {node.id: place for place, node in enumerate(results[:FIRST_RESULTS])}
    later = [
        (node, min(places[one.id] for one in completed[id] if one.id in places))
        for id, node in candidates.items()
        if id not in of_results and not places.keys().isdisjoint(one.id for one in completed.get(id, ()))
    ]
    pairs = {(one.id, id) for id, each in completed.items() for one in each}
    return Elliptic(later, frozenset(pairs), frozenset(id for id, each in completed.items() if each))


def _complete(node: Node, before: Callable[[Node], list[Node]], completed: dict[str, list[Node]]) -> list[Node]:
    """What a statement completes, the last first: its antecedent, and what that one completes."""
    if node.id in completed:
        return completed[node.id]
    completed[node.id] = []
    ellipsis = ellipsis_of(node.content)
    if ellipsis is None:
        return []
    statements, words = before(node), content_stems(ellipsis.value)
    if ellipsis.kind in ("thing", "name") and any(
        not words.isdisjoint(content_stems(one.content)) for one in statements
    ):
        return []  # "we went with the Bosch" is about the statement that names it
    possible = [one for one in statements if _may_complete(ellipsis, one, before, completed)]
    if not possible and statements and _may_stand_for(ellipsis, statements[0]):
        possible = statements[:1]
    if possible:
        antecedent = min(possible, key=lambda one: difference(one.content, ellipsis))  # the last of equal ones
        completed[node.id] = [antecedent, *_complete(antecedent, before, completed)]
    return completed[node.id]


def _may_complete(
    ellipsis: Ellipsis, one: Node, before: Callable[[Node], list[Node]], completed: dict[str, list[Node]]
) -> bool:
    """Whether an elliptic statement may complete one before it: what moved a plan may be called off."""
    if is_antecedent(one.content, ellipsis.kind, ellipsis.value):
        return True
    return ellipsis.kind == "end" and bool(_complete(one, before, completed))


def _may_stand_for(ellipsis: Ellipsis, last: Node) -> bool:
    """Whether a new thing may be of the statement right before, though no word tells it: "curry" for "lasagne"."""
    return ellipsis.kind in ("thing", "name") and lean_of(last.content) >= 0 and ellipsis_of(last.content) is None
