"""A dream: what was found together grows together, and what should be linked or merged is proposed.

It rests on how often memories were retrieved together, on the concepts that they share, and on the likeness by which
they were linked when they were stored. By default it only proposes; applied, it is one event, and it never merges.
"""

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from context_graph.embed.static_table import DIMENSIONS
from context_graph.graph.edges import CONFIDENCE, profile
from context_graph.ingest import scratchpad
from context_graph.ingest.merging import mergeable
from context_graph.kernels import hebbian
from context_graph.models import Caller, Edge, EdgeType, Node, NodeKind
from context_graph.nervous.modulators import Modulators
from context_graph.progress import stage
from context_graph.visibility import answers

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = ["Dreamed", "Phase", "Proposal", "dream"]

Phase = Literal["nrem", "rem", "full_cycle"]

REPLAYED = 2_000
"""Memories that are replayed, those retrieved together last."""

TOGETHER, OFTEN = 2, 3
"""How often two memories were retrieved together for their edge to grow, and for an edge to be proposed."""

RATE = 0.05
"""Of learning, at the baseline of acetylcholine (design 7)."""

HALF = 2.0
"""Retrievals together after which a memory counts as half active."""

FAR, HUB = 0.5, 50
"""Cosine of their own words below which two memories are far apart, and memories of a concept beyond which it joins
everything."""

NEW_WEIGHT = 0.3
ALIKE = 0.95
SHARE, MIN_CHANGES = 0.01, 10
"""Of all edges that one dream changes at most; as many it may change in any memory."""

MAX_DREAM_PROPOSALS = 50


class Proposal(NamedTuple):
    """What a dream would change, or would have somebody look at.

    Attributes
    ----------
    kind : str
        strengthen an edge, link two memories, or look whether two are to be merged.
    """

    kind: Literal["strengthen", "link", "merge"]
    first: str
    second: str
    reason: str


@dataclass(slots=True)
class Dreamed:
    """What a dream found and did.

    Attributes
    ----------
    strengthened, created : int
        Edges that were written; 0 where nothing was applied.
    blind_spots : int
        Pairs of memories that share a concept, are far apart and have no edge.
    committed : int
        Working notes that became memories.
    interrupted : bool
        Whether it woke before all was looked at and every ripe note was committed.
    """

    phase: Phase
    proposals: list[Proposal] = field(default_factory=list)
    strengthened: int = 0
    created: int = 0
    blind_spots: int = 0
    committed: int = 0
    replayed: int = 0
    interrupted: bool = False
    completed: tuple[str, ...] = ()
    duration_ms: int = 0
    reversal_hash: str | None = None


def dream(
    memory: "Runtime",
    phase: Phase = "full_cycle",
    *,
    queries: int = 100,
    apply: bool = False,
    caller: Caller | None = None,
    over: Callable[[], bool] = lambda: False,
) -> Dreamed:
    """Go over what the caller may see, and propose; applied, strengthen and link what is found, as one event.

    Parameters
    ----------
    queries : int
        Memories from which REM starts.
    over : callable
        Whether to wake now.
    """
    caller, began = caller or memory.caller, time.perf_counter()
    memory.store.effects.flush()  # what was read just now counts
    outcome, grown = Dreamed(phase), list[tuple[Edge, float]]()
    done: list[str] = []
    if phase != "rem":
        stage("dreaming: replaying what was retrieved together")
        grown = _replay(memory, outcome, caller, over)
        done += [] if over() else ["nrem"]
    if phase != "nrem" and not over():
        stage("dreaming: looking for blind spots")
        _explore(memory, outcome, queries, caller, over)
        _look_alike(memory, outcome, caller, over)
        done += [] if over() else ["rem"]
    outcome.completed, outcome.interrupted = tuple(done), over()
    outcome.proposals = list(dict.fromkeys(outcome.proposals))
    notes = _commit_notes(memory, outcome, caller, over) if apply and not outcome.interrupted else []
    _write(memory, outcome, grown, notes, apply, caller)
    outcome.duration_ms = round(1000 * (time.perf_counter() - began))
    return outcome


def _commit_notes(memory: "Runtime", outcome: Dreamed, caller: Caller, over: Callable[[], bool]) -> list[str]:
    """Make memories of the ripe working notes; returns their ids."""
    notes = scratchpad.ripe(memory, caller)
    memories = scratchpad.commit(memory, notes, over)
    outcome.committed, outcome.interrupted = len(memories), len(memories) < len(notes)
    return [one.node.id for one in memories]


def _seen(memory: "Runtime", ids: Sequence[str], caller: Caller) -> dict[str, Node]:
    """Those of some memories that the caller may be answered."""
    viewer, present = memory.viewer(caller), memory.present()
    return {
        node.id: node
        for node in memory.store.nodes(ids)
        if node.kind == NodeKind.MEMORY and answers(node, viewer, present)
    }


