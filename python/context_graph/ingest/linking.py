"""The edges and concepts that come with a new memory."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from context_graph.embed.stems import stems, term_id
from context_graph.graph.edges import CONFIDENCE, TEMPORAL_WEIGHT, profile
from context_graph.graph.entities import Mention
from context_graph.graph.statements import Statement
from context_graph.index.columns import found_in
from context_graph.index.corpus import Corpus
from context_graph.index.novelty import Near
from context_graph.ingest.draft import Draft
from context_graph.models import Edge, EdgeType, Node, NodeKind, Scope
from context_graph.names import name_key
from context_graph.reading.analysis import AnalyzedText
from context_graph.store import Said, Transaction

__all__ = ["Links", "join", "put_links", "put_statements"]

STATED_WEIGHT, HEDGED_WEIGHT = 0.6, 0.33
"""Of an edge between concepts: what a text states, and what it only holds to be possible. As a cause, with the signals
that it starts from, these conduct 0.9 and 0.5."""

SEMANTIC_FROM = 0.5
MAX_SEMANTIC_EDGES = 4
MAX_EARLIER_MEMORIES = 2
"""Earlier memories looked at when a name is met a second time."""

LOOKED_AT_TOGETHER = 256
"""Memories with a word of a name, from the last one on, that are searched for its other words at once."""

MAX_LOOKED_UP_NAMES = 12


@dataclass(frozen=True, slots=True)
class Links:
    """What was linked.

    Attributes
    ----------
    edges : tuple of Edge
        All edges of the memory.
    concepts : tuple of str
        Names of the concepts it mentions.
    """

    edges: tuple[Edge, ...]
    concepts: tuple[str, ...]


WIDTH = {Scope.CONTEXT: 0, Scope.SESSION: 1, Scope.USER: 2}


class _Linker:
    """Makes edges of one memory inside one transaction."""

    def __init__(self, tx: Transaction, node: Node, new_id: Callable[[], str]) -> None:
        self.tx, self.node, self.new_id = tx, node, new_id
        self.edges: list[Edge] = []
        self.known: dict[str, Node] = {}

    def look_up(self, keys: Iterable[str]) -> None:
        """Read the concepts of these names in one go."""
        self.known |= self.tx.concepts_named(keys)

    def edge(
        self, source: str, target: str, kind: EdgeType, weight: float, origin: str, confidence: float | None = None
    ) -> None:
        """Make one edge with the signals that its type starts from."""
        excitatory, inhibitory, modulatory = profile(kind, self.node.domain)
        edge = Edge(
            id=self.tx.edge_id(self.new_id()), source=source, target=target, edge_type=kind,
            weight=min(1.0, max(0.0, weight)),
            confidence=CONFIDENCE.get(origin, 0.5) if confidence is None else confidence,
            excitatory=excitatory, inhibitory=inhibitory, modulatory=modulatory,
            steering_reward=self.node.steering_reward, domain=self.node.domain, origin=origin,
            created_at=self.node.created_at, last_accessed=self.node.created_at,
        )  # fmt: skip
        self.edges.append(edge)

    def written(self) -> list[Edge]:
        """The edges, once they are in the store."""
        self.tx.put_edges(self.edges)
        return self.edges

    def concept(self, name: str) -> Node:
        """The concept of this name, made where there is none."""
        key = name_key(name)
        if key in self.known:
            known = self.known[key]
            if WIDTH[known.scope] < WIDTH[self.node.scope]:  # now it is named where more may look
                self.tx.update(known.id, scope=self.node.scope)
            return known
        moment, node = self.node.created_at, self.node
        new_concept = Node(
            id=self.tx.node_id(self.new_id()), kind=NodeKind.CONCEPT, name=name[:60], content=name,
            created_at=moment, metadata={"name_key": name} if len(name) > 60 else {},
            occurred_at=moment, valid_from=moment, last_accessed=moment, session_id=node.session_id,
            agent_id=node.agent_id, domain=node.domain, scope=node.scope, context_id=node.context_id,
        )  # fmt: skip
        self.tx.put(new_concept, new=True)
        self.known[key] = new_concept
        return new_concept

    def state(self, statement: Statement) -> tuple[Node, ...]:
        """Make the edge of a statement, and those to its ends; the ends, or none where they are one concept."""
        source, target = self.concept(statement.source), self.concept(statement.target)
        if source.id == target.id:
            return ()
        self.edge(source.id, target.id, *_edge_of(statement))
        for end in (source, target):
            self.edge(self.node.id, end.id, EdgeType.RELATIONAL, 0.5, "mentions")
        return source, target


def put_statements(
    tx: Transaction, node: Node, statements: Sequence[Statement], new_id: Callable[[], str]
) -> list[Edge]:
    """Write what the text of a memory states, as far as no edge that leads from the memory says it already."""
    linker = _Linker(tx, node, new_id)
    linker.look_up([name_key(name) for one in statements for name in (one.source, one.target)])
    mentioned = {
        (edge.target, edge.created_at)
        for edge in tx.edges(node.id)
        if edge.source == node.id and edge.origin == "mentions"
    }
    known = {node.id for node in linker.known.values()}
    stated = {
        (edge.source, edge.target, edge.edge_type, edge.origin)
        for edge in tx.edges_between(known)
        if {(edge.source, edge.created_at), (edge.target, edge.created_at)} <= mentioned
    }
    for statement in statements:
        source, target = (linker.known.get(name_key(name)) for name in (statement.source, statement.target))
        kind, _, origin = _edge_of(statement)
        if source is None or target is None or (source.id, target.id, kind, origin) not in stated:
            linker.state(statement)
    return linker.written()


def _edge_of(statement: Statement) -> tuple[EdgeType, float, str]:
    """Kind, weight and origin of the edge that says what a statement does."""
    kind = EdgeType.CAUSAL if statement.kind == "causal" else EdgeType.HIERARCHICAL
    return (kind, HEDGED_WEIGHT, "hedged") if statement.hedged else (kind, STATED_WEIGHT, "extracted")


def put_links(
    tx: Transaction,
    node: Node,
    draft: Draft,
    *,
    text: AnalyzedText,
    previous: Said | None,
    near: Near,
    corpus: Corpus,
    new_id: Callable[[], str],
    look: Sequence[tuple[str, float]] = (),
) -> Links:
    """Write the edges of a memory: to its session's previous memory, to what it is like, to what it names.

    Parameters
    ----------
    look : sequence of (str, float)
        Memories whose files look or sound like this one's, and how similar they are.
    """
    linker = _Linker(tx, node, new_id)
    linked = [target for target in draft.link_to if isinstance(target, str)]  # drafts have become ids by now
    close = [(corpus.ids[row], float(cos)) for row, cos in zip(near.rows, near.cosines, strict=True)][
        :MAX_SEMANTIC_EDGES
    ]
    before = [] if previous is None else [previous.id]
    tx.have_nodes([*linked, *before, *(other for other, _ in look), *(other for other, _ in close)])
    for other in dict.fromkeys(linked):
        linker.edge(node.id, other, EdgeType.RELATIONAL, 0.8, "explicit")
    if previous is not None:
        linker.edge(previous.id, node.id, EdgeType.TEMPORAL, TEMPORAL_WEIGHT, "temporal")
    for other, similarity in look:
        if other not in linked and tx.has_node(other):
            linker.edge(node.id, other, EdgeType.SEMANTIC, similarity, "look", confidence=similarity)
    joined = {*linked, *(other for other, _ in look)}
    for other, cosine in close:
        gone = not tx.has_node(other)  # another process took it away since we looked around
        if cosine >= SEMANTIC_FROM and other not in joined and not gone:
            linker.edge(node.id, other, EdgeType.SEMANTIC, cosine, "semantic", confidence=cosine)
    concepts, mentions, statements = [], text.mentions[:MAX_LOOKED_UP_NAMES], text.statements
    linker.look_up(
        [mention.key for mention in mentions] + [name_key(n) for s in statements for n in (s.source, s.target)]
    )
    holders = _holders(tx, corpus, [mention for mention in mentions if mention.key not in linker.known], node.id)
    for mention in mentions:
        known, earlier = linker.known.get(mention.key), holders.get(mention.key, [])
        if known is None and not earlier:
            continue  # named for the first time: a concept is worth a node from its second mention on
        concept = linker.concept(mention.text)
        for other in earlier if known is None else ():
            linker.edge(other, concept.id, EdgeType.RELATIONAL, 0.5, "mentions")
        linker.edge(node.id, concept.id, EdgeType.RELATIONAL, 0.5, "mentions")
        concepts.append(concept.name)
    for statement in statements:
        concepts += [end.name for end in linker.state(statement)]
    return Links(tuple(linker.written()), tuple(dict.fromkeys(concepts)))


def join(tx: Transaction, node: Node, source: str, target: str, kind: EdgeType, new_id: Callable[[], str]) -> Edge:
    """Join two concepts that a memory relates in so many words, and both to the memory; made where there are none."""
    linker = _Linker(tx, node, new_id)
    linker.look_up([name_key(source), name_key(target)])
    ends = linker.concept(source), linker.concept(target)
    linker.edge(ends[0].id, ends[1].id, kind, 0.8, "explicit")
    joined = {edge.target for edge in tx.edges(node.id) if edge.source == node.id}
    for end in ends:
        if end.id not in joined:
            linker.edge(node.id, end.id, EdgeType.RELATIONAL, 0.5, "mentions")
    return linker.written()[0]


def _holders(tx: Transaction, corpus: Corpus, mentioned: Sequence[Mention], node_id: str) -> dict[str, list[str]]:
    """By the key of each name the stored memories that mention it, found by its words and read to be sure."""
    near = {mention: _having(corpus, mention.text, node_id) for mention in mentioned}
    ids = {id for found in near.values() for id in found}
    read = tx.columns_of(["id", "content", "speaker"], ids) if ids else ()
    said = {id: (content, speaker) for id, content, speaker in read}
    return {
        mention.key: [id for id in found if id in said and _names(*said[id], mention)]
        for mention, found in near.items()
    }


def _having(corpus: Corpus, name: str, node_id: str) -> list[str]:
    """The last memories that have all words of a name."""
    terms = dict.fromkeys(term_id(stem) for stem in stems(name))
    if not terms:
        return []
    holders, *others = sorted((corpus.terms.postings(term)[0] for term in terms), key=len)
    last: list[int] = []
    for end in range(len(holders), 0, -LOOKED_AT_TOGETHER):
        part = holders[max(end - LOOKED_AT_TOGETHER, 0) : end]
        for other in others:
            part = part[found_in(part, other)]
        last = [*part[corpus.columns.live[part]].tolist(), *last][-MAX_EARLIER_MEMORIES:]
        if len(last) == MAX_EARLIER_MEMORIES:
            break
    return [corpus.ids[row] for row in last if corpus.ids[row] != node_id]


def _names(content: str, speaker: str | None, mention: Mention) -> bool:
    """The same spelling, capitals included, tells a name from the word."""
    return mention.text in content or (speaker is not None and name_key(speaker) == mention.key)
