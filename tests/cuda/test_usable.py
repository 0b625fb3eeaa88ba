"""Whether `cuda` is usable depends on a kernel that the device can run, not on a device."""

import re

import pytest
from emulator import include_folders
from emulator.core import run_tests

from tests.requirements import requirement

pytestmark = [
    pytest.mark.long,  # the module is compiled with the emulator
    pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known"),
]


@requirement("kernels:cuda-is-usable-where-a-kernel-runs")
@pytest.mark.parametrize("capability", ["75", "80", "90", "120"])
def test_cuda_is_usable_where_a_kernel_runs(capability):
    ran = run_tests("tests/cuda/device_usable.py", EMULATOR_CAPABILITY=capability)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert re.search(r"(\d+) passed", ran.stdout)[1] == ("2" if capability == "75" else "1"), ran.stdout
