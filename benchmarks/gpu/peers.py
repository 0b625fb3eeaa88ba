"""Public operations of tensors beside what torch offers for the same: the answers agree, the times are of one run.

A peer is written as a user of torch would write it; `compiled` is the same function through torch.compile, where there
is something to fuse. Where torch has no operation (`hdc`: it counts no bits), the time stands alone.
"""

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from context_graph import kernels

__all__ = ["CASES", "Case", "agreement", "measured"]

REPEATS, FLUSHED = 20, 256 << 20
Case = tuple[Callable[[int, str], tuple[Any, ...]], Callable[..., Any], dict[str, Callable[..., Any]], int, Callable]


def _random(*shape: int, device: str, seed: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(*shape, device=device, generator=torch.Generator(device).manual_seed(seed)).to(dtype)


def _unit(n: int, d: int, device: str, seed: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.nn.functional.normalize(_random(n, d, device=device, seed=seed)).to(dtype)


def _rows(q: int, d: int, dtype: torch.dtype) -> Callable[[int, str], tuple[Any, ...]]:
    return lambda n, device: (_unit(q, d, device, 1), _unit(n, d, device, 2, dtype))


def _balls(q: int, d: int) -> Callable[[int, str], tuple[Any, ...]]:
    return lambda n, device: (0.9 * _unit(q, d, device, 1), 0.8 * _unit(n, d, device, 2))


def _facts(n: int, device: str) -> tuple[Any, ...]:
    return _unit(1, 256, device, 1), _unit(1, 256, device, 2), _unit(n, 256, device, 3)


def _tokens(n: int, device: str) -> tuple[Any, ...]:
    tokens = _unit(180 * n, 128, device, 2)
    return _unit(32, 128, device, 1), tokens, torch.arange(0, 180 * n + 1, 180, device=device)


def _chosen(rows: int) -> Callable[[int, str], tuple[Any, ...]]:
    def make(n: int, device: str) -> tuple[Any, ...]:
        projections = _random(12, n, n, device=device, seed=2, dtype=torch.bfloat16)
        ids = torch.arange(4 * rows, device=device).reshape(rows, 4) % 12
        return _random(rows, n, device=device, seed=1), projections, ids, torch.full((rows, 4), 0.25, device=device)

    return make


def _signals(n: int, device: str) -> tuple[Any, ...]:
    return tuple(_random(n, device=device, seed=seed).abs().clamp(max=1) for seed in range(4))


def _learning(n: int, device: str) -> tuple[Any, ...]:
    """Ten edges a node; the peer is given the source of each edge beside."""
    targets = torch.randint(0, n, (10 * n,), device=device, generator=torch.Generator(device).manual_seed(3))
    offsets = torch.arange(0, 10 * n + 1, 10, device=device)
    sources = torch.arange(n, device=device, dtype=torch.int32).repeat_interleave(10)
    pre, post = (_random(n, device=device, seed=seed).abs().clamp(max=1) for seed in (5, 6))
    return torch.full((10 * n,), 0.5, device=device), offsets, targets.to(torch.int32), pre, post, sources


def _bits(n: int, device: str) -> tuple[Any, ...]:
    words = torch.randint(-(2**62), 2**62, (n, 160), device=device, generator=torch.Generator(device).manual_seed(3))
    words[:, 157:] = 0
    words[:, 156] &= 0xFFFF
    return words[:1].clone().view(torch.uint64), words.view(torch.uint64)


def _topk_by_product(queries: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    return tuple(torch.topk(queries.to(rows.dtype) @ rows.T, 10))


def _softmax(queries: Tensor, patterns: Tensor) -> Tensor:
    queries = queries.to(patterns.dtype)
    return torch.softmax(16.0 * (queries @ patterns.T), -1) @ patterns


def _ball_distances(queries: Tensor, rows: Tensor) -> Tensor:
    gap = torch.cdist(queries, rows).square()
    room = (1 - queries.square().sum(-1))[:, None] * (1 - rows.square().sum(-1))
    return torch.acosh(1 + 2 * gap / room)


def _translated(norm: int) -> Callable[..., Any]:
    return lambda heads, relations, entities: tuple(torch.topk(-torch.cdist(heads + relations, entities, p=norm), 10))


def _equal_maxima(query: Tensor, tokens: Tensor, offsets: Tensor) -> Tensor:
    return (query @ tokens.T).reshape(len(query), len(offsets) - 1, -1).amax(-1).T


def _experts(inputs: Tensor, projections: Tensor, ids: Tensor, weights: Tensor) -> Tensor:
    """Every expert for every row, then the chosen: what reads each matrix once."""
    made = torch.einsum("eoi,ni->neo", projections, inputs.to(projections.dtype))
    chosen = made.gather(1, ids[..., None].expand(-1, -1, made.shape[-1]))
    return (chosen * weights[..., None]).sum(1)


def _gathered(inputs: Tensor, projections: Tensor, ids: Tensor, weights: Tensor) -> Tensor:
    made = projections[ids] @ inputs.to(projections.dtype)[:, None, :, None]
    return (made[..., 0] * weights[..., None]).sum(1)


def _weighed(base: Tensor, excitatory: Tensor, inhibitory: Tensor, modulatory: Tensor) -> Tensor:
    return base * (1 + excitatory - inhibitory + 0.5 * modulatory)


def _learned(weights: Tensor, _, targets: Tensor, pre: Tensor, post: Tensor, sources: Tensor) -> Tensor:
    gain = 0.1 * pre[sources] * post[targets]
    return weights.add_(gain * (1 - weights)).clamp_(0, 1)


def _ours(family: str, operation: str, *more: Any, **options: Any) -> Callable[..., Any]:
    function = getattr(getattr(kernels, family), operation)
    return lambda *given: function(*given, *more, **options)


def _values(found: Any) -> Tensor:
    """Of a choice its scores, which are the same where two rows are equally good."""
    return found[0] if isinstance(found, tuple) else found


_SEARCH = {"torch": _topk_by_product}
_MEMORY = {"torch": _softmax}
HALF, BRAIN, FULL = torch.float16, torch.bfloat16, torch.float32

FUSED = (_softmax, _ball_distances, _equal_maxima, _weighed, _learned)  # the others are one call of a library each

# Arguments for n rows on a device, ours, peers, rows of the large case, what of an answer is compared.
CASES: dict[str, Case] = {
    **{
        f"dense.topk {name}, {q} quer{'y' if q == 1 else 'ies'}": (
            *(_rows(q, 1536, dtype), _ours("dense", "topk", 10), _SEARCH, 1_000_000, _values),
        )
        for name, dtype in (("float32", FULL), ("float16", HALF), ("bfloat16", BRAIN))
        for q in (1, 32)
    },
    **{
        f"hopfield.retrieve {name}, {q} quer{'y' if q == 1 else 'ies'}": (
            *(_rows(q, 1536, dtype), _ours("hopfield", "retrieve", beta=16.0), _MEMORY, 1_000_000, _values),
        )
        for name, dtype in (("float32", FULL), ("bfloat16", BRAIN))
        for q in (1, 32)
    },
    "poincare.distances": (
        *(_balls(1, 100), _ours("poincare", "distances"), {"torch": _ball_distances}, 1_000_000, _values),
    ),
    "transe.nearest l1": (
        _facts,
        _ours("transe", "nearest", 10, norm=1),
        {"torch": _translated(1)},
        1_000_000,
        _values,
    ),
    "transe.nearest l2": (
        _facts,
        _ours("transe", "nearest", 10, norm=2),
        {"torch": _translated(2)},
        1_000_000,
        _values,
    ),
    "hdc.distances": (_bits, _ours("hdc", "distances"), {}, 1_000_000, _values),
    "maxsim.maxima": (_tokens, _ours("maxsim", "maxima"), {"torch": _equal_maxima}, 1_000, _values),
    **{
        f"fusemoe.fuse bfloat16, {rows} row{'s' * (rows > 1)}": (
            *(_chosen(rows), _ours("fusemoe", "fuse"), {"gathered": _gathered, "all": _experts}, 1536, _values),
        )
        for rows in (1, 64)
    },
    "modulation.effective_weight": (
        *(_signals, _ours("modulation", "effective_weight"), {"torch": _weighed}, 10_000_000, _values),
    ),
    "hebbian.update": (
        *(_learning, lambda *given: kernels.hebbian.update(*given[:5], rule="soft", rate=0.1)),
        *({"torch": _learned}, 1_000_000, _values),
    ),
}


def agreement(name: str, n: int, device: str) -> float:
    """The largest difference between ours and a peer, over the largest number of the peer."""
    make, ours, peers, _, compared = CASES[name]
    found = compared(ours(*make(n, device))).float()
    apart = 0.0
    for peer in peers.values():
        wanted = compared(peer(*make(n, device))).float()
        apart = max(apart, float((found.nan_to_num() - wanted.nan_to_num()).abs().max() / wanted.abs().max()))
    return apart


def measured() -> Iterator[dict[str, Any]]:
    """Each case in its large size: our time, that of each peer, as written and compiled."""
    flushed = torch.empty(FLUSHED, dtype=torch.uint8, device="cuda")
    for name, (make, ours, peers, large, _) in CASES.items():
        arguments = make(large, "cuda")
        row: dict[str, Any] = {"case": name, "rows": large, "apart": agreement(name, min(large, 10_000), "cuda")}
        fused = {f"{peer}, compiled": torch.compile(call) for peer, call in peers.items() if call in FUSED}
        ways = {"ours": ours, **peers, **fused}
        with kernels.cuda_stream(check=False), torch.no_grad():
            for way, call in ways.items():
                try:
                    row[way] = round(_time_us(call, arguments, flushed), 1)
                except Exception as error:  # a peer that does not run must not lose the others
                    row[way] = None
                    print(f"{name}, {way}: {error}")
        times = [row[way] for way in ways if way != "ours" and row[way]]
        row["best_peer_over_ours"] = round(min(times) / row["ours"], 2) if times and row["ours"] else None
        print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
        yield row
        del arguments
        torch.compiler.reset()
        torch.cuda.empty_cache()


def _time_us(call: Callable[..., Any], arguments: tuple[Any, ...], flushed: Tensor) -> float:
    """Median of events around a call, with nothing of ours in the L2 cache."""
    for _ in range(3):
        call(*arguments)
    times = []
    for _ in range(REPEATS):
        flushed.fill_(1)
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call(*arguments)
        stop.record()
        stop.synchronize()
        times.append(1000 * start.elapsed_time(stop))
    return statistics.median(times)
