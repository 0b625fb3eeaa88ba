"""What is usable on a device: `test_usable.py` runs this with emulated devices of several compute capabilities."""

import os

import numpy as np
import pytest

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import backends, dense, poincare

ROWS = np.full((3, 4), 0.1, np.float32)
CAPABILITY = int(os.environ.get("EMULATOR_CAPABILITY", "120"))
old = pytest.mark.skipif(CAPABILITY >= 80, reason="the kernels run on this device")
young = pytest.mark.skipif(CAPABILITY < 80, reason="the kernels do not run on this device")


class Tensor:
    """What torch's tensors on a GPU say of themselves."""

    is_cuda = True

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise BufferError("it is nothing")


@young
def test_a_kernel_that_runs_there_makes_cuda_usable():
    assert backends()["cuda"] == {"usable": True, "reason": ""}
    assert dense.topk(ROWS[:1], ROWS, 1, backend="cuda")[1].tolist() == [[0]]
    with pytest.raises(ArrayError, match="x must be readable by DLPack"):
        poincare.distance(Tensor(), Tensor())


@old
def test_a_device_that_no_kernel_was_compiled_for_is_not_usable_and_says_why():
    cuda = backends()["cuda"]
    assert not cuda["usable"]
    assert f"sm_{CAPABILITY}" in cuda["reason"] and f"CG_CUDA_ARCHS={CAPABILITY}" in cuda["reason"]
    assert "cudaErrorNoKernelImageForDevice" in cuda["reason"]
    with pytest.raises(BackendUnavailable, match=rf"dense\.topk has no backend 'cuda' .*sm_{CAPABILITY}.*usable: "):
        dense.topk(ROWS[:1], ROWS, 1, backend="cuda")
    assert "sm_" not in backends()["triton"]["reason"]  # it compiles for any device


@old
def test_tensors_there_go_to_triton():
    with pytest.raises((ArrayError, BackendUnavailable), match=r"x must be a torch tensor|needs torch and triton"):
        poincare.distance(Tensor(), Tensor())
