"""LoCoMo as clients feed it: speaker, date and session in fields, or at the beginning of the text.

::

    python -m benchmarks.quality.clients --data PATH/locomo [--tier base] [--ways fields head ...]

`fields` gives all three as arguments, `words` the date as people write it in metadata, `head` puts "[8 May 2023] Anna:"
before the text and `speaker` "Anna:" alone, both without any field but the session; `bare` gives neither.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.embed.lexical import date_words
from context_graph.evaluation.measure import MEASURES, recalls
from context_graph.evaluation.sets import QuestionSet, read
from context_graph.evaluation.stores import stored
from context_graph.ingest.draft import Draft

WAYS = {
    "fields": lambda draft: draft,
    "words": lambda draft: replace(
        draft, occurred_at=None, speaker=None, metadata={"date": _date(draft), "speaker": draft.speaker}
    ),
    "head": lambda draft: replace(
        draft, content=f"[{_date(draft)}] {draft.speaker}: {draft.content}", occurred_at=None, speaker=None
    ),
    "speaker": lambda draft: replace(
        draft, content=f"{draft.speaker}: {draft.content}", occurred_at=None, speaker=None
    ),
    "bare": lambda draft: replace(draft, occurred_at=None, speaker=None, read_head=False),
}  # fmt: skip


def _date(draft: Draft) -> str:
    return date_words(draft.occurred_at or 0)


def fed(part: QuestionSet, way: str) -> QuestionSet:
    """A set whose memories come in another way."""
    return replace(part, name=f"{part.name}-{way}", memories=tuple(WAYS[way](draft) for draft in part.memories))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tier", default="base")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    options = parser.parse_args()
    started, numbers = time.perf_counter(), {}
    for way in options.ways:
        with stored([fed(part, way) for part in read(options.data)], options.tier) as asked:
            found = recalls(asked)
            held = np.array([one.question.held for one in asked])
        for rows, name in ((found, way), (found[held], f"{way}, held")):
            numbers[name] = {measure: round(100 * float(rows[:, i].mean()), 1) for i, measure in enumerate(MEASURES)}
        print(way, numbers[way], numbers[f"{way}, held"], flush=True)
    save(
        Path("benchmarks/results/clients"),
        f"{options.data.name}-{options.tier}",
        numbers,
        [],
        seconds=time.perf_counter() - started,
    )


if __name__ == "__main__":
    main()
