"""A store with a clock and ids that tests drive."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_scenes import Clock, ids

from context_graph.store import Store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(home, clock=clock, new_id=ids(), flush_seconds=None) as store:
        yield store
