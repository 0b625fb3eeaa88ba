"""A memory on the built-in tier in a temporary home, and cases to reason with."""

import random
import uuid

import pytest

from context_graph import Memory
from context_graph.server.dispatch import call
from context_graph.settings import Settings

SECOND_US = 1_000_000


class Clock:
    """Moves a millisecond with each look, so that what follows is later."""

    def __init__(self):
        self.now = 1_767_225_600 * SECOND_US  # 2026-01-01

    def __call__(self):
        self.now += 1_000
        return self.now


@pytest.fixture
def opened(tmp_path):
    """Opens the memory of a folder; the same one again by the same name."""
    dice = random.Random(7)

    def open_again(name="home", **more):
        ids = lambda: str(uuid.UUID(int=dice.getrandbits(128), version=4))  # noqa: E731
        settings = Settings(home=tmp_path / name, tier="base", abstain_below=0.0)
        return Memory(settings, clock=Clock(), ids=ids, **more)

    return open_again


@pytest.fixture
def memory(opened):
    with opened() as memory:
        yield memory


@pytest.fixture
def ask(memory):
    """Calls a tool that must succeed."""

    def asked(tool, /, **arguments):
        outcome = call(memory, tool, arguments)
        assert not outcome.is_error, outcome.texts
        assert outcome.structured["status"] == "success"
        return outcome.structured

    return asked


@pytest.fixture
def refused(memory):
    """The message of a call that must fail, and write nothing."""

    def asked(tool, /, **arguments):
        head = memory.store.head()
        outcome = call(memory, tool, arguments)
        assert outcome.is_error, outcome.structured
        assert outcome.structured["status"] == "failure"
        assert memory.store.head() == head, "nothing half written"
        return outcome.structured["error"]

    return asked
