"""`context-graph checkpoint`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show


def parser() -> argparse.ArgumentParser:
    text = "Sign the log as it is now, so that later proofs can refer to it."
    return options("checkpoint", text, example="context-graph checkpoint")


def run(parsed: argparse.Namespace) -> int:
    from context_graph.store import note_of

    with opened(parsed) as memory:
        event = memory.store.checkpoint(memory.author(memory.caller))
    note = note_of(event)
    data = {"hash": event.hash[:16]} | {name: note[name] for name in ("size", "root", "public_key", "signature")}
    text = f"signed {note['size']} events; root {note['root']}, key {note['public_key']}, checkpoint {event.hash[:16]}"
    show(parsed, data, text)
    return 0
