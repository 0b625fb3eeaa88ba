"""A process that did much work at once does not keep the memory of it."""

import platform

import pytest

from context_graph.ingest.tasks import TASKS
from context_graph.knowledge.health import resident_bytes
from context_graph.memory import Memory
from context_graph.settings import Settings

MB = 1 << 20


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator gives memory back by itself, or never")
def test_what_work_has_freed_goes_back_to_the_system(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        blocks = [bytes(20_000) for _ in range(5_000)]
        last = blocks[-1]  # at the top of the heap: what is below it stays with the process
        blocks.clear()
        held = resident_bytes()
        memory.background.plan("trim", [""])
        memory.background.wait()
        assert resident_bytes() < held - 80 * MB
    assert len(last) == 20_000


def test_nothing_of_it_is_done_where_the_process_ends_soon():
    assert TASKS["trim"].slow
