"""Every task of the background, those of the rooms below included."""

from context_graph.agents import runner
from context_graph.connectors.folder import passages
from context_graph.ingest.tasks import TASKS

__all__ = ["TASKS", "passages", "runner"]
