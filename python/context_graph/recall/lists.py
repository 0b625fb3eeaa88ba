"""What was said since of the items of a list that is told: what is done, what somebody else brings, what was added."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.stems import stems, term_id
from context_graph.models import Caller, Node
from context_graph.reading.lists import adds_to, asks_for_list, items_of, settles
from context_graph.recall.answer import Hit
from context_graph.recall.current.comparable import comparable

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["tells_list", "with_news_of_items"]

LOOKED_AT = 64
"""Memories with a word of the list that are read, the latest."""

MAX_SETTLING = 12
"""Statements that are told of one list."""


def tells_list(question: str, hits: Sequence[Hit]) -> bool:
    """Whether one of the hits is a list that a question is for."""
    return any(items_of(hit.node.content) and asks_for_list(question, hit.node.content) for hit in hits)


def with_news_of_items(memory: "Runtime", caller: Caller, question: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits and, before each list that a question is for, what was said of its items since: it ends it in part."""
    lists = [hit for hit in hits if (hit.until is None or hit.partly) and tells_list(question, (hit,))]
    if not lists:
        return list(hits)
    by_id = {hit.node.id: hit for hit in hits}
    ordered_hits: dict[str, Hit] = {}
    for hit in hits:
        news = _news_of(memory, caller, hit.node) if hit in lists else []
        for node in news:
            ordered_hits.setdefault(
                node.id, by_id.get(node.id) or replace(hit, node=node, replaced_by=None, disputes=())
            )
        ordered_hits.setdefault(hit.node.id, hit)
        if news:
            ordered_hits[hit.node.id] = replace(
                hit, replaced_by=news[0].id, until=news[0].occurred_at, partly=_is_open(hit.node, news)
            )
    return [*ordered_hits.values()]


def _news_of(memory: "Runtime", caller: Caller, listed: Node) -> list[Node]:
    """Later statements about an item of a list, the latest first."""
    items, corpus = items_of(listed.content), memory.corpus
    terms = [term_id(stem) for stem in {*stems(listed.content), "list"}]
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = np.unique(np.concatenate([corpus.terms.postings(term)[0] for term in terms]))
        rows = rows[visible[rows] & (corpus.columns.occurred_at[rows] >= listed.occurred_at)]
        latest = rows[np.argsort(corpus.columns.occurred_at[rows], kind="stable")[-LOOKED_AT:]]
        ids = [corpus.ids[row] for row in latest.tolist()]
    news = [
        node
        for node in memory.store.nodes(ids)
        if comparable(listed, node)
        and not items_of(node.content)
        and (adds_to(node.content, listed.content) or any(settles(node.content, item) for item in items))
    ]
    return sorted(news, key=lambda node: (-node.occurred_at, node.id))[:MAX_SETTLING]


def _is_open(listed: Node, news: Sequence[Node]) -> bool:
    """Whether something of a list is left."""
    return not all(any(settles(node.content, item) for node in news) for item in items_of(listed.content))
