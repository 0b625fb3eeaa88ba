"""A small question set in the layout of the public ones: two steps from question to answer."""

import gzip
import json
from pathlib import Path

PARAGRAPHS = [
    ("Mira Tanaka", "Mira Tanaka is a cellist who was born in the harbour town of Oldport and lives in Vienna."),
    ("Oldport", "Oldport is a harbour town on the northern coast. It is the seat of Brackwater County."),
    ("Brackwater County", "Brackwater County has forty villages and a lighthouse built in 1821."),
    ("Vienna", "Vienna is the capital of Austria and known for its coffee houses."),
    ("The Salt Road", "The Salt Road (film) is a film about a caravan, directed by Jonas Field."),
    ("Jonas Field", "Jonas Field, born in 1961, directs films and teaches in Lisbon."),
    ("Lisbon", "Lisbon is the capital of Portugal, on the river Tagus."),
    ("Cello", "The cello is a bowed instrument with four strings, tuned in fifths."),
]
QUESTIONS = [
    ("Which county has its seat in the town where Mira Tanaka was born?", [0, 1]),
    ("In which city does the director of The Salt Road teach?", [4, 5]),
    ("How many strings does a cello have?", [7]),
    ("When was the lighthouse of Brackwater County built?", [2]),
]


def write(folder: Path) -> Path:
    """Write corpus.jsonl.gz and questions.jsonl; returns the folder."""
    folder.mkdir()
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        for id, (title, text) in enumerate(PARAGRAPHS):
            file.write(json.dumps({"id": id, "title": title, "text": text}) + "\n")
    lines = [json.dumps({"id": f"q{i}", "question": q, "gold": gold}) for i, (q, gold) in enumerate(QUESTIONS)]
    (folder / "questions.jsonl").write_text("\n".join(lines), "utf-8")
    return folder
