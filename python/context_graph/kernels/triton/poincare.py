"""Distances in the Poincaré ball."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels.triton._launch import aot, matrix, power_of_two

__all__ = ["distance", "distances"]


# One program for BLOCK_N rows and one query. Row strides of 0 repeat a query for every row. Squares are summed in
# float64, for a = 1 - c|x|² keeps no digit near the rim else; the gap from differences in float32. Bound by memory: 4 d
# bytes a row, and on cards with slow float64 by 2 d of its operations.
@triton.jit
def distance_kernel(
    x, y, out, n, d, x_row, x_query, y_row, CURVATURE: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr
):
    query = tl.program_id(1)
    row = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    x += query.to(tl.int64) * x_query
    gap = tl.zeros((BLOCK_N,), tl.float32)
    square_x = tl.zeros((BLOCK_N,), tl.float64)
    square_y = tl.zeros((BLOCK_N,), tl.float64)
    for start in range(0, d, BLOCK_D):
        column = start + tl.arange(0, BLOCK_D)
        inside = (row < n)[:, None] & (column < d)[None, :]
        a = tl.load(x + row.to(tl.int64)[:, None] * x_row + column[None, :], inside, 0.0)
        b = tl.load(y + row.to(tl.int64)[:, None] * y_row + column[None, :], inside, 0.0)
        gap += tl.sum((a - b) * (a - b), 1)
        square_x += tl.sum(a.to(tl.float64) * a.to(tl.float64), 1)
        square_y += tl.sum(b.to(tl.float64) * b.to(tl.float64), 1)
    room_x = 1.0 - CURVATURE * square_x
    room_y = 1.0 - CURVATURE * square_y
    within = (room_x > 0) & (room_y > 0)
    key = tl.where(within, CURVATURE * gap.to(tl.float64) / tl.where(within, room_x * room_y, 1.0), 0.0)
    s = tl.sqrt(key)
    small = s * (1.0 - key / 6.0 + 3.0 * key * key / 40.0)  # where the logarithm of nearly 1 has lost the digits
    angle = tl.where(s < 1e-3, small, tl.log(s + tl.sqrt(key + 1.0)))
    found = tl.where(within, 2.0 * angle / CURVATURE**0.5, float("nan"))
    tl.store(out + query.to(tl.int64) * n + row, found.to(tl.float32), row < n)


def distance(x: torch.Tensor, y: torch.Tensor, *, curvature: float = 1.0) -> torch.Tensor:
    """`kernels.poincare.distance`."""
    curvature = check.curvature(curvature)
    x = matrix(x, "x")
    return _run(x, matrix(y, "y", x.shape[1], x.shape[0]), curvature, queries=1, x_row=x.shape[1])[0]


def distances(queries: torch.Tensor, rows: torch.Tensor, *, curvature: float = 1.0) -> torch.Tensor:
    """`kernels.poincare.distances`."""
    curvature = check.curvature(curvature)
    queries = matrix(queries, "queries")
    return _run(queries, matrix(rows, "rows", queries.shape[1]), curvature, queries=len(queries), x_row=0)


def _run(x: torch.Tensor, y: torch.Tensor, curvature: float, *, queries: int, x_row: int) -> torch.Tensor:
    n, d = y.shape
    out = torch.empty(queries, n, device=x.device)
    if out.numel():
        block_d = power_of_two(d, 16, 128)
        block_n = 2048 // block_d
        grid = (triton.cdiv(n, block_n), queries)
        distance_kernel[grid](x, y, out, n, d, x_row, d, d, CURVATURE=curvature, BLOCK_N=block_n, BLOCK_D=block_d)
    if not torch.isfinite(out).all():
        raise ArrayError("rows must be finite and inside the ball, c|x|² < 1; project pulls strays back in")
    return out


COMPILED = {
    "poincare_distance": aot(
        distance_kernel, {"x": "*fp32", "y": "*fp32", "out": "*fp32"}, "n d x_row x_query y_row",
        CURVATURE=1.0, BLOCK_N=32, BLOCK_D=64,
    ),
}  # fmt: skip
