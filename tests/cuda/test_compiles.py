"""Every .cu builds for sm_120 without spills and inside 99 KB of shared memory, on a machine without a GPU."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

CUDA = Path(__file__).parents[2] / "cuda"
LAUNCH = json.loads((CUDA / "launch.json").read_text(encoding="utf-8"))["kernels"]
SHARED_BYTES = 101_376  # most a block may have on sm_120

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not on PATH")


@pytest.mark.parametrize("source", sorted(CUDA.glob("*.cu")), ids=lambda path: path.name)
def test_it_compiles_alone_without_spills(source, tmp_path):
    command = ["nvcc", "-cubin", "-arch=sm_120", "-Xptxas", "-v", str(source), "-o", str(tmp_path / "out.cubin")]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    kernels = re.findall(r"entry function '(\w+)'.*?\n.*?\n(.*?)\n(.*?)\n", built.stderr)
    for name, stack, use in kernels:
        assert "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" in stack, f"{name}: {stack}"
        shared = re.search(r"(\d+) bytes smem", use)
        assert shared is None or int(shared[1]) <= SHARED_BYTES, f"{name}: {use}"
    listed = {
        name for name, entry in LAUNCH.items() if (entry.get("file") or LAUNCH[entry["as"]]["file"]) == source.name
    }
    assert {name for name, _, _ in kernels} == listed
