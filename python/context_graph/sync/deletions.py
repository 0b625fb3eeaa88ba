"""How much a peer takes away within a day, and where it is stopped."""

from collections.abc import Mapping
from typing import Any

from context_graph.errors import SyncStopped
from context_graph.instants import DAY_US, HOUR_US
from context_graph.sync.limits import Limits

__all__ = ["check", "count", "within_a_day"]


def within_a_day(state: Mapping[str, Any], name: str, now: int) -> int:
    """How many memories were counted under a name in the last day, in what is noted of a peer."""
    return sum(number for at, number in state.get(name, ()) if at > now - DAY_US)


def count(state: dict[str, Any], name: str, now: int, number: int) -> None:
    """Count some more, one number an hour: however small its batches are, none of a peer's is left out."""
    counts = {at: number for at, number in state.get(name, ()) if at > now - DAY_US}
    last = max(counts, default=0)
    at = last if now - last < HOUR_US else now
    state[name] = sorted((counts | {at: counts.get(at, 0) + number}).items())


def check(peer: str, state: Mapping[str, Any], now: int, gone: int, live: int, limits: Limits) -> None:
    """See that a peer takes away no more than it may; what it brought within a day does not let it take more.

    Parameters
    ----------
    gone : int
        Memories that a batch would forget or delete.
    live : int
        Memories that are live before it.

    Raises
    ------
    SyncStopped
        It would; nothing of the batch is taken in.
    """
    earlier = within_a_day(state, "deleted", now)
    before = live + earlier
    others = max(0, before - within_a_day(state, "brought", now))
    if gone + earlier > max(limits.at_least, limits.share * others) and now > state.get("accepted_until", 0):
        raise SyncStopped(
            f"{peer} would forget or delete {gone + earlier} of {before} memories within a day, more than "
            f"{limits.share:.0%} of those that others wrote; nothing of that was taken in",
            hint=f"look there what happened; context-graph sync --accept-deletions {peer} lets it through for an hour",
        )
