"""Knowledge: Markdown documents as a graph, what is asked of it, and what runs over it."""

from context_graph.knowledge.document import Document, DocumentTree
from context_graph.knowledge.graph import DocumentGraph
from context_graph.knowledge.vectors import Vectors
from context_graph.knowledge.view import Documents

__all__ = ["Document", "DocumentGraph", "DocumentTree", "Documents", "Vectors"]
