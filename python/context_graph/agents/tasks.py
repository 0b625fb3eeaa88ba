"""Every task of the background, those of the rooms below included."""

from context_graph.agents import chains, runner
from context_graph.connectors.folder import passages
from context_graph.ingest.tasks import TASKS

__all__ = ["TASKS", "chains", "passages", "runner"]