def _replay(memory: "Runtime", outcome: Dreamed, caller: Caller, over: Callable[[], bool]) -> list[tuple[Edge, float]]:
    """NREM: edges between memories that were retrieved together grow; returns them with their new weights."""
    ids = memory.corpus.ids
    pairs = [pair for pair in memory.store.pairs([id for id in ids if id]) if pair.count >= TOGETHER]
    pairs = sorted(pairs, key=lambda pair: (-pair.last_seen, pair.first, pair.second))[:REPLAYED]
    nodes = _seen(memory, list(dict.fromkeys(id for pair in pairs for id in (pair.first, pair.second))), caller)
    pairs = [pair for pair in pairs if pair.first in nodes and pair.second in nodes]
    outcome.replayed = len({id for pair in pairs for id in (pair.first, pair.second)})
    if not pairs or over():
        return []
    counts: dict[str, int] = {}
    together = {frozenset((pair.first, pair.second)): pair.count for pair in pairs}
    for pair in pairs:
        for id in (pair.first, pair.second):
            counts[id] = max(counts.get(id, 0), pair.count)
    among = memory.store.edges_between(nodes)
    joined = {frozenset((edge.source, edge.target)) for edge in among}
    edges = [
        edge
        for edge in among
        if edge.edge_type != EdgeType.TEMPORAL and frozenset((edge.source, edge.target)) in together
    ]
    weights = _grown(edges, counts, _rate(memory, caller))
    grown = [(edge, weight) for edge, weight in zip(edges, weights, strict=True) if weight > edge.weight + 1e-6]
    for edge, weight in grown:
        times = together[frozenset((edge.source, edge.target))]
        reason = f"retrieved together {times} times: weight {edge.weight:.3f} to {weight:.3f}"
        outcome.proposals.append(Proposal("strengthen", edge.source, edge.target, reason))
    for pair in pairs:
        if pair.count >= OFTEN and frozenset((pair.first, pair.second)) not in joined:
            reason = f"retrieved together {pair.count} times, and not linked"
            outcome.proposals.append(Proposal("link", pair.first, pair.second, reason))
    return grown


def _rate(memory: "Runtime", caller: Caller) -> float:
    levels = memory.session(caller.session_id).modulators
    return RATE * levels.acetylcholine / Modulators().acetylcholine


def _grown(edges: Sequence[Edge], counts: dict[str, int], rate: float) -> list[float]:
    """The weights of edges after one step of Hebbian learning, each end as active as it was often retrieved."""
    places = {
        id: place for place, id in enumerate(dict.fromkeys(e for edge in edges for e in (edge.source, edge.target)))
    }
    order = sorted(range(len(edges)), key=lambda i: places[edges[i].source])
    sources = np.array([places[edges[i].source] for i in order], np.int64)
    targets = np.array([places[edges[i].target] for i in order], np.uint32)
    weights = np.array([edges[i].weight for i in order], np.float32)
    activity = np.array([1 - 0.5 ** (counts[id] / HALF) for id in places], np.float32)
    offsets = np.searchsorted(sources, np.arange(len(places) + 1)).astype(np.int64)
    hebbian.update(weights, offsets, targets, activity, activity, rule="soft", rate=rate)
    grown = [0.0] * len(edges)
    for place, i in enumerate(order):
        grown[i] = float(weights[place])
    return grown


def _explore(memory: "Runtime", outcome: Dreamed, queries: int, caller: Caller, over: Callable[[], bool]) -> None:
    """REM: from some memories by way of their concepts to others, and what is far from them there and not linked."""
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = np.flatnonzero(visible)
        importance = corpus.columns.importance[rows].astype(np.float64) + 1e-3
    if not len(rows):
        return
    dice = np.random.default_rng(int(memory.store.head()[1][:12], 16))  # another dream after another write
    chosen = dice.choice(rows, size=min(queries, len(rows)), replace=False, p=importance / importance.sum())
    blind_spots: dict[frozenset[str], Proposal] = {}
    for row in chosen.tolist():
        if over():
            break
        start = corpus.ids[row]
        for other, concept in _by_way_of_concepts(memory, start, caller):
            with corpus.lock:
                if other not in corpus.row_of or start not in corpus.row_of:
                    continue
                a, b = corpus.semantic.rows(np.array([corpus.row_of[start], corpus.row_of[other]]))
            cosine = _nearness(a, b)
            if cosine < FAR:
                first, second = sorted((start, other))
                reason = f"both speak of {concept!r}, and are far apart (cosine {cosine:.2f})"
                blind_spots.setdefault(frozenset((first, second)), Proposal("link", first, second, reason))
    outcome.blind_spots = len(blind_spots)
    linked = {frozenset((one.first, one.second)) for one in outcome.proposals if one.kind == "link"}
    outcome.proposals += [one for pair, one in blind_spots.items() if pair not in linked]  # one link a pair


