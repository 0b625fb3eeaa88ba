"""Every write has a hash that takes it back, and everything can be taken along as lines of JSON."""

import json
import tempfile
from pathlib import Path

from context_graph import Draft, Memory, Question
from context_graph.connectors.jsonl import exporter, importer
from context_graph.ingest.forget import restore
from context_graph.settings import Settings

folder = tempfile.TemporaryDirectory()
here, there = (Settings(home=Path(folder.name) / name, tier="base") for name in ("here", "there"))

with Memory(here) as memory:
    memory.remember(Draft("The spare key hangs behind the boiler.", rationale="for guests"))
    wrong = memory.remember(Draft("The spare key hangs in the shed.", rationale="for guests"))

    undone = restore(memory, wrong.event_hash, preview=False, only=None)
    print("after undo:", [hit.node.content for hit in memory.recall(Question("Where is the spare key?")).hits])
    restore(memory, undone.reversal_hash, preview=False, only=None)
    print("undo of the undo:", len(memory.recall(Question("Where is the spare key?")).hits), "memories")
    restore(memory, wrong.event_hash, preview=False, only=None)

    lines = list(exporter.export(memory))
print("exported:", ", ".join(sorted({json.loads(line)["type"] for line in lines})))

with Memory(there) as memory:
    plan = importer.check(memory, lines)  # reads everything before anything is written
    importer.take_in(memory, lines, plan)
    print("elsewhere:", [hit.node.content for hit in memory.recall(Question("Where is the spare key?")).hits])
    print("the log there is whole:", memory.store.verify().ok)
folder.cleanup()
