"""What a text is, in the spaces that are built: declared in `SPACES`, made by `Embedder`."""

from context_graph.embed import late
from context_graph.embed.embedder import Embedder, Fingerprint, QueryVectors
from context_graph.embed.spaces import SPACES, Space
from context_graph.embed.temporal import periodic, positional, recent

__all__ = ["SPACES", "Embedder", "Fingerprint", "QueryVectors", "Space", "late", "periodic", "positional", "recent"]
