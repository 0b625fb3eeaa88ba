"""How long the cases of `benchmarks.kernels.ratios` take one thread of this machine at least, and how long they took.

python -m benchmarks.kernels.limits benchmarks/results/ratios/MACHINE.json [--out MACHINE-limits.json]

Compiles and runs `limits.cpp` (GCC, AVX-512), then divides what a case reads or computes by the rate of it. What a case
does besides (the choice of the best, sums across lanes, a second look at a few rows) is left out: none can be faster.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

from benchmarks.shapes import BALL, FUSEMOE, GRAPH

SOURCE = Path(__file__).with_name("limits.cpp")
EXPERTS, GATE, DOUT, DIN = FUSEMOE
POINTS, EDGES = BALL[0] * BALL[1], GRAPH[1]
ROWS, PATTERNS, TOKENS = 200_000 * 1536, 100_000 * 1536, 1_220_268 * 128
# What has to be done, and the rate it is bound by.
WORK = {
    "dense B=1 float32": (4 * ROWS, "bytes from memory"),
    "dense B=1 int8, exact": (ROWS, "bytes from memory"),
    "dense B=64 float32": (64 * ROWS, "bfloat16 multiply-adds"),
    "dense B=64 int8, exact": (64 * ROWS, "int8 multiply-adds"),
    "hopfield B=1 float32": (4 * PATTERNS, "bytes from memory"),
    "hopfield B=1 bfloat16": (2 * PATTERNS, "bytes from memory"),
    "hopfield B=64 float32": (2 * 64 * PATTERNS, "float32 multiply-adds"),
    # A query and a weight as two numbers of bfloat16 each (16 bits) would be as many.
    "hopfield B=64 bfloat16": (2 * 64 * PATTERNS, "float32 multiply-adds"),
    "gate B=1024": (1024 * EXPERTS * GATE, "float32 multiply-adds"),
    "fuse 4 of 13, float32": (4 * 4 * DOUT * DIN, "bytes from 24 MB"),
    "poincare B=1, plain": (4 * POINTS, "bytes from memory"),
    "poincare B=1, screened": (2 * POINTS, "bytes from memory"),
    "poincare B=64, plain": (64 * POINTS, "bfloat16 multiply-adds"),
    "poincare B=64, screened": (64 * POINTS, "bfloat16 multiply-adds"),
    "cones of a point": (4 * POINTS, "bytes from memory"),
    "cones of a point, codes": (5 * POINTS // 4, "bytes from memory"),  # and four numbers a row of 64
    "hamming B=1": (300_000 * 1280, "bytes from memory"),
    "hamming B=64": (64 * 300_000 * 1280, "bytes compared by VPOPCNTQ"),
    "weigh, signals of 8 bits": (11 * EDGES, "bytes from memory"),
    "hebbian, graph": (2 * EDGES, "numbers gathered from 256 KB"),
    "hebbian, arrays": (EDGES, "numbers gathered from 4 MB"),
    "pagerank, ten rounds": (10 * EDGES, "edges followed within 256 KB"),
    "maxsim, exact by codes": (32 * TOKENS, "int8 multiply-adds"),
    "maxsim, float32": (32 * TOKENS, "float32 multiply-adds"),
}  # fmt: skip


def rates() -> dict[str, float]:
    """Billions a second, of one thread."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "limits"
        flags = ["-O3", "-march=native", "-std=c++20"]
        subprocess.run(["g++", *flags, SOURCE, "-o", program], check=True)
        measured: dict[str, float] = json.loads(subprocess.run([program], check=True, capture_output=True).stdout)
    return measured


def bounds(measured: dict[str, float], ratios: list[dict]) -> list[dict]:
    """A row a case of one thread: the least milliseconds, ours, and the ratio that the least would be."""
    rows = []
    for row in ratios:
        if row["case"] not in WORK or row["threads"] != 1:
            continue
        amount, rate = WORK[row["case"]]
        least = amount / measured[rate] / 1e6
        rows.append({
            "case": row["case"], "bound": rate, "least_ms": round(least, 3),
            "ms": row["ms"]["ours"], "goal": row["goal"], "ratio": row["ratio"],
            "highest_ratio": round(row["ms"][row["peer"]] / least, 2),
        })  # fmt: skip
    return rows


def table(rows: list[dict]) -> str:
    """A row a case, with one thread."""
    lines = ["| case | bound | at least, ms | ours, ms | ratio at the bound | goal |", "|---|---|---|---|---|---|"]
    for row in rows:
        columns = " | ".join(f"{row[name]:.3g}" for name in ("least_ms", "ms", "highest_ratio"))
        beyond = ": **beyond**" if row["highest_ratio"] < row["goal"] else ""
        lines.append(f"| {row['case']} | {row['bound']} | {columns} | {row['goal']:g}{beyond} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ratios", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    measured = rates()
    rows = bounds(measured, json.loads(options.ratios.read_text(encoding="utf-8"))["rows"])
    print(table(rows), end="")
    if options.out is not None:
        result = {
            "command": "python -m benchmarks.kernels.limits", "billions_a_second": measured,
            "load": os.getloadavg(), "rows": rows,
        }  # fmt: skip
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
