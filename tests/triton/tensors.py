"""Arrays as tensors where the kernels run: interpreted on the CPU, or on a card with TRITON_INTERPRET=0."""

import os

import numpy as np
import torch

DEVICE = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"


def on(*arrays):
    moved = [torch.from_numpy(np.ascontiguousarray(array)).to(DEVICE) for array in arrays]
    return moved if len(moved) > 1 else moved[0]
