"""Removing what is wrong, and taking that back."""

from context_graph.tools.curation.forget_concept import forget_concept
from context_graph.tools.curation.restore_from_hash import restore_from_hash

__all__ = ["forget_concept", "restore_from_hash"]
