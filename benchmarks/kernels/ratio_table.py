"""The table of docs/kernels/index.md from a result of `benchmarks.kernels.ratios`.

python -m benchmarks.kernels.ratio_table [benchmarks/results/ratios/MACHINE.json]
"""

import argparse
import json
from pathlib import Path

RESULT = Path(__file__).parents[1] / "results/ratios/xeon-amx.json"


def table(result: Path = RESULT) -> str:
    """A row a case: how many times as fast as the best peer, by minima, with one thread and with two."""
    rows = json.loads(result.read_text(encoding="utf-8"))["rows"]
    cases: dict[str, list[dict]] = {}
    for row in rows:
        cases.setdefault(row["case"], []).append(row)
    lines = ["| case | ours, ms | best peer | times as fast | goal |", "|---|---|---|---|---|"]
    for case, threads in cases.items():
        times = "; ".join(f"{row['ms']['ours']:.3g}" for row in threads)
        peers = "; ".join(dict.fromkeys(row["peer"] for row in threads))
        ratios = "; ".join(f"{row['ratio']:.2g}" if row["ratio"] < 10 else f"{row['ratio']:.0f}" for row in threads)
        goal = threads[0]["goal"]
        met = "" if min(row["ratio"] for row in threads) >= goal else ": **missed**"
        lines.append(f"| {case} | {times} | {peers} | {ratios} | {goal:g}{met} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", nargs="?", type=Path, default=RESULT)
    print(table(parser.parse_args().result), end="")
