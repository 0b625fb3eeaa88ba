"""`context-graph replay`."""

import argparse

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.cli.ops.verify import described


def parser() -> argparse.ArgumentParser:
    text = "Make the tables anew from the event log, without embedding anything."
    found = options("replay", text, example="context-graph replay --verify")
    found.add_argument("--verify", action="store_true", help="only compare what replay gives with the tables")
    return found


def run(parsed: argparse.Namespace) -> int:
    with opened(parsed) as memory:
        before = memory.store.verify()
        if parsed.verify or before.ok:
            data, text = described(before)
            show(parsed, data | {"replayed": False}, text)
            return 0 if before.ok else 1
        after = memory.store.replay()
    data, text = described(after)
    show(parsed, data | {"replayed": True}, f"the tables were made anew; the store before is in backups\n{text}")
    return 0 if after.ok else 1
