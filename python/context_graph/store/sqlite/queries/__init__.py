"""The questions that the tables answer, by what is asked for."""

from context_graph.store.sqlite.queries.whole import Queries

__all__ = ["Queries"]
