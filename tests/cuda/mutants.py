"""Mistakes put into the kernels one at a time: a test of behaviour must see each.

    python -m tests.cuda.mutants [--family dense ...] [--only NAME ...] [--list] [--out FILE]

`mutants.toml` has the edits. Each is applied to a copy of cuda/, which the emulator compiles (a changed .cu is one or
two objects, seconds each), and the mutant's own test runs. A mutant is caught where that test fails with the edit and
passes without it. Exit status: 0 if all were caught, 1 if one survived, 2 if one could not be judged: its text does
not stand exactly once in its file, it does not compile, its test is none, or fails without it too.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["MUTANTS", "SOURCES", "Mutant", "MutantError", "edited", "judge"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = ROOT / "cuda"
LIMIT_SECONDS = 900
STOPPED = 86  # how the emulator ends a process whose kernel did something forbidden
# What runs on the whole module, its Python, bindings and launchers, rather than on programs of one kernel.
ON_MODULE = ("tests/kernels/", "tests/cuda/device_")
RUN_ON_MODULE = """
import sys
sys.path.insert(0, "tests/cuda")
from emulator.core import run_tests
ran = run_tests(*sys.argv[1:])
sys.stdout.write(ran.stdout)
sys.stderr.write(ran.stderr)
raise SystemExit(ran.returncode)
"""


class MutantError(Exception):
    """A mutant that says nothing about the tests."""


@dataclass(frozen=True)
class Mutant:
    """One edit of one file: `before`, which stands there once, becomes `after`, and `test` must fail."""

    name: str
    family: str
    file: str
    before: str
    after: str
    why: str
    test: str  # options of pytest


MUTANTS = [Mutant(**entry) for entry in tomllib.loads((HERE / "mutants.toml").read_text(encoding="utf-8"))["mutant"]]


def edited(mutant: Mutant, text: str) -> str:
    """The text of its file with the edit, which must fit in exactly one place."""
    places = text.count(mutant.before)
    if places != 1:
        raise MutantError(
            f"{mutant.name}: expected its text once in cuda/{mutant.file}, found it {places} times; the source has "
            f"changed, so write the mutant anew in tests/cuda/mutants.toml:\n{mutant.before}"
        )
    return text.replace(mutant.before, mutant.after)


def judge(mutant: Mutant) -> str | None:
    """The test that failed and why, in a line; None where the mutant survived."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder, "cuda")
        shutil.copytree(SOURCES, copy)
        changed = copy / mutant.file
        changed.write_text(edited(mutant, changed.read_text(encoding="utf-8")), encoding="utf-8")
        ran = _run(mutant.test, copy)
    output = ran.stdout + ran.stderr
    if re.search(r"RuntimeError: g\+\+ ", output):
        raise MutantError(f"{mutant.name}: it does not compile, so its test did not run:\n{output[-3000:]}")
    crashed = ran.returncode in (STOPPED, *range(129, 256)) or ran.returncode < 0
    if ran.returncode not in (0, 1) and not crashed:
        raise MutantError(f"{mutant.name}: pytest {mutant.test} ended with {ran.returncode}:\n{output[-3000:]}")
    if ran.returncode == 0:
        return None
    _passes_unchanged(mutant.test)
    if crashed:
        return "the emulator stopped it" if ran.returncode == STOPPED else f"the process ended with {ran.returncode}"
    failed = re.search(r"^_+ (?:ERROR at setup of )?(\S+) _+$", output, re.MULTILINE)
    reasons = re.findall(r"^E +((?!AssertionError:$)\S.*)$", output, re.MULTILINE)
    watched = [word for word in ("data race", "AddressSanitizer", "runtime error", "deadlock") if word in output]
    return f"{failed[1] if failed else '?'}: {' '.join([*watched, *reasons[:1]])[:120]}"


@cache
def _passes_unchanged(test: str) -> None:
    ran = _run(test, SOURCES)
    if ran.returncode != 0:
        raise MutantError(f"pytest {test} fails without a mutant too:\n{ran.stdout[-3000:]}")
    if not re.search(r"\d+ passed", ran.stdout):
        raise MutantError(f"pytest {test} runs no test:\n{ran.stdout[-3000:]}")


def _run(test: str, sources: Path) -> subprocess.CompletedProcess[str]:
    options = [*shlex.split(test), "--long", "-x", "--tb=short", "-p", "no:cacheprovider"]
    start = [sys.executable, "-c", RUN_ON_MODULE] if test.startswith(ON_MODULE) else [sys.executable, "-m", "pytest"]
    environment = os.environ | {"CONTEXT_GRAPH_EMULATOR_KERNELS": str(sources)}
    return subprocess.run(
        [*start, *options],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=LIMIT_SECONDS,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cuda.mutants", description=(__doc__ or "").split("\n")[0])
    families = sorted({mutant.family for mutant in MUTANTS})
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[mutant.name for mutant in MUTANTS])
    parser.add_argument("--family", nargs="+", choices=families, metavar="FAMILY", help=", ".join(families))
    parser.add_argument("--list", action="store_true", help="print what there is, run nothing")
    parser.add_argument("--out", type=Path, help="a file to which each line goes as well, after those it has")
    options = parser.parse_args()
    chosen = [
        mutant
        for mutant in MUTANTS
        if (options.only is None or mutant.name in options.only)
        and (options.family is None or mutant.family in options.family)
    ]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.name:36} {mutant.file:14} {mutant.why}")
        return 0
    counts = {"caught": 0, "survived": 0, "not judged": 0}
    for mutant in chosen:
        begin = time.monotonic()
        try:
            by = judge(mutant)
            verdict = "survived" if by is None else "caught"
        except (MutantError, subprocess.TimeoutExpired) as error:
            verdict, by = "not judged", str(error)
        counts[verdict] += 1
        shown = by or f"{mutant.why}; pytest {mutant.test} passes"
        line = f"{verdict:10} {time.monotonic() - begin:6.1f} s  {mutant.name:36} {shown}"
        print(line, flush=True)
        if options.out:
            with options.out.open("a", encoding="utf-8") as out:
                out.write(line + "\n")
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 2 if counts["not judged"] else 1 if counts["survived"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
