"""Background work: registered tasks, which one thread runs after answers, and a second one what somebody waits for.

To add a task is a file with a function under `@task` and an import line, as in `ingest/tasks/__init__.py`. The runtime
asks the triggers of every task what is to be done, and the loop hands it out in rounds within the task's budget.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from context_graph.errors import ContextGraphError
from context_graph.index.corpus import Corpus
from context_graph.models import Author, Caller
from context_graph.store import Change, Store, Transaction

__all__ = ["TASKS", "Background", "Budget", "Every", "OnChange", "OnLoad", "Owner", "Round", "Task", "task"]

logger = logging.getLogger(__name__)

LEASE_RETRY_S = 30.0
"""How long work waits that another process holds the lease of, unless somebody has it look again."""

SHORT_S = 5.0
"""How long a process that ends soon must last until it does what earlier ones have left."""

MAX_STEP_S = 60.0
"""How long the step that is running may take to notice that the memory is being closed."""


class Owner(Protocol):
    """Whose work is done: what the loop itself needs of a runtime."""

    store: Store
    caller: Caller

    def author(self, caller: Caller) -> Author:
        """Who writes where somebody calls."""


@dataclass(frozen=True, slots=True)
class OnLoad:
    """Due when the indexes were loaded: at opening, or anew.

    Attributes
    ----------
    find : callable
        Given the runtime and its corpus, the items to work on; nothing is due where there are none.
    """

    find: Callable[[Any, Corpus], Iterable[str]]


@dataclass(frozen=True, slots=True)
class OnChange:
    """Due when any process has changed rows of the store.

    Attributes
    ----------
    find : callable
        Given the runtime, its corpus and the changes of one event, the items to work on. It is called while the indexes
        are brought up to date, so it must be quick.
    """

    find: Callable[[Any, Corpus, Sequence[Change]], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Every:
    """Due so long after the process was first used since the task ran last, or the indexes were loaded; without items.

    A process that nobody uses does not wake for it.
    """

    seconds: float


@dataclass(frozen=True, slots=True)
class Budget:
    """What one round may take.

    Attributes
    ----------
    items : int, optional
        Items that a round is handed at most.
    seconds : float, optional
        Time after which `Round.over` is true.
    """

    items: int | None = None
    seconds: float | None = None


class Round:
    """One run of a task.

    Attributes
    ----------
    items : tuple of str
        What to work on, mostly ids of memories.
    """

    def __init__(self, items: tuple[str, ...], owner: Owner, event_type: str | None, over: Callable[[], bool]) -> None:
        self.items = items
        self.over = over
        """Whether to stop now: the time of the round is up, or the memory is being closed."""

        self._owner, self._event_type = owner, event_type

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """One event of the type that the task is registered with."""
        if self._event_type is None:
            raise ValueError("expected a task with an event_type, got one without; name it in @task")
        with self._owner.store.write(self._event_type, self._owner.author(self._owner.caller)) as tx:
            yield tx
            tx.note.update(operation=self._event_type)


Work = Callable[[Any, Round], Iterable[str] | None]
"""Given a runtime and a round; returns the items that are left, which are planned again. `Any`, for a runtime owns the
loop and is known above it only."""

Function = TypeVar("Function", bound=Work)


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A registered task; see `task` for its fields."""

    name: str
    work: Work
    trigger: tuple[OnLoad | OnChange | Every, ...]
    budget: Budget
    event_type: str | None
    lease: bool
    slow: bool
    awaited: bool
    waiting: str


TASKS: dict[str, Task] = {}
"""Every task by name, in the order in which they are planned when the indexes were loaded."""


def task(
    name: str,
    *,
    trigger: OnLoad | OnChange | Every | tuple[OnLoad | OnChange | Every, ...] = (),
    budget: Budget = Budget(),
    event_type: str | None = None,
    lease: bool = False,
    slow: bool = False,
    awaited: bool = False,
    waiting: str = "",
) -> Callable[[Function], Function]:
    """Register a function as a task.

    Parameters
    ----------
    trigger : OnLoad, OnChange, Every or a tuple of these
        When it is due. Any task is also due when `Background.plan` names it.
    event_type : str, optional
        The type of the events that `Round.write` writes.
    lease : bool
        Whether only one process at a time may run it.
    slow : bool
        Whether it is left to servers where the process ends soon.
    awaited : bool
        Whether a call waits for it: it is not queued behind the others, some of which take minutes.
    waiting : str
        How `get_health` counts its waiting items, such as "files wait to be read"; empty where it does not.
    """

    def register(work: Function) -> Function:
        if name in TASKS:
            raise ValueError(f"expected a name that no task has, got {name!r} again; choose another")
        triggers = trigger if isinstance(trigger, tuple) else (trigger,)
        TASKS[name] = Task(name, work, triggers, budget, event_type, lease, slow, awaited, waiting)
        return work

    return register


