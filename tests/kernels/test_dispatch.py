"""Backends, threads, imports and the objects they come from."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import backends, dense, hdc, maxsim, sparse

ROOT = Path(__file__).parents[2]
ROWS, QUERY = np.eye(3, dtype=np.float32), np.ones((1, 3), np.float32)


def test_backends_give_a_reason_where_unusable():
    found = backends()
    assert list(found) == ["reference", "scalar", "avx2", "avx512", "cuda", "triton"]
    assert found["reference"] == found["scalar"] == {"usable": True, "reason": ""}
    assert all(entry["usable"] != bool(entry["reason"]) for entry in found.values())


def test_an_impossible_backend_lists_the_usable_ones(monkeypatch):
    with pytest.raises(BackendUnavailable, match=r"dense\.topk has no backend 'neon' .*usable: .*scalar, reference"):
        dense.topk(QUERY, ROWS, 1, backend="neon")
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", "neon")
    for make in (lambda: dense.Index(3), maxsim.Index, sparse.Index, hdc.Index):
        with pytest.raises(BackendUnavailable, match="has no backend 'neon'"):
            make()


def test_cuda_without_a_driver_says_why():
    cuda = backends()["cuda"]
    if cuda["usable"]:
        pytest.skip("a CUDA device answers here")
    with pytest.raises(BackendUnavailable, match="usable:"):
        dense.topk(QUERY, ROWS, 1, backend="cuda")


def test_the_environment_chooses_the_default(monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", "scalar")
    assert hdc.Index().backend == "scalar"
    assert hdc.Index(backend="reference").backend == "reference"
    monkeypatch.setenv("CONTEXT_GRAPH_THREADS", "0")
    with pytest.raises(ArrayError, match="CONTEXT_GRAPH_THREADS must be at least 1"):
        dense.topk(QUERY, ROWS, 1)


def test_importing_kernels_is_cheap():
    """No torch, pydantic or mcp, and no family before it is used."""
    code = "import sys, context_graph.kernels; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    outside = {name.split(".")[0] for name in loaded} & {"torch", "pydantic", "mcp", "apsw", "onnxruntime", "faiss"}
    assert not outside
    assert "context_graph.kernels.dense" not in loaded


def test_an_unknown_family_is_an_attribute_error():
    import context_graph.kernels

    with pytest.raises(AttributeError, match="families: backends, cones, cuda_stream"):
        _ = context_graph.kernels.blas


def test_other_arrays_enter_through_dlpack_without_a_copy():
    class Wrapped:
        def __init__(self, array, device=None):
            self.array, self.device = array, device

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.device or self.array.__dlpack_device__()

    assert dense.topk(Wrapped(QUERY), Wrapped(ROWS), 1)[1].tolist() == [[0]]
    with pytest.raises(ArrayError, match=r"rows must be on the CPU, got DLPack device 2"):
        dense.topk(QUERY, Wrapped(ROWS, (2, 0)), 1)


def test_calls_from_many_threads_agree():
    rows = np.random.default_rng(0).standard_normal((4000, 300)).astype(np.float32)
    wanted = dense.topk(rows[:1], rows, 5)[1]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: dense.topk(rows[:1], rows, 5, threads=2)[1], range(64)))
    assert all((answer == wanted).all() for answer in answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_starts_its_own_threads():
    code = """
import os, numpy as np
from context_graph.kernels import dense
rows = np.ones((9000, 300), np.float32)
dense.topk(rows[:1], rows, 1, threads=2)
child = os.fork()
if child == 0:
    os._exit(int(dense.topk(rows[:1], rows, 1, threads=2)[1][0, 0]))
raise SystemExit(os.waitpid(child, 0)[1])
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def built_objects():
    return sorted(ROOT.glob("build/*/CMakeFiles/context_graph_objects.dir/csrc/**/*.o"))


@pytest.mark.skipif(not built_objects(), reason="no build directory with objects here")
def test_baseline_objects_hold_no_wide_registers():
    """AVX code in a shared object is a crash on older processors; the linker must have no such copy to choose."""
    for path in built_objects():
        if path.name.startswith(("avx", "bf16", "amx")):
            continue
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True)
        assert "%ymm" not in text.stdout and "%zmm" not in text.stdout, path.name


@pytest.mark.skipif(not built_objects(), reason="no build directory with objects here")
def test_wide_objects_export_only_their_own_symbols():
    """A weak function built with AVX could be the copy that everyone gets."""
    for path in built_objects():
        if not path.name.startswith(("avx", "bf16", "amx")):
            continue
        listed = subprocess.run(["nm", "-C", "--defined-only", path], check=True, capture_output=True, text=True).stdout
        weak = [line for line in listed.splitlines() if line.split()[1] in "Ww"]
        assert not weak, (path.name, weak)
