"""A real memory on the built-in tier in a temporary home, whose clock and ids are the test's."""

import random
import uuid
from itertools import count

import pytest

from context_graph import Memory
from context_graph.presentation.visitor import Visitor
from context_graph.settings import Settings

BEGINNING_US = 1_767_225_600_000_000  # 2026-01-01


@pytest.fixture
def memory(tmp_path):
    dice, ticks = random.Random(7), count(BEGINNING_US, 1_000)
    ids = lambda: str(uuid.UUID(int=dice.getrandbits(128), version=4))  # noqa: E731
    settings = Settings(home=tmp_path / "home", tier="base")
    with Memory(settings, clock=lambda: next(ticks), ids=ids) as memory:
        yield memory


@pytest.fixture
def visitor(memory):
    return Visitor(memory.caller, frozenset({memory.caller.session_id}), frozenset())
