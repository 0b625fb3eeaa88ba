"""A process that did much work at once does not keep the memory of it."""

import platform
import subprocess
import sys

import pytest

from context_graph.heap import heap_use
from context_graph.ingest.tasks import TASKS
from context_graph.knowledge.health import resident_bytes
from context_graph.memory import Memory
from context_graph.settings import Settings

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="what other allocators keep is theirs")

MB = 1 << 20
IN_FOUR_THREADS = """
import ctypes, threading
libc, start, end = ctypes.CDLL(None), threading.Barrier(4), threading.Barrier(4)
def work():
    start.wait()
    kept = [bytes(20_000) for _ in range(200)]
    end.wait()
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc.malloc_stats()
"""


def test_the_heap_grows_by_what_is_kept():
    before = heap_use()
    kept = [bytes(20_000) for _ in range(500)]
    after = heap_use()
    assert before.used <= before.total and after.used <= after.total
    assert after.used - before.used >= sum(map(len, kept))


def test_what_work_has_freed_goes_back_to_the_system(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        blocks = [bytes(20_000) for _ in range(5_000)]
        last = blocks[-1]  # at the top of the heap: what is below it stays with the process
        blocks.clear()
        held = resident_bytes()
        memory.background.plan("trim")
        memory.background.wait()
        assert resident_bytes() < held - 80 * MB
    assert len(last) == 20_000


def test_nothing_is_given_back_where_the_process_ends_soon():
    assert TASKS["trim"].slow


@pytest.mark.parametrize("limit", ["context_graph.heap.limit_arenas()", "context_graph.server._prepare()"])
def test_threads_of_a_server_share_two_arenas(limit):
    code = f"import context_graph.heap, context_graph.server; {limit}{IN_FOUR_THREADS}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.count("Arena ") == 2  # five without
