"""What a phrase or an id means in a memory: the concepts, or the memories, that a caller may see."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from context_graph.access import shown, visible_nodes
from context_graph.citations import is_tag
from context_graph.derived import ConceptNames
from context_graph.errors import ConceptNotFound, InvalidInput
from context_graph.models import Caller, Node, NodeState
from context_graph.reading.absence import absent_thing
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Reading", "absent_concept", "holding", "named_in", "readings"]

MAX_READINGS = 8
MAX_PHRASE_CHARS = 200
MAX_NAME_WORDS_IN_A_TEXT = 6
MAX_WORDS_OF_A_TEXT = 128
"""Words of a text in which concepts are looked for: each begins six runs, and each run costs a look-up."""

MIN_FIT = 0.75
"""How well a concept must fit some words of a text to be meant by them."""

IN_A_TEXT = 0.5
"""How well a memory that holds all words of a phrase fits it."""

_UUID = regex(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


@dataclass(frozen=True, slots=True)
class Reading:
    """A node that a phrase may mean, and how well it fits: 1 for its name or id."""

    node: Node
    score: float


def readings(memory: "Runtime", phrase: str, caller: Caller, *, field: str) -> list[Reading]:
    """What a phrase may mean, the best first: a node by its id or tag, concepts by name, else memories by their words.

    Parameters
    ----------
    field : str
        The argument, as an error names it.
    """
    phrase = phrase.strip()
    if not phrase:
        raise InvalidInput(f"{field} is empty; give the name of a concept, or the id of a node", field=field)
    if len(phrase) > MAX_PHRASE_CHARS:
        raise InvalidInput(
            f"{field} must be the name of a concept, at most {MAX_PHRASE_CHARS} characters, got {len(phrase)}; "
            "name the thing in a few words, or give its id",
            field=field,
        )
    if is_tag(phrase) or _UUID.fullmatch(phrase):
        node = shown(memory, phrase if is_tag(phrase) else phrase.lower(), caller, field=field)
        return [Reading(node, 1.0)]
    scores = memory.view(ConceptNames).readings(phrase)
    named = visible_nodes(memory, memory.store.nodes(_best(scores)), caller)
    meanings = [Reading(node, scores[node.id]) for node in named if node.state == NodeState.LIVE]
    if not meanings:
        latest = memory.store.nodes(holding(memory, phrase, caller)[-MAX_READINGS:])
        meanings = [Reading(node, IN_A_TEXT) for node in latest]
    if not meanings:
        raise ConceptNotFound(
            f"{field}: no concept is called {phrase[:80]!r} and no memory holds its words; search_graph finds what is "
            "stored in other words, get_neighborhood shows the concepts around it"
        )
    return sorted(meanings, key=lambda one: (-one.score, one.node.created_at, one.node.id))[:MAX_READINGS]


def absent_concept(memory: "Runtime", phrase: str) -> str | None:
    """The thing of whose absence a phrase speaks ("stop the rain"), where no concept has the phrase for its name."""
    thing = absent_thing(phrase)
    return None if thing is None or 1.0 in memory.view(ConceptNames).readings(phrase).values() else thing


def named_in(memory: "Runtime", text: str, caller: Caller) -> list[Node]:
    """The concepts that a text names, in reading order; of names within each other the longest."""
    names, words = memory.view(ConceptNames), re.findall(r"[\w+#'-]+", text)[:MAX_WORDS_OF_A_TEXT]
    meanings: dict[str, str | None] = {}

    def resolve(phrase: str, least: float) -> str | None:
        if phrase not in meanings:
            scores = names.readings(phrase)
            sure = sorted((id for id, score in scores.items() if score >= least), key=lambda id: (-scores[id], id))
            nodes = visible_nodes(memory, memory.store.nodes(sure), caller) if sure else []
            meanings[phrase] = next((node.id for node in nodes if node.state == NodeState.LIVE), None)
        return meanings[phrase]

    spans: dict[int, str] = {}
    is_taken = [False] * len(words)
    for length in range(min(MAX_NAME_WORDS_IN_A_TEXT, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            run = slice(start, start + length)
            if any(is_taken[run]):
                continue
            if (id := resolve(" ".join(words[run]), MIN_FIT if length > 1 else 1.0)) is not None:
                is_taken[run], spans[start] = [True] * length, id
    return memory.store.nodes(dict.fromkeys(spans[start] for start in sorted(spans)))


def _best(scores: dict[str, float]) -> list[str]:
    """The ids of the best readings, with room for those that the caller may not see."""
    return sorted(scores, key=lambda id: (-scores[id], id))[: 8 * MAX_READINGS]


def holding(memory: "Runtime", phrase: str, caller: Caller) -> list[str]:
    """The memories with all words of a phrase, as far as they may answer the caller, oldest first."""
    from context_graph.embed.stems import stems, term_id

    terms = list(dict.fromkeys(term_id(stem) for stem in stems(phrase)))
    if not terms:
        return []
    corpus = memory.corpus
    with corpus.lock:
        rows = corpus.terms.postings(terms[0])[0]
        for term in terms[1:]:
            rows = np.intersect1d(rows, corpus.terms.postings(term)[0], assume_unique=True)
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        return [corpus.ids[row] for row in rows[visible[rows]].tolist()]
