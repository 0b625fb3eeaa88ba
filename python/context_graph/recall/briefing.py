"""What an agent should know before it answers one turn: preferences, pinned memories, what is named, what is open."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from context_graph.derived import Facts, Projects
from context_graph.derived.beliefs import Belief, Beliefs
from context_graph.derived.facts import Entry, adds_to
from context_graph.display import Plain, line
from context_graph.index.corpus import Corpus
from context_graph.models import Caller, Domain, Node
from context_graph.recall.question import MAX_QUERY_CHARS, Question
from context_graph.recall.recall import recall

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["BUDGET", "Briefing", "brief"]

BUDGET = 20
CONFIDENT = 0.97
"""Calibrated relevance from which on a memory is told without being named: likeness alone misleads."""

MAX_BRIEFED = 50


@dataclass(frozen=True, slots=True)
class Briefing(Plain):
    """Memories for one turn, each in one place only.

    Attributes
    ----------
    prelude : tuple of Node
        Preferences that hold everywhere.
    pinned : tuple of Node
        What is pinned in these scopes; what the question names first, then by relevance, then the last confirmed.
    relevant : tuple of Node
        What the question names, and what takes part in relations that it names.
    open_questions : tuple of Node
        What is not decided yet.
    facts : tuple of Entry
        What memories state of whom the question names and asks for.
    """

    prelude: tuple[Node, ...] = ()
    pinned: tuple[Node, ...] = ()
    relevant: tuple[Node, ...] = ()
    open_questions: tuple[Node, ...] = ()
    facts: tuple[Entry, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.prelude or self.pinned or self.relevant or self.open_questions or self.facts)

    def __repr__(self) -> str:
        parts = {each.name: getattr(self, each.name) for each in fields(self)}
        counts = ", ".join(f"{name}={len(part)}" for name, part in parts.items() if part)
        first = next((line(node.content) for name, part in parts.items() if name != "facts" for node in part), "")
        return f"Briefing({counts}{f', first={first!r}' if first else ''})"


def brief(
    memory: "Runtime",
    question: str = "",
    *,
    scopes: Sequence[str] | None = None,
    budget: int = BUDGET,
    user: str | None = None,
    project: str | None = None,
    caller: Caller | None = None,
    relevance: Mapping[str, float] | None = None,
) -> Briefing:
    """The memories that belong in an agent's prompt for this turn.

    Precise rather than complete: a memory is told where the question names it, by its name or an alias in any spelling,
    inflected or mistyped, not because it is alike. What is superseded, resolved, of another user or of another scope is
    never told; who names something superseded gets what took its place.

    Parameters
    ----------
    question : str
        The words of the turn; empty: what holds for any turn.
    scopes : sequence of str, optional
        Labels such as "domain:code"; a memory without labels holds in every scope. None: all scopes.
    budget : int
        Most memories besides the prelude: pinned ones first, then relevant ones, then open questions; facts, each as
        one, have the room that these leave.
    user : str, optional
        Memories whose metadata name another user are left out; without, those that name any. The caller's by default.
    project : str, optional
        What belongs to other projects alone is left out: its name, the address of its repository, or a folder.
    relevance : mapping, optional
        Calibrated relevance of memories by id, each alone, where a recall has given it already.
    """
    caller = caller or memory.caller
    question, user = question[:MAX_QUERY_CHARS].strip(), user or caller.user
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        if project is not None:
            visible &= ~memory.view(Projects).elsewhere(corpus, project)
        beliefs = memory.view(Beliefs).now(corpus)
        wanted = None if scopes is None else frozenset(label.lower() for label in scopes)

        def may(belief: Belief) -> bool:
            row = corpus.row_of.get(belief.id)
            return (
                row is not None and bool(visible[row]) and not belief.past and belief.user in (None, user)
                and belief.holds_in(wanted)
            )  # fmt: skip

        visible_beliefs = {belief.id: belief for belief in beliefs if may(belief)}
        trust_by_id = _named(beliefs, question, visible_beliefs) if question else {}
        facts: list[Entry] = []
        if question:
            may_tell = visible & _tellable(corpus, beliefs, wanted, visible_beliefs)
            called = [name for id in trust_by_id for name in visible_beliefs[id].names]
            facts = memory.view(Facts).answering(corpus, question, may_tell, called)
    if relevance is None:
        relevance = _relevance(memory, question, caller) if question else {}
    alike = [
        id for id, likely in relevance.items()
        if likely >= CONFIDENT
        and (id in visible_beliefs or (_plain(corpus, beliefs, wanted, id) and _is_visible(corpus, visible, id)))
    ]  # fmt: skip
    prelude = {
        belief.id: belief for belief in visible_beliefs.values() if belief.kind == "preference" and belief.everywhere
    }
    rest = [belief for belief in visible_beliefs.values() if belief.id not in prelude]
    questions = [belief for belief in rest if belief.kind == "open_question"]
    pinned = [belief for belief in rest if belief.pinned and belief.kind != "open_question"]

    def order(belief: Belief) -> tuple[float, ...]:
        likely = round(relevance.get(belief.id, 0.0), 2)
        return (
            -trust_by_id.get(belief.id, 0.0),
            -likely,
            -belief.confirmed_at,
            -belief.importance,
            corpus.row_of.get(belief.id, -1),
        )

    told = {*prelude, *(belief.id for belief in (*questions, *pinned))}
    relevant = [
        id for id in dict.fromkeys((*sorted(trust_by_id, key=lambda id: -trust_by_id[id]), *alike)) if id not in told
    ]
    max_nodes = max(0, budget)
    chosen = []
    for ids in (_ordered(pinned, order), relevant, _ordered(questions, order)):
        chosen.append(ids[:max_nodes])
        max_nodes -= len(chosen[-1])
    said = {id for ids in (prelude, *chosen) for id in ids}
    more = [entry for entry in facts if adds_to(entry, said)]
    return _read(memory, more[:max_nodes], _ordered(prelude.values(), order), *chosen)


def _named(beliefs: Beliefs, question: str, visible_beliefs: dict[str, Belief]) -> dict[str, float]:
    """What a question names and what stands in its place today, with the participants of relations, one hop."""
    trust_by_id: dict[str, float] = {}

    def add(belief: Belief | None, trust: float) -> None:
        if belief is not None and belief.id in visible_beliefs:
            trust_by_id[belief.id] = max(trust_by_id.get(belief.id, 0.0), trust)

    for id, trust in beliefs.named(question).items():
        add(beliefs.current(id), trust)
    for id, trust in list(trust_by_id.items()):
        if visible_beliefs[id].kind == "relation":
            for given in visible_beliefs[id].participants:
                for belief in beliefs.called(given):
                    add(beliefs.current(belief.id), trust / 2)
    return trust_by_id


def _relevance(memory: "Runtime", question: str, caller: Caller) -> dict[str, float]:
    """Calibrated relevance of the memories that are most like a question."""
    answer = recall(memory, Question(question, MAX_BRIEFED, record=False), caller=caller)
    return {hit.node.id: hit.alone for hit in answer.hits}


def _plain(corpus: Corpus, beliefs: Beliefs, scopes: frozenset[str] | None, id: str) -> bool:
    """Whether it is a memory without metadata that speak of it, and of a domain that the scopes have."""
    row = corpus.row_of.get(id)
    if row is None or beliefs.get(id) is not None:
        return False
    domain = corpus.domains.texts[corpus.columns.domain[row]]
    return scopes is None or domain == Domain.GENERAL or f"domain:{domain}" in scopes


def _tellable(
    corpus: Corpus, beliefs: Beliefs, scopes: frozenset[str] | None, visible_beliefs: Mapping[str, Belief]
) -> np.ndarray:
    """Memories whose facts may be told: of a domain that the scopes have, or beliefs that may be told: bool (n,)."""
    columns, mask = corpus.columns, np.ones(len(corpus), bool)
    if scopes is not None:
        domains = (Domain.GENERAL, *(label.partition(":")[2] for label in scopes if label.startswith("domain:")))
        mask = np.isin(columns.domain, [corpus.domains.known(domain) for domain in domains])
    for belief in beliefs:
        if belief.id in corpus.row_of:
            mask[corpus.row_of[belief.id]] = belief.id in visible_beliefs
    return mask


def _is_visible(corpus: Corpus, visible: np.ndarray, id: str) -> bool:
    """Whether a memory may be answered; not one that another thread deleted meanwhile."""
    row = corpus.row_of.get(id)
    return row is not None and row < len(visible) and bool(visible[row])


def _ordered(beliefs: Iterable[Belief], order: Callable[[Belief], tuple[float, ...]]) -> list[str]:
    return [belief.id for belief in sorted(beliefs, key=order)]


def _read(memory: "Runtime", facts: Sequence[Entry], *parts: list[str]) -> Briefing:
    nodes = {node.id: node for node in memory.store.nodes(id for ids in parts for id in ids)}
    prelude, pinned, relevant, questions = (tuple(nodes[id] for id in ids if id in nodes) for ids in parts)
    return Briefing(prelude, pinned, relevant, questions, tuple(facts))
