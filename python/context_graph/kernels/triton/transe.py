"""Facts as translations: a relation is the step from a head to its tail."""

import torch
import triton
import triton.language as tl

from context_graph.errors import ArrayError
from context_graph.kernels.triton import dense
from context_graph.kernels.triton._launch import aot, matrix, power_of_two, tensor

__all__ = ["nearest", "score"]


# One program for BLOCK_N tails and one (head, relation), the programs of the same tails side by side, so that these
# come from L2. A row stride of 0 repeats head and relation for every tail. head + relation is rounded once, then
# compared by differences. Bound by memory: 4 d bytes a tail, 12 d a fact.
@triton.jit
def score_kernel(
    heads, relations, tails, out, lines, n, d, wish_row,
    SQUARED: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr,
):  # fmt: skip
    line = (tl.program_id(0) % lines).to(tl.int64)
    row = (tl.program_id(0) // lines).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_N, BLOCK_D), tl.float32)
    for start in range(0, d, BLOCK_D):
        column = start + tl.arange(0, BLOCK_D)
        inside = (row < n)[:, None] & (column < d)[None, :]
        at = line * d + row[:, None] * wish_row + column[None, :]
        wish = tl.load(heads + at, inside, 0.0) + tl.load(relations + at, inside, 0.0)
        gap = wish - tl.load(tails + row[:, None] * d + column[None, :], inside, 0.0)
        total += gap * gap if SQUARED else tl.abs(gap)
    length = tl.sum(total, 1)
    if SQUARED:
        length = tl.sqrt_rn(length)
    tl.store(out + line * n + row, 0.0 - length, row < n)


def score(heads: torch.Tensor, relations: torch.Tensor, tails: torch.Tensor, *, norm: int = 2) -> torch.Tensor:
    """`kernels.transe.score`."""
    heads, relations = _wishes(heads, relations)
    n, d = heads.shape
    return _scores(heads, relations, matrix(tails, "tails", d, n), norm, lines=1, wish_row=d)[0]


def nearest(
    heads: torch.Tensor,
    relations: torch.Tensor,
    tails: torch.Tensor,
    k: int,
    *,
    norm: int = 2,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """`kernels.transe.nearest`."""
    heads, relations = _wishes(heads, relations)
    tails = matrix(tails, "tails", heads.shape[1])

    def scores_of(part: slice) -> torch.Tensor:
        some = heads[part]
        return _scores(some, relations[part], tails, norm, lines=len(some), wish_row=0)

    return dense.best_of_parts(len(heads), len(tails), k, mask, scores_of)


def _wishes(heads: torch.Tensor, relations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    heads = matrix(heads, "heads")
    return heads, tensor(relations, "relations", (torch.float32,), tuple(heads.shape))


def _scores(
    heads: torch.Tensor, relations: torch.Tensor, tails: torch.Tensor, norm: int, *, lines: int, wish_row: int
) -> torch.Tensor:
    if norm not in (1, 2):
        raise ArrayError(f"norm must be 1 or 2, got {norm!r}")
    n, d = tails.shape
    out = torch.empty(lines, n, device=tails.device)
    if out.numel():
        block_d = power_of_two(d, 16, 128)
        block_n = 2048 // block_d
        score_kernel[(lines * triton.cdiv(n, block_n),)](
            heads, relations, tails, out, lines, n, d, wish_row, SQUARED=norm == 2, BLOCK_N=block_n, BLOCK_D=block_d
        )
    if not (torch.isfinite(heads).all() & torch.isfinite(relations).all() & torch.isfinite(out).all()):
        raise ArrayError(
            "a score is not finite: a head, relation or tail holds NaN or infinity, or it is too large for float32"
        )
    return out


COMPILED = {
    f"transe_score_l{norm}": aot(
        score_kernel, dict.fromkeys(("heads", "relations", "tails", "out"), "*fp32"), "lines n d wish_row",
        SQUARED=norm == 2, BLOCK_N=16, BLOCK_D=128,
    )
    for norm in (1, 2)
}  # fmt: skip
