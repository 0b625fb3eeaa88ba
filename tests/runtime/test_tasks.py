"""Background work: registered tasks run when they are due, within their budget, and never end the loop."""

import logging
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from context_graph.errors import InvalidInput
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.runtime import tasks
from context_graph.runtime.tasks import TASKS, Background, Budget, Every, OnChange, OnLoad, task
from context_graph.settings import Settings
from context_graph.store import note_of
from tests.requirements import requirement

PATIENCE_S = 60


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    """What a test registers is gone after it."""
    known = dict(TASKS)
    yield
    TASKS.clear()
    TASKS.update(known)


@pytest.fixture
def opened(tmp_path):
    """Opens the home of the test, again and again; closed at the end."""
    memories = []

    def opened() -> Memory:
        memories.append(Memory(Settings(home=tmp_path / "home", tier="base")))
        return memories[-1]

    yield opened
    for each in memories:
        each.close()


@requirement("architecture:registered-tasks")
def test_a_task_is_a_function_that_is_due_when_indexes_are_loaded_or_rows_change(opened):
    rounds = []

    def known(memory, corpus):
        return list(corpus.ids)

    def new(memory, corpus, changes):
        return [change.id for change in changes if change.table == "nodes" and change.inserted]

    @task("count", trigger=(OnLoad(known), OnChange(new)))
    def count(memory, round):
        rounds.append(round.items)

    memory = opened()
    assert memory.corpus is not None
    memory.background.wait()
    assert rounds == [], "where nothing is found, nothing is due"
    first = memory.remember(Draft("Anna plays the clarinet.")).node.id
    memory.background.wait()
    assert rounds == [(first,)]
    again = opened()
    assert again.corpus is not None
    again.background.wait()
    assert rounds == [(first,), (first,)]


@requirement("architecture:registered-tasks")
def test_a_round_is_handed_no_more_than_its_budget_and_stops_when_its_time_is_up(memory):
    rounds, seconds = [], iter(range(100))

    @task("items", budget=Budget(items=2))
    def items(memory, round):
        rounds.append(round.items)

    @task("seconds", budget=Budget(seconds=2.5))
    def some_seconds(memory, round):
        done = 0
        while done < len(round.items) and not round.over():
            done += 1
        rounds.append(round.items[:done])
        return round.items[done:]

    background = Background(memory, TASKS, monotonic=lambda: next(seconds))
    background.plan("items", "abcde")
    background.plan("seconds", "vwxyz")
    background.wait()
    background.close()
    assert rounds == [("a", "b"), ("c", "d"), ("e",), ("v", "w"), ("x", "y"), ("z",)]


def test_a_task_that_gets_nothing_done_is_not_tried_again_at_once(memory):
    rounds = []

    @task("stuck", budget=Budget(items=2))
    def stuck(memory, round):
        rounds.append(round.items)
        return round.items

    memory.background.plan("stuck", "ab")
    memory.background.wait()
    assert rounds == [("a", "b")]


@requirement("architecture:registered-tasks")
def test_a_failure_is_logged_once_and_the_loop_goes_on(memory, caplog):
    done = []

    @task("frail", budget=Budget(items=1))
    def frail(memory, round):
        done.extend(round.items)
        if round.items == ("bad",):
            raise ZeroDivisionError("no such number")
        if round.items == ("busy",):
            raise InvalidInput("not this one")

    with caplog.at_level(logging.WARNING, logger=tasks.__name__):
        for _ in range(2):
            memory.background.plan("frail", ["bad"])
            memory.background.wait()
        memory.background.plan("frail", ["busy", "good"])
        memory.background.wait()
    assert done == ["bad", "bad", "busy", "good"]
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "task frail failed on bad" in caplog.text and "not this one" in caplog.text


def test_a_task_is_due_again_after_somebody_has_used_the_process(memory):
    now, runs = [0.0], []

    @task("tick", trigger=Every(60))
    def tick(memory, round):
        runs.append((now[0], round.items))

    @task("wake")
    def wake(memory, round): ...

    background = Background(memory, TASKS, monotonic=lambda: now[0])
    background.loaded(memory.corpus)
    for now[0] in (0.0, 59.0, 61.0, 122.0, 300.0, 359.0, 361.0, 999.0):
        if now[0] == 300.0:
            background.used()
        background.plan("wake")  # the thread looks at the clock
        background.wait()
    background.close()
    assert runs == [(61.0, ()), (361.0, ())]


@requirement("architecture:registered-tasks")
def test_closing_stops_the_round_that_runs_and_leaves_the_rest(opened):
    began, ended, rounds = threading.Event(), threading.Event(), []

    @task("long", budget=Budget(items=1))
    def long(memory, round):
        rounds.append(round.items)
        began.set()
        while not round.over():
            pass
        ended.set()

    memory = opened()
    memory.background.plan("long", "abc")
    began.wait()
    memory.close()
    assert ended.wait(10) and rounds == [("a",)]
    memory.background.plan("long", "d")
    memory.background.wait()
    assert rounds == [("a",)] and not memory.background.waiting()


HOLDER = """
import sys
from pathlib import Path
from context_graph.store import Store
store = Store.open(Path(sys.argv[1]), clock=lambda: 1, new_id=lambda: "x")
with store.lease("lone") as held:
    print(held, flush=True)
    sys.stdin.read()
"""


