"""Measures every CUDA kernel at the sizes of docs/performance.md, and the public operations, on this machine's card.

python -m benchmarks.gpu [--parts operations peers kernels] [--out benchmarks/results/gpu-<card>.json]
python -m benchmarks.gpu --tables    the tables of docs/performance.md; needs no card
"""

import argparse
import ctypes
import datetime
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.gpu.driver import Card, NoCard
from benchmarks.gpu.operations import INDEXES, OPERATIONS, agree, call, filled, search
from benchmarks.gpu.sizes import CUDA, TABLE, Array, bound_us, least_bytes, plan, sizes
from context_graph.errors import BackendUnavailable

REPEATS = 20
H100 = Path(__file__).parents[1] / "results" / "gpu-nvidia-h100-80gb-hbm3.json"
PARTS = ("operations", "peers", "kernels")
UNTOLD = (
    "first",
    "team",
    "ld",
    "total",
    "starts",
    "rows_a_part",
    "rows_of_present",
    "present_stride",
    "row_stride",
    "expert_stride",
)
CTYPES = {
    **{"float32": ctypes.c_float, "float64": ctypes.c_double, "int32": ctypes.c_int32, "uint32": ctypes.c_uint32},
    **{"int64": ctypes.c_int64, "uint64": ctypes.c_uint64},
}


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, help="where the results go; else benchmarks/results/gpu-<card>.json")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure; else all")
    parser.add_argument(
        "--tables", action="store_true", help="print the tables of docs/performance.md, measure nothing"
    )
    parsed = parser.parse_args(words)
    if parsed.tables:
        print(tables())
        return 0
    try:
        card = Card()
    except NoCard as reason:
        print(f"nothing measured, no CUDA card: {reason}", file=sys.stderr)
        return 2
    result = {
        "card": card.name,
        "arch": card.arch,
        "peak_gb_per_s": card.peak / 1e9,
        "date": datetime.date.today().isoformat(),
        "commit": subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, cwd=CUDA).stdout.strip(),
    }
    slug = re.sub(r"[^a-z0-9]+", "-", card.name.lower()).strip("-")
    out = parsed.out or Path(__file__).parents[1] / "results" / f"gpu-{slug}.json"
    rows = {
        "operations": lambda: (*operations(), *searches()),
        "peers": _peers,
        "kernels": lambda: kernels(card),
    }
    for part in parsed.parts:
        result[part] = list(rows[part]())
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"written to {out}")
    return 0 if all(row["agrees"] for row in result.get("operations", ())) else 1


def _peers():
    try:
        from benchmarks.gpu.peers import measured
    except ImportError:
        print("torch is not installed: no peers")
        return ()
    return measured()


def tables() -> str:
    """Those of docs/performance.md: each kernel's bound on an RTX 5090 and what an H100 took, and torch beside us."""
    return f"{kernel_table()}\n\n{peer_table()}"


