"""`context-graph facts`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import shortened, show

MOST_TAGS = 3
"""Citations of one value that are printed; JSON has all."""

WIDTH = 60


def parser() -> argparse.ArgumentParser:
    found = options(
        "facts",
        "Say what memories state of people and things, gathered over sessions, with citations.",
        example="context-graph facts Anna",
    )
    found.add_argument("name", nargs="*", help="a person or thing, by the whole name or the first; none: all")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.memory.citations import tag_of
    from context_graph.models import to_iso
    from context_graph.retrieval import Viewer

    name = " ".join(parsed.name).strip() or None
    with opened(parsed) as memory:
        entries = memory.facts.entries(Viewer(memory.session_id, memory.context_id), name)
    data = [
        {
            "subject": entry.subject,
            "relation": entry.relation,
            "values": [
                {
                    "value": said.value, "past": said.past, "first": to_iso(said.first), "last": to_iso(said.last),
                    "memories": list(said.memories),
                }
                for said in entry.values
            ],
        }
        for entry in entries
    ]  # fmt: skip
    lines = []
    for entry in entries:
        values = []
        for said in entry.values:
            tags = " ".join(tag_of(id) for id in said.memories[-MOST_TAGS:])
            more = f" and {len(said.memories) - MOST_TAGS} more" if len(said.memories) > MOST_TAGS else ""
            last = f" (last said {to_iso(said.last)[:10]})" if said.past else ""
            values.append(f"{shortened(said.value, WIDTH)}{last} {tags}{more}")
        lines.append(f"{shortened(entry.subject, WIDTH)}, {entry.relation}: {'; '.join(values)}")
    whom = f" about {shortened(name, WIDTH)!r}" if name else ""
    show(parsed, data, "\n".join(lines) or f"no facts{whom}; context-graph search finds what is said otherwise")
    return 0