def _nearness(one: np.ndarray, other: np.ndarray) -> float:
    """The cosine of the words of two memories by themselves: the rest of E1 has the names that they share."""
    a, b = one[:DIMENSIONS].astype(np.float64), other[:DIMENSIONS].astype(np.float64)
    return float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)


def _by_way_of_concepts(memory: "Runtime", start: str, caller: Caller) -> list[tuple[str, str]]:
    """Memories that share a concept with one and have no edge to it, each with that concept's name."""
    own = memory.store.edges(start)
    ends = {end for edge in own for end in (edge.source, edge.target)} - {start}
    concepts = {node.id: node.name for node in memory.store.nodes(ends) if node.kind == NodeKind.CONCEPT}
    reached: dict[str, str] = {}
    for concept, name in concepts.items():
        edges = memory.store.edges(concept)
        if len(edges) <= HUB:
            reached |= {end: name for edge in edges for end in (edge.source, edge.target) if end not in ends}
    seen = _seen(memory, [id for id in reached if id != start], caller)
    return [(id, reached[id]) for id in seen]


def _look_alike(memory: "Runtime", outcome: Dreamed, caller: Caller, over: Callable[[], bool]) -> None:
    """Pairs that are nearly the same and could be merged without force."""
    ids = [id for id in memory.corpus.ids[-REPLAYED:] if id]
    close = [edge for edge in memory.store.edges(ids, types=[EdgeType.SEMANTIC]) if edge.weight > ALIKE]
    nodes = _seen(memory, list({end for edge in close for end in (edge.source, edge.target)}), caller)
    for edge in sorted(close, key=lambda edge: (-edge.weight, edge.id)):
        if over() or len(outcome.proposals) >= MAX_DREAM_PROPOSALS:
            return
        if edge.source in nodes and edge.target in nodes and mergeable([nodes[edge.source], nodes[edge.target]]):
            reason = f"{edge.weight:.0%} similar, and no number, date, name or negation differs"
            outcome.proposals.append(Proposal("merge", edge.source, edge.target, reason))


def _write(
    memory: "Runtime",
    outcome: Dreamed,
    grown: list[tuple[Edge, float]],
    notes: Sequence[str],
    apply: bool,
    caller: Caller,
) -> None:
    """One event that says what was dreamed, with the changes where they are applied."""
    links = [one for one in outcome.proposals if one.kind == "link"]
    max_changes = max(MIN_CHANGES, math.floor(SHARE * memory.store.counts()["edges"]))
    pairs = [(one.first, one.second) for one in outcome.proposals[:MAX_DREAM_PROPOSALS]]
    ids = list(dict.fromkeys((*itertools.chain.from_iterable(pairs), *_seen(memory, notes, caller))))
    with memory.writing:
        with memory.store.write("dreamed", memory.author(caller)) as tx:
            if apply:
                for edge, weight in grown[:max_changes]:
                    if (now := tx.edge(edge.id)) is not None and now.weight == edge.weight:
                        tx.update_edge(edge.id, weight=weight)
                        outcome.strengthened += 1
                made = [_link(memory, tx, one) for one in links[: max_changes - outcome.strengthened]]
                edges = [edge for edge in made if edge is not None]
                tx.put_edges(edges)
                outcome.created = len(edges)
            tx.note.update(
                operation="dreamed", phase=outcome.phase, applied=apply, interrupted=outcome.interrupted,
                strengthened=outcome.strengthened, created=outcome.created, proposed=len(outcome.proposals),
                committed=outcome.committed, nodes=ids,
                proposals=[[one.kind, one.first, one.second] for one in outcome.proposals[:MAX_DREAM_PROPOSALS]],
            )  # fmt: skip
        memory.committed(tx.committed)
    if tx.committed is not None and (outcome.strengthened or outcome.created):
        outcome.reversal_hash = tx.committed.hash[:16]


def _link(memory: "Runtime", tx: "Transaction", one: Proposal) -> Edge | None:
    if not (tx.has_node(one.first) and tx.has_node(one.second)):
        return None
    domain = tx.node(one.first, forgotten=True).domain
    excitatory, inhibitory, modulatory = profile(EdgeType.RELATIONAL, domain)
    moment = memory.clock()
    edge = Edge(
        id=memory.new_id(), source=one.first, target=one.second, edge_type=EdgeType.RELATIONAL, weight=NEW_WEIGHT,
        confidence=CONFIDENCE["dream"], domain=domain, origin="dream", created_at=moment, last_accessed=moment,
    )  # fmt: skip
    return replace(edge, excitatory=excitatory, inhibitory=inhibitory, modulatory=modulatory)
