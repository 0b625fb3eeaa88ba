"""What a text is, in the spaces that are built: declared in `SPACES`, made by `Embedder`."""

from context_graph.embed import code, entity, expansion, graph, late, lexical, multimodal
from context_graph.embed.embedder import Embedder, Fingerprint, QueryVectors, occasional_in
from context_graph.embed.spaces import SPACES, Space
from context_graph.embed.temporal import periodic, positional, recent

__all__ = [
    "SPACES", "Embedder", "Fingerprint", "QueryVectors", "Space", "code", "entity", "expansion", "graph", "late",
    "lexical", "multimodal", "occasional_in", "periodic", "positional", "recent",
]  # fmt: skip
