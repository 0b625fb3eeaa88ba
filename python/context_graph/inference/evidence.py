"""The graph as a caller may use it for conclusions: every step with the memories that state it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_graph.access import visible_nodes
from context_graph.derived import ConceptNames
from context_graph.graph.edges import effective_weight
from context_graph.models import Caller, Edge, EdgeType, Node, NodeKind
from context_graph.visibility import answers

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Evidence", "Link"]

STATED = ("extracted", "hedged", "explicit")
"""Origins of edges between two concepts that a memory states in so many words."""


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two things.

    Attributes
    ----------
    source, target : str
        The things: concepts that are alike are one, under the id of the eldest.
    stated_in : tuple of str
        The memories that state it, where it joins two concepts.
    """

    source: str
    target: str
    edge: Edge
    stated_in: tuple[str, ...]

    @property
    def weight(self) -> float:
        """What the edge conducts, in [0, 1]."""
        return min(1.0, effective_weight(self.edge))


class Evidence:
    """Edges that a caller may rest on: of memories that are live, valid now and visible to the caller.

    An edge between two concepts counts as long as a memory states it. Which one does is told by the edges that it made
    in the same moment: to both concepts.
    """

    def __init__(self, memory: "Runtime", caller: Caller) -> None:
        self._memory, self._caller = memory, caller
        self._store, self._names = memory.store, memory.view(ConceptNames)
        self._viewer, self._moment = memory.viewer(caller), memory.present()
        self._nodes: dict[str, Node] = {}
        self._faces: dict[str, Node] = {}
        self._links: dict[tuple[EdgeType, ...] | None, dict[str, dict[str, Link]]] = {}

    def thing(self, node_id: str) -> str:
        """Under which id a node takes part."""
        return self._names.alike(node_id)[0]

    def face(self, thing: str) -> Node:
        """The node that stands for a thing in answers: one that the caller was led to."""
        return self._faces[thing]

    def meet(self, node: Node) -> str:
        """Take note that the caller may see a node; the eldest of those that are one thing stands for it."""
        thing = self.thing(node.id)
        known = self._faces.setdefault(thing, node)
        if (node.created_at, node.id) < (known.created_at, known.id):
            self._faces[thing] = node
        return thing

    def answering(self, node_id: str) -> bool:
        """Whether it is a memory that answers the caller now."""
        node = self._node(node_id)
        return node is not None and node.kind == NodeKind.MEMORY and answers(node, self._viewer, self._moment)

    def named_in(self, memory: Node) -> list[str]:
        """The things that a memory names."""
        edges = self._store.edges(memory.id, types=[EdgeType.RELATIONAL])
        ends = [edge.target for edge in edges if edge.source == memory.id and edge.origin == "mentions"]
        return list(dict.fromkeys(self.meet(node) for node in self.nodes(ends)))

    def nodes(self, ids: Iterable[str]) -> list[Node]:
        """Nodes in the order given, those that exist."""
        ids = list(ids)
        self._read(ids)
        return [self._nodes[id] for id in ids if id in self._nodes]

    def links(self, things: Collection[str], kinds: Sequence[EdgeType] | None = None) -> list[Link]:
        """The edges at some things, in the order of their ids; of each thing they are read once."""
        by_thing = self._links.setdefault(None if kinds is None else tuple(kinds), {})
        unread = {thing for thing in things if thing not in by_thing}
        by_thing |= {thing: {} for thing in unread}
        for link in self._read_links(unread, kinds) if unread else ():
            for end in unread & {link.source, link.target}:
                by_thing[end][link.edge.id] = link
        links = {id: link for thing in things for id, link in by_thing[thing].items()}
        return [links[id] for id in sorted(links)]

    def _read_links(self, things: Collection[str], kinds: Sequence[EdgeType] | None) -> list[Link]:
        members = [id for thing in things for id in self._names.alike(thing)]
        edges = self._store.edges(members, types=kinds)
        self._read(end for edge in edges for end in (edge.source, edge.target))
        between = [edge for edge in edges if self._joins_concepts(edge)]
        joining = {edge.id for edge in between}
        stated = self._stated(between)
        unstated = [edge for edge in between if edge.origin not in STATED]
        ends = [self._nodes[end] for edge in unstated for end in (edge.source, edge.target)]
        visible = {node.id for node in visible_nodes(self._memory, ends, self._caller)} if ends else set()
        links = []
        for edge in edges:
            if not {edge.source, edge.target} <= self._nodes.keys():
                continue
            memories = stated.get(edge.id, ())
            if edge.id in joining:
                usable = bool(memories) if edge.origin in STATED else {edge.source, edge.target} <= visible
            else:
                usable = all(
                    self._nodes[end].kind == NodeKind.CONCEPT or self.answering(end)
                    for end in (edge.source, edge.target)
                )
            if usable:
                source, target = self.meet(self._nodes[edge.source]), self.meet(self._nodes[edge.target])
                if source != target:
                    links.append(Link(source, target, edge, memories))
        return links

    def _joins_concepts(self, edge: Edge) -> bool:
        ends = [self._nodes.get(end) for end in (edge.source, edge.target)]
        return all(node is not None and node.kind == NodeKind.CONCEPT for node in ends)

    def _stated(self, edges: list[Edge]) -> dict[str, tuple[str, ...]]:
        """By edge, the memories that state it and answer the caller: they name both ends since the edge was made."""
        concepts = {end for edge in edges for end in (edge.source, edge.target)}
        naming: dict[tuple[str, int], set[str]] = {}
        for mention in self._store.edges(concepts, types=[EdgeType.RELATIONAL]) if concepts else ():
            if mention.origin == "mentions" and mention.target in concepts:
                naming.setdefault((mention.target, mention.created_at), set()).add(mention.source)
        both = {
            edge.id: naming.get((edge.source, edge.created_at), set())
            & naming.get((edge.target, edge.created_at), set())
            for edge in edges
        }
        self._read({memory for memories in both.values() for memory in memories})
        return {
            id: tuple(sorted(memory for memory in memories if self.answering(memory))) for id, memories in both.items()
        }

    def _node(self, id: str) -> Node | None:
        self._read([id])
        return self._nodes.get(id)

    def _read(self, ids: Iterable[str]) -> None:
        missing = {id for id in ids if id not in self._nodes}
        if missing:
            self._nodes |= {node.id: node for node in self._store.nodes(missing)}
