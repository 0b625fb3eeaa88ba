"""Curate memories: a note beside one, two merged into one, and all of it taken back."""

import tempfile
from pathlib import Path

from context_graph import Draft, Memory, Question
from context_graph.ingest.curation import annotate
from context_graph.ingest.forget import restore
from context_graph.ingest.merging import merge
from context_graph.settings import Settings

with tempfile.TemporaryDirectory() as folder, Memory(Settings(home=Path(folder), tier="base")) as memory:
    one, other = (
        memory.remember(Draft(text, rationale="who checks the tokens")).node.id
        for text in (
            "The gateway validates JWT tokens.",
            "JWT tokens are validated in the gateway. It caches the keys.",
        )
    )
    merged = merge(memory, [one, other], "JWT validation", "summarize")
    print("merged:", merged.node.content)
    annotate(memory, merged.node.id, "The cache was switched off in May.", "correction")
    print("found: ", [hit.node.name for hit in memory.recall(Question("Who validates tokens?")).hits])
    restore(memory, merged.reversal_hash, preview=False)
    print("again: ", [hit.node.content for hit in memory.recall(Question("Who validates tokens?")).hits])
