"""What cannot be ordered is said: which results of a question disagree, and none takes the place of the other.

Two statements disagree by the rules of `reading/contradiction.py`. Where the same person said both, one after the
other, and the later takes the place of the earlier, `current` tells them as past and present; what is left is a
conflict.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple

from context_graph.embed.stems import stems
from context_graph.models import Node
from context_graph.reading.contradiction import Contradiction, Kind, contradiction, may_contradict
from context_graph.reading.fingerprints import given_name
from context_graph.reading.metadata import stand_beside
from context_graph.reading.utterance import ASSISTANTS
from context_graph.recall.current.comparable import MAX_COMPARED, answering, ordered

__all__ = ["Conflict", "conflicts", "disagreement", "together"]


class Conflict(NamedTuple):
    """Two results that disagree.

    Attributes
    ----------
    first, second : int
        Their places, the better rank first.
    kind : str
        "value": of one thing two values; "negation": that it is so and that it is not.
    topic : str
        What both speak of.
    """

    first: int
    second: int
    kind: Kind
    confidence: float
    topic: str


def conflicts(question: str, nodes: Sequence[Node], replaced: Collection[int], *, by_time: bool) -> list[Conflict]:
    """Which of the first results disagree, and it is not known which of them holds.

    Parameters
    ----------
    nodes : sequence of Node
        In the order of their ranks.
    replaced : collection of int
        Places of those that a later one takes the place of: they disagree with nothing of today.
    by_time : bool
        Whether `replaced` was judged; else what the same person said at two times is left alone.
    """
    asked, disagreeing = frozenset(stems(question)), []
    stating = [i for i, node in enumerate(nodes[:MAX_COMPARED]) if i not in replaced and _states_something(node)]
    statement = {i: answering(nodes[i].content, asked) for i in stating}
    for i, j in combinations([i for i in stating if may_contradict(statement[i])], 2):
        if not by_time and ordered(nodes[i], nodes[j]):
            continue
        if against := disagreement(nodes[i], nodes[j], statement[i], statement[j]):
            disagreeing.append(Conflict(i, j, *against))
    return disagreeing


def disagreement(first: Node, second: Node, statement: str, beside: str) -> Contradiction | None:
    """How two memories contradict each other by what is compared of them; None where both may hold.

    What has a title has a subject of its own, and what an assistant said is no statement of anybody.
    """
    if not (_states_something(first) and _states_something(second)) or stand_beside(first, second):
        return None
    one = first.speaker == second.speaker and first.metadata.get("source") == second.metadata.get("source")
    return contradiction(statement, beside, one_speaker=one)


def _states_something(node: Node) -> bool:
    return not (node.modality != "text" or (node.speaker or "").lower() in ASSISTANTS or given_name(node))


def together(order: Sequence[int], conflicts: Sequence[Conflict]) -> list[int]:
    """Places in the order in which they are told, the second of two that disagree directly behind the first.

    Examples
    --------
    >>> together([0, 1, 2, 3], [Conflict(0, 3, "value", 0.9, "retro")])
    [0, 3, 1, 2]
    """
    told: list[int] = []
    for place in order:
        against = [one.second for one in conflicts if one.first == place]
        told += [each for each in (place, *against) if each not in told]
    return told
