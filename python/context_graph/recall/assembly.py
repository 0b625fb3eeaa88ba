"""The answer put together: what a search has left, with what holds now first, what disagrees side by side, as hits."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.semantic import OWN
from context_graph.embed.stems import term_id
from context_graph.graph.entities import node_name
from context_graph.index.batch import PASSAGE
from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading import cues
from context_graph.reading.asked_length import asks_since_when
from context_graph.reading.fingerprints import given_name
from context_graph.reading.intent import parse
from context_graph.reading.named_speakers import as_said_of
from context_graph.reading.subjects import WORD
from context_graph.reading.tense import lean_of
from context_graph.reading.validity import Validity, as_happened, beginning, coming_change, validity
from context_graph.reading.wishes import may_wish
from context_graph.recall.answer import Dispute, Hit
from context_graph.recall.antecedents import NOTHING_ELLIPTIC, elliptic
from context_graph.recall.conflicts import Conflict, conflicts, together
from context_graph.recall.current.asked_number import asked_number_first
from context_graph.recall.current.echoes import echoes
from context_graph.recall.current.likelihood import Judged, rareness
from context_graph.recall.current.order import (
    Replacement,
    asks_for_the_past,
    asks_for_then,
    current_first,
    former_first,
    state_until,
)
from context_graph.recall.current.replacements import replacements
from context_graph.recall.current.rules import rules_first
from context_graph.recall.judgement import Judgement
from context_graph.recall.notes import of_several_tellers
from context_graph.recall.question import Question
from context_graph.recall.successors import successors
from context_graph.retrieval.pipeline import dominant_spaces
from context_graph.retrieval.relevance import in_order
from context_graph.retrieval.types import CandidatePool, Query

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["hits_of", "meaning_of", "with_closed"]

UNKNOWN_ROW = -2
"""Of a memory that was deleted for good since it was found: next to no other."""

MAX_SIMILAR = 8
"""Memories like a later one, among which what it took the place of is looked for."""


SINCE_LIKELY = 0.5
"""Probability of a replacement from which on it orders and marks the answers to a question since when something is so:
what it asks for began some time ago, and most of what was told later is of something else."""


def hits_of(
    memory: "Runtime",
    corpus: Corpus,
    question: Question,
    query: Query,
    pool: CandidatePool,
    judgement: Judgement,
    theta: np.ndarray,
) -> tuple[Hit, ...]:
    """The hits in the order in which they are told, those below `min_similarity` left out.

    Parameters
    ----------
    theta : float (k,)
        How near each row of the pool is to the user's goals.
    """
    since_when = asks_since_when(query.vectors.original)
    times = None if since_when else query.times  # since when is asked of what holds now, as "how long have I" is
    nodes_by_id = {node.id: node for node in memory.store.nodes(corpus.ids[row] for row in pool.rows)}
    places = [i for i, row in enumerate(pool.rows) if corpus.ids[row] in nodes_by_id]
    nodes = [nodes_by_id[corpus.ids[pool.rows[i]]] for i in places]
    looked_up = successors(memory, corpus, query.mask, nodes) if _by_time(question) and times is None else []
    ellipses = elliptic(memory, corpus, query.mask, nodes) if _by_time(question) else NOTHING_ELLIPTIC
    followed = dict(reversed([(node.id, (node, of)) for node, of in (*looked_up, *ellipses.later)]))
    later = [followed[id] for id in reversed(followed) if id not in nodes_by_id]
    nodes += [node for node, _ in later]
    places += [places[of] for _, of in later]  # what takes the place of another is as good an answer
    lasting = None if times is None else times.may_hold(pool.rows[places])
    present = memory.present() if question.asked_at is None else question.asked_at
    until, as_of = state_until(query.vectors.original, present), present if question.as_of is None else question.as_of
    of_now = lasting is None and until is None and _by_time(question) and not asks_for_the_past(query.vectors.original)
    replaced, against, order, to_come = _current(
        question,
        cues.readable(query.vectors.original),
        nodes,
        Judged(
            [float(judgement.alone[i]) for i in places],
            judgement.answered,
            corpus.embedder.tier,
            timed=lasting is not None,
            searched=_notes(corpus, query.mask),
            rarest=lambda stems: _rarest(corpus, stems),
            elliptic=ellipses.pairs,
            completing=ellipses.completing,
            stored=[corpus.row_of.get(node.id, UNKNOWN_ROW) for node in nodes],
            meaning=lambda: meaning_of(corpus, [node.id for node in nodes]),
        ),
        lasting,
        lambda place: _nearest(memory, corpus, query.mask, nodes[place].id),
        until,
        as_of if of_now else None,
        None if until is not None or asks_for_then(query.vectors.original, as_of) else as_of,
        _with_followers(len(nodes) - len(later), [of for _, of in later]),
        {place for place, node in enumerate(nodes) if node.id in followed},
        SINCE_LIKELY if since_when else 0.0,
    )
    likely, total = judgement.alone[places], pool.total[places]
    joined = [(one.second, one.first) for one in against]
    joined += [(later, place) for place, later in to_come]
    for newer, place in (*((by.by, place) for place, by in replaced.items()), *joined):
        # what takes the place of another, or will, or denies it, is as good an answer
        likely[newer], total[newer] = max(likely[newer], likely[place]), max(total[newer], total[place])
    replacing, most = {*(by.by for by in replaced.values()), *(later for _, later in to_come)}, len(nodes) - len(later)
    order = [place for place in order if place < most or place in replacing][:most]
    disputes = _disputes(against, nodes)
    relevance = in_order(likely[order])
    columns = dict(zip(pool.parts, _rounded([*pool.parts.values()], len(pool.rows)), strict=True))
    dominant = dominant_spaces(pool.parts, len(pool.rows))
    result_ids = {node.id for node in nodes}
    hits = []
    for rank, place in enumerate(order):
        if relevance[rank] < question.min_similarity:
            break
        i, by = places[place], replaced.get(place)
        successor = nodes[by.by].id if by is not None else nodes[place].superseded_by
        if by is None and successor in result_ids:
            successor = None  # each was closed in favour of the other
        ending = _ended(nodes[place], None if by is None else (by, nodes[by.by]), as_of if of_now else None)
        hits.append(
            Hit(
                nodes[place],
                float(relevance[rank]),
                float(likely[place]),
                float(total[place]),
                float(pool.raw["alignment"][i]) if "alignment" in pool.raw else 0.5,
                float(theta[i]),
                dominant[i],
                {name: values[i] for name, values in columns.items()},
                successor,
                None if ending is None else ending.end,
                ending is not None and ending.partly,
                by.likely if by is not None else 0.0,
                tuple(disputes.get(place, ())),
            )
        )
    return tuple(hits)


def _with_followers(count: int, followed: Sequence[int]) -> list[int]:
    """The places of some results, each with those that were looked up for it right behind.

    Examples
    --------
    >>> _with_followers(3, [1, 1])
    [0, 1, 3, 4, 2]
    """
    behind: list[list[int]] = [[] for _ in range(count)]
    for number, place in enumerate(followed):
        behind[place].append(count + number)
    return [each for place in range(count) for each in (place, *behind[place])]


def _ended(node: Node, replaced: tuple[Replacement, Node] | None, as_of: int | None) -> Validity | None:
    """Until when a result held, if it is past: a later one surely took its place, or it is over by its own words.

    Parameters
    ----------
    as_of : int, optional
        The moment for which the question is asked; None where what is over is as good an answer.
    """
    if replaced is not None and replaced[0].sure:
        by, later = replaced
        return Validity(_begins(node, later) or later.occurred_at, by.partly)
    if replaced is None and node.valid_to is not None:
        return Validity(node.valid_to, False)
    return _over(node, as_of)


def _over(node: Node, as_of: int | None) -> Validity | None:
    """Until when a result held, if it is over by its own words at the moment for which the question is asked."""
    own = None if as_of is None else validity(node.content, node.occurred_at)
    return own if own is not None and as_of is not None and own.end < as_of else None


def _returned(replaced: dict[int, Replacement], nodes: Sequence[Node], as_of: int | None) -> dict[int, Replacement]:
    """What is replaced, where what was so before holds again once what took its place is over by its own words."""
    ends = {by.by: _over(nodes[by.by], as_of) for by in replaced.values()}
    over = {place for place, end in ends.items() if end is not None and not end.partly}
    if not over:
        return replaced
    holding = {place: by for place, by in replaced.items() if by.by not in over}
    for place, by in replaced.items():
        if by.by in over and place not in over and by.by not in holding:
            holding[by.by] = Replacement(place, by.likely, sure=False)
    return holding


def _begins(node: Node, later: Node) -> int | None:
    """From when on a later result takes the place of another by its own words: of a plan it does so at once."""
    start = beginning(later.content, later.occurred_at)
    if start is None and not may_wish(node.content) and lean_of(node.content) <= 0:
        start = coming_change(later.content, later.occurred_at)
    return start


def _in_time(order: list[int], to_come: Sequence[tuple[int, int]]) -> list[int]:
    """An order of places with what is to come right behind what holds until then."""
    for place, later in to_come:
        order.remove(later)
        order.insert(order.index(place) + 1, later)
    return order


def _rounded(columns: Sequence[np.ndarray], length: int) -> list[list[float]]:
    """What `round(value, 4)` gives for each value, all at once but for those that stand between two.

    Parameters
    ----------
    length : int
        Values of each column.
    """
    scaled = 1e4 * np.array(columns, np.float64).reshape(len(columns), length)
    whole = np.rint(scaled)
    rounded: list[list[float]] = (whole / 1e4).tolist()
    for column, place in zip(*np.nonzero(~(np.abs(scaled - whole) < 0.499)), strict=True):
        rounded[column][place] = round(float(columns[column][place]), 4)
    return rounded


def _notes(corpus: Corpus, mask: np.ndarray) -> int:
    """How many of the memories that may answer are no articles, of which none takes the place of a note."""
    with corpus.lock:
        rows = np.flatnonzero(mask[: len(corpus)])
        return len(rows) - int(np.count_nonzero(corpus.has(PASSAGE, rows)))


def _rarest(corpus: Corpus, stems: frozenset[str]) -> float:
    """How rare the rarest of some stems is among all memories (`rareness`); 0 for none."""
    if not stems:
        return 0.0
    with corpus.lock:
        holding = int(corpus.terms.df(np.array([term_id(stem) for stem in stems], np.int64)).min())
        return rareness(holding, corpus.documents)


def meaning_of(corpus: Corpus, ids: Sequence[str]) -> np.ndarray:
    """The cosine of what each two memories mean, as the model's cosines were fitted on, and in the base tier by
    `embed.sentence_table`: float32 (k, k), 0 for what was deleted for good since it was found.
    """
    with corpus.lock:
        rows = [corpus.row_of.get(id, UNKNOWN_ROW) for id in ids]
        places = np.flatnonzero(np.array(rows, np.int64) >= 0)
        known = np.array([rows[place] for place in places], np.int64)
        is_base = corpus.embedder.tier == "base"
        of_text = corpus.sentences(known) if is_base else corpus.semantic.rows(known)[:, OWN["minilm"][-1]]
    factor, shift = corpus.embedder.scale.cosine
    of_text = of_text / np.maximum(np.linalg.norm(of_text, axis=1, keepdims=True), 1e-9)
    cosines = np.zeros((len(ids), len(ids)), np.float32)
    cosines[np.ix_(places, places)] = factor * (of_text @ of_text.T) + shift
    return cosines


def _nearest(memory: "Runtime", corpus: Corpus, mask: np.ndarray, id: str) -> list[Node]:
    """The memories most like this one, of those that may answer."""
    with corpus.lock:
        row = corpus.row_of.get(id)
        if row is None:
            return []  # deleted for good since it was found
        may = np.zeros(len(corpus), bool)
        may[: len(mask)] = mask[: len(corpus)]  # what was stored since is no part of this answer
        rows = corpus.semantic.search(corpus.semantic.rows(np.array([row])), MAX_SIMILAR, mask=may)[1][0]
        ids = [corpus.ids[row] for row in rows if row >= 0]
    return memory.store.nodes(ids)


def _current(
    question: Question,
    text: str,
    nodes: Sequence[Node],
    judged: Judged,
    lasting: np.ndarray | None,
    near: Callable[[int], Sequence[Node]],
    until: int | None = None,
    as_of: int | None = None,
    present: int | None = None,
    compared: Sequence[int] = (),
    followers: Set[int] = frozenset(),
    least: float = 0.0,
) -> tuple[dict[int, Replacement], list[Conflict], list[int], list[tuple[int, int]]]:
    """What is replaced, what disagrees, the order to tell it in, and what will be replaced by what: for a question for
    the past, what was so before comes first.

    Parameters
    ----------
    lasting : bool (m,), optional
        Which may take the place of another, where the question asks for a time: what was then stays so.
    until : int, optional
        End of the past time whose state the question asks for: what took the place of another since comes last.
    as_of : int, optional
        The moment for which the question is asked; None where what is over is as good an answer.
    present : int, optional
        The same; None where what is to come is as good an answer.
    compared : sequence of int, optional
        The order in which they are compared.
    followers : set of int, optional
        Those that were looked up.
    least : float
        Probability from which on a replacement counts.
    """
    newest = _by_time(question) and (lasting is None or bool(lasting.any()))

    def is_to_come(earlier: int, later: int) -> bool:
        start = None if present is None else _begins(nodes[earlier], nodes[later])
        return start is not None and present is not None and start > present

    read = _as_reported(text, [_as_happened(node, present) for node in nodes])
    replaced, coming = replacements(text, read, judged, near, is_to_come, compared, followers) if newest else ({}, {})
    if least:
        replaced, coming = ({at: by for at, by in each.items() if by.likely >= least} for each in (replaced, coming))
    if lasting is not None:
        replaced, coming = ({at: by for at, by in each.items() if lasting[by.by]} for each in (replaced, coming))
    replaced = _returned(with_closed(replaced, nodes), nodes, as_of)
    replaced |= echoes(replaced, nodes, judged.stored)
    to_come = [(at, by.by) for at, by in coming.items() if at not in replaced and nodes[at].valid_to is None]
    against = conflicts(text, nodes, replaced, by_time=newest) if question.newest_first else []
    if asks_for_the_past(text):
        return replaced, against, former_first(len(nodes), replaced), []
    if until is not None:
        since = {by.by for by in replaced.values() if nodes[by.by].occurred_at >= until}
        before = {place: by for place, by in replaced.items() if by.by not in since}
        return replaced, against, sorted(current_first(len(nodes), before), key=since.__contains__), []
    order = together(_in_time(current_first(len(nodes), replaced), to_come), against)
    texts = [node.content for node in nodes]
    return replaced, against, asked_number_first(text, texts, rules_first(text, texts, order), replaced), to_come


def _as_reported(question: str, nodes: Sequence[Node]) -> Sequence[Node]:
    """The results of a group, where those of somebody whom the question names are told as by another one: "I'm back"
    ends what was said of them.
    """
    if not of_several_tellers(nodes):
        return nodes
    names = {word.lower() for word in WORD.findall(question)}

    def reported(node: Node) -> Node:
        if not node.speaker or node.speaker.lower() not in names or given_name(node):
            return node
        content = as_said_of(node.content, node.speaker)
        return replace(node, content=content, name=node_name(content))

    return [reported(node) for node in nodes]


def _as_happened(node: Node, present: int | None) -> Node:
    """A result as it would be told today, where it announces what has come since."""
    if present is None or given_name(node):
        return node
    content = as_happened(node.content, node.occurred_at, present)
    return node if content == node.content else replace(node, content=content, name=node_name(content))


def with_closed(replaced: dict[int, Replacement], nodes: Sequence[Node]) -> dict[int, Replacement]:
    """What is replaced, with what the store has closed: somebody said so, and a judgement that says the opposite goes.

    Following the replacements from any result ends: what is closed may be the later of two, by its date.
    """
    places = {node.id: place for place, node in enumerate(nodes)}
    closed = {
        place: Replacement(places[node.superseded_by], 1.0)
        for place, node in enumerate(nodes)
        if node.superseded_by is not None and node.superseded_by in places
    }
    joined: dict[int, Replacement] = {}
    for place, by in (*closed.items(), *replaced.items()):
        last = by.by
        while last in joined:
            last = joined[last].by
        if place not in joined and last != place:
            joined[place] = by
    return joined


def _by_time(question: Question) -> bool:
    """Whether what holds now is told first; of what was said, one thing after the other, each is told."""
    return question.newest_first and not parse(question.text).in_turn


def _disputes(against: Sequence[Conflict], nodes: Sequence[Node]) -> dict[int, list[Dispute]]:
    """By place, with which others it disagrees."""
    disputes: dict[int, list[Dispute]] = {}
    for one in against:
        for place, other in ((one.first, one.second), (one.second, one.first)):
            disputes.setdefault(place, []).append(Dispute(nodes[other].id, one.kind, one.confidence, one.topic))
    return disputes
