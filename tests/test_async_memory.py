"""AsyncMemory: the same verbs as coroutines, while the event loop goes on."""

import asyncio
import inspect
import threading

import pytest

from context_graph import AsyncMemory, Memory, Question, Settings
from context_graph.async_memory import in_a_thread
from context_graph.errors import InvalidInput, StoreError
from tests.requirements import requirement

VERBS = "remember remember_many recall inject brief facts get list history forget undo export".split()


@requirement("python:async-verbs")
def test_every_verb_is_a_coroutine_of_the_same_arguments():
    for verb in VERBS:
        call = getattr(AsyncMemory, verb)
        assert inspect.iscoroutinefunction(call)
        assert inspect.signature(call) == inspect.signature(getattr(Memory, verb))
        assert call.__doc__ == getattr(Memory, verb).__doc__


def test_a_plain_with_is_told_apart(tmp_path):
    wrong = pytest.raises(InvalidInput, match=r"expected async with AsyncMemory\(...\), got with")
    with wrong, AsyncMemory(tmp_path / "home"):
        pass
    assert not (tmp_path / "home").exists()


TYPED = """
from context_graph import AsyncMemory, Memory
from context_graph.models import Node
from context_graph.recall.answer import Answer

async def ask(memory: AsyncMemory, shared: Memory) -> tuple[Answer, list[Node]]:
    await memory.remember("Anna plays the clarinet.", spaeker="Zoe")
    await memory.recall(5)
    shared.undo(shared.forget(shared.remember("Bob sings.")))
    return await memory.recall("clarinet", top_k=3), await memory.list(limit=2)
"""


@pytest.mark.long
@requirement("python:async-verbs")
def test_a_type_checker_knows_the_arguments_and_results_of_each_coroutine(tmp_path):
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    (tmp_path / "ask.py").write_text(TYPED, encoding="utf-8")
    told, errors, _ = api.run(["--strict", "--no-pretty", "--no-error-summary", str(tmp_path / "ask.py")])
    assert errors == ""
    lines = [line.partition("error: ")[2] for line in told.splitlines() if "error: " in line]
    assert len(lines) == 2 and 'keyword argument "spaeker"' in lines[0] and "incompatible type" in lines[1]


@requirement("python:async-verbs")
def test_what_a_cancelled_task_was_to_store_is_stored(tmp_path):
    async def work() -> None:
        async with AsyncMemory(Settings(home=tmp_path, tier="base")) as memory:
            tasks = [asyncio.create_task(memory.remember(f"Walrus {i} eats {i + 2} clams.")) for i in range(20)]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert any(isinstance(one, asyncio.CancelledError) for one in ended)

    asyncio.run(work())
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        assert len(memory.list(limit=100)) == 20


@requirement("python:async-verbs")
def test_many_tasks_share_one_memory(tmp_path):
    async def work() -> None:
        async with AsyncMemory(Settings(home=tmp_path, tier="base")) as memory:
            stored = await asyncio.gather(*(memory.remember(f"Crate {i} holds {i * 7} lamps.") for i in range(6)))
            assert len({done.id for done in stored}) == 6
            answers = await asyncio.gather(*(memory.recall("Which crate holds lamps?", top_k=3) for _ in range(4)))
            assert {len(answer) for answer in answers} == {3}
            assert len(await memory.list(limit=10)) == 6
            gone = await memory.forget(stored[0])
            assert (await memory.undo(gone)).done
            assert (await memory.get(stored[0])).content == "Crate 0 holds 0 lamps."
            assert str(await memory.inject(Question("Which crate holds 7 lamps?")))
            assert repr(memory) == f"AsyncMemory(Memory('{tmp_path}'))"
        with pytest.raises(StoreError, match="is closed; open it again"):
            await memory.recall("lamps")

    asyncio.run(work())


def test_a_verb_runs_in_a_thread_of_its_own_and_the_loop_goes_on(memory, monkeypatch):
    waits, names = threading.Event(), []

    def slow(self, question):
        names.append(threading.current_thread())
        assert waits.wait(30)
        return question

    async def work() -> None:
        shared = AsyncMemory(memory)
        asked = asyncio.create_task(shared.recall("lamps"))
        while not names:
            await asyncio.sleep(0)
        waits.set()  # the loop came here while the verb waits
        assert await asked == "lamps"

    monkeypatch.setattr(AsyncMemory, "recall", in_a_thread(slow))
    asyncio.run(work())
    assert names[0] is not threading.main_thread()


def test_a_memory_that_was_given_open_stays_open(memory):
    async def work() -> None:
        async with AsyncMemory(memory) as shared:
            await shared.remember("Anna plays the clarinet.")
            assert shared.opened() is memory

    asyncio.run(work())
    assert [node.content for node in memory.list()] == ["Anna plays the clarinet."]
    with pytest.raises(InvalidInput, match="has its own session"):
        AsyncMemory(memory, session_id="s")


def test_errors_reach_whoever_awaits(memory):
    async def work() -> None:
        with pytest.raises(InvalidInput, match="content must be a text"):
            await AsyncMemory(memory).remember(5)
        with pytest.raises(InvalidInput, match="home must be a path"):
            await AsyncMemory(5).recall("anything")
        await AsyncMemory("never-opened").close()

    asyncio.run(work())
