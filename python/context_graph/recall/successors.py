"""What was said later of the same thing as a result, and has no word of the question: it may have taken its place."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.sentence_stems import stem_set
from context_graph.embed.stems import STOP_WORDS, term_id
from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading.follow_ups import acts_on_it
from context_graph.reading.kinds import one_at_a_time, things_of
from context_graph.reading.second_thoughts import corrects_value
from context_graph.recall.current.changes import may_tell_change
from context_graph.recall.current.comparable import MAX_COMPARED, comparable
from context_graph.recall.holding import holding_all
from context_graph.recall.notes import of_one_teller, of_tellers

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["successors"]

FOLLOWED = 3
"""First results whose later mentions are looked for."""

RARE = 32
"""Memories that may have a word, for those that share it to be about one thing."""

MAX_LATER = 6
"""Later memories that are read for each of these results: those with most of its rare words, the latest first."""

NEXT = 2
"""Memories stored right after a result that may speak of it as "it"."""


def successors(memory: "Runtime", corpus: Corpus, mask: np.ndarray, results: Sequence[Node]) -> list[tuple[Node, int]]:
    """Later statements that tell of a change and share a rare word with one of the first results, or were told next and
    refer back to it.

    "I switched from Telia to Bahnhof" has no word of "Who is my internet provider?", for which "My Wi-Fi is from Telia"
    is found; "I moved it to the meter box", told after "The key is under the pot", has none of "Where is the key?".

    Parameters
    ----------
    mask : bool (n,)
        Which memories may answer.

    Returns
    -------
    list of (Node, int)
        None of the results that are compared with each other anyway, and the place of the result that each may have
        taken the place of.
    """
    places: dict[str, int] = {}
    told_next: set[str] = set()
    are_notes = of_one_teller(results) or of_tellers(results)
    with corpus.lock:
        compared = results[:MAX_COMPARED]
        result_rows = [row for node in compared if (row := corpus.row_of.get(node.id)) is not None]
        open_rows = mask.copy()
        open_rows[[row for row in result_rows if row < len(mask)]] = False
        for place, node in enumerate(results[:FOLLOWED]):
            if node.speaker and not are_notes:
                continue  # of what is said in a conversation many things have a word in common
            next_rows = _told_next(corpus, open_rows, node.id)
            told_next |= {corpus.ids[row] for row in next_rows}
            sharing = _sharing(corpus, open_rows, node.content).tolist()
            for row in (*sharing, *_of_kind(corpus, open_rows, node), *next_rows):
                if corpus.ids[row]:  # another thread may have deleted it since the mask was made
                    places.setdefault(corpus.ids[row], place)
        occurred = corpus.columns.occurred_at
        may_follow = [id for id, of in places.items() if occurred[corpus.row_of[id]] >= results[of].occurred_at]
    later = [(node, places[node.id]) for node in memory.store.nodes(may_follow)]
    return [
        (node, place)
        for node, place in later
        if comparable(results[place], node)
        and (may_tell_change(node.content) or (node.id in told_next and _is_about_the_last(results[place], node)))
    ]


def _is_about_the_last(before: Node, node: Node) -> bool:
    """Whether a statement tells what became of "it", or corrects a value, of what was told before it."""
    return acts_on_it(node.content) or corrects_value(before.content, node.content)


def _told_next(corpus: Corpus, mask: np.ndarray, id: str) -> list[int]:
    """The memories of a mask that were stored right after one."""
    row = corpus.row_of.get(id)
    return [] if row is None else [later for later in range(row + 1, min(row + 1 + NEXT, len(mask))) if mask[later]]


def _sharing(corpus: Corpus, mask: np.ndarray, text: str) -> np.ndarray:
    """The memories of a mask that have most of a text's rare words, the latest first: int64, at most `MAX_LATER`."""
    terms = np.array([term_id(stem) for stem in stem_set(text)], np.int64)
    rare = terms[corpus.terms.df(terms) <= RARE]  # of those that count; others may have it, too
    postings = (corpus.terms.postings(term)[0] for term in rare.tolist())
    rows = np.concatenate([np.zeros(0, np.int64), *(each for each in postings if len(each) <= RARE)])
    rows = rows[rows < len(mask)]
    rows, counts = np.unique(rows[mask[rows]], return_counts=True)
    return rows[np.lexsort((-rows, -counts))[:MAX_LATER]]


def _of_kind(corpus: Corpus, mask: np.ndarray, node: Node) -> list[int]:
    """The last memories of a mask with a word for a thing of a kind of which one has one at a time, as a text has."""
    things = {thing for kind in one_at_a_time(node.content) for thing in things_of(kind)}
    holders = [holding_all(corpus, [word for word in thing if word not in STOP_WORDS]) for thing in things]
    rows = np.unique(np.concatenate([np.zeros(0, np.int64), *holders]))
    rows = rows[rows < len(mask)]
    last: list[int] = rows[mask[rows]][-MAX_LATER:].tolist()
    return last
