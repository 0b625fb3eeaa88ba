"""What a process with the space of `toy_space` sees: `toy_space_use.py VERB HOME LINES` prints a JSON object."""

import importlib.util
import json
import sys
from pathlib import Path

if sys.argv[1] != "without":  # the import line of the new space
    spec = importlib.util.spec_from_file_location("toy_space", Path(__file__).with_name("toy_space.py"))
    spec.loader.exec_module(importlib.util.module_from_spec(spec))

from context_graph import Draft, Memory, Question
from context_graph.connectors.jsonl.exporter import export
from context_graph.connectors.jsonl.importer import check, import_lines
from context_graph.index import segment_cache, snapshot
from context_graph.settings import Settings
from context_graph.store import segments

segments.SEGMENT_ROWS = segment_cache.SEGMENT_ROWS = snapshot.SEGMENT_ROWS = 2  # so that a few memories make a segment
TEXTS = ("Anna has a red bicycle.", "Ben has a blue bicycle.", "Clara has a bicycle.", "David walks to work.")
verb, home, lines = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
embedded = 0
with Memory(Settings(home=home, tier="base")) as memory:
    if verb == "store":
        for text in TEXTS:
            memory.remember(Draft(text, "a habit"))
        lines.write_text("".join(export(memory)), "utf-8")
    elif verb == "import":
        told = lines.read_text("utf-8").splitlines(keepends=True)
        embedded = import_lines(memory, told, check(memory, told)).embedded
    if verb != "without":
        weights = [(table, "colour", 1.0) for table in memory.ranking["base"].tables]
        memory.ranking["base"] = memory.ranking["base"].changed(weights)
    hits = memory.recall(Question("Who has something blue?", record=False)).hits
    colours = memory.corpus.optional.get("E14")
    print(
        json.dumps(
            {
                "rows": [] if colours is None else sorted(colours.owners.row.tolist()),
                "scores": {hit.node.content.split()[0]: hit.parts.get("colour", 0.0) for hit in hits},
                "kept": {
                    node.content.split()[0]: "E14" in memory.store.vector_models(node.id)
                    for node in memory.store.memories()
                },
                "embedded": embedded,
                "sound": memory.store.verify().ok,
            }
        )
    )
