"""What a peer may do at most: how far its clock may be ahead, how much it may say and take away."""

from dataclasses import dataclass

from context_graph.errors import SyncStopped

__all__ = ["DAY_US", "MAX_BATCH_BYTES", "PATH", "Limits", "check_deletions"]

PATH = "/api/v1/sync"
"""Where a server answers other homes."""

MAX_BATCH_BYTES = 8_388_608
"""Of a message as it travels: what is longer is not read."""

DAY_US = 86_400_000_000
MAX_AHEAD_US = 600_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what is taken in.

    Attributes
    ----------
    ahead : int
        Microseconds by which a write may lie in the future.
    share : float
        Of the live memories, how many may be forgotten or deleted within a day at a peer's word.
    at_least : int
        So many may in any case.
    """

    ahead: int = MAX_AHEAD_US
    share: float = 0.2
    at_least: int = 10


def check_deletions(peer: str, now: int, earlier: int, live: int, limits: Limits) -> None:
    """See that a peer takes away no more than it may.

    Parameters
    ----------
    now, earlier : int
        Memories that a batch would forget or delete, and that batches of the last day did.
    live : int
        Memories that were live before these.

    Raises
    ------
    SyncStopped
        It would; nothing of the batch is taken in.
    """
    if now and now + earlier > max(limits.at_least, limits.share * live):
        raise SyncStopped(
            f"{peer} would forget or delete {now + earlier} of {live} memories within a day, more than "
            f"{limits.share:.0%}; nothing of that was taken in",
            hint=f"look there what happened; context-graph sync --accept-deletions {peer} lets it through for an hour",
        )
