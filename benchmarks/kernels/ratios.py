"""Each family beside the best exact peer, in turns within one process: how many times as fast, at one thread and two.

python -m benchmarks.kernels.ratios [--only WORDS] [--out benchmarks/results/ratios/MACHINE.json]

Rounds alternate between ours and the peers, each visit repeats for 20 ms; a time is the least of all rounds, beside it
the median. `ratio_table` prints the table of docs/kernels/index.md. Needs the extra `bench`, torch, scipy and
threadpoolctl. The answers are compared by the tests.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import faiss
import numba
import numpy as np
import torch
from threadpoolctl import threadpool_limits

from benchmarks.kernels import bench_cones, bench_hebbian, bench_modulation, bench_poincare
from benchmarks.shapes import (
    BALL,
    FUSEMOE,
    GRAPH,
    NATIVE,
    SEED,
    SMALL_GRAPH,
    SPARSE,
    bags,
    ball,
    edges,
    on_huge_pages,
    unit_rows,
)
from context_graph import _core
from context_graph.kernels import (
    cones,
    dense,
    fusemoe,
    hdc,
    hebbian,
    hopfield,
    maxsim,
    modulation,
    poincare,
    sparse,
)
from context_graph.kernels.reference import poincare as reference

VISIT = 0.02  # seconds
BETA = 8.0
Call = Callable[[], object]


class Case(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    goal : float
        The ratio that is wanted.
    ours : callable
        Of the number of threads.
    peers : dict
        Name to what it does, with as many threads as its library was told.
    """

    name: str
    goal: float
    ours: Callable[[int], object]
    peers: dict[str, Call]


def bfloat16(rows: np.ndarray) -> torch.Tensor:
    """The same rounded, where our own indexes live."""
    words = on_huge_pages(torch.from_numpy(rows).bfloat16().view(torch.uint16).numpy())
    return torch.from_numpy(words).view(torch.bfloat16)


def dense_cases() -> Iterator[Case]:
    n, d = 200_000, 1536
    rows = on_huge_pages(unit_rows(n, d))
    floats, codes = dense.Index(d), dense.Index(d, dtype="int8")
    floats.append(rows)
    codes.append(rows)
    for q, goals in ((1, (1.5, 5.0)), (64, (2.5, 8.0))):
        query = unit_rows(q, d, seed=1)
        peers = {
            "numpy": lambda query=query: np.argpartition(-(query @ rows.T), 10, axis=1)[:, :10],
            "torch": lambda query=query: torch.topk(torch.from_numpy(query) @ torch.from_numpy(rows).T, 10),
            "faiss": lambda query=query: faiss.knn(query, rows, 10, metric=faiss.METRIC_INNER_PRODUCT),
        }
        yield Case(f"dense B={q} float32", goals[0], lambda t, query=query: floats.search(query, 10, threads=t), peers)
        yield Case(
            f"dense B={q} int8, exact", goals[1], lambda t, query=query: codes.search(query, 10, threads=t), peers
        )


def hopfield_cases() -> Iterator[Case]:
    n, d = 100_000, 1536
    rows = on_huge_pages(unit_rows(n, d))
    plain, halves = torch.from_numpy(rows), bfloat16(rows)
    attend = torch.nn.functional.scaled_dot_product_attention

    def by_numpy(queries: np.ndarray) -> np.ndarray:
        scores = BETA * (queries @ rows.T)
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores @ rows

    for q, goals in ((1, (1.9, 4.0)), (64, (1.3, 1.5))):
        queries = unit_rows(q, d, seed=1)
        asked, halved = torch.from_numpy(queries), torch.from_numpy(queries).bfloat16()
        peers = {
            "numpy": lambda queries=queries: by_numpy(queries),
            "torch": lambda asked=asked: attend(asked[None], plain[None], plain[None], scale=BETA),
        }
        rounded = {"torch, bfloat16": lambda halved=halved: torch.softmax(BETA * (halved @ halves.T), 1) @ halves}
        run = lambda t, x, queries=queries: hopfield.retrieve(queries, x, beta=BETA, threads=t)  # noqa: E731
        yield Case(f"hopfield B={q} float32", goals[0], lambda t, run=run: run(t, rows), peers)
        yield Case(
            f"hopfield B={q} bfloat16", goals[1], lambda t, run=run: run(t, halves), peers if q == 1 else rounded
        )


