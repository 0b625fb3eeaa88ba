"""Keeping memories in order: notes, weight, merges, removal, and taking all of it back."""

from context_graph.tools.curation.annotate_node import annotate_node
from context_graph.tools.curation.boost_importance import boost_importance
from context_graph.tools.curation.forget_concept import forget_concept
from context_graph.tools.curation.merge_concepts import merge_concepts
from context_graph.tools.curation.reload_manifest import reload_manifest
from context_graph.tools.curation.restore_concept import restore_concept
from context_graph.tools.curation.restore_from_hash import restore_from_hash

__all__ = [
    "annotate_node",
    "boost_importance",
    "forget_concept",
    "merge_concepts",
    "reload_manifest",
    "restore_concept",
    "restore_from_hash",
]
