"""Measurements on a card, as far as they can be tested without one: launches, contents, checks, one line of excuse."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.gpu import __main__ as gpu
from benchmarks.gpu.operations import INDEXES, OPERATIONS, agree, call, filled, search
from benchmarks.gpu.sizes import TABLE, bound_us, least_bytes, plan, sizes

DOCUMENT = Path(__file__).parents[2] / "docs" / "performance.md"
each_kernel = pytest.mark.parametrize("kernel", TABLE)


@each_kernel
@pytest.mark.parametrize("processors", [46, 170])
def test_a_launch_stays_within_the_limits_of_a_card(kernel, processors):
    launch = plan(kernel, processors)
    assert 1 <= launch.grid[0] < 2**31 and all(1 <= size <= 65_535 for size in launch.grid[1:])
    assert np.prod(launch.block) <= 1024
    assert launch.shared_bytes + TABLE[kernel]["static_shared_bytes"] <= 101_376
    assert sum(array.nbytes for array in launch.arrays) < 24e9, "an RTX 5090 has 32 GB"
    assert len(launch.arguments) == len(TABLE[kernel]["parameters"])


@each_kernel
def test_the_bound_is_of_bytes_that_are_there(kernel):
    launch = plan(kernel)
    held = sum(array.nbytes * (1 if array.const or array.out else 2) for array in launch.arrays)
    assert 0 < least_bytes(launch) <= 1.3 * held  # some read a neighbour's value for each edge
    assert bound_us(launch) == pytest.approx(least_bytes(launch) / 1792e3)


@each_kernel
def test_what_is_put_into_an_array_fits_it(kernel):
    launch = plan(kernel)
    for array in launch.arrays:
        if array.shape is None or array.out:
            continue
        contents = gpu.pattern(array, launch.names)
        assert contents.nbytes > 0
        if array.name in ("sources", "targets", "docs"):
            assert contents.max() < launch.names["n"]
        if array.name == "ids" and "e" in launch.names:
            assert contents.max() < launch.names["e"]
        if array.name in ("offsets", "starts"):
            assert contents.nbytes == array.nbytes and np.all(np.diff(contents) >= 0)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_is_checked_against_its_definition(operation):
    make, _, small, _ = OPERATIONS[operation]
    wanted = call(operation, make(small), backend="reference")
    assert agree(call(operation, make(small)), wanted)
    wrong = tuple(part + part.dtype.type(1) if part.dtype != bool else ~part for part in wanted)
    assert not agree(wrong, wanted)


@pytest.mark.parametrize("name", INDEXES)
def test_an_index_is_checked_against_its_definition(name):
    small = INDEXES[name][3]
    wanted = search(name, filled(name, small, "reference"))
    assert agree(search(name, filled(name, small, "scalar")), wanted)
    assert not agree(tuple(part + part.dtype.type(1) for part in wanted), wanted)


def test_a_kernel_without_sizes_is_told_where_to_get_them():
    with pytest.raises(KeyError, match=r"benchmarks/gpu/sizes.py"):
        sizes("cg_new_kernel")


def test_without_a_card_one_line_says_so(capsys, monkeypatch):
    def none(name):
        raise OSError(name)

    monkeypatch.setattr("benchmarks.gpu.driver.ctypes.CDLL", none)
    assert gpu.main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("nothing measured, no CUDA card: libcuda.so.1") and said.count("\n") == 1


def test_the_tables_in_the_document_are_those_of_the_code_and_the_results():
    text = DOCUMENT.read_text(encoding="utf-8")
    missing = [line for line in gpu.tables().splitlines() if line not in text]
    assert not missing, "python -m benchmarks.gpu --tables prints the rows for docs/performance.md"
