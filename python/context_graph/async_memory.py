"""AsyncMemory: the verbs of `Memory` for programs with an event loop."""

import os
from collections.abc import Callable, Coroutine
from functools import update_wrapper
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec, Self, TypeVar

from context_graph.errors import InvalidInput
from context_graph.locks import Rank, lock
from context_graph.memory import Memory
from context_graph.settings import Settings

if TYPE_CHECKING:
    from asyncio import Future

__all__ = ["AsyncMemory", "in_a_thread"]

P = ParamSpec("P")
T = TypeVar("T")


def in_a_thread(
    verb: Callable[Concatenate[Memory, P], T],
) -> "Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]]":
    """A verb of `Memory` as a coroutine of the same arguments, which a worker thread runs."""

    async def call(self: "AsyncMemory", /, *args: P.args, **kwargs: P.kwargs) -> T:
        from asyncio import get_running_loop, shield
        from contextvars import copy_context

        def work() -> T:
            return verb(self.opened(), *args, **kwargs)

        # handed over at once and shielded: what waits for a thread is done, though nobody waits for it any more
        job = get_running_loop().run_in_executor(None, copy_context().run, work)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        return await shield(job)

    update_wrapper(call, verb)
    return call


class AsyncMemory:
    """A `Memory` whose verbs are coroutines; each runs in a worker thread, and the event loop goes on.

    A task that is cancelled stops waiting, while the verb itself goes on: what it was to store is stored.

    Parameters
    ----------
    home : path, Settings or Memory, optional
        As for `Memory`, which the first call opens; or one that is open already, which several may share.
    session_id : str, optional
        The session of its own caller; a new one by default.

    Examples
    --------
    >>> async with AsyncMemory("notes") as memory:                      # doctest: +SKIP
    ...     await memory.remember("Anna plays the clarinet.")
    ...     answer = await memory.recall("Which instrument does Anna play?")
    """

    def __init__(
        self, home: "str | os.PathLike[str] | Settings | Memory | None" = None, *, session_id: str | None = None
    ) -> None:
        if isinstance(home, Memory) and session_id is not None:
            raise InvalidInput("a Memory that is open has its own session; leave session_id out", field="session_id")
        self._home, self._session_id = home, session_id
        self._opening = lock(Rank.HOST, "AsyncMemory._opening")
        self._memory = home if isinstance(home, Memory) else None
        self._jobs: set[Future[Any]] = set()

    remember = in_a_thread(Memory.remember)
    remember_many = in_a_thread(Memory.remember_many)
    recall = in_a_thread(Memory.recall)
    inject = in_a_thread(Memory.inject)
    brief = in_a_thread(Memory.brief)
    facts = in_a_thread(Memory.facts)
    get = in_a_thread(Memory.get)
    list = in_a_thread(Memory.list)
    history = in_a_thread(Memory.history)
    forget = in_a_thread(Memory.forget)
    undo = in_a_thread(Memory.undo)
    export = in_a_thread(Memory.export)

    def opened(self) -> Memory:
        """The memory itself, for what has no verb here; opened where no call has done so."""
        with self._opening:
            if self._memory is None:
                assert not isinstance(self._home, Memory)
                self._memory = Memory(self._home, session_id=self._session_id)
            return self._memory

    async def close(self) -> None:
        """Close the memory once all that was begun is done; one that was given open is closed by whoever opened it."""
        from asyncio import to_thread, wait

        if self._jobs:
            await wait(self._jobs)
        if self._memory is not None and self._memory is not self._home:
            await to_thread(self._memory.close)

    def __enter__(self) -> NoReturn:
        raise InvalidInput("expected async with AsyncMemory(...), got with; without an event loop use Memory")

    def __exit__(self, *_: object) -> None:
        """Never reached; without it Python would not say what is wrong with `with`."""

    async def __aenter__(self) -> Self:
        from asyncio import to_thread

        await to_thread(self.opened)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncMemory({self._memory or self._home!r})"