def fusemoe_cases() -> Iterator[Case]:
    experts, d, dout, din = FUSEMOE
    weights, rows = on_huge_pages(unit_rows(experts, d)), unit_rows(1024, d, seed=1)
    own = (weights**2).sum(axis=1)

    def by_numpy(x: np.ndarray) -> np.ndarray:
        scores = -np.sqrt(np.maximum((x**2).sum(axis=1, keepdims=True) + own - 2 * (x @ weights.T), 0))
        best = np.take_along_axis(scores, np.argpartition(-scores, 4, axis=1)[:, :4], axis=1)
        powers = np.exp(best - best.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def by_torch(x: np.ndarray) -> torch.Tensor:
        best, _ = torch.topk(-torch.cdist(torch.from_numpy(x), torch.from_numpy(weights)), 4, dim=1)
        return torch.softmax(best, dim=1)

    for q, goal in ((1, 10.0), (1024, 4.0)):
        x = rows[:q]
        peers = {"numpy": lambda x=x: by_numpy(x), "torch": lambda x=x: by_torch(x)}
        yield Case(f"gate B={q}", goal, lambda t, x=x: fusemoe.gate(x, weights, threads=t), peers)
    projections = on_huge_pages(unit_rows(experts * dout, din).reshape(experts, dout, din))
    halves = bfloat16(projections)
    inputs, ids, shares = unit_rows(1, din, seed=3), np.array([[0, 4, 7, 11]]), np.full((1, 4), 0.25, np.float32)
    tensors, x = torch.from_numpy(projections), torch.from_numpy(inputs[0])
    peers = {
        "numpy": lambda: sum(np.float32(0.25) * (projections[i] @ inputs[0]) for i in ids[0]),
        "torch": lambda: sum(0.25 * (tensors[i] @ x) for i in ids[0].tolist()),
    }
    yield Case("fuse 4 of 13, float32", 1.3, lambda t: fusemoe.fuse(inputs, projections, ids, shares, threads=t), peers)
    yield Case("fuse 4 of 13, bfloat16", 3.0, lambda t: fusemoe.fuse(inputs, halves, ids, shares, threads=t), peers)


def poincare_cases() -> Iterator[Case]:
    n, d = BALL
    rows = on_huge_pages(ball(n, d))
    slacks = on_huge_pages(
        np.concatenate([reference.slack(part) for part in np.array_split(rows, 20)]).astype(np.float32)
    )
    plain, screened = poincare.Index(d), poincare.Index(d, screened=True)
    plain.append(rows)
    screened.append(rows)
    out = np.empty(n, np.float32)

    def by_numba(query: np.ndarray) -> None:
        for each in query:
            bench_poincare.fused(each, rows, slacks, out)
            best = bench_poincare.best_of(out)
            np.arccosh(1 + 2 * out[best])

    def by_torch(query: torch.Tensor) -> object:
        gaps = torch.cdist(query, torch.from_numpy(rows), compute_mode="donot_use_mm_for_euclid_dist") ** 2
        return torch.topk(gaps / torch.from_numpy(slacks), 10, largest=False)

    def in_parts(query: torch.Tensor) -> object:
        return [by_torch(part) for part in query.split(8)]

    for q, goal in ((1, 3.6), (64, 18.0)):
        query = ball(q, d, seed=1)
        asked = torch.from_numpy(query)
        peers = {"numba": lambda query=query: by_numba(query)}
        if q > 1:
            peers["torch"] = lambda asked=asked: in_parts(asked)
        for kind, index in (("plain", plain), ("screened", screened)):
            run = lambda t, index=index, query=query: index.nearest(query, 10, threads=t)  # noqa: E731
            yield Case(f"poincare B={q}, {kind}", goal, run, peers)


def cones_cases() -> Iterator[Case]:
    n, d = BALL
    rows = on_huge_pages(ball(n, d))
    apexes = rows[:1] * np.float32(0.3 / np.linalg.norm(rows[0]))
    rows[::1000] += 4 * apexes[0]
    rows[::1000] *= np.minimum(1, 0.9 / np.linalg.norm(rows[::1000], axis=1, keepdims=True))
    point, out = apexes * np.float32(3.1), np.empty(n, np.bool_)
    peers = {"numba, inexact": lambda: bench_cones.fused(point[0], rows, out)}
    yield Case("cones of a point", 1.3, lambda t: cones.ancestors(point, rows, threads=t), peers)
    if hasattr(cones, "Index"):
        index = cones.Index(d)
        index.append(rows)
        yield Case("cones of a point, codes", 4.0, lambda t: index.ancestors(point, threads=t), peers)


def hdc_cases() -> Iterator[Case]:
    n = 300_000
    rows = hdc.items(np.arange(n), seed=SEED)
    index = hdc.Index()
    index.append(rows)
    flat = faiss.IndexBinaryFlat(10_000)
    flat.add(np.ascontiguousarray(rows.view(np.uint8)[:, :1250]))
    for q, goal in ((1, 1.8), (64, 6.5)):
        queries = hdc.items(np.arange(n, n + q), seed=SEED)
        packed = np.ascontiguousarray(queries.view(np.uint8)[:, :1250])
        peers = {"faiss": lambda packed=packed: flat.search(packed, 10)}
        yield Case(f"hamming B={q}", goal, lambda t, queries=queries: index.search(queries, 10, threads=t), peers)
    some = rows[:100]
    bits = torch.from_numpy(np.unpackbits(some.view(np.uint8), axis=1, bitorder="little"))
    peers = {"torch, a byte a bit": lambda: bits.sum(dim=0, dtype=torch.uint8) > 50}
    yield Case("majority of 100", 6.0, lambda t: hdc.bundle(some), peers)


def graph_cases() -> Iterator[Case]:
    import scipy.sparse

    n, m = GRAPH
    offsets, targets, weights = edges(n, m)
    signals = np.random.default_rng(SEED).integers(0, 256, (3, m), dtype=np.uint8)
    floats = (signals / 255).astype(np.float32)
    out = np.empty(m, np.float32)
    peers = {"numba": lambda: bench_modulation.weigh(weights, *floats, out)}
    yield Case(
        "weigh, signals of 8 bits",
        2.2,
        lambda t: modulation.effective_weight(weights, *signals, out=out, threads=t),
        peers,
    )
    pre, post = np.random.default_rng(3).random((2, n), dtype=np.float32)
    learning, graph = weights.copy(), modulation.Graph(offsets, targets, weights)
    rate = np.float32(0.01)
    peers = {"numba": lambda: bench_hebbian.update(learning, offsets, targets, pre, post, rate)}
    yield Case("hebbian, graph", 3.5, lambda t: hebbian.learn(graph, pre, post, rate=0.01, threads=t), peers)
    yield Case(
        "hebbian, arrays", 1.5,
        lambda t: hebbian.update(learning, offsets, targets, pre, post, rate=0.01, threads=t), peers,
    )  # fmt: skip
    sums = np.add.reduceat(np.append(weights, 0), offsets[:-1])
    shares = (weights / np.repeat(np.maximum(sums, 1e-9), np.diff(offsets))).astype(np.float32)
    transposed = scipy.sparse.csr_matrix((shares, targets.astype(np.int32), offsets), shape=(n, n)).T.tocsr()
    seeds = np.random.default_rng(2).random(n, dtype=np.float32)

    def by_scipy() -> np.ndarray:
        ranks = seeds
        for _ in range(10):
            ranks = np.float32(0.15) * seeds + np.float32(0.85) * (transposed @ ranks)
        return ranks

    run = lambda t: graph.pagerank(seeds, iterations=10, tolerance=0, threads=t)  # noqa: E731
    yield Case("pagerank, ten rounds", 3.0, run, {"scipy": by_scipy})
    n, m = SMALL_GRAPH
    small = edges(n, m)
    graph = modulation.Graph(*small)
    best, frontier, improved = np.empty(n, np.float32), np.empty(m, np.int64), np.empty(m, np.int64)
    peers = {"numba, no ways kept": lambda: bench_modulation.walk(*small, 7, 4, best, frontier, improved)}
    for k, goal in ((10, 36.0), (1000, 3.0)):
        yield Case(f"paths k={k}", goal, lambda t, k=k: graph.strongest_paths([7], hops=4, k=k), peers)


def maxsim_cases() -> Iterator[Case]:
    n, d = 10_000, 128
    sizes = np.random.default_rng(SEED).integers(64, 181, n)
    tokens, query = unit_rows(int(sizes.sum()), d), unit_rows(32, d, seed=1)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    index = maxsim.Index(d, keep="float32")
    index.append(tokens, sizes)
    rows, asked = torch.from_numpy(tokens), torch.from_numpy(query)
    owner = torch.from_numpy(np.repeat(np.arange(n), sizes))[:, None].expand(-1, 32)

    def by_torch() -> torch.Tensor:
        best = torch.full((n, 32), -torch.inf).scatter_reduce(0, owner, rows @ asked.T, "amax")
        return torch.topk(best.sum(dim=1), 10)

    def by_numpy() -> np.ndarray:
        return np.argpartition(-np.maximum.reduceat(tokens @ query.T, offsets[:-1]).sum(axis=1), 10)[:10]

    peers = {"torch": by_torch, "numpy": by_numpy}
    yield Case("maxsim, exact by codes", 14.0, lambda t: index.search(query, 10, threads=t), peers)
    yield Case("maxsim, float32", 7.0, lambda t: maxsim.score(query, tokens, offsets, threads=t), peers)


@numba.njit
def accumulate(starts, docs, values, lengths, query, weights, flat, slope, out):
    """An inverted index in plain loops, as bm25s keeps one; the saturation is computed here as in ours."""
    out[:] = 0
    for t in range(len(query)):
        for x in range(starts[query[t]], starts[query[t] + 1]):
            value = values[x]
            out[docs[x]] += weights[t] * (value * np.float32(2.2) / (value + (flat + slope * lengths[docs[x]])))


def sparse_cases() -> Iterator[Case]:
    import bm25s

    n, most, vocabulary, asked = SPARSE
    terms, values, lengths = bags(n, most, vocabulary)
    rng = np.random.default_rng(SEED)
    query = np.unique(rng.choice(terms, 2 * asked))[:asked]
    index = sparse.Index()
    index.append(terms, values, lengths)
    df = index.df(query)
    weights = np.log(1 + (n - df + 0.5) / (df + 0.5)).astype(np.float32)
    repeated = np.repeat(terms, values.astype(int))
    stops = np.cumsum(np.add.reduceat(values.astype(int), np.concatenate([[0], np.cumsum(lengths)[:-1]])))[:-1]
    retriever = bm25s.BM25(k1=1.2, b=0.75, backend="numba")
    corpus = [part.tolist() for part in np.split(repeated, stops)]
    retriever.index((corpus, {int(term): int(term) for term in range(vocabulary)}), show_progress=False)
    tokens = [query.astype(np.int32).tolist()]
    order = np.argsort(terms, kind="stable")
    starts = np.searchsorted(terms[order], np.arange(vocabulary + 1))
    docs, sorted_values = np.repeat(np.arange(n), lengths)[order].astype(np.uint32), values[order]
    sizes = np.add.reduceat(values, np.concatenate([[0], np.cumsum(lengths)[:-1]])).astype(np.float32)
    out, flat, slope = np.empty(n, np.float32), np.float32(0.3), np.float32(0.9 / sizes.mean())

    def by_numba() -> np.ndarray:
        accumulate(starts, docs, sorted_values, sizes, query, weights, flat, slope, out)
        return np.argpartition(-out, 100)[:100]

    peers = {
        "bm25s": lambda: retriever.retrieve(tokens, k=100, show_progress=False, n_threads=1),
        "numba, inverted": by_numba,
    }
    yield Case("sparse top-100, bm25", 4.0, lambda t: index.search(query, weights, 100, bm25=True, threads=t), peers)


FAMILIES = {
    "dense": dense_cases, "hopfield": hopfield_cases, "fusemoe": fusemoe_cases, "poincare": poincare_cases,
    "cones": cones_cases, "hdc": hdc_cases, "graph": graph_cases, "maxsim": maxsim_cases, "sparse": sparse_cases,
}  # fmt: skip


def visit(call: Call) -> float:
    """Least seconds of a call within a visit."""
    best, end = float("inf"), time.perf_counter() + VISIT
    while True:
        begin = time.perf_counter()
        call()
        now = time.perf_counter()
        best = min(best, now - begin)
        if now > end:
            return best


def measured(case: Case, threads: int, rounds: int) -> dict[str, object]:
    numba.set_num_threads(threads)
    faiss.omp_set_num_threads(threads)
    torch.set_num_threads(threads)
    calls: dict[str, Call] = {"ours": lambda: case.ours(threads), **case.peers}
    times: dict[str, list[float]] = {name: [] for name in calls}
    with threadpool_limits(threads):
        for call in calls.values():
            call()  # compiles, fills caches
        for _ in range(rounds):
            for name, call in calls.items():
                times[name].append(visit(call))
    least = {name: min(each) for name, each in times.items()}
    peer = min(case.peers, key=lambda name: least[name])
    return {
        "case": case.name, "threads": threads, "goal": case.goal, "peer": peer,
        "ratio": round(least[peer] / least["ours"], 2),
        "ratio_of_medians": round(statistics.median(times[peer]) / statistics.median(times["ours"]), 2),
        "ms": {name: round(1000 * each, 4) for name, each in least.items()},
        "median_ms": {name: round(1000 * statistics.median(each), 4) for name, each in times.items()},
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="families, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    faiss.cvar.distance_compute_blas_threshold = 20  # the shipped default scans batches query by query
    for family in options.only.split(",") if options.only else FAMILIES:
        for case in FAMILIES[family]():
            for threads in (1, 2):
                row = measured(case, threads, options.rounds)
                rows.append(row)
                ms = ", ".join(f"{name} {each:.4g}" for name, each in row["ms"].items())
                print(f"{row['case']:28} {threads}T {row['ratio']:6.2f} (goal {row['goal']}) {ms}", flush=True)
    if options.out is not None:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
        result = {
            "command": "python -m benchmarks.kernels.ratios", "cpu": cpu, "cores": os.cpu_count(),
            "backend": NATIVE[-1], "amx": _core.amx(), "load": os.getloadavg(), "rows": rows,
        }  # fmt: skip
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
