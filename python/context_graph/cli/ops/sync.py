"""`context-graph sync`."""

import argparse
import signal
import threading
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import opened, settings_of
from context_graph.cli._options import options, whole_number
from context_graph.cli._output import complain, show

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.sync.run import Outcome

DAY_S = 86_400


def parser() -> argparse.ArgumentParser:
    text = "Exchange with peers what either has not seen; context-graph peer add NAME PLACE --key KEY adds one."
    command = options("sync", text, example="context-graph sync")
    command.add_argument("peers", nargs="*", metavar="PEER", help="only with these (default: with all)")
    command.add_argument("--watch", type=whole_number(1, DAY_S), metavar="SECONDS", help="go on, every so often")
    command.add_argument(
        "--accept-deletions", metavar="PEER", help="let this one take away as much as it will, for an hour"
    )
    return command


def run(parsed: argparse.Namespace) -> int:
    from context_graph.errors import NotInitialized
    from context_graph.sync.peers import Peers
    from context_graph.sync.status import accept_deletions, watching

    peers = Peers(settings_of(parsed).home)
    chosen = [peers.of(name) for name in parsed.peers] or peers.all()
    if not chosen:
        raise NotInitialized("no peer is configured", hint="context-graph peer add NAME PLACE --key KEY adds one")
    with opened(parsed, make=True) as memory:
        if parsed.accept_deletions:
            accept_deletions(memory, peers.of(parsed.accept_deletions))
        if not parsed.watch:
            return _once(memory, parsed, chosen)
        interrupted = _noting_interrupts()
        try:
            while not interrupted.is_set():
                watching(memory, float(parsed.watch))
                _once(memory, parsed, [peer for peer in peers.all() if not parsed.peers or peer in chosen])
                interrupted.wait(parsed.watch)
            raise KeyboardInterrupt
        finally:
            watching(memory, None)


def _noting_interrupts() -> threading.Event:
    """An event that Ctrl-C sets, beside what it raises: that is lost where it arrives in a callback of the garbage
    collector.
    """
    interrupted = threading.Event()

    def note(_: int, __: object) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, note)
    return interrupted


def _once(memory: "Memory", parsed: argparse.Namespace, chosen: list[Any]) -> int:
    from context_graph.sync.run import synchronise

    outcomes = synchronise(memory, [peer for peer in chosen if peer.place])
    waiting = [peer for peer in chosen if not peer.place]
    lines = [_line(outcome) for outcome in outcomes]
    lines += [f"{peer.name}: it comes here; it has no place to be asked at" for peer in waiting]
    show(parsed, [_values(outcome) for outcome in outcomes], "\n".join(lines))
    for outcome in outcomes:
        for problem in ([outcome.error] if outcome.error else []) + outcome.problems[:5]:
            complain(f"context-graph sync: {outcome.peer.name}: {problem}")
    return int(any(outcome.error or outcome.problems for outcome in outcomes))


def _values(outcome: "Outcome") -> dict[str, Any]:
    folded = outcome.done.folded
    return {
        "peer": outcome.peer.name, "received": folded.received, "changed": folded.written, "sent": outcome.done.sent,
        "conflicts": folded.conflicts, "forgotten": folded.forgotten, "purged": folded.purged,
        "quarantined": folded.quarantined, "waiting": folded.held, "skipped": folded.skipped,
        "equal": outcome.done.equal, "state": outcome.done.state or None, "error": outcome.error or None,
        "problems": outcome.problems,
    }  # fmt: skip


def _line(outcome: "Outcome") -> str:
    name, done, folded = outcome.peer.name, outcome.done, outcome.done.folded
    if outcome.error and not done.rounds:
        return f"{name}: failed"
    parts = [f"{folded.received} received", f"{folded.written} changed here", f"{done.sent} sent"]
    parts += [
        f"{count} {word}"
        for count, word in (
            (folded.conflicts, "conflicts resolved"), (folded.forgotten, "forgotten"),
            (folded.purged, "deleted for good"), (folded.quarantined, "in quarantine"), (folded.skipped, "not shared"),
        )
        if count
    ]  # fmt: skip
    state = {True: "both are equal", False: "not equal yet", None: "not compared"}[done.equal]
    return f"{name}: {', '.join(parts)}; {state}" + (f", state {done.state[:16]}" if done.state else "")
