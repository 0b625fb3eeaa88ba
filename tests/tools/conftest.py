"""A real memory on the built-in tier in a temporary home, under a clock of ours; it never abstains unless told to."""

import random
import uuid

import pytest

from context_graph import Memory
from context_graph.settings import Settings

SECOND_US = 1_000_000


class Clock:
    """Moves a millisecond with each look, so that what follows is later."""

    def __init__(self):
        self.now = 1_767_225_600 * SECOND_US  # 2026-01-01

    def __call__(self):
        self.now += 1_000
        return self.now

    def pass_days(self, days):
        self.now += round(days * 86_400) * SECOND_US


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def memory(tmp_path, clock):
    dice = random.Random(7)
    ids = lambda: str(uuid.UUID(int=dice.getrandbits(128), version=4))  # noqa: E731
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "project" / "docs" / "home.md").write_text("# Home\n", "utf-8")
    settings = Settings(home=tmp_path / "home", tier="base", abstain_below=0.0, project=tmp_path / "project")
    with Memory(settings, clock=clock, ids=ids) as memory:
        yield memory
