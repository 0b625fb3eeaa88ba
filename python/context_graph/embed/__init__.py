"""What a text is, in the spaces that are built: declared in `SPACES`, made by `Embedder`."""

from context_graph.embed import causal, code, entity, expansion, graph, late, lexical, multimodal
from context_graph.embed.embedder import Embedder, optional_in
from context_graph.embed.fingerprint import Fingerprint, QueryVectors
from context_graph.embed.spaces import OPTIONAL, SPACES, Space, SpaceEncoder
from context_graph.embed.temporal import periodic, positional, recent

__all__ = [
    "OPTIONAL", "SPACES", "Embedder", "Fingerprint", "QueryVectors", "Space", "SpaceEncoder", "causal", "code",
    "entity", "expansion", "graph", "late", "lexical", "multimodal", "optional_in", "periodic", "positional", "recent",
]  # fmt: skip
