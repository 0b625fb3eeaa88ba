"""What a memory knows beside its index, as a search asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from context_graph.derived import EntitySpace, Facts, GraphSpace
from context_graph.extraction import Fact
from context_graph.graph.entities import title_keys
from context_graph.index.corpus import Corpus
from context_graph.reading.fingerprints import given_name
from context_graph.retrieval.pipeline import search
from context_graph.retrieval.types import CandidatePool, Query

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MemorySources", "retrieve", "texts_of"]

LINKED = 50  # memories that the graph step brings in at most


@dataclass(frozen=True, slots=True, eq=False)
class MemorySources:
    """`Sources` of one search: the views of a memory, for the rows that its query may see."""

    memory: "Runtime"
    corpus: Corpus
    query: Query

    def entries(self, rows: np.ndarray) -> list[tuple[str, str | None]]:
        """What memories say, and the key of the name that each is an entry about."""
        ids = self.corpus.ids
        nodes = {node.id: node for node in self.memory.store.nodes(ids[row] for row in rows)}
        found = []
        for row in rows:
            node = nodes.get(ids[row])
            keys = [] if node is None or node.speaker else title_keys(node.content, declared=given_name(node))
            found.append(("" if node is None else node.content, keys[-1] if keys else None))
        return found

    def texts(self, rows: np.ndarray) -> list[str]:
        return texts_of(self.memory, self.corpus, rows)

    def neighbours(self, rows: np.ndarray, trust: np.ndarray) -> dict[int, float]:
        """Memories that edges lead to from the best hits, the strongest: row -> trust in the hit times weight."""
        reached: dict[int, float] = {}
        of = {self.corpus.ids[row]: float(p) for row, p in zip(rows, trust, strict=True)}
        for source, target, weight in self.memory.store.reached(of):
            for near, far in ((source, target), (target, source)):
                row = self.corpus.row_of.get(far)
                if near in of and row is not None:
                    reached[row] = max(reached.get(row, 0.0), of[near] * weight)
        best = sorted(reached, key=lambda row: (-reached[row], row))[:LINKED]
        return {row: reached[row] for row in best}

    def facts(self, rows: np.ndarray) -> Sequence[tuple[int, Fact]]:
        return self.memory.view(Facts).stated(self.corpus, rows, self.query.mask)

    def entity_scores(self, rows: np.ndarray) -> np.ndarray:
        return self.memory.view(EntitySpace).scores(self.corpus, self.query.vectors.text, rows)

    def graph_vectors(self, rows: np.ndarray) -> np.ndarray:
        return self.memory.view(GraphSpace).vectors(self.corpus, rows)


def texts_of(memory: "Runtime", corpus: Corpus, rows: np.ndarray) -> list[str]:
    """The text of each row, "" for one that is gone."""
    ids = [corpus.ids[row] for row in rows.tolist()]
    contents = dict(memory.store.columns_of(["id", "content"], ids))
    return [contents.get(id, "") for id in ids]


def retrieve(memory: "Runtime", corpus: Corpus, query: Query) -> CandidatePool:
    """Run the pipeline with all that this memory knows beside its index."""
    return search(corpus, query, MemorySources(memory, corpus, query))
