"""Conclusions from what is stored: how one leads to another, what one is a kind of, and calls for a goal."""

import tempfile
from pathlib import Path

from context_graph import Draft, Memory
from context_graph.server.dispatch import call
from context_graph.settings import Settings

TEXTS = (
    "The night backup causes a full disk.",
    "A full disk causes a database crash.",
    "A whale is a mammal.",
    "Mammals are a kind of animal.",
)

with tempfile.TemporaryDirectory() as folder, Memory(Settings(home=Path(folder), tier="base")) as memory:
    for text in TEXTS:
        memory.remember(Draft(text, rationale="for conclusions"))

    asked = {"start_concept": "night backups", "end_concept": "the database crash", "path_type": "causal"}
    path = call(memory, "find_causal_path", asked).structured
    print("path:", " > ".join(step["node_name"] for step in path["path"]), path["path_confidence"])
    back = {**asked, "start_concept": asked["end_concept"], "end_concept": asked["start_concept"]}
    print("back:", call(memory, "find_causal_path", back).structured["narrative"])

    plan = call(memory, "reflect_on_memory", {"goal": "Is a whale a kind of animal?"}).structured
    step = plan["suggested_sequence"][0]
    kinds = call(memory, step["tool"], step["params"]).structured  # it runs as it was returned
    print("whale:", ", ".join(f"{one['name']} ({one['confidence']})" for one in kinds["relations"]))
