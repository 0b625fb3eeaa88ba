"""Arrays and indexes on a GPU through the whole module, kernels emulated: each file in a process of its own."""

import re

import pytest
from emulator import include_folders
from emulator.core import run_tests

from tests.requirements import requirement

pytestmark = [
    pytest.mark.long,  # the module is compiled with the emulator
    pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known"),
]


@pytest.mark.parametrize("file", ["device_arrays.py", "device_indexes.py"])
def test_arrays_on_a_device_stay_there(file):
    _passes(file)


@requirement("kernels:a-call-waits-once-or-not-at-all")
def test_a_call_waits_once_or_not_at_all():
    _passes("device_streams.py")


def test_rows_may_lie_beyond_4_gb():
    _passes("device_large.py", 16)


def _passes(file, least=30):
    ran = run_tests(f"tests/cuda/{file}")
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", ran.stdout)[1]) >= least, ran.stdout
    assert "skipped" not in ran.stdout, ran.stdout
