"""Every write has a hash that takes it back, and everything can be taken along as lines of JSON."""

import json
import tempfile
from pathlib import Path

from context_graph import Memory, Settings
from context_graph.connectors.jsonl import importer

folder = tempfile.TemporaryDirectory()
here, there = (Settings(home=Path(folder.name) / name, tier="base") for name in ("here", "there"))

with Memory(here) as memory:
    memory.remember("The spare key hangs behind the boiler.", rationale="for guests")
    memory.remember("The spare key hangs in the shed.", rationale="for guests")

    undone = memory.undo()
    print("after undo:", [hit.content for hit in memory.recall("Where is the spare key?")])
    memory.undo(undone)
    print("undo of the undo:", len(memory.recall("Where is the spare key?")), "memories")
    memory.undo()

    file = memory.export(Path(folder.name) / "memory.jsonl").path
lines = file.read_text("utf-8").splitlines(keepends=True)
print("exported:", ", ".join(sorted({json.loads(line)["type"] for line in lines})))

with Memory(there) as memory:
    plan = importer.check(memory, lines)  # reads everything before anything is written
    importer.import_lines(memory, lines, plan)
    print("elsewhere:", [hit.content for hit in memory.recall("Where is the spare key?")])
    print("the log there is whole:", memory.store.verify().ok)
folder.cleanup()