def test_closing_waits_for_the_step_that_runs(opened):
    """A thread that is left in a library aborts the process when the interpreter ends."""
    begun, ended = threading.Event(), threading.Event()

    @task("steps")
    def steps(memory, round):
        begun.set()
        time.sleep(1.3)  # a pass of a model hears of nothing
        ended.set()

    memory = opened()
    memory.background.plan("steps")
    assert begun.wait(10)
    memory.close()
    assert ended.is_set()


def test_what_was_read_is_written_before_a_long_step_is_waited_for(opened):
    begun, go_on = threading.Event(), threading.Event()

    @task("steps")
    def steps(memory, round):
        begun.set()
        go_on.wait(10)

    memory = opened()
    memory.remember(Draft("Anna plays the clarinet."))
    memory.recall("Which instrument does Anna play?")
    memory.background.plan("steps")
    assert begun.wait(10) and memory.store.effects.pending
    closing = threading.Thread(target=memory.close)
    closing.start()
    while memory.store.effects.pending and closing.is_alive():
        time.sleep(0.01)
    assert closing.is_alive() and not memory.store.effects.pending, "written while the step runs"
    go_on.set()
    closing.join(10)


def test_what_was_left_waits_until_a_process_that_ends_soon_has_lasted(opened):
    rounds = []

    @task("leftovers", trigger=OnLoad(lambda memory, corpus: ["one", "two"]), budget=Budget(items=1), waiting="left")
    def leftovers(memory, round):
        rounds.append(round.items)

    memory = opened()
    memory.background.short = True
    assert memory.corpus is not None
    memory.background.wait()
    assert rounds == [] and memory.background.waiting()["left"] == 2


@requirement("architecture:one-process-at-a-time")
def test_one_process_at_a_time_runs_a_task_with_a_lease_and_a_dead_one_loses_it(memory):
    now, runs = [0.0], []

    @task("lone", lease=True, waiting="lone items wait")
    def lone(memory, round):
        with memory.store.lease("lone") as held:
            runs.append((round.items, held))

    @task("wake")
    def wake(memory, round): ...

    background = Background(memory, TASKS, monotonic=lambda: now[0])
    command = [sys.executable, "-c", HOLDER, str(memory.settings.home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "True\n"
        background.plan("lone", "a")
        background.wait()
        assert runs == [] and background.waiting() == {"lone items wait": 1}
        other.kill()
    now[0] = tasks.LEASE_RETRY_S + 1
    background.plan("wake")
    background.wait()
    background.close()
    assert runs == [(("a",), False)], "it runs under the lease, which nobody else gets meanwhile"


def test_what_is_put_off_for_a_lease_runs_where_somebody_has_it_look_again(memory, monkeypatch):
    held, runs = iter([False, False, True]), []

    @contextmanager
    def lease(name):
        yield next(held)

    @task("lone", lease=True)
    def lone(memory, round):
        runs.append(round.items)

    monkeypatch.setattr(memory.store, "lease", lease)
    background = Background(memory, TASKS, monotonic=lambda: 0.0)
    background.plan("lone", "a")
    for _ in range(2):
        background.wait()
        assert runs == [] and background.is_put_off("lone")
        background.look_again("lone", "b")
        background.wait()
        assert background.is_put_off("lone"), "that is another one's"
        background.look_again("lone", "a")
    background.wait()
    background.close()
    assert runs == [("a",)] and not background.is_put_off("lone")


def test_what_a_call_waits_for_is_not_queued_behind_other_work(opened):
    begun, go_on, runs = threading.Event(), threading.Event(), []

    @task("long", budget=Budget(items=1))
    def long(memory, round):
        begun.set()
        go_on.wait(PATIENCE_S)
        runs.append(("long", round.items))

    @task("asked", budget=Budget(items=1), awaited=True)
    def asked(memory, round):
        runs.append(("asked", round.items))

    memory = opened()
    memory.background.plan("long", "ab")
    assert begun.wait(PATIENCE_S)
    memory.background.plan("asked", "cd")
    done = memory.background.finished("asked", "d", PATIENCE_S)
    go_on.set()
    memory.background.wait()
    assert done and runs == [("asked", ("c",)), ("asked", ("d",)), ("long", ("a",)), ("long", ("b",))]
    memory.background.plan("asked", "e")
    memory.close()
    assert all(not thread.is_alive() for thread in memory.background._threads.values())


def test_what_a_task_writes_is_an_event_of_its_type(memory):
    @task("mark", event_type="marked")
    def mark(memory, round):
        with round.write() as tx:
            tx.touch("marks")
            tx.note.update(nodes=list(round.items))

    memory.corpus  # noqa: B018
    memory.background.plan("mark", ["0193"])
    memory.background.wait()
    assert [note_of(event) for event in memory.store.events(5, type="marked")] == [
        {"operation": "marked", "nodes": ["0193"]}
    ]


def test_slow_work_is_left_to_servers(memory):
    rounds = []

    @task("slow", slow=True)
    def slow(memory, round):
        rounds.append(round.items)

    memory.background.short = True
    memory.background.plan("slow", "a")
    memory.background.short = False
    memory.background.plan("slow", "b")
    memory.background.wait()
    assert rounds == [("b",)]


def test_what_nobody_registered_is_no_task(memory):
    with pytest.raises(LookupError, match="expected a registered task, got 'yawn'"):
        memory.background.plan("yawn")
    with pytest.raises(ValueError, match="expected a name that no task has, got 'embed' again"):
        task("embed")(lambda memory, round: None)
