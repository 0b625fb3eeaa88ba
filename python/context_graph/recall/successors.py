"""What was said later of the same thing as a result, and has no word of the question: it may have taken its place."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.stems import stem_set, term_id
from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading import cues, supersession
from context_graph.reading.substitutes import substitute
from context_graph.recall.current import comparable

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["successors"]

FOLLOWED = 3
"""First results whose later mentions are looked for."""

RARE = 32
"""Memories that may have a word, for those that share it to be about one thing."""

MAX_LATER = 6
"""Later memories that are read for each of these results: those with most of its rare words, the latest first."""


def successors(memory: "Runtime", corpus: Corpus, mask: np.ndarray, results: Sequence[Node]) -> list[tuple[Node, int]]:
    """Later statements that tell of a change, and share a rare word with one of the first results.

    "I switched from Telia to Bahnhof" has no word of "Who is my internet provider?", for which "My Wi-Fi is from Telia"
    is found.

    Parameters
    ----------
    mask : bool (n,)
        Which memories may answer.

    Returns
    -------
    list of (Node, int)
        None of the results themselves, and the place of the result that each may have taken the place of.
    """
    places: dict[str, int] = {}
    with corpus.lock:
        result_rows = {corpus.row_of.get(node.id) for node in results}
        for place, node in enumerate(results[:FOLLOWED]):
            if node.speaker:
                continue  # of what is said in a conversation many things have a word in common
            shared: Counter[int] = Counter()
            terms = np.array([term_id(stem) for stem in stem_set(node.content)], np.int64)
            for term in terms[corpus.terms.df(terms) <= RARE].tolist():  # at least so many have it
                rows = corpus.terms.postings(term)[0]
                if len(rows) <= RARE:
                    shared.update(row for row in rows.tolist() if row < len(mask) and mask[row])
            others = [(-count, -row) for row, count in shared.items() if row not in result_rows]
            for _, row in sorted(others)[:MAX_LATER]:
                places.setdefault(corpus.ids[-row], place)
    return [
        (node, places[node.id])
        for node in memory.store.nodes(places)
        if comparable(results[places[node.id]], node) and _changes(node)
    ]


def _changes(node: Node) -> bool:
    text = cues.readable(node.content)
    change = supersession.change_of(text)
    changed = change.changed or change.corrected or change.denied or substitute(text) is not None
    return bool(changed) and not change.open
