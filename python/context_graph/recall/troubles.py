"""What is out of order: statements that say so, and that no later one says is mended."""

import re
from typing import TYPE_CHECKING

import numpy as np

from context_graph.index.batch import ASKS
from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading.subjects import content_stems
from context_graph.reading.troubles import asks_for_trouble, mends, reports_trouble, tells_repair, trouble_topic
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["asks_for_all_troubles", "troubles"]

READ = 2_000
"""The last memories that are read."""

_WHEN = regex(r"^\W*(?:(?:and|so|ok|okay)\W+)?(?:how long|when|who)\b", re.I)
"""Asks for the time of one, or for somebody."""

_REPORT = frozenset(content_stems("bug bugs issue issues problem problems incident incidents outage outages"))


def asks_for_all_troubles(question: str) -> bool:
    """Whether a question is for whatever is out of order, and not for what is wrong with one thing.

    Examples
    --------
    >>> asks_for_all_troubles("What needs repairing?"), asks_for_all_troubles("What's wrong with the oven?")
    (True, False)
    """
    return asks_for_trouble(question) and not trouble_topic(question) and not _WHEN.search(question)


def troubles(memory: "Runtime", corpus: Corpus, visible: np.ndarray, question: str) -> list[Node]:
    """Memories that say that something is out of order and that none mends later, the latest first; before them those
    that call it what the question does, as "Bug: ..." does.

    Parameters
    ----------
    visible : bool (n,)
        What who asks may see, of a corpus whose lock is held.
    """
    rows = np.flatnonzero(visible)
    nodes = memory.store.nodes(corpus.ids[row] for row in rows[corpus.has(ASKS, rows) == 0][-READ:])
    nodes.sort(key=lambda node: (node.occurred_at, node.created_at, node.id))
    called = _REPORT & content_stems(question)
    repairs = [(place, node.content) for place, node in enumerate(nodes) if tells_repair(node.content)]
    left = [
        node
        for place, node in enumerate(nodes)
        if reports_trouble(node.content)
        and not any(place < later and mends(node.content, repair) for later, repair in repairs)
    ]
    return sorted(reversed(left), key=lambda node: called.isdisjoint(content_stems(node.content)))
