"""Allergies, diets and what a body does not bear: told wherever food is at stake, in whatever words.

"What should I cook for the kids tonight?" shares nothing with "Rowan is allergic to peanuts", and is answered wrongly
without it.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.stems import stem_of, term_id
from context_graph.index.batch import PASSAGE
from context_graph.models import Caller, Node
from context_graph.reading import supersession
from context_graph.reading.passages import is_passage
from context_graph.recall.answer import Answer
from context_graph.recall.apart import ENDS
from context_graph.recall.current.comparable import follows, states_something
from context_graph.recall.current.health import UNBEARABLE
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["dietary_notes", "is_about_food", "is_constraint"]

MAX_DIETARY = 4
"""Notes that are told, those of most relevance first."""

LOOKED_AT = 64
"""Of the newest notes with such a word."""

SHORT = 300
"""Characters of a note that is about this."""

_CONSTRAINTS = """allergic allergy allergies intolerant intolerance coeliac celiac diabetic diabetes vegan vegetarian
pescatarian halal kosher gluten lactose eat eats eating drink drinks pork dairy nuts alcohol wine soda sugar""".split()
_TERMS = np.array(sorted({term_id(stem_of(word)) for word in _CONSTRAINTS}), np.int64)

_LEFT_OUT = "pork|meat|beef|fish|shellfish|nuts|dairy|gluten|sugar|soda|alcohol|wine|beer|caffeine|coffee|eggs?|lactose"
_CONSTRAINS = regex(
    rf"\b(?:{UNBEARABLE}|vegan|vegetarian|pescatarian|halal|kosher"
    r"|(?:gluten|lactose|dairy|nut)[- ]?free|type (?:1|2)"
    r"|(?:doesn|don|can|mustn|won)['’]?t (?:eat|drink|have|touch|do) \w+"
    r"|(?:cannot|never|no longer|must not) (?:eat|drink)s?\b"
    rf"|(?:no|without|avoids?|off|gave up|given up|quit) (?:more )?(?:{_LEFT_OUT})\b)",
    re.I,
)
"""What a statement says of what somebody does not eat or drink."""

_FOOD = (
    "(?:cook|bake|eat|dinner|lunch|breakfast|brunch|supper|meals?|recipes?|snacks?|restaurants?|menus?|takeaways?"
    "|take-?out|groceries|food|dish(?:es)?|desserts?|cakes?|pizzas?|sandwich(?:es)?|curry|drinks?|picnic|barbecue|bbq"
    "|buffet|catering|lunchbox)"
)
_ASKS = regex(
    r"\b(?:should|could|can|may|shall|suggest|recommend|ideas?|plan|order|what to|give me|find (?:me|us)|pick|choose"
    rf"|book|grab|pour|serve|make|is it (?:ok|safe|fine))\b.{{0,60}}\b{_FOOD}\b"
    rf"|^\W*(?:{_FOOD}) (?:ideas?|for|recipes?|suggestions?)\b",
    re.I,
)
_HAPPENED = regex(r"\b(?:did|was|were|yesterday|last (?:night|week|time)|how much)\b|^\W*(?:who|when)\b", re.I)


def is_about_food(question: str) -> bool:
    """Whether a question is for what somebody may be given to eat or drink, not for what was eaten.

    Examples
    --------
    >>> [is_about_food(text) for text in ("What should I cook for the kids tonight?", "Suggest a restaurant near us")]
    [True, True]
    >>> [is_about_food(text) for text in ("What did we eat yesterday?", "Where should I park?", "Who makes the cake?")]
    [False, False, False]
    """
    return bool(_ASKS.search(question)) and not _HAPPENED.search(question)


def dietary_notes(memory: "Runtime", question: str, caller: Caller, answer: Answer) -> Sequence[Node]:
    """What the people of this memory do not eat or drink, where the question is about food and nothing replaced it."""
    if not is_about_food(question):
        return []
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = np.unique(np.concatenate([corpus.terms.postings(term)[0] for term in _TERMS.tolist()]))
        rows = rows[visible[rows] & ~corpus.has(PASSAGE, rows).astype(bool)]
        ids = [corpus.ids[row] for row in rows[-LOOKED_AT:].tolist()]
    relevance = {hit.node.id: hit.alone for hit in answer.hits}
    past = {hit.node.id for hit in answer.hits if hit.replaced_by is not None and not hit.partly}
    notes = [node for node in memory.store.nodes(ids) if node.id not in past and is_constraint(node)]
    notes = [node for node in notes if not any(_replaces(later, node) for later in notes)]
    return sorted(notes, key=lambda node: (-relevance.get(node.id, 0.0), -node.occurred_at))[:MAX_DIETARY]


def is_constraint(node: Node) -> bool:
    """Whether a note says what somebody does not eat or drink, or their body does not bear."""
    text = node.content
    if len(text) > SHORT or text.rstrip().endswith("?") or not states_something(node) or is_passage(text):
        return False
    return bool(_CONSTRAINS.search(text))


def _replaces(later: Node, node: Node) -> bool:
    """Whether one surely took the place of another: "I eat meat again, no longer vegetarian"."""
    pair = node.content, later.content
    return follows(node, later) and supersession.related(*pair) and supersession.logit(*pair) >= ENDS
