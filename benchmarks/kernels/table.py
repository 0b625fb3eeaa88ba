"""A pytest-benchmark file without its raw samples, and the Markdown tables of docs/kernels made from it.

pytest --dist=no benchmarks/kernels/bench_*.py --benchmark-json=raw.json
python -m benchmarks.kernels.table raw.json benchmarks/results/kernels/MACHINE-SUBJECT.json
"""

import json
import sys
from pathlib import Path


def strip(raw: dict) -> dict:
    machine = raw["machine_info"]
    rows = [
        {
            "name": f"{Path(entry['fullname'].split('::')[0]).stem.removeprefix('bench_')}.{entry['name']}",
            "min_us": round(entry["stats"]["min"] * 1e6, 1),
            "median_us": round(entry["stats"]["median"] * 1e6, 1),
            "rounds": entry["stats"]["rounds"],
            **{key: value for key, value in entry["extra_info"].items() if value is not None},
        }
        for entry in raw["benchmarks"]
    ]
    return {
        "date": raw["datetime"],
        "commit": raw["commit_info"]["id"],
        "cpu": machine["cpu"]["brand_raw"],
        "cores": machine["cpu"]["count"],
        "python": machine["python_version"],
        "rows": rows,
    }


def markdown(result: dict, family: str) -> str:
    lines = ["| case | min us | median us | GB/s | error |", "|---|---|---|---|---|"]
    for row in result["rows"]:
        if row["name"].startswith(f"{family}."):
            name = row["name"].removeprefix(f"{family}.test_")
            error = f"{row['error']:.1e}" if "error" in row else ""
            speed = row.get("gb_per_s", "")
            least, median = (f"{us:.0f}" if us >= 100 else f"{us:.1f}" for us in (row["min_us"], row["median_us"]))
            lines.append(f"| {name} | {least} | {median} | {speed} | {error} |")
    return "\n".join(lines)


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    result = strip(json.loads(source.read_text(encoding="utf-8")))
    target.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for family in (
        "dense", "maxsim", "sparse", "hdc", "transe", "poincare", "cones", "modulation", "hebbian", "hopfield",
        "fusemoe",
    ):  # fmt: skip
        print(f"\n## {family}\n\n{markdown(result, family)}")
