"""`context-graph status`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show

MEGABYTE = 1_000_000


def parser() -> argparse.ArgumentParser:
    return options("status", "Say what the memory holds and what waits.", example="context-graph status")


def run(parsed: argparse.Namespace) -> int:
    from context_graph.embed.lexical import date_words
    from context_graph.presentation.counts import counts_with_past, memories_in_words

    with opened(parsed) as memory:
        counts = counts_with_past(memory)
        waiting, notices = memory.background.waiting(), memory.notices()
        last = memory.store.recent(0, 1, "created_at", viewer=memory.viewer(memory.caller))
        home, tier, label = memory.settings.home, memory.embedder.tier, memory.embedder.label
    sizes = f"{memories_in_words(counts)}, {counts['concepts']} concepts, {counts['edges']} links"
    lines = [
        f"home       {home}",
        f"holds      {sizes}; {counts['bytes_on_disk'] / MEGABYTE:.1f} MB",
        f"models     {label}",
        f"last       {date_words(last[0].created_at) if last else 'nothing stored yet'}",
    ]
    lines += [f"waiting    {count} {what}" for what, count in waiting.items()]
    lines += [f"note       {notice}" for notice in notices]
    show(
        parsed,
        {"home": str(home), "tier": tier, "model": label, **counts, "waiting": dict(waiting), "notes": notices},
        "\n".join(lines),
    )
    return 0
