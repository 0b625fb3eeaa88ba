"""The names of the store in E11: learned when they are asked for, from what is connected and what is named together."""

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np

from context_graph.derived.view import IndexedView, view
from context_graph.embed import entity
from context_graph.graph.entities import mentions
from context_graph.index.corpus import Corpus
from context_graph.models import EdgeType, NodeKind
from context_graph.names import name_key
from context_graph.store import Change, Storage

__all__ = ["EntitySpace"]

GROWTH = 1.25
MAX_COOCCURRING_NAMES = 8
"""Names of one memory that count as named together."""


@view("entity_space", "store")
class EntitySpace(IndexedView):
    """Where the concepts of a store lie, and which of them each memory names.

    Learned again, from where the points were, once the store has a quarter more edges. Nothing is written: the points
    follow from the edges.
    """

    def __init__(self, store: Storage) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self._edges = 0
        self._places: dict[str, int] = {}
        self._named: dict[str, list[int]] = {}
        self._concepts: dict[str, str] = {}
        """The name of each concept, by its id."""

        self._space: entity.Entities | None = None

    def apply(self, change: Change) -> None:
        """No single change matters: it is learned again once the store has grown."""

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        for id in nodes:
            self._named.pop(id, None)
            name = self._concepts.pop(id, None)
            if name is not None and name not in self._concepts.values():
                self._places.pop(name, None)

    def scores(self, corpus: Corpus, question: str, rows: np.ndarray) -> np.ndarray:
        """How near the names of memories lie to those of a question: float32 (n,), NaN where either names nothing."""
        with self._taking_in(corpus):
            self._refresh()
            keys = {mention.key for mention in mentions(question, known_keys=frozenset(self._places))}
            asked = np.array(sorted(self._places[key] for key in keys if key in self._places), np.int64)
            nearness = np.full(len(rows), np.nan, np.float32)
            if len(asked) == 0 or self._space is None:
                return nearness
            near, ids = entity.nearness(self._space, asked), corpus.ids
            for i, row in enumerate(rows.tolist()):
                if held := self._named.get(ids[row]):
                    nearness[i] = np.fmax.reduce(near[held])
            return nearness

    def _refresh(self) -> None:
        if self._space is not None and self._store.counts()["edges"] < GROWTH * self._edges:
            return
        edges = self._store.all_edges()
        nodes = {node.id: node for node in self._store.nodes({end for e in edges for end in (e.source, e.target)})}
        concepts = {id: name_key(node.name) for id, node in nodes.items() if node.kind == NodeKind.CONCEPT}
        names = sorted(set(concepts.values()))
        places = {name: place for place, name in enumerate(names)}
        relations = [str(kind) for kind in EdgeType] + ["together"]
        facts: list[tuple[int, int, int]] = []
        entity_places: dict[str, list[int]] = {}
        for edge in edges:
            ends = concepts.get(edge.source), concepts.get(edge.target)
            if ends[0] is not None and ends[1] is not None:
                facts.append((places[ends[0]], relations.index(str(edge.edge_type)), places[ends[1]]))
            elif ends[1] is not None and edge.origin == "mentions":
                entity_places.setdefault(edge.source, []).append(places[ends[1]])
        for held in entity_places.values():
            facts += [(a, len(relations) - 1, b) for a, b in combinations(sorted(set(held))[:MAX_COOCCURRING_NAMES], 2)]
        known = {}
        if self._space is not None:
            known = {name: self._space.points[place] for name, place in self._places.items()}
        triples = np.array(sorted(set(facts)), np.int64).reshape(-1, 3)
        self._space = entity.learned(triples, names, relations, known)
        self._places, self._named, self._edges = places, entity_places, max(len(edges), 1)
        self._concepts = concepts
