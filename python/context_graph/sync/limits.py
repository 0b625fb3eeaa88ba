"""What a peer may do at most: how far its clock may be ahead, how much it may say and take away."""

from dataclasses import dataclass

from context_graph.instants import MINUTE_US

__all__ = ["MAX_BATCH_BYTES", "PATH", "Limits"]

PATH = "/api/v1/sync"
"""Where a server answers other homes."""

MAX_BATCH_BYTES = 8_388_608
"""Of a message as it travels: what is longer is not read."""

MAX_AHEAD_US = 10 * MINUTE_US


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