def kernel_table() -> str:
    measured = {row["kernel"]: row for row in _of_h100("kernels")}
    lines = [
        "| kernel | sizes | bytes | registers | RTX 5090: bound | H100: bound | H100: measured |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, entry in TABLE.items():
        launch = plan(name)
        text = ", ".join(
            f"{size} = {value:,}" for size, value in sizes(name).items() if size not in UNTOLD and "stride" not in size
        )
        row = measured.get(name)
        there = f"{row['bound_us']:,.1f} µs | {row['median_us']:,.1f} µs" if row else "| not measured"
        lines.append(
            f"| `{name}` | {text} | {least_bytes(launch) / 1e6:,.1f} MB | {entry['registers']} "
            f"| {bound_us(launch):,.1f} µs | {there} |"
        )
    return "\n".join(lines)


def peer_table() -> str:
    lines = [
        "| operation | rows | ours | torch | torch compiled | best of torch / ours |",
        "|---|---|---|---|---|---|",
    ]
    for row in _of_h100("peers"):
        known = ("case", "rows", "apart", "ours", "best_peer_over_ours")
        plain = [value for key, value in row.items() if key not in known and not key.endswith(", compiled") and value]
        compiled = [value for key, value in row.items() if key.endswith(", compiled") and value]
        times = [f"{min(each):,.0f} µs" if each else "" for each in (plain, compiled)]
        operation, _, arrays = row["case"].partition(" ")
        lines.append(
            f"| `{operation}` {arrays} | {row['rows']:,} | {row['ours']:,.0f} µs "
            f"| {times[0]} | {times[1]} | {row['best_peer_over_ours'] or ''} |"
        )
    return "\n".join(lines)


def _of_h100(part: str) -> list[dict[str, Any]]:
    return json.loads(H100.read_text(encoding="utf-8"))[part] if H100.exists() else []


def operations():
    """Each public operation on "cuda", of NumPy arrays and of tensors on the card, and of these tensors in Triton."""
    for name, (make, _, small, large) in OPERATIONS.items():
        wanted = call(name, make(small), backend="reference")
        for kind, move in (("cuda", None), ("in place", _tensors()), ("triton", _tensors())):
            given: dict[str, Any] = {"backend": "cuda" if kind == "in place" else kind}
            if kind != "cuda" and move is None:
                continue
            try:
                good = agree(call(name, move(make(small)) if move else make(small), **given), wanted)
            except BackendUnavailable as reason:  # Triton has not all of them
                print(f"{name:<32} {kind:<7} {reason}")
                continue
            except Exception as error:  # a report of one failure must not lose the others
                print(f"{name:<32} {kind:<7} failed: {error}")
                yield {"operation": name, "backend": kind, "agrees": False, "error": str(error)}
                continue
            arguments = move(make(large)) if move else make(large)
            call(name, arguments, **given)
            times = []
            for _ in range(REPEATS):
                started = time.perf_counter()
                call(name, arguments, **given)  # its answer is on this side, so the card has finished
                times.append(1e6 * (time.perf_counter() - started))
            row = {"operation": name, "backend": kind, "rows": large, "median_us": round(statistics.median(times), 1)}
            print(f"{name:<32} {kind:<7} {large:>10,} rows {row['median_us']:>12,.1f} us with copies  agrees: {good}")
            yield row | {"agrees": good}


def searches():
    """A search of each index whose rows lie on the card: the query goes there, the answer comes back."""
    for name, (*_, small, large) in INDEXES.items():
        good = agree(search(name, filled(name, small, "cuda")), search(name, filled(name, small, "reference")))
        index = filled(name, large, "cuda")
        search(name, index)
        times = []
        for _ in range(REPEATS):
            started = time.perf_counter()
            search(name, index)
            times.append(1e6 * (time.perf_counter() - started))
        row = {"operation": name, "backend": "resident", "rows": large, "median_us": round(statistics.median(times), 1)}
        print(f"{name:<32} resident {large:>9,} rows {row['median_us']:>12,.1f} us  agrees: {good}")
        yield row | {"agrees": good}


def _tensors():
    """Moves arrays to the card, where torch sees one."""
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    return lambda given: tuple(torch.from_numpy(a).cuda() if isinstance(a, np.ndarray) else a for a in given)


def kernels(card: Card):
    """Each kernel of the table by itself: median of events around the launch, the L2 cache flushed before."""
    files = sorted({entry["file"] for entry in TABLE.values()})
    with ThreadPoolExecutor() as pool:
        machine_code = pool.map(lambda file: compiled(CUDA / file, card.arch), files)
        modules = {file: card.load(code) for file, code in zip(files, machine_code, strict=True)}
    for name, entry in TABLE.items():
        launch = plan(name, card.processors)
        function = card.kernel(modules[entry["file"]], name, launch.shared_bytes)
        held, arguments, changed = [], [], []
        for argument in launch.arguments:
            if not isinstance(argument, Array):
                arguments.append(CTYPES[argument.dtype.name](argument.item()))
                continue
            if argument.shape is None:
                arguments.append(ctypes.c_uint64(0))
                continue
            at = card.allocate(argument.nbytes)
            held.append(at)
            arguments.append(at)
            card.fill(at, argument.nbytes, pattern(argument, launch.names))
            if not argument.const and not argument.out:
                kept = card.allocate(argument.nbytes)
                held.append(kept)
                card.copy(kept, at, argument.nbytes)
                changed.append((at, kept, argument.nbytes))

        def restore(changed=changed) -> None:
            for at, kept, nbytes in changed:
                card.copy(at, kept, nbytes)

        shape = (function, launch.grid, launch.block, launch.shared_bytes, arguments, restore)
        card.time_us(*shape)
        median = statistics.median(card.time_us(*shape) for _ in range(REPEATS))
        for at in held:
            card.free(at)
        speed = least_bytes(launch) / median * 1e6
        row = {
            **{"kernel": name, "sizes": sizes(name), "grid": launch.grid, "median_us": round(median, 2)},
            **{"gb_per_s": round(speed / 1e9, 1), "share_of_peak": round(speed / card.peak, 3) if card.peak else None},
            "bound_us": round(bound_us(launch, card.peak), 2) if card.peak else None,
        }
        print(f"{name:<32} {median:>12,.1f} us {row['gb_per_s']:>8} GB/s  bound {row['bound_us']} us")
        yield row


def compiled(source: Path, arch: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.cubin")
        subprocess.run(["nvcc", "-cubin", f"-arch={arch}", str(source), "-o", str(out)], check=True)
        return out.read_bytes()


def pattern(array: Array, names: dict[str, Any]) -> np.ndarray:
    """Contents to repeat up to the size of the array: neighbours that exist, offsets that rise, points in the ball."""
    rng = np.random.default_rng(20261122)
    count = min(int(np.prod(array.shape)), 1 << 22)
    if array.out:
        return np.zeros(16, np.uint8)
    if array.name in ("offsets", "starts"):  # all of it, equal parts
        end = next(names[size] for size in ("room", "t", "postings", "m", "total") if size in names)
        return np.linspace(0, end, int(np.prod(array.shape))).astype(np.int64)
    if array.name in ("begins", "ends", "from", "to", "counts"):  # of lists that are equally long
        lists = names.get("terms", names.get("lists", 1))
        starts = np.linspace(0, names["postings"], lists + 1).astype(np.int64)
        return np.diff(starts) if array.name == "counts" else starts[1:] if array.name == "ends" else starts[:-1]
    if array.name == "docs":  # the same sorted list for every term
        each = names["postings"] // names.get("terms", 30)
        return np.sort(rng.choice(names["n"], each, replace=False)).astype(array.dtype)
    if array.name == "ids":
        return rng.integers(0, names.get("e", names.get("end", 100)), count)
    if array.name in ("expert_of", "pair_of", "place_of"):  # each in turn
        ends = {"expert_of": names.get("e"), "pair_of": names.get("n", 1) * names["k"], "place_of": names.get("places")}
        return (np.arange(count) % ends[array.name]).astype(array.dtype)
    if array.name in ("sources", "targets"):
        return rng.integers(0, names["n"], count).astype(array.dtype)
    if array.name.startswith(("bad", "not_finite", "any")):
        return np.full(1, 2**31 - 1 if array.name.startswith("bad") else 0, np.int32)
    if array.name == "best" and array.dtype == np.uint64 and "lists" in names:  # each list descends
        return -np.sort(-rng.integers(0, 2**62, (count // names["k"], names["k"])), axis=1).astype(np.int64)
    if array.name in ("best", "improved", "keys") and array.dtype == np.uint64:
        return rng.integers(0, 2**62, count).astype(np.uint64)
    if array.dtype == np.uint64:
        words = rng.integers(0, 2**63, (max(1, count // 160), 160)).astype(np.uint64)
        words[:, 157:] = 0
        return words
    if array.dtype == np.uint8 and len(array.shape or ()) >= 2 and array.name != "verdicts":
        width = (array.shape or (1,))[-1] // names.get("d", names.get("din", 1))
        values = rng.uniform(-0.9, 0.9, count // width) / np.sqrt(names.get("d", names.get("din", 1)))
        kinds = {4: np.float32, 2: np.float16}
        return values.astype(kinds[width]) if width in kinds else rng.integers(-127, 128, count).astype(np.int8)
    if array.dtype.kind == "f":
        return (rng.random(count) / np.sqrt(names.get("d", 1))).astype(array.dtype)
    return rng.integers(0, 3 if array.name == "verdicts" else 100, count).astype(array.dtype)


if __name__ == "__main__":
    raise SystemExit(main())
