"""Keeps results with machine, date and commit, and prints them."""

import gzip
import json
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["environment", "keep_records", "model_settings", "save"]


def environment() -> dict[str, str]:
    """Where and when a result was made."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    model = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
            if "model name" in line
        ),
        platform.processor(),
    )
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit.stdout.strip(),
        "machine": f"{model}, {len(__import__('os').sched_getaffinity(0))} cores",
        "python": platform.python_version(),
    }


def save(
    folder: Path, name: str, numbers: dict, records: Sequence[dict], *, seconds: float, about: dict | None = None
) -> None:
    """Write the summary and, beside it, every question's result.

    Parameters
    ----------
    about : dict, optional
        What else a reader of the summary has to know, such as the version of what was measured.
    """
    folder.mkdir(parents=True, exist_ok=True)
    head = environment() | {"system": name, "questions": len(records), "seconds": round(seconds, 1)} | (about or {})
    (folder / f"{name}.json").write_text(json.dumps(head | {"result": numbers}, indent=1) + "\n", encoding="utf-8")
    if not records:
        print(f"{name:<24}", json.dumps(numbers), flush=True)
        return
    keep_records(folder / f"{name}.questions.jsonl.gz", records)
    print(f"{name:<24}", "  ".join(f"{key} {value}" for key, value in numbers.items()), flush=True)


def keep_records(file: Path, records: Sequence[dict]) -> None:
    """Write one line of JSON a question."""
    with gzip.GzipFile(file, "wb", mtime=0) as stream:
        stream.write("".join(json.dumps(record) + "\n" for record in records).encode())


def model_settings(model: Path) -> dict[str, str | Path]:
    """The settings by which a model reads: one in a folder, or that of the extra `multilingual` by its name."""
    return {"model": model.name} if str(model) == "multilingual" else {"model_folder": model}
