"""How far a piece of work is, and whether anybody still waits for it; who listens is for the caller to say."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from context_graph.errors import Cancelled

__all__ = ["counted", "followed", "stage", "unwanted"]

T = TypeVar("T")

Tell = Callable[[int, int | None, str], None]
"""Takes how much is done, of how much where that is known, and what is being done."""


@dataclass(slots=True)
class _Follower:
    tell: Tell
    stopped: Callable[[], bool]
    done: int = 0
    counting: bool = False
    """Inside `counted`, whose steps are told; the stages of each are not."""

    def step(self, name: str, total: int | None = None) -> None:
        if self.stopped():
            raise Cancelled(f"nobody waits for this answer any more; it was given up before: {name}")
        if not self.counting:
            self.tell(self.done, total, name)
            self.done += 1


_follower: ContextVar[_Follower | None] = ContextVar("follower", default=None)


@contextmanager
def followed(tell: Tell, stopped: Callable[[], bool]) -> Iterator[None]:
    """While this lasts, hear of the work of this thread.

    Parameters
    ----------
    tell : callable
        Called at each stage, with numbers that rise.
    stopped : callable
        Whether nobody waits any more; the work ends at its next stage.

    Examples
    --------
    >>> with followed(lambda done, total, name: print(done, total, name), lambda: False):
    ...     stage("reading")
    ...     for word in counted(["a", "b"], "words"):
    ...         stage("inside a step")
    0 None reading
    1 3 words
    2 3 words
    """
    token = _follower.set(_Follower(tell, stopped))
    try:
        yield
    finally:
        _follower.reset(token)


def stage(name: str) -> None:
    """Begin a stage of some work; raises `Cancelled` where nobody waits for it. Not for use inside a write."""
    if (follower := _follower.get()) is not None:
        follower.step(name)


def unwanted() -> bool:
    """Whether nobody waits for the work of this thread any more."""
    follower = _follower.get()
    return follower is not None and follower.stopped()


def counted(items: Iterable[T], name: str) -> Iterator[T]:
    """The items, each of which is a stage; how many there are is told."""
    follower = _follower.get()
    if follower is None or follower.counting:
        for item in items:
            stage(name)
            yield item
        return
    all_items = list(items)
    total = follower.done + len(all_items)
    try:
        for item in all_items:
            follower.counting = False
            follower.step(name, total)
            follower.counting = True
            yield item
    finally:
        follower.counting = False
