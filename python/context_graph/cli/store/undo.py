"""`context-graph undo`."""

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import opened
from context_graph.cli._options import options
from context_graph.cli._output import show

if TYPE_CHECKING:
    from context_graph.ingest.forget import Restored
    from context_graph.memory import Memory

EXAMPLE = "context-graph undo 9c1e5a7704bd21f3"


def parser() -> argparse.ArgumentParser:
    arg_parser = options("undo", "Take back writes; undoing the undo redoes it.", example=EXAMPLE)
    arg_parser.add_argument(
        "hash", nargs="+",
        help="from context-graph log, or the reversal_hash of a tool's answer; several are taken back in the order "
        "given, up to the first that cannot be",
    )  # fmt: skip
    arg_parser.add_argument("--preview", action="store_true", help="only say what would change")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.errors import ContextGraphError

    undone: dict[str, Restored] = {}
    failure = None
    with opened(parsed) as memory:
        if len(parsed.hash) > 1:
            _check_hashes(memory, parsed.hash)
        try:
            for hash in parsed.hash:
                undone[hash] = _undone(memory, hash, preview=parsed.preview)
        except ContextGraphError as error:
            failure = error if len(parsed.hash) == 1 else _with_progress(error, parsed.hash, undone)
    if undone and not (failure and parsed.json):  # a program gets one object: that of the error
        show(parsed, *_report(undone, several=len(parsed.hash) > 1))
    if failure is not None:
        raise failure
    return 0


def _check_hashes(memory: "Memory", hashes: list[str]) -> None:
    """Refuse what is no hash before anything is taken back; one that no write has is met in its turn."""
    from context_graph.errors import EventNotFound

    for hash in hashes:
        with suppress(EventNotFound):
            memory.store.event(hash)


def _undone(memory: "Memory", hash: str, *, preview: bool) -> "Restored":
    """One write taken back, or what that would change."""
    from context_graph.ingest.forget import restore

    event = memory.store.event(hash)  # an unknown hash is told in the words of the log
    return restore(memory, event.hash, preview=preview, only=None)


def _with_progress(error: Exception, hashes: list[str], undone: dict[str, "Restored"]) -> Exception:
    """The error of one of several hashes, which also says which were taken back before it and which were not tried."""
    rest = " ".join(hashes[len(undone) + 1 :]) or "none"
    error.args = (f"{error}; taken back before it: {' '.join(undone) or 'none'}; not tried: {rest}",)
    return error


def _report(undone: dict[str, "Restored"], *, several: bool) -> tuple[dict[str, Any], str]:
    """What was taken back, for a program and for a person."""
    if not several:
        (done,) = undone.values()
        return _data(done), _text(done)
    writes = [{"hash": hash, **_data(done)} for hash, done in undone.items()]
    lines = [f"{hash}: {_text(done)}" for hash, done in undone.items()]
    return {"undone": all(done.done for done in undone.values()), "writes": writes}, "\n".join(lines)


def _data(done: "Restored") -> dict[str, Any]:
    return {
        "undone": done.done, "operation": done.original_type, "nodes": list(done.node_ids), "edges": done.edges,
        "removed_edges": done.removed_edges, "redo": done.reversal_hash, "conflicts": list(done.conflicts),
    }  # fmt: skip


def _text(done: "Restored") -> str:
    verb = "took back" if done.done else "would take back" if done.changed else "nothing is left to take back of"
    again = f"; context-graph undo {done.reversal_hash} redoes it" if done.reversal_hash else ""
    gone = f", {done.removed_edges} of them {'removed' if done.done else 'would go'}" if done.removed_edges else ""
    counts = f": {len(done.node_ids)} nodes, {done.edges} edges{gone}" if done.changed else ""
    text = f"{verb} a write of type {done.original_type}{counts}{again}"
    return "\n".join([text, *(f"left as it is: {conflict}" for conflict in done.conflicts)])
