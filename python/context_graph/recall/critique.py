"""A line of reasoning against what is remembered: which memories contradict it, and which say that it is past."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from context_graph.derived import Facts
from context_graph.embed.chunks import clauses, sentences
from context_graph.embed.stems import stems
from context_graph.extraction import ONE_AT_A_TIME, facts
from context_graph.models import Caller, Node, NodeKind, NodeState
from context_graph.names import name_key
from context_graph.reading import cues, supersession
from context_graph.reading.annotations import annotations_of
from context_graph.reading.contradiction import contradiction
from context_graph.reading.differences import covers
from context_graph.reading.utterance import ASSISTANTS, USERS, utterance
from context_graph.recall.answer import Hit
from context_graph.recall.conflicts import disagreement
from context_graph.recall.current.comparable import answering
from context_graph.recall.holding import holding_all
from context_graph.recall.question import Question
from context_graph.recall.recall import recall
from context_graph.visibility import answers, may_see

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Critique", "Objection", "correction_of", "critique"]

MAX_REASONS = 12
"""Of a line of reasoning that are compared; a summary has fewer."""

LOOKED_AT = 10
"""Memories that each is compared with, beside those that it rests on."""

CLOSED, STATED = 1.0, 0.7
"""Confidence where the store itself says that a memory has ended; where two memories were read as one relation of one
subject with two values."""

Type = Literal["value", "negation", "outdated", "superseded", "other_fact"]


@dataclass(frozen=True, slots=True)
class Objection:
    """One memory against one sentence.

    Attributes
    ----------
    type : str
        value, negation: both cannot hold (`reading.contradiction`); outdated: what was said later seems to take the
        place of the sentence (`reading.supersession`); superseded: the store has closed what the sentence says;
        other_fact: of one subject another value (`derived.facts`).
    sentence : str
        What it speaks against; of two memories that the reasoning rests on, the text of the other.
    """

    node: Node
    type: Type
    confidence: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Critique:
    """What was found, the surest first, and how much was compared."""

    objections: tuple[Objection, ...]
    compared: int
    memories: int


def critique(memory: "Runtime", reasoning: str, focal: Sequence[Node], threshold: float, *, caller: Caller) -> Critique:
    """Compare each sentence of a line of reasoning, and its clauses, with the memories nearest to it; no trace is left.

    Parameters
    ----------
    focal : sequence of Node
        What it rests on, which the caller may see.
    threshold : float
        Least confidence of an objection.
    """
    stated = [part for part in sentences(reasoning) if not _open(part)][:MAX_REASONS]
    objections = list(_among(memory, focal))
    compared: set[str] = {node.id for node in focal}
    for sentence in stated:
        hits = recall(memory, Question(sentence, LOOKED_AT, record=False), caller=caller).hits
        compared |= {hit.node.id for hit in hits}
        nodes = {node.id: node for node in (*focal, *(hit.node for hit in hits)) if _counts(node)}
        for part in dict.fromkeys((sentence, *clauses(sentence))):
            objections += _against(memory, part, nodes.values(), caller)
            objections += _replaced(part, hits)
            objections += _withdrawn(memory, part, caller)
        objections += _other_facts(memory, sentence, caller)
    best: dict[str, Objection] = {}
    for one in objections:
        known = best.get(one.node.id)
        if one.confidence >= threshold and (known is None or one.confidence > known.confidence):
            best[one.node.id] = one
    ranked = sorted(best.values(), key=lambda one: (-one.confidence, -one.node.created_at, one.node.id))
    return Critique(tuple(ranked), len(stated), len(compared))


def _open(sentence: str) -> bool:
    """Whether it states nothing that a memory could deny: a question, a wish, a condition."""
    return sentence.endswith("?") or bool(cues.OPEN.search(sentence))


def _counts(node: Node) -> bool:
    """Whether what a node says is a statement of somebody."""
    spoken = (node.speaker or "").lower()
    return node.kind == NodeKind.MEMORY and node.state == NodeState.LIVE and spoken not in ASSISTANTS


def _among(memory: "Runtime", focal: Sequence[Node]) -> Iterable[Objection]:
    """What is wrong with the memories that a reasoning rests on: some are past, some disagree with each other."""
    present = memory.present()
    for node in focal:
        if node.kind == NodeKind.MEMORY and node.valid_to is not None and node.valid_to <= present:
            later = memory.store.nodes([node.superseded_by] if node.superseded_by else [])
            yield Objection(later[0] if later else node, "superseded", CLOSED, node.content)
        elif correction_of(node):
            yield Objection(node, "superseded", CLOSED, node.content)
    for one, other in combinations([node for node in focal if _counts(node)], 2):
        if against := disagreement(one, other, one.content, other.content):
            yield Objection(other, against.kind, against.confidence, one.content)


def _against(memory: "Runtime", sentence: str, nodes: Iterable[Node], caller: Caller) -> Iterable[Objection]:
    sentence_stems = frozenset(stems(sentence))
    viewer = memory.viewer(caller)
    for node in nodes:
        if correction_of(node) and _says(node, sentence):
            yield Objection(node, "superseded", CLOSED, sentence)
            continue
        statement = answering(utterance(node.content, node.speaker), sentence_stems)
        of_user = (node.speaker or USERS[0]).lower() in USERS  # of whom the reasoning speaks as "we"
        if against := contradiction(sentence, statement, one_speaker=of_user):
            yield Objection(node, against.kind, against.confidence, sentence)
        elif (
            _tells_of_change(statement)
            and not _alike(statement, sentence)
            and supersession.related(sentence, statement)
        ):
            likely = 1.0 / (1.0 + math.exp(-supersession.logit(sentence, statement)))
            yield Objection(node, "outdated", likely, sentence)
        for earlier in memory.store.superseded(node.id):
            if answers(earlier, viewer) and earlier.id not in node.derived_from and _says(earlier, sentence):
                yield Objection(node, "superseded", CLOSED, sentence)


def _tells_of_change(statement: str) -> bool:
    """Whether a memory says that something is otherwise now: what only says how it is may be older."""
    return any(cue.search(statement) for cue in (cues.ENDED, cues.CHANGED, cues.CORRECTED))


def _alike(statement: str, sentence: str) -> bool:
    return covers(statement, sentence) or covers(sentence, statement)


def _replaced(sentence: str, hits: Sequence[Hit]) -> Iterable[Objection]:
    """Where a memory says the sentence, and another one among the results seems to have taken its place."""
    nodes = {hit.node.id: hit.node for hit in hits}
    for hit in hits:
        if hit.replaced_by in nodes and _says(hit.node, sentence):
            yield Objection(nodes[hit.replaced_by], "outdated", hit.replaced_likely, sentence)


def _withdrawn(memory: "Runtime", sentence: str, caller: Caller) -> Iterable[Objection]:
    """Memories that say the sentence and hold no longer, though nothing took their place."""
    words, corpus, present = stems(sentence), memory.corpus, memory.present()
    with corpus.lock:
        rows = holding_all(corpus, words)[-LOOKED_AT:]
        ids = [corpus.ids[row] for row in rows]
    viewer = memory.viewer(caller)
    for node in memory.store.nodes(id for id in ids if id):
        ended = node.valid_to is not None and node.valid_to <= present and node.superseded_by is None
        if ended and _counts(node) and may_see(node, viewer) and _says(node, sentence):
            yield Objection(node, "superseded", CLOSED, sentence)


def correction_of(node: Node) -> str:
    """What somebody wrote in the margin of a memory as its correction, the last of several; else empty."""
    return next((note.text for note in reversed(annotations_of(node)) if note.type == "correction"), "")


def _says(node: Node, sentence: str) -> bool:
    statement = answering(utterance(node.content, node.speaker), frozenset(stems(sentence)))
    return covers(statement, sentence)


def _other_facts(memory: "Runtime", sentence: str, caller: Caller) -> Iterable[Objection]:
    """Memories that give a subject another value than the sentence does, in a relation that has one at a time."""
    for fact in facts(sentence):
        if fact.relation not in ONE_AT_A_TIME and not fact.relation.startswith("favorite"):
            continue
        entries = memory.view(Facts).entries(
            memory.corpus, memory.present(), memory.viewer(caller), fact.subject
        )  # fmt: skip
        for entry in entries:
            if entry.relation != fact.relation or name_key(entry.subject) != name_key(fact.subject):
                continue
            current = [value for value in entry.values if not value.past and not value.proposed_by]
            key = name_key(fact.value)
            if any(key in name_key(value.value) or name_key(value.value) in key for value in current):
                continue
            for node in memory.store.nodes(value.memories[-1] for value in current):
                yield Objection(node, "other_fact", STATED, sentence)