class _Planned(NamedTuple):
    """Items of a task that wait for their round."""

    task: Task
    items: tuple[str, ...]


class Background:
    """The loop: a daemon thread, which starts with the first work, and another for tasks that calls wait for; `wait` is
    for tests and for orderly ends.

    Parameters
    ----------
    owner : Owner
        The runtime, which every task is given.
    tasks : mapping
        By name.
    monotonic : callable
        Seconds, for budgets and `Every`.
    """

    def __init__(
        self, owner: Owner, tasks: Mapping[str, Task], *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._owner, self._tasks, self._monotonic = owner, tasks, monotonic
        self._wake = threading.Condition()  # no other lock is taken under it
        self._queue: dict[_Planned, None] = {}
        self._later: dict[_Planned, float] = {}
        """When work is due that waits for a time or a lease."""

        self._resting: dict[_Planned, float] = {}
        """What is due again so many seconds after the process is next used."""

        self._running: dict[bool, _Planned] = {}
        self._threads: dict[bool, threading.Thread] = {}
        """By whether they run what calls wait for."""

        self._closing = False
        self._failed: dict[str, str] = {}
        self.short = False
        """Whether the process ends soon: slow tasks are then left to servers and to commands of their own, and what
        earlier processes have left begins only if it lasts."""

    @property
    def closing(self) -> bool:
        """Whether nothing is begun any more."""
        return self._closing

    def waiting(self) -> dict[str, int]:
        """How many items wait, by the words with which each task counts them."""
        counts = dict.fromkeys((each.waiting for each in self._tasks.values()), 0)
        with self._wake:
            for planned in (*self._queue, *self._later):
                counts[planned.task.waiting] += len(planned.items)
        return {words: count for words, count in counts.items() if words and count}

    def loaded(self, corpus: Corpus) -> None:
        """Plan what a store that was just opened, or loaded anew, lacks; start the clocks."""
        for each in self._tasks.values():
            for trigger in each.trigger:
                if isinstance(trigger, OnLoad) and self.short:
                    self.put_off(each.name, trigger.find(self._owner, corpus), SHORT_S)
                elif isinstance(trigger, OnLoad):
                    self.plan(each.name, trigger.find(self._owner, corpus))
                elif isinstance(trigger, Every):
                    self._put_later(_Planned(each, ()), trigger.seconds)

    def changed(self, corpus: Corpus, changes: Sequence[Change]) -> None:
        """Plan what follows from one event."""
        self.used()
        for each in self._tasks.values():
            for trigger in each.trigger:
                if isinstance(trigger, OnChange):
                    self.plan(each.name, trigger.find(self._owner, corpus, changes))

    def used(self) -> None:
        """Start the clocks that have stood still since their tasks ran: somebody calls, or has written."""
        if self._resting:
            with self._wake:
                resting, self._resting = self._resting, {}
            for planned, seconds in resting.items():
                self._put_later(planned, seconds)

    def plan(self, name: str, items: Iterable[str] | None = None) -> None:
        """Have a task run; items that wait for it already are not planned twice.

        Parameters
        ----------
        items : iterable of str, optional
            What to work on, in rounds as its budget allows; None for a round without items.
        """
        task = self._tasks.get(name)
        if task is None:
            raise LookupError(f"expected a registered task, got {name!r}; put @task before it and import it first")
        if items is None:
            self._put(_Planned(task, ()))
            return
        for planned in self._rounds(task, tuple(items)):
            self._put(planned)

    def _rounds(self, task: Task, items: tuple[str, ...]) -> Iterator[_Planned]:
        step = task.budget.items or max(len(items), 1)
        return (_Planned(task, items[start : start + step]) for start in range(0, len(items), step))

    def put_off(self, name: str, items: Iterable[str], seconds: float) -> None:
        """Have a task run after some time, in rounds as its budget allows; without items it does not."""
        for planned in self._rounds(self._tasks[name], tuple(items)):
            self._put_later(planned, seconds)

    def is_put_off(self, name: str) -> bool:
        """Whether a round of a task waits for its time or for a lease."""
        with self._wake:
            return any(planned.task.name == name for planned in self._later)

    def wait(self) -> None:
        """Until nothing is due and nothing runs; what waits for a time or a lease is not waited for."""
        with self._wake:
            self._wake.wait_for(lambda: not self._queue and not self._running)

    def finished(self, name: str, item: str, seconds: float) -> bool:
        """Wait, for so long at most, until no round with an item of a task is due or runs; whether that is so."""

        def waits() -> bool:
            rounds = [*self._queue, *self._later, *self._running.values()]
            return any(planned.task.name == name and item in planned.items for planned in rounds)

        with self._wake:
            return self._wake.wait_for(lambda: self._closing or not waits(), seconds)

    def look_again(self, name: str, item: str) -> None:
        """Have a round with an item that is put off, as for a lease that another process holds, be due now."""
        with self._wake:
            due = [planned for planned in self._later if planned.task.name == name and item in planned.items]
            for planned in due:
                del self._later[planned]
                self._queue.setdefault(planned)
            if due:
                self._wake.notify_all()

    def stop(self) -> None:
        """Begin nothing more; what is left is planned again at the next opening."""
        with self._wake:
            self._closing = True
            self._queue.clear()
            self._later.clear()
            self._resting.clear()
            self._wake.notify_all()

    def close(self) -> None:
        """Stop, and wait for the steps that are running."""
        self.stop()
        for thread in self._threads.values():
            thread.join(timeout=MAX_STEP_S)  # left in a library, it would abort the process at its end

    def _refuses(self, planned: _Planned) -> bool:
        return bool(self._owner.store.unwritable) or self._closing or (planned.task.slow and self.short)

    def _put(self, planned: _Planned) -> None:
        if self._refuses(planned):
            return
        with self._wake:
            self._queue.setdefault(planned)  # indexes that are loaded anew ask for what is left again
            self._start(planned.task.awaited)

    def _put_later(self, planned: _Planned, seconds: float) -> None:
        if self._refuses(planned):
            return
        with self._wake:
            self._later.setdefault(planned, self._monotonic() + seconds)
            self._start(planned.task.awaited)

    def _start(self, awaited: bool) -> None:
        if awaited not in self._threads and not self._closing:
            name = "context-graph-awaited" if awaited else "context-graph-tasks"
            thread = threading.Thread(target=self._run, args=(awaited,), name=name, daemon=True)
            thread.start()
            self._threads[awaited] = thread
        self._wake.notify_all()

    def _run(self, awaited: bool) -> None:
        while (planned := self._next(awaited)) is not None:
            try:
                self._do(planned)
                self._failed.pop(planned.task.name, None)
            except ContextGraphError as error:  # forgotten meanwhile, or a busy store: the memory stays as it is
                if self._fails_anew(planned, error):
                    logger.warning("task %s failed on %s: %s", planned.task.name, ", ".join(planned.items), error)
            except Exception as error:  # whatever it is, the work after it is done
                if self._fails_anew(planned, error):
                    logger.exception("task %s failed on %s", planned.task.name, ", ".join(planned.items))
            finally:
                self._ended(planned)

    def _next(self, awaited: bool) -> _Planned | None:
        """Wait for work of this thread that is due; None where the memory is being closed."""
        with self._wake:
            while not self._closing:
                now = self._monotonic()
                later = {planned: due for planned, due in self._later.items() if planned.task.awaited == awaited}
                for planned in [planned for planned, due in later.items() if due <= now]:
                    del self._later[planned], later[planned]
                    self._queue.setdefault(planned)
                if (first := next((one for one in self._queue if one.task.awaited == awaited), None)) is not None:
                    self._running[awaited] = first
                    del self._queue[first]
                    self._rest(first)
                    return first
                self._wake.wait(min(later.values()) - now if later else None)
            return None

    def _rest(self, planned: _Planned) -> None:
        """From now on, who uses the process starts its clock again, while it runs too."""
        for trigger in planned.task.trigger:
            if isinstance(trigger, Every) and not planned.items:
                self._resting[planned] = trigger.seconds

    def _do(self, planned: _Planned) -> None:
        if not planned.task.lease:
            self._hand_out(planned)
            return
        with self._owner.store.lease(planned.task.name) as held:
            if held:
                self._hand_out(planned)
            else:
                self._put_later(planned, LEASE_RETRY_S)

    def _hand_out(self, planned: _Planned) -> None:
        seconds = planned.task.budget.seconds
        end = None if seconds is None else self._monotonic() + seconds

        def over() -> bool:
            return self._closing or (end is not None and self._monotonic() >= end)

        work = planned.task.work(self._owner, Round(planned.items, self._owner, planned.task.event_type, over))
        left = tuple(work or ())
        if left and left != planned.items:  # where nothing got done, trying again at once does not help
            self.plan(planned.task.name, left)

    def _fails_anew(self, planned: _Planned, error: Exception) -> bool:
        """Whether a failure is to be logged: not the one that the task had the last time too."""
        what = f"{type(error).__name__}: {error} {planned.items}"
        known = self._failed.get(planned.task.name)
        self._failed[planned.task.name] = what
        return what != known

    def _ended(self, planned: _Planned) -> None:
        with self._wake:
            del self._running[planned.task.awaited]
            self._wake.notify_all()
