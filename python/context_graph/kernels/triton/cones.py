"""Entailment cones in the Poincaré ball."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels.triton._launch import aot, matrix, power_of_two

__all__ = ["ancestors", "aperture", "contains", "descendants", "energy"]


# One program for BLOCK_N pairs of one query: three sums in float64, then the test of kernels.cones without a
# transcendental function, or the two legs of the angle. A row stride of 0 repeats the query for every row.
@triton.jit
def cone_kernel(
    apexes, points, holds, legs, n, d, apex_row, apex_query, point_row, point_query,
    WIDTH: tl.constexpr, LEGS: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr,
):  # fmt: skip
    query = tl.program_id(1).to(tl.int64)
    row = tl.program_id(0).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    square = tl.zeros((BLOCK_N,), tl.float64)
    across = tl.zeros((BLOCK_N,), tl.float64)
    apart = tl.zeros((BLOCK_N,), tl.float64)
    bad = tl.zeros((BLOCK_N,), tl.float64)
    for start in range(0, d, BLOCK_D):
        column = start + tl.arange(0, BLOCK_D)
        inside = (row < n)[:, None] & (column < d)[None, :]
        x = tl.load(apexes + query * apex_query + row[:, None] * apex_row + column[None, :], inside, 0.0).to(tl.float64)
        y = tl.load(points + query * point_query + row[:, None] * point_row + column[None, :], inside, 0.0).to(
            tl.float64
        )
        w = y - x
        square += tl.sum(x * x, 1)
        across += tl.sum(w * x, 1)
        apart += tl.sum(w * w, 1)
        bad += tl.sum(y * y, 1)
    a = 1.0 - square
    rise = square * apart - across * across
    up = a * tl.sqrt(tl.where(rise > 0, rise, 0.0))
    along = a * across - square * apart
    length = tl.sqrt(square)
    sine = WIDTH * a / tl.where(length > 0, length, 1.0)
    whole = WIDTH * a >= length
    if LEGS:
        tl.store(legs + row * 4, up, row < n)
        tl.store(legs + row * 4 + 1, along, row < n)
        tl.store(legs + row * 4 + 2, tl.where(whole, 2.0, sine), row < n)
        tl.store(legs + row * 4 + 3, bad, row < n)
    else:
        cosine = tl.sqrt(tl.where(whole, 0.0, 1.0 - sine * sine))
        within = whole | (apart == 0) | ((along > 0) & (up * cosine <= sine * along))
        usable = (square < 1) & (bad < 1)
        tl.store(holds + query * n + row, tl.where(usable, within.to(tl.uint8), 2), row < n)


def contains(apexes: torch.Tensor, points: torch.Tensor, *, width: float = 0.1) -> torch.Tensor:
    """`kernels.cones.contains`."""
    apexes, points = _pairs(apexes, points)
    d = apexes.shape[1]
    return _holds(apexes, points, width, len(apexes), 1, (d, 0), (d, 0))[0]


def ancestors(points: torch.Tensor, apexes: torch.Tensor, *, width: float = 0.1) -> torch.Tensor:
    """`kernels.cones.ancestors`."""
    points = matrix(points, "points")
    d = points.shape[1]
    return _holds(matrix(apexes, "apexes", d), points, width, len(apexes), len(points), (d, 0), (0, d))


def descendants(apexes: torch.Tensor, points: torch.Tensor, *, width: float = 0.1) -> torch.Tensor:
    """`kernels.cones.descendants`."""
    apexes = matrix(apexes, "apexes")
    d = apexes.shape[1]
    return _holds(apexes, matrix(points, "points", d), width, len(points), len(apexes), (0, d), (d, 0))


def energy(apexes: torch.Tensor, points: torch.Tensor, *, width: float = 0.1) -> torch.Tensor:
    """`kernels.cones.energy`; the arcs are torch's, in float64."""
    apexes, points = _pairs(apexes, points)
    n, d = apexes.shape
    legs = torch.empty(n, 4, dtype=torch.float64, device=apexes.device)
    _launch(apexes, points, None, legs, check.positive(width, "width"), n, 1, (d, 0), (d, 0))
    up, along, sine, square = legs.unbind(1)
    if not (torch.isfinite(legs).all() and (square < 1).all()):
        raise _outside()
    aperture = torch.where(sine >= 1, torch.pi, torch.asin(sine.clamp(max=1)))
    return (torch.atan2(up, along) - aperture).clamp(min=0).float()


def aperture(apexes: torch.Tensor, *, width: float = 0.1) -> torch.Tensor:
    """`kernels.cones.aperture`; no kernel, it reads each number once anyway."""
    square = matrix(apexes, "apexes").double().square().sum(1)
    sine = check.positive(width, "width") * (1 - square) / square.sqrt()
    if not (square < 1).all():
        raise _outside()
    return torch.where(sine >= 1, torch.pi, torch.asin(sine.clamp(max=1))).float()


def _pairs(apexes: torch.Tensor, points: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    apexes = matrix(apexes, "apexes")
    return apexes, matrix(points, "points", apexes.shape[1], apexes.shape[0])


def _holds(
    apexes: torch.Tensor,
    points: torch.Tensor,
    width: float,
    n: int,
    queries: int,
    apex_strides: tuple[int, int],
    point_strides: tuple[int, int],
) -> torch.Tensor:
    holds = torch.empty(queries, n, dtype=torch.uint8, device=apexes.device)
    _launch(apexes, points, holds, None, check.positive(width, "width"), n, queries, apex_strides, point_strides)
    if (holds == 2).any():
        raise _outside()
    return holds.bool()


def _launch(
    apexes: torch.Tensor,
    points: torch.Tensor,
    holds: torch.Tensor | None,
    legs: torch.Tensor | None,
    width: float,
    n: int,
    queries: int,
    apex_strides: tuple[int, int],
    point_strides: tuple[int, int],
) -> None:
    if n == 0 or queries == 0:
        return
    d = apexes.shape[1]
    block_d = power_of_two(d, 16, 64)
    block_n = 1024 // block_d
    cone_kernel[(triton.cdiv(n, block_n), queries)](
        apexes, points, legs if holds is None else holds, holds if legs is None else legs, n, d,
        *apex_strides, *point_strides, WIDTH=width, LEGS=legs is not None, BLOCK_N=block_n, BLOCK_D=block_d,
    )  # fmt: skip


def _outside() -> ArrayError:
    return ArrayError("rows must be finite and inside the ball, |x|² < 1; poincare.project pulls strays back in")


POINTERS = {"apexes": "*fp32", "points": "*fp32", "holds": "*u8", "legs": "*fp64"}
NUMBERS = "n d apex_row apex_query point_row point_query"
COMPILED = {
    "cones_contains": aot(cone_kernel, POINTERS, NUMBERS, WIDTH=0.1, LEGS=False, BLOCK_N=16, BLOCK_D=64),
    "cones_energy": aot(cone_kernel, POINTERS, NUMBERS, WIDTH=0.1, LEGS=True, BLOCK_N=16, BLOCK_D=64),
}
