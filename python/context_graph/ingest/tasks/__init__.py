"""Tasks that finish what an answer did not wait for: later chunks, a new model, older versions, files, proposals."""

# In the order in which they are planned when a store is opened.
# isort: off
from context_graph.ingest.tasks import renew
from context_graph.ingest.tasks import embed
from context_graph.ingest.tasks import review
from context_graph.ingest.tasks import reread
from context_graph.ingest.tasks import dream
from context_graph.ingest.tasks import trim
from context_graph.ingest.tasks import extract
# isort: on

from context_graph.runtime.tasks import TASKS

__all__ = ["TASKS", "dream", "embed", "extract", "renew", "reread", "review", "trim"]
