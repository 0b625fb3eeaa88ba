"""What all tests share: a frozen clock, counted ids, a memory in a folder of its own."""

import gc
import itertools
import logging
import os
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine, however slow it is.
settings.register_profile("repository", deadline=None, derandomize=True)
settings.load_profile("repository")

# As every process of the package does before NumPy is imported: idle threads of BLAS spin beside the other workers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Triton decides when it is imported whether to interpret its kernels; 0 runs them on a card.
os.environ.setdefault("TRITON_INTERPRET", "1")

# Homes of tests lie in memory where there is room: most of a test's time is waiting for a disk. Programs that tests
# build must be allowed to run there.
if sys.platform == "linux" and os.access("/dev/shm", os.W_OK):
    _shared = os.statvfs("/dev/shm")
    if _shared.f_bavail * _shared.f_frsize >= 4 << 30 and not _shared.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")

# Every lock of the package checks the order in which it is taken, in servers under test too.
os.environ["CONTEXT_GRAPH_CHECK_LOCKS"] = "1"

START = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z in microseconds


def pytest_addoption(parser: pytest.Parser) -> None:
    options = parser.getgroup("long", "tests that take minutes, and how long the proofs in tests/reliability run")
    options.addoption("--long", action="store_true", help="run the tests that take minutes, too")
    options.addoption("--cuts", type=int, default=None, help="power cuts (60; 300 with --long)")
    options.addoption("--kills", type=int, default=None, help="servers killed as they write (6; 200 with --long)")
    options.addoption("--soak", type=int, default=None, help="seconds of load on one server (300, or $CG_SOAK)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("long"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="takes minutes: --long runs it"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """What all tests pay for: a heap of thousands of tests to search for garbage, loggers of torch to listen to."""
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger) and logger.name.startswith("torch"):
            logger.propagate = True  # pytest listens to each that does not, six times a test
    gc.freeze()


class Clock:
    """Stands still until told to move; every reading is a millisecond later, as no two events share an instant."""

    def __init__(self, start: int = START) -> None:
        self.time = start

    def __call__(self) -> int:
        self.time += 1_000
        return self.time

    def pass_time(self, *, days: float = 0, minutes: float = 0, seconds: float = 0) -> None:
        self.time += round((days * 86_400 + minutes * 60 + seconds) * 1_000_000)


@pytest.fixture(autouse=True)
def locks_in_order() -> Iterator[None]:
    """No thread takes locks out of their order, not even where the error is caught."""
    from context_graph import locks

    locks.violations.clear()
    yield
    assert locks.violations == []


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ids() -> Callable[[], str]:
    numbers = itertools.count(1)
    return lambda: str(uuid.uuid5(uuid.NAMESPACE_OID, str(next(numbers))))


@pytest.fixture
def memory(tmp_path: Path, clock: Clock, ids: Callable[[], str]) -> Iterator:
    """A real memory of the base tier."""
    from context_graph.memory import Memory
    from context_graph.settings import Settings

    with Memory(Settings(home=tmp_path / "home", tier="base"), clock=clock, ids=ids) as memory:
        yield memory


@pytest.fixture
def tell(memory):
    """Store a text in one call; returns the node's id."""
    from context_graph.ingest.draft import Draft

    def tell(text: str, **fields) -> str:
        return memory.remember(Draft(text, fields.pop("rationale", "worth keeping for later"), **fields)).node.id

    return tell
