"""The tests of every kernel family with backend="cuda": Python, binding and launcher ship, the kernel is emulated."""

import re

import pytest
from emulator import include_folders
from emulator.core import run_kernel_tests

pytestmark = [
    pytest.mark.long,  # the module is compiled with the emulator
    pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known"),
]

# Operations that no CUDA kernel does yet; their tests are skipped by this name.
MISSING: dict[str, set[str]] = {}

# Sizes that say little more and take long when emulated.
LARGE = "not threads_and_batches and not threads_change and not without_drift"
CHOSEN = {
    "files": "what_was_saved",
    "hopfield": (
        "not threads_and_batches and not threads_change and (not sixteen_bits or 31) and "
        "(not agrees_with_its_definition or 31-8)"
    ),
}


FAMILIES = "cones dense files fusemoe hdc hebbian hopfield maxsim modulation poincare sparse transe".split()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_keeps_its_promises_on_cuda(family):
    ran = run_kernel_tests(family, CHOSEN.get(family, LARGE))
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", ran.stdout)[1]) >= 5, ran.stdout
    missing = set(re.findall(rf"{family}\.(\w+) has no backend 'cuda'", ran.stdout))
    assert missing == MISSING.get(family, set()), ran.stdout
