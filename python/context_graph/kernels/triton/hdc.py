"""Hyperdimensional vectors of 10,000 bits, as int64 tensors of 160 words."""

import torch
import triton
import triton.language as tl

from context_graph.kernels.hdc import WORDS
from context_graph.kernels.triton._launch import aot, tensor

__all__ = ["bind", "distances", "hamming"]

HALVES = 2 * WORDS  # 32-bit words, for which GPUs have an instruction


# One program for BLOCK_N rows and one query. Bits are counted by adding neighbours, which Triton turns into `popc`.
@triton.jit
def hamming_kernel(x, y, out, n, x_row, x_query, HALVES: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_W: tl.constexpr):
    query = tl.program_id(1).to(tl.int64)
    row = tl.program_id(0).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_N,), tl.int32)
    for start in range(0, HALVES, BLOCK_W):
        word = start + tl.arange(0, BLOCK_W)
        inside = (row < n)[:, None] & (word < HALVES)[None, :]
        a = tl.load(x + query * x_query + row[:, None] * x_row + word[None, :], inside, 0)
        b = tl.load(y + row[:, None] * HALVES + word[None, :], inside, 0)
        bits = (a ^ b).to(tl.uint32, bitcast=True)
        bits = bits - ((bits >> 1) & 0x55555555)
        bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
        bits = (bits + (bits >> 4)) & 0x0F0F0F0F
        total += tl.sum(((bits * 0x01010101) >> 24).to(tl.int32), 1)
    tl.store(out + query * n + row, total, row < n)


def bind(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """`kernels.hdc.bind`; torch's own exclusive or reaches the limit of the memory."""
    return torch.bitwise_xor(_vectors(x, "x"), _vectors(y, "y"))


def hamming(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """`kernels.hdc.hamming`."""
    x = _vectors(x, "x")
    return _run(x, _vectors(y, "y", len(x)), 1, HALVES)[0]


def distances(queries: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """`kernels.hdc.distances`."""
    queries = _vectors(queries, "queries")
    return _run(queries, _vectors(rows, "rows"), len(queries), 0)


def _vectors(value: torch.Tensor, name: str, count: int | None = None) -> torch.Tensor:
    return tensor(value, name, (torch.int64, torch.uint64), (count, WORDS)).view(torch.int64)


def _run(x: torch.Tensor, y: torch.Tensor, queries: int, x_row: int) -> torch.Tensor:
    n = len(y)
    out = torch.empty(queries, n, dtype=torch.int32, device=x.device)
    if out.numel():
        grid = (triton.cdiv(n, 32), queries)
        hamming_kernel[grid](
            x.view(torch.int32), y.view(torch.int32), out, n, x_row, HALVES, HALVES=HALVES, BLOCK_N=32, BLOCK_W=64
        )
    return out


COMPILED = {
    "hdc_hamming": aot(
        hamming_kernel, {"x": "*i32", "y": "*i32", "out": "*i32"}, "n x_row x_query",
        HALVES=HALVES, BLOCK_N=32, BLOCK_W=64,
    ),
}  # fmt: skip
