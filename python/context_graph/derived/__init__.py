"""What follows from memories and is made when it is asked for: facts, beliefs, aliases, vectors of the graph, goals."""

from context_graph.derived.aliases import Aliases
from context_graph.derived.beliefs import Beliefs
from context_graph.derived.concept_names import ConceptNames
from context_graph.derived.entity_vectors import EntitySpace
from context_graph.derived.facts import Facts
from context_graph.derived.goals import Goals
from context_graph.derived.graph_vectors import GraphSpace
from context_graph.derived.mentioned_times import MentionedTimes
from context_graph.derived.news import Changed, News
from context_graph.derived.projects import Projects
from context_graph.derived.view import IndexedView, MaterializedView, Supplies, Views, view

__all__ = [
    "Aliases",
    "Beliefs",
    "Changed",
    "ConceptNames",
    "EntitySpace",
    "Facts",
    "Goals",
    "GraphSpace",
    "IndexedView",
    "MaterializedView",
    "MentionedTimes",
    "News",
    "Projects",
    "Supplies",
    "Views",
    "view",
]
